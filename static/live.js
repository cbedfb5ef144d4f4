// Parts of a page that keep themselves fresh, and clocks that run.
//
// <div data-live="ADDRESS" data-every="SECONDS" data-tag="ETAG"> is fetched again and again with `If-None-Match` and
// swapped only if it changed; never while somebody types or drags in it. [data-live-state] says how fresh it is, in
// its own words: data-fresh, data-lost. <time data-ends="…" data-now="…"> counts down by the server's clock.
// After a swap the part sends the event `live`.

const states = document.querySelectorAll("[data-live-state]");
const MOST_PATIENT = 8; // times the usual pause, while there is no answer

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

function swap(part, html) {
  const focused = part.contains(document.activeElement) && document.activeElement.id;
  const open = [...part.querySelectorAll("details[open][id]")].map((element) => element.id);
  part.innerHTML = html;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  part.dispatchEvent(new CustomEvent("live", { bubbles: true }));
}

function watch(part) {
  let tag = part.dataset.tag;
  let last = new Date();
  let failures = 0;
  let timer = 0;

  async function look() {
    clearTimeout(timer);
    if (!document.hidden && !isBusy(part)) {
      try {
        const answer = await fetch(part.dataset.live, {
          headers: tag ? { "If-None-Match": tag } : {},
          cache: "no-store",
          redirect: "error", // to the login, say: not what belongs here
          signal: AbortSignal.timeout(10_000),
        });
        if (answer.status !== 200 && answer.status !== 304) throw new Error(answer.statusText);
        if (answer.status === 200) {
          const html = await answer.text();
          if (!isBusy(part)) {
            swap(part, html);
            tag = answer.headers.get("ETag");
          }
        }
        failures = 0;
        last = new Date();
        say("fresh", last);
      } catch {
        failures += 1;
        say("lost", last);
      }
    }
    timer = setTimeout(look, 1000 * part.dataset.every * Math.min(2 ** failures, MOST_PATIENT));
  }

  document.addEventListener("visibilitychange", () => document.hidden || look());
  addEventListener("online", look);
  timer = setTimeout(look, 1000 * part.dataset.every);
  say("fresh", last); // as the page that just came
}

// Clocks: the server's time is known from when the page or the part came, so a phone's clock may be wrong.

const offsets = new WeakMap();

function tick() {
  for (const clock of document.querySelectorAll("time[data-ends]")) {
    if (!offsets.has(clock)) offsets.set(clock, Date.parse(clock.dataset.now) - Date.now());
    const left = Math.round((Date.parse(clock.dataset.ends) - Date.now() - offsets.get(clock)) / 1000);
    const seconds = Math.abs(left);
    const text = `${left < 0 ? "−" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("over", left < 0);
  }
}

document.querySelectorAll("[data-live]").forEach(watch);
document.addEventListener("live", tick);
setInterval(tick, 250);
tick();
