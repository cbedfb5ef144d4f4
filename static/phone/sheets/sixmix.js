// Sixmix round by round: a tap for each player who takes tokens, or the rows as they stand on the board, from which
// the tokens follow.

import { keypad, moveTo, ranks, sum, tell, walk, write } from "./block.js";
import { frame, whole } from "./parts.js";

const ROW = /^[1-6]{6}$/;
const DIGITS = ["1", "2", "3", "4", "5", "6"];

const rowsPerSeat = (variant) => (variant === "two-player" ? 2 : 1);
const rounds = (form) => form.querySelectorAll("[data-round]").length;

const groups = (text) => text.replace(/\s+/g, "").match(/.{1,6}/g) ?? [];

/** Lay digits out as they are read: six in a row, the rows of a player in a line. */
function laidOut(text, variant) {
  const rows = groups(text);
  const each = rowsPerSeat(variant);
  const starts = rows.map((_, index) => index).filter((index) => index % each === 0);
  return starts.map((start) => rows.slice(start, start + each).join(" ")).join("\n");
}

const triples = (row) => sum(DIGITS.map((digit) => Math.floor((row.split(digit).length - 1) / 3)));

/** Return the tokens for the rows of all seats: 2 for the highest number, 1 for the next lower one, 1 per triple. */
function earned(texts) {
  const numbers = [...new Set(texts.join(" ").split(" "))].sort().reverse();
  const points = (row) => Math.max(2 - numbers.indexOf(row), 0) + triples(row);
  return texts.map((text) => sum(text.split(" ").map(points)));
}

/** Tell whether all rows of a round are there and legible. */
function isWhole(rows, seats, variant) {
  const isLegible = (text) => text?.split(" ").length === rowsPerSeat(variant) && text.split(" ").every((row) => ROW.test(row));
  return seats.every((uid) => isLegible(rows[uid]));
}

function given(seats, value) {
  return Object.fromEntries(seats.map((uid) => [uid, value(uid)]).filter(([, each]) => each !== undefined));
}

/** Return the rows by seat, a line each; what is too much is left in the last line. */
function readRows(text, seats) {
  const lines = text.trimEnd().split("\n");
  const ends = [...lines.slice(0, seats.length - 1), lines.slice(seats.length - 1).join("")];
  return given(seats, (uid) => groups(ends[seats.indexOf(uid)] ?? "").join(" ") || undefined);
}

function readRound(form, index, seats, variant) {
  const tokens = given(seats, (uid) => whole(form, `rounds.${index}.tokens.${uid}`));
  const rows = readRows(form.elements[`rounds.${index}.rows`].value, seats);
  if (!Object.keys(rows).length) return { tokens };
  const due = isWhole(rows, seats, variant) ? earned(seats.map((uid) => rows[uid])) : [];
  return { tokens: { ...given(seats, (uid) => due[seats.indexOf(uid)]), ...tokens }, rows };
}

/** Tell whether the first digit of a seat has its field: where it decides, and where the sheet came with it. */
const isShown = (form, uid, asked) => asked.includes(uid) || form.elements[`lead.${uid}`].defaultValue !== "";

const isEmpty = ({ tokens, rows }) => !Object.keys(tokens).length && !rows;

function read(form) {
  const report = frame(form);
  const { seats, variant } = report;
  const all = Array.from({ length: rounds(form) }, (_, index) => readRound(form, index, seats, variant));
  while (all.length && isEmpty(all.at(-1))) all.pop();
  const { asked } = standing({ ...report, rounds: all });
  const lead = given(seats, (uid) => (isShown(form, uid, asked) ? whole(form, `lead.${uid}`) : undefined));
  return { ...report, rounds: all, ...(Object.keys(lead).length && { lead }) };
}

const isPlayed = ({ tokens }, seats) => seats.every((uid) => uid in tokens);
const totals = (played, seats) => seats.map((uid) => sum(played.map(({ tokens }) => tokens[uid] ?? 0)));
const goal = () => Number(document.querySelector("[data-goal]").dataset.goal);

const isImpossible = (tokens) => document.querySelector("[data-impossible]").dataset.impossible.split(" ").includes(tokens.map(String).sort().join(""));

