// DIX: tap the first and the last number of a run, or drag over them; or tap the cards and let the best runs be found.
// Money and cards are asked for where they break a tie for the first place, and only of those who share it.

import { arrows, element, frame, keys, whole, word } from "./parts.js";

const COLOURS = ["blue", "green", "orange", "pink"];
const COUNTS = ["coins", "consolation", "card_count"];
const RUN = /^([1-9])(?:-([1-9]))?$/;

const field = (form, ...path) => form.elements[path.join(".")];
const seatsOf = (form) => JSON.parse(form.dataset.seats).map((seat) => seat.uid);
const cardsOf = (text) => text?.split(" ") ?? [];

function span(text) {
  const [, first, last = first] = RUN.exec(text ?? "") ?? [];
  return first ? [Number(first), Number(last)] : null;
}

const size = (text) => {
  const ends = span(text);
  return ends ? ends[1] - ends[0] + 1 : 0;
};
const places = (runs) => Object.values(runs).reduce((sum, run) => sum + size(run), 0);

function readHand(form, uid) {
  const runs = {};
  for (const colour of COLOURS) {
    const run = word(form, `hands.${uid}.runs.${colour}`)?.replace(/[–—−]/g, "-").replaceAll(" ", "");
    if (run) runs[colour] = run;
  }
  const hand = { runs };
  for (const name of COUNTS) {
    const count = whole(form, `hands.${uid}.${name}`);
    if (count !== undefined) hand[name] = count;
  }
  const cards = word(form, `hands.${uid}.cards`)?.toLowerCase();
  return cards ? { ...hand, cards } : hand;
}

function read(form) {
  const report = { ...frame(form), hands: Object.fromEntries(seatsOf(form).map((uid) => [uid, readHand(form, uid)])) };
  const difficulty = whole(form, "difficulty");
  return difficulty === undefined ? report : { ...report, difficulty };
}

const complete = (report) => (report.variant === "solo" ? { difficulty: 4, ...report } : report);

function totals(report) {
  const points = (run) => size(run) + (size(run) === 9);
  const sum = (runs) => Object.values(runs).reduce((all, run) => all + points(run), 0);
  return Object.fromEntries(Object.entries(report.hands).map(([uid, hand]) => [uid, sum(hand.runs)]));
}

/** Return what decides a place: points, and for those who share the first place money and then cards. */
function key(report, uid) {
  const points = totals(report);
  const uids = Object.keys(points);
  if (report.variant === "solo") return [points[uid], uids.indexOf(uid)]; // a tie is not a win against ALIX
  const money = (each) => (report.hands[each].coins ?? 0) + 3 * (report.hands[each].consolation ?? 0);
  const cards = ({ card_count, cards: held }) => card_count ?? cardsOf(held).length;
  const leaders = sharing(uids, (each) => points[each]);
  const richest = sharing(leaders, money);
  return [points[uid], leaders.includes(uid) ? money(uid) : 0, richest.includes(uid) ? -cards(report.hands[uid]) : 0];
}

// A run is nine keys. The first tap is a run of one, the second its other end. After that a tap beside the run makes it
// longer, so that 1 2 3 4 is the run 1-4 too, one inside makes it shorter, and one further away begins anew.

function tapped([first, last], number) {
  if (number === first - 1) return [number, last];
  if (number === last + 1) return [first, number];
  if (number < first || number > last) return null;
  if (number === last) return [first, last - 1];
  if (number === first) return [first + 1, last];
  return number - first < last - number ? [number, last] : [first, number];
}

function runKeys(input, ctx) {
  const group = element("div", { class: "keys run-keys", role: "group", "aria-label": input.labels[0].textContent });
  let isOpen = false;
  let anchor = 0;
  const set = (one, other) => {
    const [first, last] = one < other ? [one, other] : [other, one];
    input.value = first === last ? String(first) : `${first}-${last}`;
    ctx.changed();
  };
  const clear = () => {
    isOpen = false;
    input.value = "";
    ctx.changed();
  };
  const tap = (number) => {
    const ends = span(input.value);
    if (ends && isOpen) {
      isOpen = false;
      set(ends[0], number);
      return;
    }
    const next = ends && tapped(ends, number);
    isOpen = !next;
    if (next && next[0] > next[1]) clear(); // its only card was tapped again
    else set(...(next ?? [number, number]));
  };
  for (let number = 1; number <= 9; number += 1) {
    group.append(element("button", { type: "button", class: "key", value: number, onclick: () => tap(number) }, String(number)));
  }
  group.append(element("button", { type: "button", class: "key quiet", "aria-label": ctx.word("no-run"), onclick: clear }, "×"));
  group.addEventListener("pointerdown", (event) => {
    anchor = Number(event.target.value);
    event.target.releasePointerCapture(event.pointerId); // so that the keys under a moving finger are told
  });
  group.addEventListener("pointerover", (event) => {
    const number = Number(event.target.value);
    if (!anchor || !number || number === anchor || !event.buttons) return;
    isOpen = false;
    set(anchor, number);
  });
  addEventListener("pointerup", () => (anchor = 0));
  input.classList.add("is-replaced");
  input.tabIndex = -1;
  input.after(group);
  arrows(group);
  return () => {
    const ends = span(input.value);
    for (const key of group.children) {
      const number = Number(key.value);
      const isIn = Boolean(ends && number >= ends[0] && number <= ends[1]);
      if (number) key.setAttribute("aria-pressed", isIn);
      key.classList.toggle("is-end", isIn && ends.includes(number));
    }
  };
}

