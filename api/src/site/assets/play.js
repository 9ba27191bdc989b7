// Plays a seat on the page of its game, by the public API. What may be done is a list of buttons; everything that can
// be clicked on the board follows from it.

import { call, seats } from "./api.js";
import { map, mark } from "./board.js";
import { isOver, setTurn, show } from "./game.js";
import { showTab } from "./tabs.js";

const panel = document.getElementById("play");
const game = document.getElementById("game").dataset.game;
const path = `/v1/games/${game}`;
const part = (id) => document.getElementById(id);
const figure = document.querySelector(".board");
const refusal = part("refusal");

/** Milliseconds until the choices are asked for again that the service could not give. */
const PATIENCE = 2000;

let seat = null;
let seq = 0;
let isMine = false;
// Whether an action was sent whose answer is not shown yet.
let isBusy = false;
// Whether the only possible action waits for a click: until this seat has acted on this page, and after an undo.
let isHeld = true;
// The regions that are picked on the board, the action that is considered, and its alternatives.
let picked = [];
let chosen = null;
let variants = [];

const token = () => seats.of(game).token;

/** Whether this browser may play: it keeps the token of a seat, or its account is signed in. */
const mayPlay = () => Boolean(token()) || document.querySelector(".reader form") !== null;
const groups = () => [...document.querySelectorAll("#choices .group")];
const regionsOf = (group) => group.dataset.regions.split(" ").filter(Boolean);
const beginsWith = (group, regions) => regions.every((region, place) => regionsOf(group)[place] === region);
const actionOf = (choice) => JSON.parse(choice.dataset.action);
const amountsOf = (choice) => JSON.parse(choice.dataset.amounts);

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
    isBusy = false;
    // In a game that is over nobody does anything any more.
    if (panel.isConnected) refuse(error);
  }
}

