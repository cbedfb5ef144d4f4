// What the modules of the games share. Nothing happens here by itself.

/** Return the value at a path, undefined where there is none. */
export const dig = (value, path) => path.reduce((part, step) => part?.[step], value);

/** Read a whole number from a field; undefined where there is none. */
export function whole(form, name) {
  const text = form.elements[name]?.value.trim() ?? "";
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Read a text from a field, with single spaces; undefined where it is empty. */
export function word(form, name) {
  return form.elements[name]?.value.trim().replace(/\s+/g, " ") || undefined;
}

/** Return what every report begins with. */
export function frame(form) {
  const { sheet, variant, seats } = form.dataset;
  return { game: sheet, variant, seats: JSON.parse(seats).map((seat) => seat.uid) };
}

/** Make an element: `on…` attributes are listeners, false and null ones are left out, true ones are empty. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}
