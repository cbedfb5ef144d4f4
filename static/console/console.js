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

// Many tables: tiles are narrowed by a name, a number or what needs the organiser; a tile opens its card.

const find = document.querySelector("[data-find]");
const wanted = document.getElementById("find-name");
const needing = document.getElementById("find-needs");
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function narrow() {
  const tiles = [...board.querySelectorAll("[data-tile]")];
  find.hidden = !tiles.length;
  const text = fold(wanted.value.trim());
  for (const tile of tiles) {
    const number = tile.querySelector("strong").textContent;
    const fits = !text || number === text || fold(tile.dataset.names).includes(text);
    tile.hidden = !fits || (needing.checked && !tile.classList.contains("needs"));
  }
}

function open(hash) {
  for (const card of board.querySelectorAll(".folded > *")) card.classList.toggle("shown", `#${card.id}` === hash);
  for (const tile of board.querySelectorAll(".tile")) tile.classList.toggle("open", tile.getAttribute("href") === hash);
}

function next() {
  const tiles = [...board.querySelectorAll(".needs:not([hidden]) .tile")];
  const at = tiles.findIndex((tile) => tile.classList.contains("open"));
  tiles[(at + 1) % tiles.length]?.click();
  tiles[(at + 1) % tiles.length]?.focus();
}

function press(event) {
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape" && event.target === wanted) {
      wanted.value = "";
      wanted.blur();
      narrow();
    }
    return;
  }
  if (find.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    wanted.focus();
  } else if (event.key === "n") next();
}

wanted.addEventListener("input", narrow);
needing.addEventListener("change", narrow);
addEventListener("hashchange", () => open(location.hash));
document.addEventListener("keydown", press);
board.addEventListener("live", () => {
  narrow();
  open(location.hash);
});
narrow();
open(location.hash);

// A table becomes late by the clock alone, of which nothing is written anywhere: the board is fetched anew then.

let over = board.querySelectorAll("time.over").length;

setInterval(() => {
  const before = over;
  over = board.querySelectorAll("time.over").length;
  if (over > before) board.dispatchEvent(new Event("stale"));
}, 1000);
