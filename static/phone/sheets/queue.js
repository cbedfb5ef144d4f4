// Sheets that are to be sent. Each is written down with its Idempotency-Key before the first try, and is tried again when
// the connection or a page returns, so it arrives, and counts once. Kept in the page's own storage: that works on
// plain HTTP too. Any page that loads this module sends what an earlier one could not. The address names the player who
// wrote it: on a phone that passed to somebody else it waits, and the page says for whom.

const PREFIX = "ludoscore.queue:";
const SHORTEST_PAUSE = 2_000;
const LONGEST_PAUSE = 60_000;
let pause = SHORTEST_PAUSE;
let timer = 0;

export const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

/** Ask the service; the status is 0 where nothing came back. */
export async function ask(method, url, body, headers = {}) {
  try {
    const answer = await fetch(url, {
      method,
      body: JSON.stringify(body),
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token(), ...headers },
    });
    return { status: answer.status, body: await answer.json().catch(() => null) };
  } catch {
    return { status: 0, body: null };
  }
}

export const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export function waiting(url) {
  return JSON.parse(localStorage.getItem(PREFIX + url) ?? "null");
}

/** Write a sheet down and send it. One that waits for the same table is replaced, unless it is the same. */
export function put(url, body) {
  const known = waiting(url);
  const same = known && JSON.stringify(known.body) === JSON.stringify(body);
  localStorage.setItem(PREFIX + url, JSON.stringify(same ? known : { key: newKey(), body }));
  return flush();
}

export function drop(url) {
  localStorage.removeItem(PREFIX + url);
}

/** Tell whether the server has judged: it has not where nothing came back, by a fault of its own, or being too busy. */
export const isDecided = ({ status, body }) => status >= 200 && status < 500 && status !== 429 && body?.code !== "idempotency-running";

function tell(text) {
  if ([...document.querySelectorAll(".waits")].some((each) => each.textContent === text)) return;
  const notice = Object.assign(document.createElement("p"), { className: "waits notice warn", role: "status", textContent: text });
  document.querySelector("main > *").prepend(notice);
}

async function send(url) {
  const known = waiting(url);
  if (!known) return true; // another page was quicker
  const { key, body } = known;
  const answer = await ask("POST", url, body, { "Idempotency-Key": key });
  if (waiting(url)?.key !== key) return true; // taken back or replaced meanwhile
  if (answer.body?.code === "other-player") tell(answer.body.detail);
  else if (isDecided(answer)) drop(url);
  dispatchEvent(new CustomEvent("sheet:answer", { detail: { url, answer } }));
  return isDecided(answer);
}

let last = Promise.resolve();

/** Try to send everything that waits, one after the other; what stays is tried again later. */
function flush() {
  last = last.then(async () => {
    clearTimeout(timer);
    let isAllDecided = true;
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(PREFIX))) {
      isAllDecided = (await send(key.slice(PREFIX.length))) && isAllDecided;
    }
    pause = isAllDecided ? SHORTEST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE);
    if (!isAllDecided) timer = setTimeout(flush, pause);
  });
  return last;
}

addEventListener("online", flush);
addEventListener("pageshow", flush);
document.addEventListener("visibilitychange", () => document.hidden || flush());
