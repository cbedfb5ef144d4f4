// What the wall shows in turn. The part is swapped by live.js only if it changed; the slide that was on stays on.

import { fitAll } from "./fit.js";

const wall = document.getElementById("wall");
let current = "";
let timer = 0;
let since = 0; // when the part came: slides with data-wait come so many seconds later
let isHeld = false;

const isDue = (slide) => performance.now() - since >= 1000 * (slide.dataset.wait ?? 0);

function slides() {
  const all = [...wall.querySelectorAll("[data-slide]")];
  const due = all.filter(isDue);
  return due.length ? due : all;
}

function show(slide) {
  clearTimeout(timer);
  for (const each of wall.querySelectorAll("[data-slide]")) each.classList.toggle("on", each === slide);
  current = slide?.dataset.slide ?? "";
  wall.dataset.kind = current.split("-")[0];
  if (!isHeld) timer = setTimeout(turn, 1000 * (slide?.dataset.seconds ?? 5));
}

function turn(by = 1) {
  const all = slides();
  const at = all.findIndex((each) => each.dataset.slide === current);
  show(all[(at + by + all.length) % all.length]);
}

function stay() {
  const all = slides();
  show(all.find((each) => each.dataset.slide === current) ?? all[0]);
}

// Those who have just joined are greeted: their names pop up.

const greeted = new Set();

function greet() {
  const names = [...wall.querySelectorAll("[data-name]")];
  const isFirst = greeted.size === 0;
  for (const name of names) {
    if (!isFirst && !greeted.has(name.dataset.name)) name.classList.add("new");
    greeted.add(name.dataset.name);
  }
}

function refresh() {
  since = performance.now();
  greet();
  fitAll(wall);
  stay();
}

let resized = 0;

function refit() {
  cancelAnimationFrame(resized);
  resized = requestAnimationFrame(() => {
    fitAll(wall);
    stay();
  });
}

function press(event) {
  if (event.target.closest("button, a") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " ") {
    isHeld = !isHeld;
    wall.classList.toggle("held", isHeld);
    stay();
  } else if (event.key === "ArrowRight" || event.key === "PageDown") turn(1);
  else if (event.key === "ArrowLeft" || event.key === "PageUp") turn(-1);
  else return;
  event.preventDefault();
}

wall.classList.add("js");
wall.addEventListener("live", refresh);
document.addEventListener("keydown", press);
addEventListener("resize", refit);
document.fonts.ready.then(refit); // letters of another width fit differently
refresh();

// Nobody touches a projector: keep it awake, and offer the whole screen.

const full = document.querySelector("[data-full]");
full.hidden = !document.fullscreenEnabled;
full.addEventListener("click", () => document.documentElement.requestFullscreen());

async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // A battery that runs low may refuse.
  }
}

document.addEventListener("visibilitychange", () => document.hidden || stayAwake());
stayAwake();
