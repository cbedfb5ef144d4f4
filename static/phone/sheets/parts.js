// What the modules of the games share. Nothing happens here by itself.

/** Return the value at a path, undefined where there is none. */
export const dig = (value, path) => path.reduce((part, step) => part?.[step], value);

/** Return a value with another one at a path; null takes it away. */
export function put(value, [step, ...rest], inner) {
  if (step === undefined) return inner;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[step] = put(copy[step] ?? (typeof rest[0] === "number" ? [] : {}), rest, inner);
  if (copy[step] === null && !Array.isArray(copy)) delete copy[step];
  return copy;
}

/** Return every value of a report that is written, as `[dotted path, text]`. */
export function leaves(value, path = []) {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [[path.join("."), String(value)]];
  return Object.entries(value).flatMap(([step, inner]) => leaves(inner, [...path, step]));
}

/** Return what a field with the dotted path of its value shows of a report: lists and seats have a line each. */
export function shown(report, name, seats) {
  const value = dig(report, name.split("."));
  if (value === null || value === undefined) return "";
  if (typeof value !== "object") return String(value);
  const lines = Array.isArray(value) ? value : seats.map(({ uid }) => value[uid]);
  return lines.map((line) => line ?? "").join("\n").trimEnd();
}

/** Return a value as text that is the same for equal values, whatever the order of their keys. */
export const sorted = (value) =>
  JSON.stringify(value, (_, inner) =>
    inner?.constructor === Object ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  );

/** Return a report with evidence put back that has no field; what the fields say wins, a list stays as long as they say. */
export function merged(report, kept) {
  if (kept === undefined || kept === null) return report;
  if (report === undefined) return kept;
  if (Array.isArray(report) && Array.isArray(kept)) return report.map((each, index) => merged(each, kept[index]));
  if (report?.constructor !== Object || kept.constructor !== Object) return report;
  return { ...report, ...Object.fromEntries(Object.entries(kept).map(([key, inner]) => [key, merged(report[key], inner)])) };
}

/** Return the ranks for keys that decide them, the most important element first: the higher the better. */
export function ranks(keys) {
  const isAhead = (one, other) => {
    const at = one.findIndex((each, index) => each !== other[index]);
    return at >= 0 && one[at] > other[at];
  };
  return keys.map((own) => 1 + keys.filter((other) => isAhead(other, own)).length);
}

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

/** Let arrow keys move among the buttons of a group, which is one stop for the tab key. */
export function arrows(group) {
  const buttons = () => [...group.querySelectorAll("button")];
  const rest = (chosen) => buttons().forEach((each) => (each.tabIndex = each === chosen ? 0 : -1));
  rest(group.querySelector("[aria-pressed=true]") ?? buttons()[0]);
  group.addEventListener("focusin", (event) => rest(event.target));
  group.addEventListener("keydown", (event) => {
    const all = buttons();
    const columns = all.filter((each) => each.offsetTop === all[0].offsetTop).length;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    const next = step && all[all.indexOf(document.activeElement) + step];
    if (next) next.focus();
    if (step) event.preventDefault();
  });
}

/** Put keys below a field, one tap each, and keep the field for what they do not offer. */
export function keys(input, values, changed) {
  const group = element("div", { class: "keys", role: "group", "aria-label": input.labels[0].textContent });
  const press = (value) => {
    input.value = value;
    update();
    changed();
  };
  const update = (offered = values()) => {
    const focused = group.contains(document.activeElement) && document.activeElement.textContent;
    const made = offered.map((value) =>
      element("button", { type: "button", class: "key", "aria-pressed": String(input.value === String(value)), onclick: () => press(value) }, String(value)),
    );
    group.replaceChildren(...made);
    made.forEach((each, at) => (each.tabIndex = at ? -1 : 0));
    if (focused) made.find((each) => each.textContent === focused)?.focus();
  };
  update();
  arrows(group);
  input.after(group);
  return update;
}
