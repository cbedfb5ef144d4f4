// A player's phone: names suggested while typing, forms sent once, a notification when something is asked of its
// player, and the app of its own where the page offers one.

const PAUSE = 250; // after the last letter, before names are looked up

function suggest(list) {
  const field = document.getElementById(list.dataset.for);
  let timer = 0;
  let asked = 0;

  async function look() {
    const number = ++asked;
    const query = new URLSearchParams({ name: field.value });
    const answer = await fetch(`${list.dataset.suggest}?${query}`).catch(() => null);
    if (answer?.ok && number === asked) list.innerHTML = await answer.text();
  }

  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
  });
}

// A second tap on a slow connection would ask again for what is under way.
function sendOnce(event) {
  const form = event.target;
  if (!form.matches("[data-once]")) return;
  if (form.ariaBusy === "true") event.preventDefault();
  form.ariaBusy = "true";
}

// Whoever presses a name may have written an address for news beside it.
function bringAddress({ formData }) {
  const email = document.querySelector("[name=email]");
  if (email) formData.set("email", email.value);
}

document.querySelectorAll("[data-suggest]").forEach(suggest);
document.getElementById("people-form")?.addEventListener("formdata", bringAddress);
document.addEventListener("submit", sendOnce);
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-once]")) form.ariaBusy = "false"; // after going back to it
});

// Notifications: what a page asks of its player ([data-call]) and did not ask when it was opened makes the phone
// buzz, where it can, and stands in the title until somebody touches the page.

const BUZZ = [200, 100, 200];
const title = document.title;
const calls = () => [...document.querySelectorAll("[data-call]")];
const known = new Set(calls().map((each) => each.dataset.call));

function notify() {
  const fresh = calls().filter((each) => !known.has(each.dataset.call));
  for (const each of fresh) known.add(each.dataset.call);
  if (!fresh.length) return;
  navigator.vibrate?.(BUZZ);
  document.title = `● ${fresh.at(-1).textContent} · ${title}`;
}

document.addEventListener("live", notify);
document.addEventListener("pointerdown", () => (document.title = title));
document.addEventListener("keydown", () => (document.title = title));

const app = document.querySelector("link[rel=manifest][data-worker]");
if (app) navigator.serviceWorker?.register(app.dataset.worker, { scope: "/" });
