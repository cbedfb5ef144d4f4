// The score sheet on a page. The form is the truth: it works without this script, which adds what a phone can do better.
// docs/adding-a-game.md says what the module of a game (`data-script`) gives, and what `ctx` gives it.

import { dig, leaves, merged, put, ranks, shown, sorted } from "./parts.js";
import { ask, drop, isDecided, newKey, put as sendLater, waiting } from "./queue.js";

const PAUSE = 350; // after the last change, before the sheet is checked and saved
const RETRY = 5_000; // before a draft that could not be saved is saved again

const form = document.querySelector("form[data-sheet]");
const { author, draft, send, then } = form.dataset;
const seats = JSON.parse(form.dataset.seats);
const store = `ludoscore.sheet:${draft || location.pathname + location.search}`;
// The link that the page is seen by counts the checks of this phone apart from those of others behind the same address.
const link = send && new URL(send, location).search;
const part = (name) => form.querySelector(`[data-${name}]`);
const wordings = [...form.querySelectorAll("template[data-words]")].flatMap((each) => [...each.content.children]);
const wording = Object.fromEntries(wordings.map((each) => [each.dataset.word, each.textContent.trim()]));

const word = (key, facts = {}) => wording[key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);
// The rules know labels; they are long random ids, so they stand for nothing else in a sentence.
const withNames = (text) => seats.reduce((sentence, seat) => sentence.replaceAll(seat.uid, seat.name), text);

/** Return evidence that came with the sheet and has no field; undefined where there is none, or it is to be left out. */
const kept = () => (form.elements.kept && !form.elements.leave_out.checked ? JSON.parse(form.elements.kept.value) : undefined);
const read = () => merged(game.read(form), kept());

let game;
let version = Number(form.dataset.version);
let newest = version; // that we were told of
let base; // the sheet as the phone had it at this version: what differs from it was changed here
let questions = []; // what others wrote where this phone did too, until somebody says which is right
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

// What stays on the phone until the server has it: the fields, and what they were made from. Each page keeps its own, so
// that two of one phone do not write over each other; the next one takes up what is left.

const HIDDEN = new Set(["csrfmiddlewaretoken", "key", "kept"]);
const written = () => [...new FormData(form)].filter(([name]) => !HIDDEN.has(name));
const own = `${store}#${newKey()}`;

function keep(isSaved) {
  if (isSaved) return localStorage.removeItem(own);
  const left = { fields: written(), sheet: read(), base, version, questions, at: Date.now() };
  return localStorage.setItem(own, JSON.stringify(left));
}

/** Return what this player's other pages left here, the latest first. Older releases did not name the player, and at first
 * kept a single entry without its base. */
function leftovers() {
  const names = [store, store.replace(/(\?as=\w+)\.\w+$/, "$1"), store.replace(/\?as=\w+\.login-\d+$/, "")];
  const keys = Object.keys(localStorage).filter((key) => key !== own && names.includes(key.split("#")[0]));
  const found = keys.map((key) => ({ at: 0, questions: [], ...JSON.parse(localStorage.getItem(key)), key }));
  return found.filter(({ isSaved }) => !isSaved).sort((one, other) => other.at - one.at);
}

function forget() {
  for (const { key } of leftovers()) localStorage.removeItem(key);
  localStorage.removeItem(own);
  localStorage.removeItem(store);
}

function restore(fields) {
  game.prepare?.(form, fields);
  const left = [...fields];
  for (const control of controls()) {
    if (isTicked(control)) {
      control.checked = fields.some(([name, value]) => name === control.name && value === control.value);
    } else {
      const at = left.findIndex(([name]) => name === control.name);
      if (at >= 0) control.value = left.splice(at, 1)[0][1];
    }
  }
}

const controls = () => [...form.elements].filter(({ name, type }) => name && !["hidden", "submit"].includes(type));
const isTicked = ({ type }) => ["checkbox", "radio"].includes(type);
const textOf = (control) => (isTicked(control) ? (control.checked ? control.value : "") : control.value);
const texts = () => new Map(controls().map((control) => [control, textOf(control)]));

