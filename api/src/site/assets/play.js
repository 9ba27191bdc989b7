// Plays a seat on the page of its game, by the public API: what may be done is listed, a click on the map narrows
// the list, what would follow is shown before it is sent.

import { call, seats } from "./api.js";
import { isOver, settled } from "./game.js";

const panel = document.getElementById("play");
const game = document.getElementById("game").dataset.game;
const path = `/v1/games/${game}`;
const part = (id) => document.getElementById(id);
const figure = document.querySelector(".board");
const picture = figure.querySelector("picture");
const refusal = part("refusal");

let seat = null;
let seq = 0;
let chosen = null;
let map = null;
let maps = 0;
let narrowed = null;

const token = () => seats.of(game).token;

/** Says why something was refused, with a link to the rule. */
function refuse(error) {
  refusal.replaceChildren(error.message);
  const rule = error.problem?.rule;
  if (rule) {
    const link = document.createElement("a");
    link.href = `/rules/${panel.dataset.edition}#${rule}`;
    link.textContent = `${panel.dataset.rule} [${rule}]`;
    refusal.append(" ", link);
  }
  refusal.hidden = false;
}

/** Does something, and says why when it is refused. */
async function attempt(work) {
  refusal.hidden = true;
  try {
    await work();
  } catch (error) {
    // In a game that is over nobody does anything any more.
    if (panel.isConnected) refuse(error);
  }
}

/** Which seat the token plays: the one whose orders it may read. */
async function findSeat() {
  seat = seats.of(game).seat ?? null;
  if (seat !== null) return;
  for (let number = 0; token() && number < Number(panel.dataset.seats); number += 1) {
    const asked = await call("GET", `${path}/seats/${number}/orders`, { token: token() }).catch(() => null);
    if (asked) {
      seat = number;
      seats.keep(game, { token: token(), seat });
      return;
    }
  }
}

/** The players that the game waits for, as its status shows them. */
function awaited() {
  return [...document.querySelectorAll("#status .waits .for")].map((text) => text.textContent).join(" · ");
}

function dismiss() {
  chosen = null;
  part("confirm").hidden = true;
}

/** Shows what may be done, if it is this seat that is asked; nothing in a game that is over. */
async function refresh() {
  if (isOver()) {
    panel.remove();
    seat = null;
    await showMap(false);
    return;
  }
  part("token-form").hidden = seat !== null;
  if (part("seat-form")) part("seat-form").hidden = seat !== null || !document.querySelector("#status .state.open");
  if (seat === null) return;
  const text = await (await fetch(`/games/${game}/choices`)).text();
  // The seat may have been forgotten, in another tab too.
  if (!panel.isConnected || !token()) return;
  const choices = new DOMParser().parseFromString(text, "text/html").getElementById("choices");
  const mine = Number(choices?.dataset.seat ?? -1) === seat;
  if (!mine) choices?.replaceChildren();
  if (choices) part("choices").replaceWith(choices);
  const now = Number(choices?.dataset.seq ?? 0);
  // What was considered in another position is not what is meant now.
  if (now !== seq || !mine) dismiss();
  seq = now;
  part("play-state").textContent = mine ? panel.dataset.yours : awaited() || panel.dataset.others;
  part("own").hidden = false;
  document.dispatchEvent(new CustomEvent("tabularium:seat", { detail: { seat, token: token() } }));
  part("decline").hidden = !document.querySelector("#status .wish");
  narrow(null);
  await showMap(mine);
}

/** The drawing of the position, whose regions can be clicked; null where it cannot be had. */
async function drawMap() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "?theme=dark" : "";
  const answer = await fetch(`${path}/states/${seq}.svg${dark}`);
  if (!answer.ok) return null;
  const drawing = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  const next = document.importNode(drawing, true);
  next.setAttribute("role", "img");
  next.setAttribute("aria-label", figure.querySelector("img").alt);
  const regions = new Set([...document.querySelectorAll("#choices [data-regions]")].flatMap(regionsOf));
  for (const region of next.querySelectorAll("[data-region]")) {
    region.classList.toggle("can", regions.has(region.dataset.region));
  }
  return next;
}

/** Shows the drawing itself in the place of its picture where regions are to be clicked, else the picture. What is on
 * the board stays until the other is complete. */
async function showMap(mine) {
  const order = ++maps;
  const isLast = document.getElementById("game").dataset.shown === String(seq);
  const next = mine && isLast ? await drawMap() : null;
  if (!next) await settled;
  if (order !== maps) return;
  map?.remove();
  map = next;
  if (map) figure.append(map);
  picture.hidden = map !== null;
}

