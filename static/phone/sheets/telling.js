// Says in words what differs between the phones of a table, or from a sheet that was sent before.

import { element } from "./parts.js";

export default function teller({ seats, word, withNames, part }) {
  const said = (value) => {
    if (Array.isArray(value)) return value.map(said).join(" · ");
    return value === null || value === "" ? word("nothing") : withNames(String(value)).replaceAll("\n", " / ");
  };

  /** Say whose a value is and where it stands. */
  function where(path, place) {
    const owner = seats.find(({ uid }) => path.includes(uid));
    return [owner?.name, place].filter(Boolean).join(" · ");
  }

  const change = ({ control, before, after }) =>
    `${where(control.name.split("."), control.dataset.place)}: ${said(before)} → ${said(after)}`;

  /** Say what others wrote over: nothing goes away without a word. */
  function overwritten(changes) {
    part("changes").append(...changes.map((each) => element("li", {}, change(each))));
    part("told").hidden = false;
  }

  function seen() {
    part("changes").replaceChildren();
    part("told").hidden = true;
  }

  /** Ask which of two values in one field is right. */
  function ask({ path, place, author_name: name, theirs, yours }, isOwn) {
    const values = { theirs: said(theirs), yours: said(yours) };
    part("where").textContent = where(path, place);
    part("question").textContent = word(isOwn ? "clash-own" : "clash", { name, ...values });
    part("take-theirs").textContent = word("theirs", { value: values.theirs, name: isOwn ? word("other-window") : name });
    part("keep-mine").textContent = word("mine", { value: values.yours });
    if (!part("conflict").open) part("conflict").showModal();
  }

  return { change, overwritten, seen, ask };
}
