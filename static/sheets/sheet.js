// The score sheet on a page. The form is the truth: it works without this script, which adds what a phone can do better.
//
// A game's module (`data-script`) exports by default
//   read(form) -> report        what the fields say, as the server reads it; what is empty is left out
//   enhance(form, ctx)          buttons in place of fields; they write to the fields and call ctx.changed()
//   complete(report) -> report  optional: fills what is missing with something harmless, so that the rules can already
//                               judge what is there; findings about what was filled in are not shown
//   prepare(form, fields)       optional: makes room for fields that are about to be restored
//   refresh(form, ctx)          optional: called after every check and after fields were restored
// ctx: seats [{uid, name}], variant, findings {field: text}, changed(), assist(position) -> answer or null,
//      word(key, facts) for the texts of `<template data-words>`, report() as it stands.

import { ask, drop, put, waiting } from "./queue.js";

const PAUSE = 350; // after the last change, before it is checked and saved

const dig = (value, path) => path.reduce((part, step) => part?.[step], value);
const dotted = (path) => path.join(".");

/** Read a whole number from a field; undefined where there is none. */
export function whole(form, name) {
  const text = form.elements[name]?.value.trim() ?? "";
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Read a text from a field; undefined where it is empty. */
export function word(form, name) {
  return form.elements[name]?.value.trim().replace(/\s+/g, " ") || undefined;
}

/** What every report begins with. */
export function frame(form) {
  return { game: form.dataset.sheet, variant: form.dataset.variant, seats: JSON.parse(form.dataset.seats).map((seat) => seat.uid) };
}

/** Make an element: tag, attributes, children. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}
