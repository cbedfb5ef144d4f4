// What sheets in the form of a block share: cells side by side, totals under them, and a keypad at the foot of the screen.

import { element } from "./parts.js";

export { ranks } from "./parts.js";

export const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/** Show what is worked out for a seat: `{ total: 12 }` goes wherever `data-total` names it. */
export function tell(form, uid, values) {
  for (const [name, value] of Object.entries(values)) {
    for (const each of form.querySelectorAll(`[data-${name}="${CSS.escape(uid)}"]`)) each.textContent = value;
  }
}

/** Write into a field as a person would. */
export function write(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Move on to a field, ready to be overwritten; without one, leave the keypad. */
export function moveTo(field) {
  if (!field) return document.activeElement?.blur();
  field.focus();
  field.select();
}

/** Let arrow keys walk from cell to cell; `aim(field, aside, down)` returns the field to go to, if there is one. */
export function walk(form, aim) {
  const steps = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0], Enter: [0, 1] };
  form.addEventListener("keydown", (event) => {
    const field = steps[event.key] && event.target.matches(".block td > input") && aim(event.target, ...steps[event.key]);
    if (!field) return;
    event.preventDefault();
    moveTo(field);
  });
}

/**
 * Put a keypad under the cells, so that the phone's own keyboard stays away. It serves the fields
 * that `offer(field)` has something for:
 *   { title, hint, keys: [{ text, label, isOff, isProposed, isPressed, press(field) }], actions: { name: press(field) } }
 * In place of keys there may be lines: [{ caption, columns: [{ title, keys }] }], a column for each player side by side;
 * captions and titles may be left out.
 * Actions belong to buttons that stand in the page (`data-key`); one that is not offered is hidden. "done" always is.
 */
export function keypad(form, offer) {
  const pad = form.querySelector("[data-keypad]");
  const part = (name) => pad.querySelector(`[data-${name}]`);
  const done = () => moveTo(null);
  let field = null;
  let actions = {};
  let leaving = 0;

  function button({ text, label, isOff, isProposed, isPressed, press }) {
    const kind = isProposed ? "key is-proposed" : "key";
    const said = { "aria-label": label, "aria-pressed": isPressed === undefined ? null : String(isPressed) };
    return element("button", { class: kind, type: "button", tabindex: -1, disabled: isOff, ...said, onclick: () => act(press) }, String(text));
  }

  function line({ caption, columns }) {
    const heading = (tag, text) => (text ? [element(tag, { class: tag === "span" ? "sheet-name" : "small" }, text)] : []);
    const made = columns.map(({ title, keys }) => element("div", { class: "column" }, ...heading("span", title), ...keys.map(button)));
    return element("div", {}, ...heading("b", caption), element("div", { class: "columns" }, ...made));
  }

  /** Offer what fits the field, as long as somebody is in it. */
  function show() {
    if (!field || document.activeElement !== field) return;
    clearTimeout(leaving);
    const offered = offer(field);
    actions = { done, ...offered.actions };
    part("title").textContent = offered.title;
    part("hint").textContent = offered.hint ?? "";
    part("keys").replaceChildren(...(offered.lines?.map(line) ?? offered.keys.map(button)));
    part("keys").classList.toggle("lines", Boolean(offered.lines));
    for (const each of pad.querySelectorAll("[data-key]")) each.hidden = !actions[each.dataset.key];
    pad.hidden = false;
    field.scrollIntoView({ block: "nearest" }); // not under the keypad
  }

  /** Go once the tap that took the focus away has landed: what it was meant for must not move under it. */
  function leave() {
    clearTimeout(leaving);
    leaving = setTimeout(() => (pad.hidden = true), 200);
  }

  function act(press) {
    press(field);
    show();
  }

  for (const control of form.elements) if (control.name && offer(control)) control.inputMode = "none";
  form.addEventListener("focusin", ({ target }) => {
    field = target.name && offer(target) ? target : null;
    show();
  });
  form.addEventListener("focusout", leave);
  form.addEventListener("input", show);
  pad.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
  for (const each of pad.querySelectorAll("[data-key]")) each.addEventListener("click", () => act(actions[each.dataset.key]));
  return { show };
}
