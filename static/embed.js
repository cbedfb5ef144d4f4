// A leaderboard, or the standings of an event, on a club's own site. For every <div data-ludoscore="ADDRESS"> the piece of HTML at the address is
// fetched and shown inside the element, under its own roof: the site's styles do not reach in, its font and colour do.
// `::part(row)` and the like dress it up. Where anything fails, what the element held stays.
// What says how often it changes (`data-every`, seconds) is fetched again, while somebody looks at the page.

const style = new CSSStyleSheet();
style.replaceSync(`
  h2 { margin: 0 0 0.4em; font-size: 1.15em; }
  ol { margin: 0; padding: 0; list-style: none; }
  li { display: grid; grid-template-columns: 2em 1fr auto; gap: 0.6em; padding-block: 0.35em; border-top: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
  [part="rank"], [part="rating"] { font-weight: 700; font-variant-numeric: tabular-nums lining-nums; }
  p { margin: 0.4em 0 0; font-size: 0.85em; }
  a { color: inherit; }
`);

async function fill(element) {
  const answer = await fetch(element.dataset.ludoscore, { credentials: "omit" });
  if (!answer.ok) throw new Error(`${answer.status} ${element.dataset.ludoscore}`);
  const html = await answer.text();
  const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [style];
  root.innerHTML = html;
}

function seen() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
}

async function keep(element) {
  await seen();
  await fill(element).catch(console.warn);
  const every = Number(element.shadowRoot?.querySelector("[data-every]")?.dataset.every);
  if (every && element.isConnected) setTimeout(keep, 1000 * every, element);
}

document.querySelectorAll("[data-ludoscore]").forEach(keep);