const regionsOf = (button) => button.dataset.regions.split(" ").filter(Boolean);

/** Lists only what is done in a region; all for null. */
function narrow(region) {
  narrowed = region;
  for (const button of document.querySelectorAll("#choices .choice")) {
    button.hidden = region !== null && !regionsOf(button).includes(region);
  }
  for (const kind of document.querySelectorAll("#choices .kind")) {
    kind.hidden = !kind.querySelector(".choice:not([hidden])");
  }
  part("narrowed").hidden = region === null;
  const shown = map?.querySelector(`[data-region="${region}"] title`);
  part("narrowed").querySelector("span").textContent = shown?.textContent ?? region ?? "";
  for (const other of map?.querySelectorAll(".picked") ?? []) other.classList.remove("picked");
  if (region) map?.querySelector(`[data-region="${region}"]`)?.classList.add("picked");
}

figure.addEventListener("click", (event) => {
  const region = event.target.closest("[data-region].can")?.dataset.region;
  if (region) narrow(region === narrowed ? null : region);
});

for (const [name, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
  panel.addEventListener(name, (event) => {
    const choice = event.target.closest(".choice");
    for (const region of choice ? regionsOf(choice) : []) {
      map?.querySelector(`[data-region="${region}"]`)?.classList.toggle("named", on);
    }
  });
}

/** What of a nation's chips and personages a dry run has changed: `Marble 5 → 0`. */
function changes(before, after) {
  const told = [];
  for (const { dataset, textContent } of part("chips").content.children) {
    const count = (nation) => nation[dataset.name] ?? nation.personages?.[dataset.name] ?? 0;
    if (count(before) !== count(after)) told.push(`${textContent} ${count(before)} → ${count(after)}`);
  }
  return told;
}

/** Tries an action out and asks whether it is meant. */
async function consider(action, words) {
  const nation = part("choices").dataset.nation;
  const [now, tried] = await Promise.all([
    call("GET", path),
    call("POST", `${path}/actions?dry_run=true`, { token: token(), body: action }),
  ]);
  chosen = action;
  part("confirm-words").textContent = words;
  const items = changes(now.state.nations[nation] ?? {}, tried.game.state.nations[nation] ?? {}).map((text) => {
    const item = document.createElement("li");
    item.textContent = text;
    return item;
  });
  part("confirm-follows").replaceChildren(...items);
  part("confirm").hidden = false;
  part("send").focus();
}

panel.addEventListener("click", (event) => {
  const choice = event.target.closest(".choice");
  if (choice) attempt(() => consider(JSON.parse(choice.dataset.action), choice.textContent));
});

part("dismiss").addEventListener("click", dismiss);
part("widen").addEventListener("click", () => narrow(null));

part("send").addEventListener("click", () =>
  attempt(async () => {
    const headers = { "If-Match": `"${seq}"` };
    const action = chosen;
    dismiss();
    await call("POST", `${path}/actions`, { token: token(), body: action, headers });
  }),
);

part("undo").addEventListener("click", () =>
  attempt(async () => {
    // Agrees where somebody wishes to go back, else takes back the player's own last decision.
    const wished = document.querySelector("#status .wish")?.dataset.to;
    const body = wished ? { to: Number(wished) } : {};
    const told = await call("POST", `${path}/undo`, { token: token(), body });
    if (told.missing?.length > 0) part("play-state").textContent = panel.dataset.asked;
  }),
);

part("decline").addEventListener("click", () =>
  attempt(async () => {
    await call("DELETE", `${path}/undo`, { token: token() });
  }),
);

part("resign").addEventListener("click", () => attempt(() => consider({ type: "resign" }, panel.dataset.resign)));

part("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    seats.keep(game, { token: event.target.token.value.trim() });
    await findSeat();
    event.target.reset();
    if (seat === null) {
      seats.forget(game);
      throw new Error(panel.dataset.badToken);
    }
    await refresh();
  });
});

part("seat-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const number = event.submitter.value;
  const name = event.target.elements.name.value.trim();
  attempt(async () => {
    const claimed = await call("POST", `${path}/seats/${number}`, { body: name ? { name } : {} });
    seats.keep(game, { token: claimed.token, seat: Number(number) });
    location.reload();
  });
});

document.addEventListener("tabularium:changed", () => attempt(refresh));
document.addEventListener("tabularium:moment", () => {
  if (seat !== null) attempt(() => showMap(document.querySelector("#choices .choice") !== null));
});

await attempt(async () => {
  await findSeat();
  await refresh();
});
