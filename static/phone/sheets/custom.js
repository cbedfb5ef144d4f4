// The sheet of a club's own game: cells with a keypad of what is possible, or names to tap from first to last.

import { keypad, moveTo, ranks, sum, tell, walk, write } from "./block.js";
import { arrows, element, frame } from "./parts.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
const LONGEST = 5; // digits
const MOST_ROUNDS = 100;

/** Return the whole number in a field, which may be below zero; undefined where there is none. */
function number(form, name) {
  const text = (form.elements[name]?.value ?? "").trim().replace("−", "-");
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const given = (pairs) => Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
const cells = (form) => [...form.querySelectorAll(".block td > input")];
const rowsOf = (form) => [...form.querySelectorAll("tr[data-rule]")];
const ruleOf = (row) => JSON.parse(row.dataset.rule);
const inputs = (row) => [...row.querySelectorAll("input")];
const isOrder = (form) => Boolean(form.querySelector("[data-order]"));

function read(form) {
  const report = frame(form);
  const { seats } = report;
  if (isOrder(form)) {
    const at = seats.map((uid) => [uid, number(form, `places.${uid}`)]);
    const order = [...new Set(at.map(([, place]) => place))].filter((place) => place !== undefined).sort((one, two) => one - two);
    return { ...report, places: order.map((place) => at.filter(([, own]) => own === place).map(([uid]) => uid)) };
  }
  const [kind] = cells(form)[0].name.split(".");
  if (kind === "points") return { ...report, points: given(seats.map((uid) => [uid, number(form, `points.${uid}`)])) };
  if (kind === "rounds") {
    const rounds = rowsOf(form).map((_, index) => given(seats.map((uid) => [uid, number(form, `rounds.${index}.${uid}`)])));
    while (rounds.length && !Object.keys(rounds.at(-1)).length) rounds.pop();
    return { ...report, rounds };
  }
  const keys = rowsOf(form).map((row) => inputs(row)[0].name.split(".").slice(2).join("."));
  const own = (uid) => given(keys.map((key) => [key, number(form, `lines.${uid}.${key}`)]));
  return { ...report, lines: Object.fromEntries(seats.map((uid) => [uid, own(uid)])) };
}

// Limits: what a number may be, and what it may begin with.

const isPossible = ({ values, min, max, step }, value) =>
  values ? values.includes(value) : value >= min && value <= max && (value - min) % step === 0;

/** Say whether a number that may be written begins like this text. */
function canBegin(rule, text) {
  if (rule.values) return rule.values.some((value) => String(value).startsWith(text));
  if (text === "" || text === "-") return true;
  const [own, sign] = [Math.abs(Number(text)), text.startsWith("-") ? -1 : 1];
  for (let more = 0; own.toString().length + more <= LONGEST; more += 1) {
    if (own === 0 && more) break;
    const [least, most] = [own * 10 ** more, own * 10 ** more + 10 ** more - 1];
    const [low, high] = sign > 0 ? [least, most] : [-most, -least];
    const first = rule.min + Math.max(0, Math.ceil((low - rule.min) / rule.step)) * rule.step;
    if (first <= Math.min(high, rule.max)) return true;
  }
  return false;
}

const isFull = (rule, text) =>
  isPossible(rule, Number(text)) && (text === "0" || !DIGITS.some((digit) => canBegin(rule, text + digit)));
const hasMinus = ({ values, min }) => (values ? values.some((value) => value < 0) : min < 0);
const nothing = (rule) => (isPossible(rule, 0) ? 0 : (rule.values?.[0] ?? rule.min));

/** Fill what is missing with something harmless, so that the limits of what is there can be judged. */
function complete(report) {
  const form = document.querySelector("form[data-sheet]");
  if (isOrder(form)) {
    const placed = report.places.flat();
    const left = report.seats.filter((uid) => !placed.includes(uid));
    return { ...report, places: [...report.places, ...left.map((uid) => [uid])] };
  }
  const rules = rowsOf(form).map(ruleOf);
  const filled = (own, keys, ruleAt) => Object.fromEntries(keys.map((key, at) => [key, own[key] ?? nothing(ruleAt(at))]));
  if (report.points) return { ...report, points: filled(report.points, report.seats, () => rules[0]) };
  if (report.rounds) return { ...report, rounds: report.rounds.map((each) => filled(each, report.seats, () => rules[0])) };
  const keys = rowsOf(form).map((row) => inputs(row)[0].name.split(".").slice(2).join("."));
  const lines = Object.entries(report.lines).map(([uid, own]) => [uid, filled(own, keys, (at) => rules[at])]);
  return { ...report, lines: Object.fromEntries(lines) };
}

/** Show totals and places so far. */
function refresh(form, ctx) {
  if (isOrder(form)) return order(form, ctx);
  const rows = rowsOf(form).map((row) => ({ factor: ruleOf(row).factor, fields: inputs(row) }));
  const seats = JSON.parse(form.dataset.seats);
  const points = seats.map((_, at) => sum(rows.map(({ factor, fields }) => factor * (number(form, fields[at].name) ?? 0))));
  const sign = form.querySelector(".block").dataset.low ? -1 : 1;
  const places = ranks(points.map((own) => [sign * own]));
  const isBegun = cells(form).some((cell) => cell.value);
  seats.forEach(({ uid }, at) => tell(form, uid, { total: isBegun ? points[at] : "–", rank: isBegun ? places[at] : "" }));
  return grow(form, ctx);
}

/** Return what a field shows of a report, where that is not simply its value. */
function shown(report, name) {
  if (!report.places || !name.startsWith("places.")) return undefined;
  const index = report.places.findIndex((place) => place?.includes(name.slice("places.".length)));
  return index < 0 ? "" : String(index + 1);
}

// Rounds are added as they are played.

function addRound(form) {
  const body = form.querySelector(".block tbody");
  const rows = rowsOf(form);
  const index = rows.length;
  if (index >= MOST_ROUNDS) return false;
  for (const row of [rows.at(-1), rows.at(-1).nextElementSibling]) {
    const copy = row.cloneNode(true);
    const renamed = (text) => text.replace(`rounds.${index - 1}.`, `rounds.${index}.`);
    for (const each of copy.querySelectorAll("[id]")) each.id = renamed(each.id);
    for (const each of copy.querySelectorAll("input")) {
      Object.assign(each, { name: renamed(each.name), value: "" });
      each.setAttribute("aria-describedby", renamed(each.getAttribute("aria-describedby")));
      each.ariaLabel = each.ariaLabel.replace(/\d+$/, String(index + 1));
      each.removeAttribute("aria-invalid");
    }
    for (const each of copy.querySelectorAll("[data-finding-for]")) {
      each.dataset.findingFor = renamed(each.dataset.findingFor);
      each.textContent = "";
    }
    const name = copy.querySelector("[data-name]");
    if (name) name.textContent = name.textContent.replace(/\d+$/, String(index + 1));
    body.append(copy);
  }
  return true;
}

function grow(form) {
  if (!form.querySelector(".block[data-open]")) return;
  if (inputs(rowsOf(form).at(-1)).some((field) => field.value)) addRound(form);
}

/** Make room for rounds that are about to be restored. */
function prepare(form, fields) {
  if (!form.querySelector(".block[data-open]")) return;
  const most = Math.max(0, ...fields.filter(([, value]) => value).map(([name]) => Number(name.match(/^rounds\.(\d+)\./)?.[1] ?? 0)));
  while (rowsOf(form).length < Math.min(most + 2, MOST_ROUNDS) && addRound(form));
}

// Cells and their keypad.

function block(form, ctx) {
  const isCell = (field) => field.matches?.(".block td > input");
  const row = (field) => field.closest("tr[data-rule]");
  const rule = (field) => ruleOf(row(field));
  const at = (field) => [rowsOf(form).indexOf(row(field)), inputs(row(field)).indexOf(field)];
  const cell = (down, aside) => inputs(rowsOf(form)[down] ?? form)[aside];
  const next = (field) => {
    const [down, aside] = at(field);
    moveTo(cell(down, aside + 1) ?? (rowsOf(form)[down + 1] && cell(down + 1, 0)));
  };
  const put = (field, text) => {
    write(field, text);
    const { given: counts } = rule(field);
    // What only one player has, the others have not.
    if (counts?.length === 1 && counts[0] === 1 && Number(text)) {
      for (const other of inputs(row(field))) if (other !== field) other.value = "0";
      ctx.changed();
    }
    if (isFull(rule(field), text)) next(field);
  };

  const pad = keypad(form, (field) => {
    if (!isCell(field)) return null;
    const own = rule(field);
    const title = field.ariaLabel;
    const hint = row(field).querySelector(".small").textContent;
    const back = () => write(field, field.value.slice(0, -1));
    if (own.values && own.values.length <= 12) {
      const keys = own.values.map((value) => ({
        text: value,
        isPressed: field.value === String(value),
        press: () => {
          put(field, String(value));
          if (document.activeElement === field) next(field);
        },
      }));
      return { title, hint, keys, actions: { next } };
    }
    const begun = isFull(own, field.value) ? "" : field.value;
    const keys = DIGITS.map((digit) => {
      const text = begun === "0" ? digit : begun + digit;
      return { text: digit, isOff: !canBegin(own, text), press: () => put(field, text) };
    });
    const minus = () => write(field, field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`);
    return { title, hint, keys, actions: { back, next, ...(hasMinus(own) && { minus }) } };
  });

  walk(form, (field, aside, down) => {
    const [top, left] = at(field);
    return rowsOf(form)[top + down] && cell(top + down, left + aside);
  });
  return pad;
}

// Names in order: a tap gives the next place, a second one takes it back, and those behind move up.

let group;
let isLevel = false;

function order(form, ctx) {
  const report = read(form);
  for (const key of group?.children ?? []) {
    const index = report.places.findIndex((place) => place.includes(key.value));
    key.ariaPressed = index >= 0;
    key.querySelector(".badge").textContent = index < 0 ? "" : index + 1;
    key.querySelector(".sr-only").textContent = index < 0 ? "" : `, ${ctx.word("place", { number: index + 1 })}`;
  }
}

function names(form, ctx) {
  const spot = form.querySelector("[data-order] .places");
  const field = (uid) => form.elements[`places.${uid}`];
  const level = element("button", { type: "button", class: "button", "aria-pressed": "false", onclick: () => turn(!isLevel) }, ctx.word("level"));
  const turn = (on) => {
    isLevel = on;
    level.ariaPressed = on;
  };
  const show = (places) => {
    for (const { uid } of ctx.seats) field(uid).value = "";
    places.forEach((place, index) => place.forEach((uid) => (field(uid).value = String(index + 1))));
    ctx.changed();
  };
  const tap = (uid) => {
    const { places } = read(form);
    if (places.flat().includes(uid)) {
      show(places.map((place) => place.filter((each) => each !== uid)).filter((place) => place.length));
    } else if (isLevel && places.length) {
      show([...places.slice(0, -1), [...places.at(-1), uid]]);
    } else {
      show([...places, [uid]]);
    }
    turn(false);
  };
  group = element("div", { class: "keys podium-keys", role: "group", "aria-label": ctx.word("order") });
  for (const { uid, name } of ctx.seats) {
    const badge = element("span", { class: "badge", "aria-hidden": "true" });
    group.append(element("button", { type: "button", class: "key", value: uid, onclick: () => tap(uid) }, badge, element("span", {}, name), element("span", { class: "sr-only" })));
  }
  const again = element("button", { type: "button", class: "button", onclick: () => show([]) }, ctx.word("again"));
  const help = element("p", { class: "soft small" }, ctx.word("order"));
  const hasTies = form.querySelector("[data-order]").hasAttribute("data-ties");
  spot.classList.add("is-replaced");
  for (const { uid } of ctx.seats) field(uid).tabIndex = -1;
  spot.after(help, group, element("p", { class: "row" }, ...(hasTies ? [level] : []), again));
  arrows(group);
}

function enhance(form, ctx) {
  if (isOrder(form)) names(form, ctx);
  else block(form, ctx);
  refresh(form, ctx);
}

export default { read, complete, prepare, enhance, refresh, shown };
