// Leads to a player by the strip of totals, and from one thing to look at to the next.

export default function leader({ form, seats, controls, textOf, focusOn, findings }) {
  let looked = -1;

  function next() {
    const all = findings();
    looked = (looked + 1) % all.length;
    const { id } = all[looked];
    for (let fold = all[looked].closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    all[looked].scrollIntoView({ block: "center" });
    focusOn([...form.querySelectorAll("[aria-describedby]")].find((each) => each.getAttribute("aria-describedby") === id));
  }

  function jump(uid) {
    document.getElementById(`at-${uid}`).scrollIntoView({ block: "start" });
    const own = controls().filter((control) => control.name.split(".").includes(uid) && !control.closest("[hidden], details:not([open])"));
    focusOn(own.find((control) => !textOf(control)) ?? own[0]);
  }

  /** Mark in the strip who is being written about. */
  function mark({ target }) {
    const { hand, counts } = target.closest("[data-hand], [data-counts]")?.dataset ?? {};
    const uid = hand ?? counts ?? target.name?.split(".").find((step) => seats.some((seat) => seat.uid === step));
    for (const link of form.querySelectorAll("[data-jump]")) {
      if (link.dataset.jump === uid) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  form.addEventListener("focusin", mark);
  if (form.contains(document.activeElement)) mark({ target: document.activeElement });
  return { jump, next };
}