/** Which seat the token or the account plays: the one whose orders it may read. */
async function findSeat() {
  seat = seats.of(game).seat ?? null;
  if (seat !== null) return;
  for (let number = 0; mayPlay() && number < Number(panel.dataset.seats); number += 1) {
    const asked = await call("GET", `${path}/seats/${number}/orders`, { token: token() }).catch(() => null);
    if (asked) {
      seat = number;
      if (token()) seats.keep(game, { token: token(), seat });
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
    [seat, isMine] = [null, false];
    setTurn(false);
    markBoard();
    showTab("result");
    return;
  }
  part("token-form").hidden = seat !== null;
  if (part("seat-form")) part("seat-form").hidden = seat !== null || !document.querySelector("#status .state.open");
  if (seat === null) return;
  const answer = await fetch(`/games/${game}/choices`);
  if (!answer.ok) {
    setTimeout(() => attempt(refresh), PATIENCE);
    return;
  }
  // The seat may have been forgotten, in another tab too.
  if (!panel.isConnected || !mayPlay()) return;
  const choices = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("choices");
  const now = Number(choices?.dataset.seq ?? 0);
  // An answer that is older than what is shown.
  if (now < seq) return;
  isMine = Number(choices?.dataset.seat ?? -1) === seat;
  if (!isMine) choices?.replaceChildren();
  const isFocused = part("choices").contains(document.activeElement);
  if (choices) part("choices").replaceWith(choices);
  if (isFocused) part("choices").focus();
  // What was considered in another position is not what is meant now.
  if (now !== seq || !isMine) dismiss();
  [seq, isBusy] = [now, false];
  part("play-state").textContent = isMine ? panel.dataset.yours : awaited() || panel.dataset.others;
  for (const id of ["own", "auto-label", "sound-label"]) part(id).hidden = false;
  document.dispatchEvent(new CustomEvent("tabularium:seat", { detail: { seat, token: token() } }));
  const wish = document.querySelector("#status .wish");
  part("decline").hidden = !wish;
  setTurn(isMine);
  showSince();
  narrow([]);
  const only = document.querySelectorAll("#choices .choice");
  if (isMine && only.length === 1 && part("auto").checked && !isHeld && !wish) attempt(() => send(actionOf(only[0])));
}

/** Lists what the others have done since the last action of this seat. */
function showSince() {
  const events = [...document.querySelectorAll("#turns .events > li:not(.undone)")];
  const own = events.findLastIndex((event) => event.dataset.seat === String(seat));
  const since = isMine ? events.slice(own + 1).filter((event) => event.dataset.seat) : [];
  const items = since.map((event, place) => {
    const turn = event.closest(".turn");
    const item = document.createElement("li");
    const isFirst = turn !== since[place - 1]?.closest(".turn");
    item.append(isFirst ? (turn.querySelector("h3 .sign")?.cloneNode(true) ?? "") : "", event.firstElementChild.cloneNode(true));
    return item;
  });
  part("since-list").replaceChildren(...items);
  part("since").hidden = items.length === 0;
}

part("since-step").addEventListener("click", () => {
  const { shown, last } = document.getElementById("game").dataset;
  const links = [...document.querySelectorAll("#since-list a")];
  const events = links.map((link) => Number(/#(\d+)$/.exec(link.getAttribute("href"))[1]));
  show(shown === last ? events[0] : (events.find((event) => event > Number(shown)) ?? Number(last)));
});

/** Lists only what can be done in the regions that are picked. */
function narrow(regions) {
  picked = regions;
  for (const kind of document.querySelectorAll("#choices .kind")) {
    const own = [...kind.querySelectorAll(".group")];
    for (const group of own) group.hidden = !beginsWith(group, picked);
    kind.hidden = own.every((group) => group.hidden);
  }
  part("narrowed").hidden = picked.length === 0;
  const name = (region) => map?.querySelector(`[data-region="${region}"] title`)?.textContent.split(":")[0] ?? region;
  part("narrowed").firstElementChild.textContent = picked.map(name).join(" → ");
  markBoard();
}

/** Marks on the board what can be clicked there, in the newest position only. */
function markBoard() {
  if (!map) return;
  const all = isMine && map.dataset.seq === String(seq) ? groups() : [];
  const next = all.filter((group) => beginsWith(group, picked)).map((group) => regionsOf(group)[picked.length]);
  const regions = new Set(next.some(Boolean) ? next : all.map((group) => regionsOf(group)[0]));
  const fields = new Map(all.map((group) => [group.dataset.field, group.firstElementChild.textContent]));
  for (const part of map.querySelectorAll("[data-region], [data-field]")) {
    const { region, field } = part.dataset;
    const isPicked = region !== undefined && picked.includes(region);
    const can = isPicked || (region === undefined ? fields.has(field) : regions.has(region));
    part.classList.toggle("can", can);
    part.classList.toggle("picked", isPicked);
    const title = part.querySelector("title");
    if (field !== undefined) {
      part.dataset.title ??= title.textContent;
      // Says what the steps cost before the stone moves.
      title.textContent = can ? fields.get(field) : part.dataset.title;
    }
    const attributes = { tabindex: 0, role: "button", "aria-label": title.textContent };
    if (region !== undefined) attributes["aria-pressed"] = isPicked;
    for (const [name, value] of Object.entries(attributes)) {
      if (can) part.setAttribute(name, value);
      else part.removeAttribute(name);
    }
  }
}

/** Picks a region: the next one of an action, or the first one of another. What is unmistakable is done. */
function pick(region) {
  const begins = (regions) => groups().filter((group) => beginsWith(group, regions));
  const deeper = [...picked, region];
  const other = picked.length === 1 && picked[0] === region ? [] : [region];
  const regions = begins(deeper).length ? deeper : begins(other).length ? other : [];
  narrow(regions);
  const left = begins(regions);
  if (regions.length && left.length === 1 && regionsOf(left[0]).length === regions.length) act(left[0]);
  else showTab("play");
}

/** Does what a group stands for, unless there is something to choose. */
function act(group) {
  const shown = group.querySelectorAll(".choice:not([hidden])");
  if (shown.length === 1) attempt(() => send(actionOf(shown[0])));
  else showTab("play");
}

/** Acts on a click or a key on the board. */
function press(target) {
  const { region, field } = target.closest(".can")?.dataset ?? {};
  if (region !== undefined) pick(region);
  else if (field !== undefined) act(groups().find((group) => group.dataset.field === field));
}

/** How far, in pixels, a finger may miss a region. */
const REACH = 24;

/** The region that a finger meant. */
function meant({ clientX, clientY }) {
  const away = (region) => {
    const { left, top, width, height } = region.querySelector(".ring").getBoundingClientRect();
    return Math.hypot(left + width / 2 - clientX, top + height / 2 - clientY);
  };
  const regions = [...(map?.querySelectorAll("[data-region].can") ?? [])].sort((one, other) => away(one) - away(other));
  return regions[0] && away(regions[0]) < REACH ? regions[0] : null;
}

figure.addEventListener("click", (event) => {
  const isMissed = event.pointerType === "touch" && !event.target.closest(".can");
  press((isMissed && meant(event)) || event.target);
});
figure.addEventListener("keydown", (event) => {
  if (!["Enter", " "].includes(event.key) || !event.target.closest(".can")) return;
  event.preventDefault();
  event.stopPropagation();
  press(event.target);
});

for (const [name, isOn] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
  panel.addEventListener(name, (event) => {
    const group = event.target.closest(".group");
    if (!group) return;
    mark("named", isOn ? regionsOf(group) : []);
    const field = map?.querySelector(`[data-field="${group.dataset.field}"]`);
    field?.classList.toggle("named", isOn);
  });
}

/** The alternative with more or less of something that is otherwise most alike. */
function nearest(name, by) {
  const now = amountsOf(chosen);
  const away = (choice) =>
    Object.entries(amountsOf(choice)).reduce((sum, [key, count]) => sum + Math.abs(count - now[key]), 0);
  const others = variants.filter((choice) => by * (amountsOf(choice)[name] - now[name]) > 0);
  return others.sort((one, other) => away(one) - away(other))[0];
}

/** Shows an alternative of what is considered. */
function prefer(choice) {
  chosen = choice;
  part("confirm-words").textContent = choice.textContent;
  for (const row of part("amounts").children) {
    row.querySelector("output").value = amountsOf(choice)[row.dataset.name];
    for (const button of row.querySelectorAll("button")) {
      // A button that is disabled would lose the focus.
      button.setAttribute("aria-disabled", String(!nearest(row.dataset.name, Number(button.dataset.by))));
    }
  }
}

/** Shows what can be chosen of an action, the usual first, with a stepper for everything that can differ. */
function consider(group) {
  variants = [...group.querySelectorAll(".choice")];
  const differs = (name) => new Set(variants.map((choice) => amountsOf(choice)[name])).size > 1;
  const names = Object.keys(amountsOf(variants[0])).filter(differs);
  const rows = names.map((name) => {
    const row = part("amount").content.firstElementChild.cloneNode(true);
    const words = part("amount-names").content.querySelector(`[data-name="${name}"]`).textContent;
    row.dataset.name = name;
    row.querySelector("span").textContent = words;
    for (const button of row.querySelectorAll("button")) {
      button.setAttribute("aria-label", `${words} ${button.textContent}`);
      button.addEventListener("click", () => {
        const choice = nearest(name, Number(button.dataset.by));
        if (choice) prefer(choice);
      });
    }
    return row;
  });
  part("amounts").replaceChildren(...rows);
  prefer(variants[0]);
  showTab("play");
  part("confirm").hidden = false;
  part("confirm").scrollIntoView({ block: "nearest" });
  part("send").focus();
}

async function send(action) {
  if (isBusy) return;
  [isBusy, isHeld] = [true, false];
  dismiss();
  const headers = { "If-Match": `"${seq}"` };
  await call("POST", `${path}/actions`, { token: token(), body: action, headers });
}

panel.addEventListener("click", (event) => {
  const group = event.target.closest(".group");
  const choice = event.target.closest(".choice");
  if (!group) return;
  if (choice) attempt(() => send(actionOf(choice)));
  else if (event.target.closest(".vary")) consider(group);
});

part("dismiss").addEventListener("click", dismiss);
part("widen").addEventListener("click", () => narrow([]));
part("send").addEventListener("click", () => attempt(() => send(chosen ? actionOf(chosen) : { type: "resign" })));

part("undo").addEventListener("click", () =>
  attempt(async () => {
    isHeld = true;
    // Agrees where somebody wishes to go back, else takes back the player's own last decision.
    const wished = document.querySelector("#status .wish")?.dataset.to;
    const body = wished ? { to: Number(wished) } : {};
    const undone = await call("POST", `${path}/undo`, { token: token(), body });
    if (undone.missing?.length > 0) part("play-state").textContent = panel.dataset.asked;
  }),
);

part("decline").addEventListener("click", () =>
  attempt(async () => {
    await call("DELETE", `${path}/undo`, { token: token() });
  }),
);

// Nothing takes it back, so it is asked for.
part("resign").addEventListener("click", () => {
  chosen = null;
  part("amounts").replaceChildren();
  part("confirm-words").textContent = panel.dataset.resign;
  part("confirm").hidden = false;
  part("send").focus();
});

/** Keeps a setting in this browser. */
function keep(box, standard) {
  const name = `tabularium:${box.id}`;
  box.checked = JSON.parse(localStorage.getItem(name) ?? String(standard));
  box.addEventListener("change", () => localStorage.setItem(name, String(box.checked)));
}
keep(part("sound"), false);
// With bots alone everything can be undone.
keep(part("auto"), panel.dataset.alone !== undefined);

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
document.addEventListener("tabularium:drawn", markBoard);

await attempt(async () => {
  await findSeat();
  await refresh();
  if (seat === null && !document.querySelector("#status .state.open")) showTab("turns-tab");
});
