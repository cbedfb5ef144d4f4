// The block of 10 Phases: two taps per phase on a keypad that offers the points ten dice can make, or the dice themselves.

import { keypad, moveTo, ranks, sum, tell, walk, write } from "./block.js";
import { frame, whole, word } from "./parts.js";

const PHASES = 10;
const BONUS = 40;
const BONUS5_LEAST = 221;
const MISS_COST = 5;
const DIGITS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
const FACES = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "W"];
const HIGH_DICE = 6;
const LOW_DICE = 4;

const names = (uid, list) => Array.from({ length: PHASES }, (_, index) => `block.${uid}.${list}.${index}`);
const padded = (values, length, empty) => [...values, ...Array(Math.max(length - values.length, 0)).fill(empty)];

/** Return the names of a column's fields up to the last one that has something in it. */
function written(form, uid, list) {
  const found = names(uid, list);
  while (found.length && word(form, found.at(-1)) === undefined) found.pop();
  return found;
}

/** Return the dice of each line as a report has them: the joker large, colours small, null for an empty line. */
function lines(text) {
  const all = text.trimEnd().toLowerCase().replaceAll("w", "W");
  return all ? all.split("\n").map((line) => line.trim().replace(/\s+/g, " ") || null) : [];
}

function column(form, uid, isSolo) {
  const phases = written(form, uid, "phases").map((name) => whole(form, name) ?? null);
  const misses = written(form, uid, "misses").map((name) => (word(form, name) ? (whole(form, name) ?? null) : 0));
  const dice = lines(form.elements[`block.${uid}.dice`].value);
  return {
    phases,
    ...(isSolo && { misses: padded(misses, phases.length, 0) }),
    ...(dice.length && { dice: padded(dice, phases.length, null) }),
  };
}

const earns5 = (phases, misses) => phases.length >= 5 && sum(phases.slice(0, 5)) - MISS_COST * sum(misses.slice(0, 5)) >= BONUS5_LEAST;
const isAtOnce = () => Boolean(document.querySelector("[data-at-once] :checked")); // alone, by another reading than ours

/** Add the bonuses and totals that are due; `marked` are those who had the last bonus, if several came through. */
function finish(report, marked) {
  const isSolo = report.variant === "solo";
  const finished = report.seats.filter((uid) => report.block[uid].phases.length === PHASES);
  for (const uid of report.seats) {
    const { phases, misses = [] } = report.block[uid];
    const isFirst = marked.includes(uid) || (finished.length === 1 && finished[0] === uid);
    const earns10 = isSolo ? finished.length && !misses[PHASES - 1] : isFirst;
    const bonus5 = earns5(phases, isAtOnce() ? misses : []) ? BONUS : 0;
    const bonus10 = earns10 ? BONUS : 0;
    const total = sum(phases) + bonus5 + bonus10 - MISS_COST * sum(misses);
    Object.assign(report.block[uid], { bonus5, bonus10, total });
  }
  return report;
}

function read(form) {
  const report = frame(form);
  const isSolo = report.variant === "solo";
  report.block = Object.fromEntries(report.seats.map((uid) => [uid, column(form, uid, isSolo)]));
  return finish(report, report.seats.filter((uid) => form.elements[`block.${uid}.bonus10`]?.checked));
}

/** Fill the first column if nobody is through yet, and a number that is being typed, so that the rest can be judged. */
function complete(report) {
  const { seats, block } = structuredClone(report);
  const rows = [...document.querySelectorAll("[data-points]")];
  const least = rows.map((row) => Number.parseInt(row.dataset.points));
  if (!seats.some((uid) => block[uid].phases.length === PHASES)) {
    block[seats[0]].phases.push(...least.slice(block[seats[0]].phases.length));
  }
  for (const [uid, column] of Object.entries(block)) {
    const typing = names(uid, "phases").indexOf(document.activeElement.name);
    if (column.phases[typing] < 10) column.phases[typing] = least[typing];
    const fit = (values, empty) => padded(values, column.phases.length, empty).slice(0, column.phases.length);
    if (column.misses) column.misses = fit(column.misses, 0);
    if (column.dice) column.dice = fit(column.dice, null);
  }
  return finish({ ...report, block }, seats.filter((uid) => block[uid].bonus10));
}

/** Show what is worked out: bonuses, totals, ranks, and which bonuses have to be asked for. */
function refresh(form) {
  const { seats, block } = read(form);
  const isThrough = (uid) => block[uid].phases.length === PHASES;
  const isAsked = seats.filter(isThrough).length > 1;
  const isBegun = seats.some((uid) => block[uid].phases.length);
  const places = ranks(seats.map((uid) => [isThrough(uid), block[uid].total, Math.max(0, ...block[uid].phases)]));
  seats.forEach((uid, seat) => {
    const { bonus5, bonus10, total } = block[uid];
    tell(form, uid, { bonus5, bonus10, total, rank: isBegun ? places[seat] : "" });
    const atOnce = form.querySelector("[data-at-once]");
    if (atOnce) atOnce.hidden = earns5(block[uid].phases, []) === earns5(block[uid].phases, block[uid].misses);
    const mark = form.elements[`block.${uid}.bonus10`];
    if (!mark) return;
    const isChoice = isAsked && isThrough(uid);
    if (!isThrough(uid)) mark.checked = false;
    mark.parentElement.hidden = !isChoice;
    form.querySelector(`[data-bonus10="${CSS.escape(uid)}"]`).hidden = isChoice;
  });
}

