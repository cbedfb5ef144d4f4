// Dice Run: tap first, second and third of each stage; or tap objectives and dice and let the podium be worked out.

import { arrows, element, frame, word } from "./parts.js";

const PRIZES = [3, 4, 5, 6];
const PLACES = [0, 1, 2];
const OTHER_PRIZES = [2, 1];

const seatsOf = (form) => JSON.parse(form.dataset.seats).map((seat) => seat.uid);
const placesOf = (form, stage) => PLACES.map((place) => form.elements[`stages.${stage}.podium.${place}`]);
const linesOf = (text) => text.toLowerCase().split("\n").map((line) => line.trim().replace(/\s+/g, " "));

function readStage(form, index) {
  const stage = {};
  const podium = PLACES.map((place) => word(form, `stages.${index}.podium.${place}`) ?? null);
  while (podium.length && podium.at(-1) === null) podium.pop();
  if (podium.length) stage.podium = podium;
  const revealer = word(form, `stages.${index}.revealer`);
  if (revealer) stage.revealer = revealer;
  const shown = seatsOf(form).map((uid) => [uid, word(form, `stages.${index}.objectives.${uid}`)?.toLowerCase()]);
  const objectives = Object.fromEntries(shown.filter(([, card]) => card));
  if (Object.keys(objectives).length) stage.objectives = objectives;
  const groups = linesOf(form.elements[`stages.${index}.groups`].value).filter(Boolean);
  if (groups.length) stage.groups = groups;
  return stage;
}

function read(form) {
  const colours = word(form, "colours");
  const report = { ...frame(form), stages: PRIZES.map((_, index) => readStage(form, index)) };
  return colours ? { ...report, colours } : report;
}

// Whoever is not on a podium yet may come next; unfinished evidence proves nothing, so it waits.
function complete(report) {
  const stages = report.stages.map((stage) => {
    const { podium = [], revealer, objectives, groups } = stage;
    const others = report.seats.filter((seat) => !podium.includes(seat));
    const isProof = groups && objectives && Object.keys(objectives).length === report.seats.length;
    const whole = { podium: PLACES.map((place) => podium[place] ?? others.shift()) };
    if (revealer) whole.revealer = revealer;
    return isProof && podium.length === 3 ? { ...whole, objectives, groups } : whole;
  });
  return { ...report, stages };
}

function totals(report) {
  const points = Object.fromEntries(report.seats.map((seat) => [seat, 0]));
  report.stages.forEach(({ podium = [] }, stage) =>
    podium.forEach((seat, place) => {
      if (seat in points) points[seat] += [PRIZES[stage], ...OTHER_PRIZES][place];
    }),
  );
  return points;
}

/** Return what decides a place: points, then the strongest stage card won. */
function key(report, uid) {
  return [totals(report)[uid], Math.max(0, ...PRIZES.filter((_, stage) => report.stages[stage].podium?.[0] === uid))];
}

// The podium: a key per player. Tapping one who stands on it takes the player down again, and those behind move up.

function podiumKeys(form, stage, ctx) {
  const places = placesOf(form, stage);
  const label = ctx.word("podium", { number: stage + 1 });
  const group = element("div", { class: "keys podium-keys", role: "group", "aria-label": label });
  const taken = () => places.map((place) => place.value).filter(Boolean);
  const tap = (uid) => {
    let next = taken();
    next = next.includes(uid) ? next.filter((each) => each !== uid) : [...next, uid].slice(0, PLACES.length);
    const left = ctx.seats.map((seat) => seat.uid).filter((each) => !next.includes(each));
    if (left.length === 1 && next.length === 2 && next.at(-1) === uid) next.push(left[0]); // of three, two decide it
    places.forEach((place, at) => (place.value = next[at] ?? ""));
    ctx.changed();
  };
  for (const { uid, name } of ctx.seats) {
    const badge = element("span", { class: "badge", "aria-hidden": "true" });
    const spoken = element("span", { class: "sr-only" });
    group.append(element("button", { type: "button", class: "key", value: uid, onclick: () => tap(uid) }, badge, element("span", {}, name), spoken));
  }
  places[0].closest(".places").classList.add("is-replaced");
  places.forEach((place) => (place.tabIndex = -1));
  places[0].closest(".places").after(group);
  arrows(group);
  return () => {
    const podium = taken();
    for (const key of group.children) {
      const at = podium.indexOf(key.value);
      key.setAttribute("aria-pressed", at >= 0);
      key.querySelector(".badge").textContent = at < 0 ? "" : at + 1;
      key.querySelector(".sr-only").textContent = at < 0 ? "" : `, ${ctx.word(`place-${at + 1}`)}`;
    }
  };
}

// The dice: a key per face writes to the last line of the groups.

function diceKeys(form, stage, ctx) {
  const input = form.elements[`stages.${stage}.groups`];
  const count = element("p", { class: "soft small", role: "status" });
  const result = element("p", { class: "soft", role: "status" });
  const pad = element("div", { class: "keys dice-keys", role: "group", "aria-label": ctx.word("dice") });
  pad.append(document.querySelector("template[data-dice]").content.cloneNode(true));
  const write = (text) => {
    input.value = text;
    input.scrollTop = input.scrollHeight;
    ctx.changed();
  };
  pad.addEventListener("click", ({ target: { dataset } }) => {
    if (dataset.die) write(input.value + (/(^|\n)$/.test(input.value) ? "" : " ") + dataset.die);
  });
  const button = (key, act) => element("button", { type: "button", class: "button", onclick: act }, ctx.word(key));
  const work = async () => {
    const { objectives = {}, groups = [], revealer } = readStage(form, stage);
    const colours = word(form, "colours");
    const position = { seats: seatsOf(form), objectives, groups, ...(revealer && { revealer }), ...(colours && { colours }) };
    const answer = await ctx.assist(position);
    if (!answer) return (result.textContent = ctx.word("unreadable"));
    if (!answer.podium) return (result.textContent = ctx.word("tied"));
    placesOf(form, stage).forEach((place, at) => (place.value = answer.podium[at]));
    const nameOf = (uid) => ctx.seats.find((seat) => seat.uid === uid).name;
    result.textContent = ctx.word("computed", { names: answer.podium.map(nameOf).join(", ") });
    return ctx.changed();
  };
  const row = element(
    "p",
    { class: "row" },
    button("next-group", () => input.value.trim() && write(`${input.value.trimEnd()}\n`)),
    button("undo", () => write(input.value.trimEnd().replace(/\s?\S+$/, ""))),
  );
  input.closest(".field").append(pad, count, row);
  input.closest(".flow").append(button("compute", work), result);
  arrows(pad);
  return () => {
    const dice = input.value.split(/\s+/).filter(Boolean).length;
    count.textContent = ctx.word("dice-count", { count: dice });
  };
}

const updates = [];

function enhance(form, ctx) {
  PRIZES.forEach((_, stage) => updates.push(podiumKeys(form, stage, ctx), diceKeys(form, stage, ctx)));
  refresh();
}

function refresh() {
  for (const update of updates) update();
}

export default { read, complete, totals, key, enhance, refresh };
