// DIX: tap the first and the last number of a run, or drag over them; or tap the cards and let the best runs be found.

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

function complete(report) {
  const hands = Object.entries(report.hands).map(([uid, hand]) => {
    const count = hand.cards ? cardsOf(hand.cards).length : places(hand.runs);
    return [uid, { coins: 0, consolation: 0, card_count: count, ...hand }];
  });
  const whole = { ...report, hands: Object.fromEntries(hands) };
  return report.variant === "solo" ? { difficulty: 4, ...whole } : whole;
}

function totals(report) {
  const points = (run) => size(run) + (size(run) === 9);
  const sum = (runs) => Object.values(runs).reduce((all, run) => all + points(run), 0);
  return Object.fromEntries(Object.entries(report.hands).map(([uid, hand]) => [uid, sum(hand.runs)]));
}

// A run is nine keys. The first tap is a run of one, the second makes it longer, the third begins anew.

function runKeys(input, ctx) {
  const group = element("div", { class: "keys run-keys", role: "group", "aria-label": input.labels[0].textContent });
  let isOpen = false;
  let anchor = 0;
  const set = (one, other) => {
    const [first, last] = one < other ? [one, other] : [other, one];
    input.value = first === last ? String(first) : `${first}-${last}`;
    ctx.changed();
  };
  const tap = (number) => {
    const ends = isOpen && span(input.value);
    isOpen = !ends;
    set(ends ? ends[0] : number, number);
  };
  const clear = () => {
    isOpen = false;
    input.value = "";
    ctx.changed();
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
    field(form, "hands", uid, "card_count").value = cards ? cardsOf(cards).length : "";
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
      keys(of("coins"), () => range(0, Number(of("coins").dataset.most)), ctx.changed),
      keys(of("consolation"), () => range(0, 5), ctx.changed),
      keys(of("card_count"), held, ctx.changed),
      cardKeys(form, uid, ctx),
    );
  }
  refresh();
}

function refresh() {
  for (const update of updates) update();
}

export default { read, complete, totals, enhance, refresh };
