// Move players between tables by dragging, or by pressing a name and then where it goes. Both fill in the form
// `#move` and send it, which also works alone, by keyboard and without this script.

const board = document.getElementById("board");
let picked = "";

const nameOf = (target) => target.closest?.("[data-entry]");
const form = () => document.getElementById("move");

function placeOf(target) {
  const other = nameOf(target);
  if (other && other.dataset.entry !== picked && !other.closest("[data-bench]")) return [other.dataset.entry, other];
  const table = target.closest?.("[data-table]");
  return table && table.querySelector("[data-to]") ? [table.dataset.table, table] : [];
}

function pick(entry) {
  picked = entry;
  if (entry) board.dataset.busy = "";
  else delete board.dataset.busy;
  for (const seat of board.querySelectorAll("[data-entry]")) seat.setAttribute("aria-pressed", seat.dataset.entry === entry);
  for (const button of board.querySelectorAll("[data-to]")) button.hidden = !entry;
  mark();
}

function mark(element) {
  board.querySelector(".target")?.classList.remove("target");
  element?.classList.add("target");
}

function move(to) {
  form().elements.entry.value = picked;
  form().elements.to.value = to;
  form().requestSubmit();
}

board.addEventListener("click", (event) => {
  const seat = nameOf(event.target);
  const here = event.target.closest("[data-to]");
  if (here) move(here.dataset.to);
  else if (seat && (!picked || seat.dataset.entry === picked)) pick(picked ? "" : seat.dataset.entry);
  else if (seat) {
    const [to] = placeOf(seat);
    if (to) move(to);
    else pick(seat.dataset.entry);
  }
});

board.addEventListener("keydown", (event) => event.key === "Escape" && pick(""));

board.addEventListener("dragstart", (event) => {
  const seat = nameOf(event.target);
  if (!seat) return;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", seat.textContent);
  pick(seat.dataset.entry);
});

board.addEventListener("dragover", (event) => {
  const [to, element] = picked ? placeOf(event.target) : [];
  mark(element);
  if (to) event.preventDefault();
});

board.addEventListener("drop", (event) => {
  const [to] = placeOf(event.target);
  if (!picked || !to) return;
  event.preventDefault();
  move(to);
});

board.addEventListener("dragend", () => pick(""));

function explain() {
  for (const hint of board.querySelectorAll("[data-hint]")) hint.hidden = false;
}

board.addEventListener("live", explain);
explain();
