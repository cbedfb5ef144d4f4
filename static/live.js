// Parts of a page that keep themselves fresh, and clocks that run.
//
// <div data-live="ADDRESS" data-every="SECONDS" data-tag="ETAG"> is fetched again and again with `If-None-Match` and
// swapped only if it changed; never while somebody types or drags in it. [data-live-state] says how fresh it is, in
// its own words: data-fresh, data-lost. <time data-ends="…" data-now="…"> counts down by the server's clock, and
// <time data-paused="SECONDS"> stands still; both say in data-left and by a class how much is left.
// After a swap the part sends the event `live`, and whenever it was asked for `looked`, new or not. Who sends it the event
// `stale` has it fetched anew, whatever its tag.
//
// With data-news="ADDRESS" it is fetched only when a stream from there says that something it shows is new; it asks
// again and again only while there is no stream. A page that nobody sees holds none, and catches up when it is seen.

const states = document.querySelectorAll("[data-live-state]");
const MOST_PATIENT = 8; // times the usual pause, while there is no answer
const SILENCE = 40_000; // a stream that does not even beat for so long is dead, whatever the phone thinks
const AGAIN = 2_000; // until a stream is opened again, twice as long after each failure …
const LONGEST = 120_000; // … up to this
const BREATH = 1_000; // between two fetches for news
const MOST_STREAMS = 4; // of all windows: a browser opens six connections to a server, and must have some left

function say(state, since) {
  const time = since.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  for (const element of states) {
    element.dataset.liveState = state;
    element.textContent = element.dataset[state].replace("{time}", time);
  }
}

function isBusy(part) {
  const focused = document.activeElement;
  return "busy" in part.dataset || (part.contains(focused) && focused.matches("input, select, textarea"));
}

// What an element of a part is told by in the next version of it.
function sign(each) {
  const hidden = each.form?.querySelectorAll("[type=hidden]:not([name=csrfmiddlewaretoken])") ?? [];
  const sent = [each.name, each.defaultValue ?? each.value, ...[...hidden].map(({ value }) => value)];
  return each.id || [each.tagName, each.parentElement.id, each.getAttribute("href") ?? each.form?.getAttribute("action"), ...sent].join();
}

const fieldsOf = (part) => [...part.querySelectorAll("input:not([type=hidden]), select, textarea")];

// What somebody has ticked or written and not sent yet is theirs, whatever else is new.
function takeOver(before, field) {
  if (!before) return;
  if (field.matches("[type=checkbox], [type=radio]")) field.checked = before.checked;
  else if (!field.options || [...field.options].some(({ value }) => value === before.value)) field.value = before.value;
}

function swap(part, html) {
  const focused = part.contains(document.activeElement) && sign(document.activeElement);
  const open = [...part.querySelectorAll("details[open][id]")].map((element) => element.id);
  const fields = new Map(fieldsOf(part).map((each) => [sign(each), each]));
  part.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const each of fieldsOf(part)) takeOver(fields.get(sign(each)), each);
  const found = focused && [...part.querySelectorAll("a, button, summary, [id], [tabindex]")].find((each) => sign(each) === focused);
  if (found) found.focus({ preventScroll: true });
  part.dispatchEvent(new CustomEvent("live", { bubbles: true }));
}

// All windows of a browser share a few places for streams, where it can tell: the promise is of what gives one back,
// or of null while none is free.
function takePlace(number = 1) {
  if (!navigator.locks) return Promise.resolve(() => {});
  return new Promise((resolve) => {
    navigator.locks.request(`news-${number}`, { ifAvailable: true }, (lock) => {
      if (lock) return new Promise(resolve);
      resolve(number < MOST_STREAMS ? takePlace(number + 1) : null);
    });
  });
}

