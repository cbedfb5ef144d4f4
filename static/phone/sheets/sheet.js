// The score sheet on a page. The form is the truth: it works without this script, which adds what a phone can do better.
//
// A game's module (`data-script`) exports by default
//   read(form) -> report        what the fields say, as the server reads it; what is empty is left out
//   enhance(form, ctx)          buttons in place of fields; they write to the fields and call ctx.changed()
//   complete(report) -> report  optional: fills what is missing with something harmless, so that the rules can already
//                               judge what is there; what is found about the filling is not shown
//   prepare(form, fields)       optional: makes room for fields [[name, value]…] that are about to be restored
//   totals(report) -> {seat: n} optional: the points so far, at once and without a connection; a game whose `complete`
//                               gives points away needs it
//   refresh(form, ctx)          optional: called after every change and every check
// ctx: seats [{uid, name}], variant, findings {field: text}, changed(), assist(position) -> answer or null,
//      word(key, facts) for the texts of `<template data-words>`, report() as it stands.

import { dig, merged, sorted } from "./parts.js";
import { ask, drop, isDecided, put, waiting } from "./queue.js";

const PAUSE = 350; // after the last change, before the sheet is checked and saved
const RETRY = 5_000; // before a draft that could not be saved is saved again

const form = document.querySelector("form[data-sheet]");
const { draft, send, then } = form.dataset;
const seats = JSON.parse(form.dataset.seats);
const store = `ludoscore.sheet:${draft || location.pathname + location.search}`;
// The link that the page is seen by counts the checks of this phone apart from those of others behind the same address.
const link = send && new URL(send, location).search;
const part = (name) => form.querySelector(`[data-${name}]`);
const said = [...form.querySelectorAll("template[data-words]")].flatMap((each) => [...each.content.children]);
const texts = Object.fromEntries(said.map((each) => [each.dataset.word, each.textContent.trim()]));

const word = (key, facts = {}) => texts[key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);
// The rules know labels; they are long random ids, so they stand for nothing else in a sentence.
const withNames = (text) => seats.reduce((sentence, seat) => sentence.replaceAll(seat.uid, seat.name), text);

/** Return evidence that came with the sheet and has no field; undefined where there is none, or it is to be left out. */
const kept = () => (form.elements.kept && !form.elements.leave_out.checked ? JSON.parse(form.elements.kept.value) : undefined);
const read = () => merged(game.read(form), kept());

let game;
let version = Number(form.dataset.version);
let newer = version; // of a draft that somebody else has saved meanwhile
let tried = ""; // the sheet we last tried to save
let timer = 0;
let changes = 0;
let checks = 0;

const ctx = {
  seats,
  variant: form.dataset.variant,
  findings: {},
  word,
  changed,
  report: read,
  assist: async (position) => {
    const answer = await ask("POST", form.dataset.assist + link, position);
    return answer.status === 200 ? answer.body : null;
  },
};

function show(state) {
  form.dataset.state = state;
  part("state").textContent = word(state);
  part("fields").inert = ["queued", "sending", "sent", "final"].includes(state);
  part("change").hidden = state !== "queued";
}

// What stays on the phone: the fields as they are, and whether the server has them as a draft.

const HIDDEN = new Set(["csrfmiddlewaretoken", "key", "kept"]);
const written = () => [...new FormData(form)].filter(([name]) => !HIDDEN.has(name));

function keep(isSaved) {
  localStorage.setItem(store, JSON.stringify({ fields: written(), version, tried, isSaved }));
}

function restore(fields) {
  game.prepare?.(form, fields);
  const left = [...fields];
  for (const control of form.elements) {
    if (!control.name || control.type === "hidden") continue;
    if (["checkbox", "radio"].includes(control.type)) {
      control.checked = fields.some(([name, value]) => name === control.name && value === control.value);
    } else {
      const at = left.findIndex(([name]) => name === control.name);
      if (at >= 0) control.value = left.splice(at, 1)[0][1];
    }
  }
}

function changed() {
  changes += 1;
  show("typing");
  keep(false);
  tally();
  game.refresh?.(form, ctx);
  clearTimeout(timer);
  timer = setTimeout(settle, PAUSE);
}