/** Tell whether somebody who has no token yet must still get one in the round that is being filled in. */
function isUnfinished({ tokens, rows }) {
  const taken = Object.values(tokens);
  return !rows && taken.includes(0) && isImpossible(taken);
}

/** Play the game to its end for the leader, so that what is there can be judged before it is over. */
function complete(report) {
  const { seats, variant } = report;
  const all = structuredClone(report.rounds);
  if (all.length && (!isPlayed(all.at(-1), seats) || isUnfinished(all.at(-1)))) all.pop();
  for (const each of all) if (each.rows && !isWhole(each.rows, seats, variant)) delete each.rows;
  const points = totals(all, seats);
  const leader = points.indexOf(Math.max(...points));
  const second = leader ? 0 : 1;
  const filling = Object.fromEntries(seats.map((uid, seat) => [uid, seat === leader ? 2 : Number(seat === second)]));
  for (let most = points[leader]; most < goal(); most += 2) all.push({ tokens: filling });
  return { ...report, rounds: all };
}

/** Tell how the game stands: points per seat, whether it is over, who share the highest total, whose digit is asked for. */
function standing({ seats, variant, rounds: played }) {
  const points = totals(played, seats);
  const last = played.at(-1);
  const most = Math.max(...points);
  const isOver = most >= goal() && isPlayed(last, seats);
  const first = seats.filter((_, seat) => isOver && points[seat] === most);
  const tied = first.length > 1 ? first : [];
  const asked = last?.rows && isWhole(last.rows, seats, variant) ? [] : tied;
  return { points, isOver, tied, asked };
}

const digit = (text) => Math.max(...text.split(" ").map((row) => Number(row[0])));

/** Show as many rounds as are played and the next, the rows that are noted, totals and ranks. */
function refresh(form) {
  const report = read(form);
  const { points, isOver, tied, asked } = standing(report);
  const open = report.rounds.length - Number(report.rounds.length && !isPlayed(report.rounds.at(-1), report.seats));
  for (const row of form.querySelectorAll("[data-round]")) {
    const index = Number(row.dataset.round);
    row.hidden = index > open || (isOver && index >= report.rounds.length);
    const rows = form.querySelector(`[data-rows="${index}"]`);
    rows.hidden = row.hidden || !(report.rounds[index]?.rows || rows.querySelector("details").open);
  }
  const shown = report.seats.filter((uid) => isShown(form, uid, asked));
  form.querySelector("[data-lead]").hidden = !shown.length;
  form.querySelector("[data-asked]").hidden = !asked.length;
  for (const uid of report.seats) form.elements[`lead.${uid}`].hidden = !shown.includes(uid);
  const last = report.rounds.at(-1);
  const lead = (uid) => (asked.length ? (report.lead?.[uid] ?? 0) : digit(last.rows[uid]));
  const leads = report.seats.map((uid) => (tied.includes(uid) ? lead(uid) : 0));
  const places = ranks(report.seats.map((_, seat) => [points[seat], leads[seat]]));
  report.seats.forEach((uid, seat) => tell(form, uid, { total: points[seat], rank: last ? places[seat] : "" }));
}

