// The board of a game: the drawing of a position in the page, and zoom by touch, wheel, keys and buttons.

const figure = document.querySelector(".board");
const view = figure.querySelector(".view");
const { game } = document.getElementById("game").dataset;
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Milliseconds until a drawing is asked for again that the service could not give. */
const PATIENCE = 2000;
/** The largest zoom; at 1 the whole board is visible. */
const LARGEST = 8;

/** The drawing in the page; null until the first one is complete. */
export let map = null;
/** The same drawing as the service gave it. */
let given = null;

let asked = 0;
let drawn = 0;
let zoom = 1;
let spread = 0;

const address = (seq) => `/v1/games/${game}/states/${seq}.svg${dark.matches ? "?theme=dark" : ""}`;

/** Loads the drawing of a position, so that it can be shown at once. */
export const preload = (seq) => fetch(address(seq)).catch(() => {});

/** Adds a ring round each region. It shows marks, and makes the region larger for clicks. */
function addRings(regions) {
  const shapes = regions.map((region) => region.querySelector('[href^="#t-c"]') ?? region.children[1]);
  // All boxes are read before the drawing changes: otherwise each of them is worked out anew.
  const boxes = shapes.map((shape) => shape.getBBox());
  for (const [place, { x, y, width, height }] of boxes.entries()) {
    const ring = document.createElementNS(map.namespaceURI, "circle");
    const attributes = { class: "ring", cx: x + width / 2, cy: y + height / 2, r: 19 };
    for (const [name, value] of Object.entries(attributes)) ring.setAttribute(name, value);
    regions[place].firstElementChild.after(ring);
  }
}

/** Replaces the parts of the drawing in the page that differ in the next one: most are alike, and a phone is slow. */
function replaceParts(shown, before, next) {
  if (before.isEqualNode(next)) return;
  const isWhole = next.children.length === 0 || next.matches("[data-region]");
  if (isWhole || before.children.length !== next.children.length || !before.cloneNode().isEqualNode(next.cloneNode())) {
    shown.replaceWith(document.importNode(next, true));
    return;
  }
  for (const [place, part] of [...next.children].entries()) replaceParts(shown.children[place], before.children[place], part);
}

/** Shows the drawing of a position when it is complete; the one before stays until then. */
export async function draw(seq) {
  const order = ++asked;
  const answer = await fetch(address(seq)).catch(() => null);
  const text = answer?.ok ? await answer.text() : null;
  if (order < drawn) return;
  if (text === null) {
    setTimeout(() => order === asked && draw(seq), PATIENCE);
    return;
  }
  drawn = order;
  const focused = document.activeElement.closest?.(".board [data-region], .board [data-field]")?.dataset;
  const next = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (map) replaceParts(map, given, next);
  else view.replaceChildren(document.importNode(next, true));
  given = next;
  map = view.firstElementChild;
  map.setAttribute("role", "group");
  map.dataset.seq = String(seq);
  delete map.dataset.named;
  mark("named", []);
  addRings([...map.querySelectorAll("[data-region]")].filter((region) => !region.querySelector(".ring")));
  document.dispatchEvent(new CustomEvent("tabularium:drawn"));
  if (focused) {
    const [[name, value]] = Object.entries(focused);
    const again = map.querySelector(`[data-${name}="${value}"][tabindex]`) ?? figure;
    again.focus({ preventScroll: true });
  }
}

/** Names the regions of the drawing in the language of the page, when a reader points at it. Drawings are in English. */
async function translate() {
  if (document.documentElement.lang === "en" || !map || map.dataset.named) return;
  const drawing = map;
  const { seq } = drawing.dataset;
  drawing.dataset.named = "yes";
  const answer = await fetch(`/games/${game}/regions?at=${seq}`).catch(() => null);
  if (!answer?.ok) return;
  const parts = new DOMParser().parseFromString(await answer.text(), "text/html");
  // Another position may be shown by now.
  if (drawing.dataset.seq !== seq) return;
  for (const item of parts.querySelectorAll("[data-of]")) {
    const title = drawing.querySelector(`[data-region="${item.dataset.of}"] > title`);
    item.querySelector(".faint").remove();
    if (title) title.textContent = item.textContent.trim();
  }
}
for (const name of ["pointerover", "focusin"]) view.addEventListener(name, translate);

/** Gives a mark to these regions only. */
export function mark(name, regions) {
  for (const other of map?.querySelectorAll(`.${name}`) ?? []) other.classList.remove(name);
  for (const region of regions) map?.querySelector(`[data-region="${region}"]`)?.classList.add(name);
}

/** Zooms so that a point of the window keeps its place, by default the middle of the board. */
function zoomTo(wanted, x, y) {
  const box = figure.getBoundingClientRect();
  const [left, top] = [x === undefined ? box.width / 2 : x - box.left, y === undefined ? box.height / 2 : y - box.top];
  const across = (figure.scrollLeft + left) / figure.scrollWidth;
  const down = (figure.scrollTop + top) / figure.scrollHeight;
  zoom = Math.min(Math.max(wanted, 1), LARGEST);
  figure.style.setProperty("--zoom", String(zoom));
  figure.scrollTo(across * figure.scrollWidth - left, down * figure.scrollHeight - top);
}

document.addEventListener("click", (event) => {
  const by = event.target.closest("[data-zoom]")?.dataset.zoom;
  if (by !== undefined) zoomTo(Number(by) * zoom);
});

figure.addEventListener("keydown", (event) => {
  const to = { "+": zoom * 1.5, "-": zoom / 1.5, 0: 1 }[event.key];
  if (to === undefined || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  zoomTo(to);
});

figure.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(zoom * Math.exp(-event.deltaY / 200), event.clientX, event.clientY);
  },
  { passive: false },
);

// One finger scrolls, as everywhere; two fingers zoom the board and not the page.
figure.addEventListener(
  "touchmove",
  (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches;
    const now = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    if (spread) zoomTo((zoom * now) / spread, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
    spread = now;
  },
  { passive: false },
);
for (const name of ["touchstart", "touchend", "touchcancel"]) {
  figure.addEventListener(name, () => (spread = 0), { passive: true });
}