function watch(part) {
  let tag = part.dataset.tag;
  let last = new Date();
  let failures = 0;
  let timer = 0;
  let asked = 0; // how often it was fetched
  let looked = 0; // when it was fetched last
  let isDue = false; // whether there is something new that could not be swapped yet

  function fresh() {
    last = new Date();
    say("fresh", last);
  }

  async function look() {
    clearTimeout(timer);
    timer = 0;
    if (document.hidden) return; // until it is seen again
    isDue = isBusy(part);
    if (!isDue) {
      const number = ++asked;
      looked = Date.now();
      try {
        const answer = await fetch(part.dataset.live, {
          headers: tag ? { "If-None-Match": tag } : {},
          cache: "no-store",
          redirect: "error", // to the login, say: not what belongs here
          signal: AbortSignal.timeout(10_000),
        });
        if (answer.status === 429) { // it is the turn of others: what is shown is a little old, and nothing is lost
          isDue = true;
          return wait();
        }
        if (answer.status !== 200 && answer.status !== 304) throw new Error(answer.statusText);
        const html = answer.status === 200 ? await answer.text() : null;
        if (number !== asked) return; // a later fetch knows more
        isDue = html !== null && isBusy(part);
        if (html !== null && !isDue) {
          swap(part, html);
          tag = answer.headers.get("ETag");
        }
        failures = 0;
        fresh();
        part.dispatchEvent(new CustomEvent("looked", { bubbles: true }));
      } catch {
        if (number !== asked) return;
        failures += 1;
        say("lost", last);
      }
    }
    wait();
  }

  function wait() {
    clearTimeout(timer);
    if (isHeard && !isDue && !failures) return; // it is told
    const every = isOver ? Math.max(60, part.dataset.every) : part.dataset.every;
    timer = setTimeout(look, 1000 * every * Math.min(2 ** failures, MOST_PATIENT));
  }

  // The stream.

  let stream = null;
  let giveBack = null;
  let isHeard = false;
  let isOpening = false;
  let opened = 0;
  let isOver = false;
  let tries = 0;
  let again = 0;
  let silence = 0;

  function drop() {
    clearTimeout(silence);
    clearTimeout(again);
    stream?.close();
    giveBack?.();
    stream = giveBack = null;
    isHeard = false;
  }

  function lose() {
    drop();
    again = setTimeout(open, Math.min(AGAIN * 2 ** tries++, LONGEST) * (0.5 + Math.random()));
    if (!timer) wait();
  }

  // The next fetch, if one is due, is the last: some servers and proxies end every stream as soon as it begins.
  function hear() {
    clearTimeout(silence);
    silence = setTimeout(lose, SILENCE);
    if (Date.now() - opened > SILENCE / 2) tries = 0; // it lasts
    isHeard = true;
    if (!failures && !isDue) fresh();
  }

  async function open() {
    if (!part.dataset.news || stream || isOpening || isOver || document.hidden) return;
    isOpening = true;
    giveBack = await takePlace();
    isOpening = false;
    if (!giveBack || document.hidden) return lose();
    const address = new URL(part.dataset.news, location);
    address.searchParams.set("tag", tag ?? "");
    opened = Date.now();
    stream = new EventSource(address);
    stream.onerror = lose;
    stream.addEventListener("beat", hear);
    stream.addEventListener("news", () => {
      hear();
      clearTimeout(timer);
      timer = setTimeout(look, Math.max(0, looked + BREATH - Date.now()));
    });
    stream.addEventListener("place", ({ data }) => {
      hear();
      const { rank, said } = JSON.parse(data);
      const [place, words] = part.querySelector("[data-place]")?.children ?? [];
      if (words && place.textContent !== String(rank)) place.textContent = rank;
      if (words && words.textContent !== said) words.textContent = said;
    });
    // The sheet of the table, while it is filled in, is no part of this one: who shows it is told its version.
    stream.addEventListener("draft", ({ data }) => {
      hear();
      part.dispatchEvent(new CustomEvent("draft", { bubbles: true, detail: Number(data) }));
    });
    stream.addEventListener("end", () => {
      drop();
      isOver = true;
      wait();
    });
  }

  function wake() {
    if (document.hidden) drop();
    else {
      tries = 0;
      look();
      open();
    }
  }

  part.addEventListener("stale", () => {
    tag = "";
    look();
  });
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pagehide", drop);
  addEventListener("pageshow", (event) => event.persisted && wake());
  wait();
  open();
  say("fresh", last); // as the page that just came
}

// Clocks: the server's time is known from when the page or the part came, so a phone's clock may be wrong.

const offsets = new WeakMap();

function tick() {
  for (const clock of document.querySelectorAll("time[data-ends], time[data-paused]")) {
    if (!offsets.has(clock)) offsets.set(clock, Date.parse(clock.dataset.now) - Date.now());
    const running = Math.round((Date.parse(clock.dataset.ends) - Date.now() - offsets.get(clock)) / 1000);
    const left = "paused" in clock.dataset ? Number(clock.dataset.paused) : running;
    const seconds = Math.abs(left);
    const text = `${left < 0 ? "−" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.dataset.left = left;
    clock.classList.toggle("soon", left <= 600 && left > 300);
    clock.classList.toggle("last", left <= 300 && left >= 0);
    clock.classList.toggle("over", left < 0);
  }
}

// A moment that is near, <time data-clock datetime="…">, as the reader's own clock shows it.

function tell() {
  for (const moment of document.querySelectorAll("time[data-clock]")) {
    const text = new Date(moment.dateTime).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    if (moment.textContent !== text) moment.textContent = text;
  }
}

document.querySelectorAll("[data-live]").forEach(watch);
document.addEventListener("live", tick);
document.addEventListener("live", tell);
tell();
setInterval(tick, 250);
tick();
