// The form of a club's own game: only the fields of its kind, room for more lines, and the phone's sheet beside it.

const form = document.querySelector("[data-maker]");
const PAUSE = 400; // after the last change
let timer = 0;
let asked = 0;

function choose() {
  const kind = form.elements["sheet.kind"].value;
  for (const part of form.querySelectorAll("[data-kinds]")) part.hidden = !part.dataset.kinds.split(" ").includes(kind);
}

async function look() {
  asked += 1;
  const number = asked;
  const answer = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form) }).catch(() => null);
  if (answer?.ok && number === asked) document.querySelector("[data-preview-here]").innerHTML = await answer.text();
}

function add() {
  const lines = form.querySelectorAll("[data-line]");
  const [last, index] = [lines[lines.length - 1], lines.length];
  const copy = last.cloneNode(true);
  const renamed = (text) => text.replaceAll(`sheet.lines.${index - 1}.`, `sheet.lines.${index}.`);
  for (const each of copy.querySelectorAll("*")) {
    for (const { name, value } of [...each.attributes]) if (value.includes(`sheet.lines.${index - 1}.`)) each.setAttribute(name, renamed(value));
    if (each.matches("input, select")) each.value = "";
    if (each.matches(".finding")) each.textContent = "";
  }
  copy.querySelector("legend").textContent = copy.querySelector("legend").textContent.replace(/\d+$/, String(index + 1));
  last.after(copy);
  copy.querySelector("input:not([type=hidden])").focus();
}

if (form) {
  const more = form.querySelector("[data-add]");
  more.hidden = false;
  more.addEventListener("click", add);
  form.addEventListener("input", () => {
    choose();
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
  });
  choose();
}