const through = ({ seats, block }) => seats.filter((uid) => block[uid]?.phases?.length === PHASES);

/** Return what a field shows of a report, where that is not simply its value. */
function shown(report, name) {
  const [, uid, list] = name.split(".");
  const column = report.block?.[uid] ?? {};
  // Alone through phase 10, the bonus follows; several mark who has it.
  if (list === "bonus10") return through(report).length > 1 && column.bonus10 ? String(BONUS) : "";
  if (list === "bonus5") return column.bonus5 === 0 && earns5(column.phases ?? [], []) ? "0" : "";
  return undefined;
}

/** Ask for the last bonus again where two phones each thought that theirs was the only column to be through. */
function reconcile(form, before, after) {
  if (through(before).length > 1 || through(after).length < 2 || !through(after).every((uid) => after.block[uid].bonus10)) return;
  for (const uid of after.seats) form.elements[`block.${uid}.bonus10`].checked = false;
}

function enhance(form, ctx) {
  const at = (field) => {
    const [, uid, list, index] = field.name?.match(/^block\.(.+)\.(phases|misses)\.(\d)$/) ?? [];
    return uid && { uid, list, index: Number(index), seat: ctx.seats.findIndex((each) => each.uid === uid) };
  };
  const cell = (seat, list, index) => form.elements[`block.${ctx.seats[seat]?.uid}.${list}.${index}`];
  const below = ({ seat, list, index }) => cell(seat, list, index + 1) ?? cell(seat + 1, list, 0);
  const reachable = (field) => field.closest("[data-points]").dataset.points.split(" ");
  const noted = (field) => form.elements[`block.${at(field).uid}.dice`];
  const diceOf = (field) => lines(noted(field).value)[at(field).index] ?? "";
  let isDice = false;
  let proposals = {}; // by the field of a phase, what its dice can be written down for

  const isHalf = (field) => at(field)?.list === "phases" && field.value.length === 1;
  form.addEventListener("focusout", ({ target }) => isHalf(target) && ctx.changed()); // now it can be judged
  form.addEventListener("input", ({ target }) => {
    if (at(target)?.list === "phases" && reachable(target).includes(target.value)) moveTo(below(at(target)));
  });

  const back = (field) => write(field, field.value.slice(0, -1));
  const next = (field) => {
    const seat = (at(field).seat + 1) % ctx.seats.length;
    const empty = names(ctx.seats[seat].uid, "phases").find((name) => !form.elements[name].value);
    moveTo(form.elements[empty] ?? cell(seat, "phases", 0));
  };

  function pointsOffer(field) {
    const begun = field.value.length === 1 ? field.value : "";
    const possible = reachable(field).filter((points) => points.startsWith(begun));
    const keys = DIGITS.map((digit) => {
      const text = `${begun}${digit}`;
      return { text, isOff: !possible.some((points) => points.startsWith(text)), press: () => write(field, text) };
    });
    return { ...about(field), keys, actions: { back, dice: turn, next } };
  }

  function missesOffer(field) {
    const keys = DIGITS.map((digit) => ({
      text: digit,
      press: () => write(field, field.value.length < 2 ? field.value + digit : digit),
    }));
    return { title: field.ariaLabel, keys, actions: { back } };
  }

  function diceOffer(field) {
    const dice = diceOf(field).split(" ").filter(Boolean);
    const isHigh = (face) => Number.parseInt(face) >= 5;
    const high = dice.filter(isHigh).length;
    const isOff = (face) => (isHigh(face) ? high >= HIGH_DICE : dice.length - high >= LOW_DICE);
    const put = (faces) => {
      const all = padded(lines(noted(field).value), at(field).index + 1, null);
      all[at(field).index] = faces.join(" ");
      write(noted(field), all.map((each) => each ?? "").join("\n"));
      propose(field, faces);
    };
    const faces = FACES.map((face) => ({ text: face, isOff: isOff(face), press: () => put([...dice, face]) }));
    const take = (points) => () => write(field, String(points));
    const proposed = (proposals[field.name] ?? []).map(({ points }) => ({ text: points, isProposed: true, press: take(points) }));
    const actions = { back: () => put(dice.slice(0, -1)), dice: turn, next };
    return { ...about(field), hint: dice.join(" "), keys: [...faces, ...proposed], actions };
  }

  function about(field) {
    return { title: field.ariaLabel, hint: field.closest("tr").querySelector("[data-name]").textContent };
  }

  async function propose(field, faces) {
    proposals = {};
    const answer = faces.length && (await ctx.assist({ phase: at(field).index + 1, dice: faces.join(" "), throws: 0 }));
    if (!answer || faces.join(" ") !== diceOf(field)) return; // more dice have come meanwhile
    proposals[field.name] = answer.scores;
    pad.show();
  }

  function turn() {
    isDice = !isDice;
    form.querySelector("[data-key=dice]").ariaPressed = isDice;
  }

  const pad = keypad(form, (field) => {
    const place = at(field);
    if (!place) return null;
    if (place.list === "misses") return missesOffer(field);
    return isDice ? diceOffer(field) : pointsOffer(field);
  });

  walk(form, (field, aside, down) => {
    const place = at(field);
    return place && cell(place.seat + aside, place.list, place.index + down);
  });
  refresh(form);
}

export default { read, complete, enhance, refresh, shown, reconcile };
