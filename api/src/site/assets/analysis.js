// What the search player thinks of a game, by the public API, once the switch is on: of the moment that is shown the
// best candidates, and of the beginning of each round what part of the win each seat may expect, as a strip.

import { call } from "./api.js";

const panel = document.getElementById("analysis");
const game = document.getElementById("game");
const button = document.getElementById("analysis-switch");
const result = document.getElementById("analysis-result");
const note = document.getElementById("analysis-note");
const list = document.getElementById("candidates");
const rows = [...panel.querySelectorAll(".row")];

/** Playouts for the moment that is shown, and for each point of the strip. */
const PLAYOUTS = { moment: 100, round: 20 };
/** How long to wait, in milliseconds, when the service has enough to do. */
const PATIENCE = 2000;

// By event: the shares of all seats, null where nobody decides; and the whole analysis of moments.
const shares = new Map();
const analyses = new Map();
let working = false;

const isOn = () => button.getAttribute("aria-checked") === "true";
const moment = () => Number(game.dataset.shown);
const inPercent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
const percent = (share) => inPercent.format(share);

/** The events with which rounds began, as the strip of points has them. */
function rounds() {
  const links = document.querySelectorAll("#strip .rounds a");
  return [...links].map((link) => Number(/#(\d+)$/.exec(link.getAttribute("href"))[1]));
}

/** Draws the shares of each seat over the game, and tells those at the moment. */
function draw() {
  const known = [...shares].filter(([, of]) => of).sort(([one], [other]) => one - other);
  const last = Math.max(Number(document.getElementById("slider").max), 1);
  const before = known.filter(([seq]) => seq <= moment()).at(-1) ?? known[0];
  for (const row of rows) {
    const of = (all) => all.find((share) => share.seat === Number(row.dataset.seat)).share;
    const steps = known.map(([seq, all]) => `H${seq}V${(1 - of(all)).toFixed(3)}`);
    row.querySelector(".shares").setAttribute("viewBox", `0 0 ${last} 1`);
    row.querySelector(".now").setAttribute("d", `M${moment()} 0V1`);
    const area = known.length ? `M${known[0][0]} 1${steps.join("")}H${last}V1z` : "";
    row.querySelector(".area").setAttribute("d", area);
    row.querySelector(".score").textContent = before ? percent(of(before[1])) : "";
  }
}

/** Tells the candidates of the moment. */
function tell() {
  const found = analyses.get(moment());
  note.textContent = found === undefined ? panel.dataset.thinks : found ? "" : panel.dataset.over;
  const items = (found?.candidates ?? []).map(({ visits, shares: all, words, why }) => {
    const item = document.createElement("li");
    const { share, low, high } = all.find((one) => one.seat === found.seat);
    const best = document.createElement("b");
    best.textContent = percent(share);
    const detail = document.createElement("span");
    detail.className = "hint";
    detail.textContent = ` ${percent(low)} – ${percent(high)}, ${visits} ${panel.dataset.visits}`;
    const reason = document.createElement("span");
    reason.className = "why";
    reason.textContent = why;
    item.append(best, ` ${words.join("; ")}`, reason, detail);
    return item;
  });
  list.replaceChildren(...items);
}

/** Adds to each candidate its actions and its reasons in words. */
async function describe(candidates) {
  const actions = candidates.flatMap(({ line, own }) => line.slice(0, own).map(({ action }) => action));
  const reasons = candidates.map((candidate) => candidate.reasons);
  const query = new URLSearchParams({ actions: JSON.stringify(actions), reasons: JSON.stringify(reasons) });
  const answer = await fetch(`/games/${game.dataset.game}/words?${query}`);
  const parts = new DOMParser().parseFromString(await answer.text(), "text/html");
  const texts = (list) => [...parts.querySelectorAll(`#${list} > li`)].map((item) => item.textContent);
  const [words, why] = [texts("words"), texts("reasons")];
  for (const candidate of candidates) {
    candidate.words = words.splice(0, candidate.own);
    candidate.why = why.shift();
  }
}

/** Whether a game ended with an event. */
const isEnd = (seq) => game.dataset.live === undefined && seq === Number(document.getElementById("slider").max);

/** Asks for one analysis. Where nobody has anything to decide there is none. */
async function ask(seq, playouts, candidates) {
  if (isEnd(seq)) {
    shares.set(seq, null);
    return null;
  }
  const body = { game: { id: game.dataset.game, seq }, budget: { playouts }, candidates, seed: "page" };
  try {
    const analysis = await call("POST", "/v1/engine/analysis", { body });
    if (candidates > 1) await describe(analysis.candidates);
    shares.set(seq, analysis.candidates[0].shares);
    return analysis;
  } catch (error) {
    if (error.problem?.code !== "game_over") throw error;
    if (!shares.has(seq)) shares.set(seq, null);
    return null;
  }
}

/** Asks for what is missing, one analysis after the other, the moment that is shown first. */
async function work() {
  if (working) return;
  working = true;
  try {
    while (isOn()) {
      const at = moment();
      const round = rounds().find((seq) => !shares.has(seq));
      try {
        if (!analyses.has(at)) analyses.set(at, await ask(at, PLAYOUTS.moment, 3));
        else if (round !== undefined) await ask(round, PLAYOUTS.round, 1);
        else break;
      } catch (error) {
        if (![429, 503].includes(error.problem?.status)) {
          note.textContent = error.message;
          button.setAttribute("aria-checked", "false");
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, PATIENCE));
      }
      draw();
      tell();
    }
  } finally {
    working = false;
  }
}

/** Shows what is known of the moment, and asks for the rest. */
function look() {
  if (!isOn()) return;
  draw();
  tell();
  work();
}

button.addEventListener("click", () => {
  button.setAttribute("aria-checked", String(!isOn()));
  result.hidden = !isOn();
  look();
});
document.addEventListener("tabularium:moment", look);
