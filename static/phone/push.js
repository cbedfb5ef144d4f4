// Messages to a phone that lies in a pocket, where its browser knows them and its player wants them.
//
// <section data-push="ADDRESS" data-key="KEY"> is shown where there is something to choose; of what is in it, that whose
// data-when names the state. Nobody is asked for a permission before they press the button. A phone may be told of several
// events by one subscription of its browser, and remembers itself of which.

import { ask } from "./sheets/queue.js";

const PREFIX = "ludoscore.push:";
const RENEWED = 30 * 86_400_000; // milliseconds: a phone that does not subscribe again is forgotten after 90 days
const section = document.querySelector("[data-push]");
const address = new URL(section.dataset.push, location);
const [on, off] = section.querySelectorAll("button");
const name = PREFIX + address.pathname;

function show(...states) {
  const isFocused = section.contains(document.activeElement);
  section.hidden = false;
  for (const each of section.querySelectorAll("[data-when]")) each.hidden = !states.includes(each.dataset.when);
  if (isFocused) [on, off].find((button) => !button.hidden)?.focus();
}

// What the service calls this phone, and when it last subscribed.
const known = () => (localStorage.getItem(name) ?? "").split(" ");

function mine() {
  const one = new URL(address);
  one.pathname += `${known()[0]}/`;
  return one;
}

const text = (key) => btoa(String.fromCharCode(...new Uint8Array(key))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

// A browser has one subscription for all of our pages, for one key; after ours was replaced it needs another.
async function subscription() {
  const { pushManager } = await navigator.serviceWorker.ready;
  const applicationServerKey = section.dataset.key;
  const held = await pushManager.getSubscription();
  if (held && text(held.options.applicationServerKey) === applicationServerKey) return held;
  await held?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return show("refused");
  try {
    const { endpoint, keys } = (await subscription()).toJSON();
    const { status, body } = await ask("POST", address, { endpoint, keys });
    if (status !== 200 && status !== 201) throw new Error(status);
    localStorage.setItem(name, `${body.id} ${Date.now()}`);
    show("on");
  } catch {
    show("off", "failed");
  }
}

async function turnOff() {
  const { status } = await ask("DELETE", mine());
  if (status !== 204 && status !== 404) return show("on", "failed");
  localStorage.removeItem(name);
  show("off");
  if (Object.keys(localStorage).some((each) => each.startsWith(PREFIX))) return;
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
}

// What the service has forgotten meanwhile, because the push service did, or would forget for its age, is asked for anew.
async function check() {
  show("on");
  const { status } = await ask("GET", mine());
  const isRecent = Date.now() - known()[1] < RENEWED;
  if (status === 404 || (status === 200 && !isRecent)) await turnOn();
}

on.addEventListener("click", turnOn);
off.addEventListener("click", turnOff);
if (!navigator.serviceWorker || !("PushManager" in window) || !("Notification" in window)) {
  if (navigator.standalone === false) show("install");
} else if (Notification.permission === "denied") show("refused");
else if (Notification.permission === "granted" && localStorage.getItem(name)) check();
else show("off");
