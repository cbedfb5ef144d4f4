// A signal at ten, five and no minutes left: by colour, by sound where the reader asked for it, and by the phone's buzz.
//
// live.js writes the seconds left on each clock into data-left. <button data-sound> turns the sound on and off: a
// browser plays nothing before somebody has pressed something. Signals that were missed are not given later.

const MARKS = [
  { seconds: 600, tones: [660], buzz: [200] },
  { seconds: 300, tones: [660, 660], buzz: [200, 100, 200] },
  { seconds: 0, tones: [660, 880, 1040], buzz: [400, 150, 400, 150, 400] },
];
const LATE = 5; // seconds after which a signal is no longer given
const KEY = "ludoscore-sound";
const given = new Map();
let context = null;

const isOn = () => localStorage.getItem(KEY) === "on";

function listen() {
  if (!isOn() || !("AudioContext" in window)) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

function sound(tones) {
  if (!isOn() || context?.state !== "running") return;
  tones.forEach((pitch, index) => {
    const at = context.currentTime + index * 0.6;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.5, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.55);
  });
}

function signal(mark) {
  document.body.dataset.signal = mark.seconds / 60;
  setTimeout(() => delete document.body.dataset.signal, 8000);
  sound(mark.tones);
  navigator.vibrate?.(mark.buzz);
}

function look() {
  for (const clock of document.querySelectorAll("time[data-ends]")) {
    const left = Number(clock.dataset.left);
    for (const mark of MARKS) {
      const key = `${clock.dataset.ends} ${mark.seconds}`;
      if (Number.isNaN(left) || left > mark.seconds || given.has(key)) continue;
      given.set(key, true);
      if (left > mark.seconds - LATE) signal(mark);
    }
  }
}

for (const button of document.querySelectorAll("[data-sound]")) {
  const show = () => button.setAttribute("aria-pressed", isOn());
  button.hidden = false;
  show();
  button.addEventListener("click", () => {
    localStorage.setItem(KEY, isOn() ? "off" : "on");
    show();
    listen();
    sound([660]);
  });
}

document.addEventListener("pointerdown", listen);
document.addEventListener("keydown", listen);
setInterval(look, 500);