async function settle() {
  const number = changes;
  const [verdict, state] = await Promise.all([check(soFar), save()]);
  const isOver = number === changes && ["typing", "offline"].includes(form.dataset.state);
  if (state && isOver) show(verdict || draft ? state : "offline");
}

// Drafts, one save after the other. A version that is not the latest means that somebody else at the table has
// written too, unless it is our own, whose answer was lost.

let saves = Promise.resolve();

function save() {
  saves = saves.then(saveNow);
  return saves;
}

async function saveNow() {
  if (!draft) return "kept";
  const number = changes;
  const sheet = read();
  const before = tried;
  tried = sorted(sheet);
  const answer = await ask("PUT", draft, { sheet, version });
  if (part("fields").inert) return undefined; // sent meanwhile
  const theirs = answer.body?.code === "draft-conflict" && answer.body.draft;
  if (theirs && sorted(theirs.sheet) === before) {
    version = theirs.version;
    return saveNow();
  }
  if (answer.status === 200) {
    version = answer.body.version;
    keep(number === changes);
    return "saved";
  }
  keep(false);
  if (theirs) {
    newer = theirs.version;
    return part("conflict").showModal();
  }
  if (isDecided(answer)) return refuse(answer.body);
  timer = setTimeout(settle, RETRY);
  return "offline";
}

function keepMine() {
  part("conflict").close();
  version = newer;
  changed();
}

function takeTheirs() {
  localStorage.removeItem(store);
  location.reload();
}

// Checks. The server judges; findings go beside the field they concern, or the nearest part of the sheet around it.

async function check(prepared) {
  const [own, sheet] = [game.read(form), prepared()];
  checks += 1;
  const number = checks;
  const { status, body: verdict } = await ask("POST", form.dataset.check + link, sheet);
  const errors = status === 200 ? await withContradictions(verdict.errors, own, sheet) : [];
  if (status !== 200 || number !== checks) return null;
  const isAll = prepared === entire;
  const isTyped = (each) => isAll || (each.path.length && dig(merged(own, kept()), each.path) !== undefined);
  place(errors.filter(isTyped), verdict.warnings.filter(isTyped));
  const isWhole = isAll || !game.totals || sorted(soFar()) === sorted(read());
  if (verdict.standings && isWhole) score(verdict.standings);
  game.refresh?.(form, ctx);
  return verdict;
}

const entire = () => read();

/** Return what can be judged before everything is there. Evidence without a field speaks of the whole game only. */
function soFar() {
  const own = game.read(form);
  const filled = game.complete?.(own) ?? own;
  return sorted(filled) === sorted(own) ? read() : filled;
}

/** Mark the errors that go away with the evidence that has no field: it contradicts what the fields say. */
async function withContradictions(errors, own, sheet) {
  if (!errors.length || !kept() || sorted(sheet) === sorted(own)) return errors;
  const { status, body: bare } = await ask("POST", form.dataset.check + link, own);
  const same = (one) => (other) => one.code === other.code && sorted(one.path) === sorted(other.path);
  return errors.map((each) => ({ ...each, isKept: status === 200 && !bare.errors.some(same(each)) }));
}

function place(errors, warnings) {
  const places = new Map([...form.querySelectorAll("[data-finding-for]")].map((each) => [each.dataset.findingFor, each]));
  const field = ({ path, isKept }) => {
    let name = isKept ? "kept" : path.join(".");
    while (!places.has(name)) name = name.slice(0, Math.max(name.lastIndexOf("."), 0));
    return name;
  };
  const wrong = new Set(errors.map(field));
  ctx.findings = {};
  const questions = warnings.map((each) => ({ ...each, message: `${each.message} ${word("question")}` }));
  for (const each of [...errors, ...questions]) {
    const name = field(each);
    ctx.findings[name] = [ctx.findings[name], withNames(each.message)].filter(Boolean).join(" ");
  }
  for (const [name, spot] of places) {
    say(spot, ctx.findings[name] ?? "");
    spot.classList.toggle("is-warning", !wrong.has(name));
  }
  const named = new Set([...wrong, ...errors.map(({ path }) => path.join("."))]);
  for (const control of form.querySelectorAll("[aria-describedby]")) control.setAttribute("aria-invalid", named.has(control.id));
}

