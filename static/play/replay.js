// Steps through a record without leaving the page: buttons, and the arrow keys, Home and End.

const replay = document.getElementById("replay");
let latest = 0;

async function go(address) {
  const mine = ++latest;
  try {
    const answer = await fetch(address, { headers: { "X-Part": "1" }, signal: AbortSignal.timeout(10_000) });
    if (!answer.ok) throw new Error(answer.statusText);
    const html = await answer.text();
    if (mine !== latest) return; // another step was asked for meanwhile
    const focused = document.activeElement?.dataset?.go;
    replay.innerHTML = html;
    history.replaceState(null, "", address);
    if (focused) replay.querySelector(`[data-go="${focused}"]`)?.focus({ preventScroll: true });
  } catch {
    location.assign(address);
  }
}

replay.addEventListener("click", (event) => {
  const link = event.target.closest("[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});

addEventListener("keydown", (event) => {
  const link = replay.querySelector(`[data-go="${event.key}"]`);
  if (!link || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  go(link.href);
});