// The cards of a hand: each tap adds a copy, and after the last copy of the box there is none again.

function cardKeys(form, uid, ctx) {
  const input = field(form, "hands", uid, "cards");
  const found = element("p", { class: "soft", role: "status" });
  const box = element("div", { class: "box" }, document.querySelector("template[data-box]").content.cloneNode(true));
  const arrange = async () => {
    const cards = word(form, input.name);
    const answer = cards ? await ctx.assist({ cards }) : null;
    if (word(form, input.name) !== cards) return; // tapped on meanwhile
    found.textContent = "";
    if (cards && !answer) return;
    for (const colour of COLOURS) field(form, "hands", uid, "runs", colour).value = answer?.runs[colour] ?? "";
    if (answer) {
      const unused = answer.unused && ctx.word("unused", { cards: answer.unused });
      found.textContent = [ctx.word("arranged", { points: answer.points }), unused].filter(Boolean).join(" ");
    }
    ctx.changed();
  };
  box.addEventListener("click", ({ target }) => {
    const { card, copies } = target.dataset;
    if (!card) return;
    const held = cardsOf(word(form, input.name));
    const count = held.filter((each) => each === card).length;
    const others = held.filter((each) => each !== card);
    const next = count < Number(copies) ? [...held, card] : others;
    input.value = next.join(" ");
    ctx.changed();
    arrange();
  });
  input.addEventListener("change", arrange);
  input.closest(".entry").append(box, found);
  for (const row of box.querySelectorAll(".box-row")) arrows(row);
  return () => {
    const held = cardsOf(word(form, input.name));
    for (const key of box.querySelectorAll("[data-card]")) {
      const count = held.filter((each) => each === key.dataset.card).length;
      key.setAttribute("aria-pressed", count > 0);
      if (count > 1) key.dataset.count = count;
      else delete key.dataset.count;
    }
  };
}

// What breaks a tie. It stands below all hands, so that nothing moves under a thumb while the points are still changing.

function sharing(uids, valueOf) {
  const most = Math.max(...uids.map(valueOf));
  const first = uids.filter((uid) => valueOf(uid) === most);
  return first.length > 1 ? first : [];
}

/** Return the counts to ask for, as `uid.name`. Nothing is asked before every hand has a run. */
function wanted(report) {
  const { hands } = report;
  const uids = Object.keys(hands);
  if (report.variant === "solo" || uids.some((uid) => !places(hands[uid].runs))) return new Set();
  const points = totals(report);
  const leaders = sharing(uids, (uid) => points[uid]);
  const money = leaders.flatMap((uid) => [`${uid}.coins`, `${uid}.consolation`]);
  if (leaders.some((uid) => hands[uid].coins === undefined || hands[uid].consolation === undefined)) return new Set(money);
  const richest = sharing(leaders, (uid) => hands[uid].coins + 3 * hands[uid].consolation);
  return new Set([...money, ...richest.filter((uid) => !hands[uid].cards).map((uid) => `${uid}.card_count`)]);
}

function showCounts(form, ctx) {
  const asked = wanted(read(form));
  const isShown = (uid, name) =>
    asked.has(`${uid}.${name}`) || field(form, "hands", uid, name).value || ctx.findings[`hands.${uid}.${name}`];
  for (const group of form.querySelectorAll("[data-counts]")) {
    const uid = group.dataset.counts;
    for (const name of COUNTS) field(form, "hands", uid, name).closest(".entry").hidden = !isShown(uid, name);
    group.hidden = !COUNTS.some((name) => isShown(uid, name));
  }
  const section = form.querySelector("[data-tiebreak]");
  section.hidden = !section.querySelector("[data-counts]:not([hidden])");
}

let updates = [];

function enhance(form, ctx) {
  const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  for (const uid of seatsOf(form)) {
    const of = (name) => field(form, "hands", uid, name);
    const held = () => {
      const least = places(readHand(form, uid).runs);
      return range(least, least + 5);
    };
    updates.push(
      ...COLOURS.map((colour) => runKeys(field(form, "hands", uid, "runs", colour), ctx)),
      cardKeys(form, uid, ctx),
      keys(of("coins"), () => range(0, Number(of("coins").dataset.most)), ctx.changed),
      keys(of("consolation"), () => range(0, 5), ctx.changed),
      keys(of("card_count"), held, ctx.changed),
    );
  }
  refresh(form, ctx);
}

function refresh(form, ctx) {
  for (const update of updates) update();
  showCounts(form, ctx);
}

export default { read, complete, totals, key, enhance, refresh };