function tally() {
  if (!game.totals) return;
  const points = Object.entries(game.totals(game.read(form)));
  const rank = (own) => 1 + points.filter(([, other]) => other > own).length;
  score(points.map(([seat, own]) => ({ seat, score: own, rank: rank(own) })));
}

function score(standings) {
  for (const { seat, score: points, rank } of standings) {
    for (const each of form.querySelectorAll(`[data-total="${CSS.escape(seat)}"]`)) say(each, String(points));
    for (const each of form.querySelectorAll(`[data-rank="${CSS.escape(seat)}"]`)) say(each, String(rank));
  }
}

/** Change a text only where it differs: a screen reader says what changes. */
function say(spot, text) {
  if (spot.textContent !== text) spot.textContent = text;
}

// Sending: read it over in plain words, write it down, send it. `queue.js` sees to it that it arrives.

const list = (name, sentences) =>
  part(name).replaceChildren(...sentences.map((text) => Object.assign(document.createElement("li"), { textContent: text })));

async function review() {
  clearTimeout(timer);
  keep(false);
  const verdict = await check(entire);
  if (verdict && !verdict.ok) {
    show("wrong");
    form.querySelector(".finding:not(:empty, .is-warning)")?.scrollIntoView({ block: "center" });
    focusOn(form.querySelector("[aria-invalid=true]"));
    return;
  }
  if (!verdict && !send) return show("offline");
  list("sentences", verdict ? verdict.explanations.map(withNames) : []);
  list("doubts", verdict ? verdict.warnings.map((each) => withNames(each.message)) : []);
  part("doubtful").hidden = !verdict?.warnings.length;
  part("unchecked").hidden = Boolean(verdict);
  part("review").showModal();
}

function focusOn(field) {
  const key = field?.closest(".entry")?.querySelector("button:not([tabindex='-1'])"); // what replaces the field
  (key ?? field)?.focus({ preventScroll: true });
}

function sendOff() {
  part("review").close();
  if (send === location.pathname + location.search) return submit();
  show("sending");
  const seat = form.elements.seat?.value;
  put(send, { report: read(), ...(seat && { seat }) });
}

// A sheet that goes to its own page goes as the plain form it is: the page has more to ask.
function submit() {
  localStorage.removeItem(store);
  HTMLFormElement.prototype.submit.call(form); // `form.submit` would be a field of that name
}

function answered({ detail: { url, answer } }) {
  if (url !== send) return;
  if (!isDecided(answer)) return show("queued");
  if (answer.status >= 300) return refuse(answer.body);
  localStorage.removeItem(store);
  show(answer.body.status === "final" ? "final" : "sent");
  if (then) location.assign(then);
}

function refuse(problem) {
  show("refused");
  place(problem?.errors?.length ? problem.errors : [{ path: [], message: problem?.detail ?? "" }], []);
}

function takeBack() {
  drop(send);
  changed();
}

function begin() {
  const stored = JSON.parse(localStorage.getItem(store) ?? "null");
  const isOurs = stored && (stored.version === version || stored.tried === sorted(read()));
  if (stored && !stored.isSaved) restore(stored.fields);
  game.enhance(form, ctx);
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    review();
  });
  const actions = {
    "send-off": sendOff,
    back: () => part("review").close(),
    "keep-mine": keepMine,
    "take-theirs": takeTheirs,
    change: takeBack,
  };
  for (const [name, act] of Object.entries(actions)) part(name)?.addEventListener("click", act);
  for (const again of document.querySelectorAll("[data-again]")) {
    again.addEventListener("click", takeTheirs);
    again.hidden = false;
  }
  addEventListener("online", () => form.dataset.state === "offline" && changed());
  if (form.dataset.state) return; // an answer to what an earlier page has sent
  if (send && waiting(send)) show("queued");
  else if (stored && !stored.isSaved && !isOurs) part("conflict").showModal();
  else if (stored && !stored.isSaved) changed();
  else if (written().some(([, value]) => value)) {
    show(version ? "saved" : "ready");
    tally();
    check(soFar);
  } else show("ready");
}

addEventListener("sheet:answer", answered); // before anything is waited for: the queue begins at once
game = (await import(form.dataset.script)).default;
begin();
