// A player's phone: names suggested while typing, forms sent once, and the app of its own where the page offers one.

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

document.querySelectorAll("[data-suggest]").forEach(suggest);
document.addEventListener("submit", sendOnce);
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-once]")) form.ariaBusy = "false"; // after going back to it
});

const app = document.querySelector("link[rel=manifest][data-worker]");
if (app) navigator.serviceWorker?.register(app.dataset.worker, { scope: "/" });
