// What the wall shows in turn. The part is swapped by live.js only if it changed; the slide that was on stays on.

const wall = document.getElementById("wall");
let current = "";
let timer = 0;

const slides = () => [...wall.querySelectorAll("[data-slide]")];

function show(slide) {
  clearTimeout(timer);
  for (const each of slides()) each.classList.toggle("on", each === slide);
  current = slide?.dataset.slide ?? "";
  wall.dataset.kind = current.split("-")[0];
  timer = setTimeout(next, 1000 * (slide?.dataset.seconds ?? 5));
}

function next() {
  const all = slides();
  const at = all.findIndex((each) => each.dataset.slide === current);
  show(all[(at + 1) % all.length]);
}

function stay() {
  const all = slides();
  show(all.find((each) => each.dataset.slide === current) ?? all[0]);
}

wall.classList.add("js");
wall.addEventListener("live", stay);
stay();

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