function enhance(form, { seats: people, variant, word }) {
  const seats = people.map((seat) => seat.uid);
  const most = Number(form.querySelector("[data-most]").dataset.most);
  const isFull = (text) => groups(text).length === seats.length * rowsPerSeat(variant) && groups(text).at(-1).length === 6;
  const isVisible = (field) => !field.closest("tr").hidden && !field.hidden;
  const kind = ({ name }) => name.match(/^rounds\.\d+\.(tokens|rows)|^(lead)\./)?.slice(1).find(Boolean);
  const roundOf = ({ name }) => Number(name.split(".")[1]);
  const tokensOf = (index) => seats.map((uid) => form.elements[`rounds.${index}.tokens.${uid}`]);
  const rowsOf = (index) => form.elements[`rounds.${index}.rows`];
  const isOpen = (list) => (field) => kind(field) === list && !field.value && isVisible(field);

  function openRows(index) {
    rowsOf(index).closest("details").open = true;
    rowsOf(index).closest("tr").hidden = false;
    return rowsOf(index);
  }

  /** Return the next field to fill: tokens, or rows for who writes rows, then the first digits if they decide. */
  function next(field) {
    const tokens = [...form.elements].find(isOpen("tokens"));
    if (tokens) return kind(field) === "rows" ? openRows(roundOf(tokens)) : tokens;
    return [...form.elements].find(isOpen("lead"));
  }

  let isTapped = false; // a tap fills a whole round, and leads on only when the next round begins

  form.addEventListener("input", ({ target }) => {
    const list = kind(target);
    if (list === "rows") fromRows(target);
    if (list) refresh(form);
    if (isTapped) return;
    if (list === "rows" ? isFull(target.value) : list && target.value) moveTo(next(target));
  });

  function fromRows(field) {
    if (field.selectionStart === field.value.length) field.value = laidOut(field.value, variant);
    const rows = readRows(field.value, seats);
    if (!isWhole(rows, seats, variant)) return;
    const due = earned(seats.map((uid) => rows[uid]));
    tokensOf(roundOf(field)).forEach((cell, seat) => (cell.value = due[seat]));
  }

  const keysOf = (texts, press, isOff = () => false) =>
    texts.map((text) => ({ text, isOff: isOff(text), press: () => press(text) }));
  const back = (field) => write(field, field.value.slice(0, -1).trimEnd());

  /** Give a player tokens of a round: whoever has none yet has 0. Tapped again they go, the last of a round with it. */
  function take(index, seat, text) {
    const cells = tokensOf(index);
    const values = cells.map((cell, each) => (each === seat ? (cell.value === text ? "0" : text) : cell.value || "0"));
    const isGone = values.every((value) => value === "0");
    cells.forEach((cell, each) => (cell.value = isGone ? "" : values[each]));
    isTapped = true;
    write(cells[seat], cells[seat].value);
    isTapped = false;
    moveTo(cells[seat]);
  }

  function columns(index, texts, isOff = false) {
    const number = index + 1;
    const key = (seat, text) => {
      const label = word("take", { name: people[seat].name, number, tokens: text });
      return { text, label, isOff, isPressed: tokensOf(index)[seat].value === text, press: () => take(index, seat, text) };
    };
    return people.map((_, seat) => ({ keys: texts.map((text) => key(seat, text)) }));
  }

  /** Offer a round in full, and the next one to begin: most often somebody takes 2 for the highest number and no more. */
  function tokensOffer(field) {
    const index = roundOf(field);
    const report = read(form);
    const { isOver, asked } = standing(report);
    const isNext = index + 1 < rounds(form) && index + 1 >= report.rounds.length && !isOver;
    const taken = tokensOf(index).map((cell) => cell.value);
    const all = columns(index, Array.from({ length: most }, (_, each) => String(each + 1)));
    const lines = [{ columns: all.map((column, seat) => ({ title: people[seat].short, ...column })) }];
    const isTooEarly = taken.includes("") || isImpossible(taken);
    if (isNext) lines.push({ caption: word("round", { number: index + 2 }), columns: columns(index + 1, ["2"], isTooEarly) });
    const rows = () => moveTo(openRows(index));
    const lead = asked.length && (() => moveTo(form.elements[`lead.${asked[0]}`]));
    return { title: word("round", { number: index + 1 }), lines, actions: { rows, ...(lead && { lead }) } };
  }

  function rowsOffer(field) {
    const done = groups(field.value).filter((row) => row.length === 6).length;
    const { name } = people[Math.min(Math.floor(done / rowsPerSeat(variant)), people.length - 1)];
    const tokens = () => moveTo(tokensOf(roundOf(field))[0]);
    return { title: name, hint: field.ariaLabel, keys: keysOf(DIGITS, (text) => write(field, field.value + text)), actions: { back, tokens } };
  }

  function leadOffer(field) {
    return { title: field.ariaLabel, keys: keysOf(DIGITS, (text) => write(field, text)), actions: { back } };
  }

  keypad(form, (field) => ({ tokens: tokensOffer, rows: rowsOffer, lead: leadOffer })[kind(field)]?.(field));
  walk(form, (field, aside, down) => {
    const seat = seats.findIndex((uid) => field.name.endsWith(`.${uid}`));
    const aim = form.elements[`rounds.${roundOf(field) + down}.tokens.${seats[seat + aside]}`];
    return aim && isVisible(aim) && aim;
  });
  refresh(form);
}

export default { read, complete, enhance, refresh };
