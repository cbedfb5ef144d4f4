// Lays out what may be long (tables, names) so that every name is whole and as large as the screen allows.
//
// A source slide with a list `.fitted` becomes as many slides as its items need, three of tables and two of names at
// most: whoever looks for a table sees it again within WAIT seconds. Sizes are found by measuring; where even the
// smallest is too large, names take their shortest form that is still unique (data-short).

const WAIT = 20;
const SHORTEST = 4; // seconds that a slide needs to be read
const LONGEST = 12;
// Sizes in hundredths of the screen's height.
const READABLE = 2.2; // from the bar; below, names become short
const SMALLEST = 1.4;
const LARGEST = 5.4;
const COMFORTABLE = 3.2; // large enough not to need another slide
const STEP = 0.2;
const SLIDES = { seating: 3, finder: 2 };
const USUAL = { seating: 20, finder: 160 }; // more than these on a slide are not tried: it saves time
const COLUMNS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const ROOM = 1; // pixel that rounding may cost

const isWhole = (name) => name.scrollWidth <= name.clientWidth + ROOM;

function fits(list, columns, size) {
  list.style.setProperty("--columns", columns);
  list.style.setProperty("--size", `${size}vh`);
  if (list.scrollHeight > list.clientHeight + ROOM || list.scrollWidth > list.clientWidth + ROOM) return false;
  return [...list.querySelectorAll(".name")].every(isWhole);
}

// The largest size, in steps, at which a list fits with so many columns; 0 where none does.
function largest(list, columns, above) {
  let low = Math.round(above / STEP);
  let high = Math.round(LARGEST / STEP);
  if (!fits(list, columns, (low + 1) * STEP)) return 0; // no better than what was found already
  while (low + 1 < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(list, columns, middle * STEP)) low = middle;
    else high = middle;
  }
  return fits(list, columns, high * STEP) ? high * STEP : low * STEP;
}

function best(list, smallest) {
  let found = { columns: COLUMNS.at(-1), size: 0 };
  for (const columns of COLUMNS) {
    const size = largest(list, columns, Math.max(found.size, smallest - STEP));
    if (size > found.size) found = { columns, size };
  }
  return found;
}

function share(items, pages) {
  return Array.from({ length: pages }, (_, page) =>
    items.slice(Math.floor((items.length * page) / pages), Math.floor((items.length * (page + 1)) / pages)),
  );
}

// Put the items on so many slides, and return the lists that hold them.
function spread(wall, source, items, pages) {
  const kind = kindOf(source);
  for (const slide of slidesOf(wall, kind)) if (slide !== source) slide.remove();
  let last = source;
  return share(items, pages).map((some, page) => {
    if (page) {
      const slide = source.cloneNode(false);
      slide.dataset.slide = `${kind}-${page + 1}`;
      slide.classList.remove("on");
      slide.append(source.querySelector(".fitted").cloneNode(false));
      last.after(slide);
      last = slide;
    }
    const list = last.querySelector(".fitted");
    list.replaceChildren(...some);
    return list;
  });
}

function say(items, short) {
  for (const name of items.flatMap((item) => [...item.querySelectorAll(".name")])) {
    name.dataset.whole ??= name.textContent;
    name.textContent = short ? name.dataset.short : name.dataset.whole;
  }
}

// Find how to lay items out: on how many slides, in how many columns each, at what size, and with which names.
function plan(wall, source, items) {
  const most = SLIDES[kindOf(source)];
  const fewest = Math.min(most, Math.ceil(items.length / USUAL[kindOf(source)]));
  for (const [short, smallest] of [[false, READABLE], [true, SMALLEST]]) {
    say(items, short);
    for (let pages = short ? most : fewest; pages <= most; pages += 1) {
      const found = spread(wall, source, items, pages).map((list) => best(list, smallest));
      const size = Math.min(...found.map((each) => each.size));
      if (size >= COMFORTABLE || (pages === most && (size || short))) {
        return { short, columns: found.map((each) => each.columns), size: size || SMALLEST };
      }
    }
  }
}

const kindOf = (slide) => slide.dataset.slide.split("-")[0];
const slidesOf = (wall, kind) => [...wall.querySelectorAll(`[data-slide^="${kind}-"]`)];

// Measuring a full house takes a moment, and while results come in nobody moves: what was found is found again.
const plans = new Map();

function fit(wall, source) {
  const items = slidesOf(wall, kindOf(source)).flatMap((slide) => [...slide.querySelector(".fitted").children]);
  say(items, false);
  const names = items.map((item) => [...item.querySelectorAll(".name, .sign:empty")].map((each) => each.textContent));
  const key = JSON.stringify([kindOf(source), innerWidth, source.clientHeight, document.fonts.status, names]);
  if (!plans.has(key)) {
    if (plans.size > 20) plans.clear();
    plans.set(key, plan(wall, source, items));
  }
  const { short, columns, size } = plans.get(key);
  say(items, short);
  spread(wall, source, items, columns.length).forEach((list, page) => fits(list, columns[page], size));
}

// Lay out all that needs it, and give each slide its time.
export function fitAll(wall) {
  for (const source of wall.querySelectorAll("[data-slide$='-1']:has(.fitted)")) fit(wall, source);
  const slides = [...wall.querySelectorAll("[data-slide]:has(.fitted)")];
  const seconds = Math.min(LONGEST, Math.max(SHORTEST, WAIT / slides.length));
  for (const [at, slide] of slides.entries()) {
    slide.dataset.seconds = seconds;
    if (slides.length > 1) slide.dataset.page = `${at + 1} / ${slides.length}`;
    else delete slide.dataset.page;
  }
}