function setText(control, text) {
  if (isTicked(control)) control.checked = text === control.value;
  else control.value = text;
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

// Drafts, one save after the other. The server puts together what all phones of the table wrote since each last saw the
// sheet, field by field, and says where two wrote different things in one.

let saves = Promise.resolve();

function save() {
  saves = saves.then(saveNow);
  return saves;
}

async function saveNow() {
  if (!draft) return "kept";
  const [sheet, sent, number] = [read(), texts(), changes];
  const answer = await ask("PATCH", draft, { sheet, base, version });
  if (part("fields").inert) return undefined; // sent meanwhile
  if (answer.status === 200) {
    take(answer.body, sheet, sent);
    await sendLeft();
    keep(number === changes && !questions.length);
    askNext();
    return "saved";
  }
  keep(false);
  if (isDecided(answer)) return refuse(answer.body);
  timer = setTimeout(settle, RETRY);
  return "offline";
}

/** Save what other pages of this phone could not. They may still be open: the same changes twice are no harm. */
async function sendLeft() {
  for (const left of leftovers()) {
    if (!left.sheet) continue; // kept by an older page, which is one that we took up
    const answer = await ask("PATCH", draft, { sheet: left.sheet, base: left.base, version: left.version });
    if (answer.status !== 200) return;
    localStorage.removeItem(left.key);
    newest = Math.max(newest, answer.body.version);
    questions.push(...left.questions, ...answer.body.clashes);
    if (answer.body.clash_count > answer.body.clashes.length) announce(unasked(differing(left.sheet, answer.body.sheet), answer.body));
  }
  if (newest > version) saves = saves.then(saveNow); // what they said is now there, and not here
}

/** Show what is there now. A field that somebody is writing in is left alone: it is compared at the next save. */
function take({ sheet, version: latest, clashes }, mine, sent) {
  const now = texts();
  const busy = new Set([...now.keys()].filter((control) => sent.has(control) && sent.get(control) !== now.get(control)));
  for (const control of busy) setText(control, sent.get(control));
  const changed = write(mine, sheet, busy);
  [base, version, newest] = [read(), latest, Math.max(newest, latest)];
  for (const control of busy) setText(control, now.get(control));
  const isBusy = ({ path }) => [...busy].some((control) => isAt(control, path));
  const isAsked = ({ path }) => questions.some((other) => sorted(other.path) === sorted(path));
  for (const each of questions) each.theirs = dig(sheet, each.path) ?? null;
  questions.push(...clashes.filter((each) => !isBusy(each) && !isAsked(each)));
  if (!changed.length) return;
  announce(unasked(changed, { clashes }));
  game.reconcile?.(form, mine, base);
  if (sorted(read()) !== sorted(base)) queueMicrotask(ctx.changed);
  tally();
  game.refresh?.(form, ctx);
  check(soFar);
}

const textAt = (report, { name }) => game.shown?.(report, name) ?? shown(report, name, seats);

/** Return the fields in which two reports differ, with what each has there. */
function differing(before, after) {
  const all = controls().map((control) => ({ control, before: textAt(before, control), after: textAt(after, control) }));
  return all.filter((each) => each.before !== each.after);
}

/** Return those of the changes that nobody is asked about: of very many clashes an answer lists the first ones. */
const unasked = (changes, { clashes }) => changes.filter(({ control }) => !clashes.some(({ path }) => isAt(control, path)));

/** Write into the fields what differs between two reports; return what that changed. */
function write(before, after, busy = new Set()) {
  game.prepare?.(form, leaves(after));
  const changed = differing(before, after).filter(({ control }) => !busy.has(control));
  for (const { control, after: text } of changed) setText(control, text);
  return changed;
}

/** Tell whether a field holds a value of the report, or the value has the field as one of its parts. */
function isAt({ name }, path) {
  const value = path.join(".");
  return name === value || name.startsWith(`${value}.`) || value.startsWith(`${name}.`);
}

// Parts that few need at first are fetched when they are; without a connection, at the next attempt.

const fetched = {};

async function need(name, fetchPart) {
  try {
    fetched[name] ??= (await fetchPart()).default({ form, part, seats, word, withNames, controls, textOf, focusOn, findings });
  } catch {
    // The sheet does without.
  }
  return fetched[name];
}

const teller = () => need("teller", () => import("./telling.js"));
const leader = () => need("leader", () => import("./leading.js"));

/** Mark what others wrote, and say what they wrote over: nothing goes away without a word. */
function announce(changed) {
  for (const { control } of changed) {
    const spot = control.closest("td, .entry, .field");
    spot?.classList.add("is-new");
    setTimeout(() => spot?.classList.remove("is-new"), 2_000);
  }
  const over = changed.filter(({ before }) => before);
  if (over.length) teller().then((tell) => tell?.overwritten(over));
}

// Two wrote in one field: theirs stands there, and somebody says which is right.

function askNext() {
  questions = questions.filter(({ path, yours }) => sorted(dig(read(), path) ?? null) !== sorted(yours));
  const [question] = questions;
  if (!question) return part("conflict").close();
  return teller().then((tell) => question === questions[0] && tell?.ask(question, question.author === author));
}

function keepMine() {
  const { path, yours } = questions.shift();
  write(read(), put(read(), path, yours));
  changed();
  askNext();
}

function takeTheirs() {
  questions.shift();
  keep(sorted(read()) === sorted(base) && !questions.length);
  askNext();
}

function startAgain() {
  forget();
  location.reload();
}

// Others' changes come by the stream of the page, or by looking, where there is none.

async function follow({ detail }) {
  newest = Math.max(newest, detail);
  if (!game || newest <= version || part("fields").inert) return;
  const state = await save();
  if (state && ["ready", "saved", "offline"].includes(form.dataset.state)) show(state);
}

async function look() {
  const { status, body } = await ask("GET", draft);
  if (status === 200) follow({ detail: body.version });
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
  count();
  const named = new Set([...wrong, ...errors.map(({ path }) => path.join("."))]);
  for (const control of form.querySelectorAll("[aria-describedby]")) control.setAttribute("aria-invalid", named.has(control.id));
}

// What is to be looked at, one after the other.

const findings = () => [...form.querySelectorAll(".finding:not(:empty)")];

function count() {
  const number = findings().length;
  part("next").hidden = !number;
  part("next").textContent = number === 1 ? word("look") : word("looks", { number });
}

// The strip of totals, and what leads on from there: fetched at the first touch.

function jump(event) {
  const { jump: uid } = event.currentTarget.dataset;
  event.preventDefault();
  leader().then((lead) => (lead ? lead.jump(uid) : location.assign(`#at-${uid}`)));
}

function strip() {
  for (const link of form.querySelectorAll("[data-jump]")) {
    if (document.getElementById(`at-${link.dataset.jump}`)) link.addEventListener("click", jump);
    else link.removeAttribute("href"); // this game has no columns
  }
  form.addEventListener("focusin", leader, { once: true });
  form.addEventListener("pointerdown", leader, { once: true });
  const bar = form.querySelector(".sheet-places");
  new ResizeObserver(() => form.style.setProperty("--strip", `${bar.offsetHeight}px`)).observe(bar);
}

function tally() {
  if (!game.totals) return;
  const report = game.read(form);
  const points = Object.entries(game.totals(report));
  const places = ranks(points.map(([seat, own]) => game.key?.(report, seat) ?? [own]));
  score(points.map(([seat, own], at) => ({ seat, score: own, rank: places[at] })));
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
  await save();
  if (questions.length) return void askNext();
  const verdict = await check(entire);
  if (verdict && !verdict.ok) {
    show("wrong");
    form.querySelector(".finding:not(:empty, .is-warning)")?.scrollIntoView({ block: "center" });
    focusOn(form.querySelector("[aria-invalid=true]"));
    return;
  }
  if (!verdict && !send) return show("offline");
  list("sentences", verdict ? verdict.explanations.map(withNames) : []);
  if (form.dataset.before) list("corrections", await corrections());
  list("doubts", verdict ? verdict.warnings.map((each) => withNames(each.message)) : []);
  part("doubtful").hidden = !verdict?.warnings.length;
  part("unchecked").hidden = Boolean(verdict);
  part("review").showModal();
}

/** Say what differs from the sheet that was sent before: known without asking anybody. */
async function corrections() {
  const found = differing(JSON.parse(form.dataset.before), read());
  return found.length ? found.map((await teller())?.change ?? (({ after }) => after)) : [word("same")];
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
  sendLater(send, { report: read(), ...(seat && { seat }) });
}

// A sheet that goes to its own page goes as the plain form it is: the page has more to ask.
function submit() {
  forget();
  HTMLFormElement.prototype.submit.call(form); // `form.submit` would be a field of that name
}

function answered({ detail: { url, answer } }) {
  if (url !== send) return;
  if (!isDecided(answer)) return show("queued");
  if (answer.status >= 300) return refuse(answer.body);
  forget();
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

/** Take up what a page of this phone left, with what it was made from; else begin with what the page shows. */
function takeUp() {
  const all = leftovers();
  const left = all.find(({ sheet }) => !sheet) ?? all[0]; // what an older release kept is sent only if it is taken up
  base = read();
  if (!left) return false;
  restore(left.fields);
  [base, version, questions] = [left.base ?? {}, left.version ?? 0, left.questions];
  localStorage.removeItem(left.key);
  keep(false);
  return true;
}

function begin() {
  const isLeft = takeUp();
  if (form.dataset.before) teller(); // a correction is said without a connection too
  game.enhance(form, ctx);
  strip();
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
    seen: () => teller().then((tell) => tell?.seen()),
    next: () => leader().then((lead) => lead?.next()),
    change: takeBack,
  };
  for (const [name, act] of Object.entries(actions)) part(name)?.addEventListener("click", act);
  part("conflict").addEventListener("cancel", (event) => event.preventDefault()); // it wants an answer
  for (const again of document.querySelectorAll("[data-again]")) {
    again.addEventListener("click", startAgain);
    again.hidden = false;
  }
  addEventListener("online", () => form.dataset.state === "offline" && changed());
  if (form.dataset.state) return; // an answer to what an earlier page has sent
  if (send && waiting(send)) show("queued");
  else if (isLeft) changed();
  else if (written().some(([, value]) => value)) {
    show(version ? "saved" : "ready");
    tally();
    check(soFar);
  } else show("ready");
  follow({ detail: newest });
}

addEventListener("sheet:answer", answered); // before anything is waited for: the queue begins at once
if (draft) addEventListener("draft", follow);
if (draft) addEventListener("looked", look);
game = (await import(form.dataset.script)).default;
begin();
