// Sends moves without leaving the page, and again and again until they arrive: each names the number of the move it
// answers, so that it is made once. What could not be sent is kept on the phone, and sent after a reload too.

const solo = document.getElementById("solo");
const kept = `move-${solo.dataset.game}`;
const PAUSE = 2000;

function say(state, text) {
  solo.dataset.play = state;
  const line = solo.querySelector("[data-state]");
  if (line && text !== undefined) line.textContent = text;
}

function show(html) {
  solo.innerHTML = html;
  solo.dataset.play = "ready";
  solo.scrollIntoView({ block: "start" });
}

function remember(body) {
  try {
    if (body === null) localStorage.removeItem(kept);
    else localStorage.setItem(kept, body);
  } catch {
    // Storage may be switched off; the page itself still tries again.
  }
}

function remembered() {
  try {
    return localStorage.getItem(kept);
  } catch {
    return null;
  }
}

let isSending = false;

async function send(body) {
  if (isSending) return;
  isSending = true;
  remember(body);
  say("busy");
  for (;;) {
    try {
      const token = solo.querySelector("[name=csrfmiddlewaretoken]");
      const fields = new URLSearchParams(body);
      if (token) fields.set("csrfmiddlewaretoken", token.value);
      const answer = await fetch(location.pathname, {
        method: "POST",
        body: fields,
        headers: { "X-Part": "1" },
        redirect: "error",
        signal: AbortSignal.timeout(10_000),
      });
      if (answer.status >= 500 || answer.status === 429) throw new Error(answer.statusText);
      // A move that was made stays remembered: a reload under way may have been answered before it arrived.
      if (answer.status !== 200) remember(null);
      isSending = false;
      if (answer.headers.get("Content-Type")?.startsWith("text/html") && [200, 409, 422].includes(answer.status)) show(await answer.text());
      else location.reload();
      return;
    } catch {
      say("lost", solo.dataset.lost);
      await new Promise((again) => {
        const timer = setTimeout(again, PAUSE);
        addEventListener("online", () => { clearTimeout(timer); again(); }, { once: true });
      });
    }
  }
}

solo.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-move]")) return;
  event.preventDefault();
  send(new URLSearchParams(new FormData(form, event.submitter)).toString());
});

const last = remembered();
const fields = new URLSearchParams(last ?? "");
// Play comes to a number of moves again after an undo, but never with as many moves taken back.
if (last && ["number", "taken_back"].every((name) => fields.get(name) === solo.querySelector(`[name=${name}]`)?.value)) send(last);
else remember(null);
