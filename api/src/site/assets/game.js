// The page of a game: step through it by keys, slider and clicks, and follow it live. The service writes every
// text; this puts drawings and parts in their places.

import { draw, map, mark, preload } from "./board.js";
import { showTab, shownTab } from "./tabs.js";

const game = document.getElementById("game");
const id = game.dataset.game;
const slider = document.getElementById("slider");
const place = document.getElementById("place");
const moment = document.getElementById("moment");
const turns = document.getElementById("turns");
const play = document.querySelector("[data-step=play]");

let last = Number(game.dataset.last);
let at = Number(game.dataset.at);
// Whether the newest event is shown as it comes.
let following = at === last;
let timer = null;

/** How long to wait, in milliseconds, between two looks at what is new, and when the service has enough to do. */
const PAUSE = { shown: 1000, busy: 2000 };

// The position whose drawing is wanted.
let pictured = null;

/** Where an event stands in the list of turns; null where only later ones are listed. */
const entry = (seq) => document.getElementById(String(seq));

/** Marks on the board where the event that is shown happened, and names the drawing. */
function markMoment() {
  mark("was", entry(at)?.dataset.regions.split(" ").filter(Boolean) ?? []);
  map?.setAttribute("aria-label", `${moment.textContent.trim()} (${at})`);
}
document.addEventListener("tabularium:drawn", markMoment);

/** Shows the moment after an event. */
export function show(seq, { scroll = true, link = true } = {}) {
  at = Math.min(Math.max(seq, 0), last);
  const moved = game.dataset.shown !== String(at);
  game.dataset.shown = String(at);
  following = at === last;
  if (pictured !== at) {
    pictured = at;
    draw(at);
  }
  slider.max = String(last);
  slider.value = String(at);
  place.value = `${at} / ${last}`;
  document.querySelector("#turns .shown")?.classList.remove("shown");
  const shown = entry(at);
  if (shown) {
    shown.classList.add("shown");
    const nation = shown.closest(".turn").querySelector("h3 .nation")?.textContent.trim() ?? "";
    const words = shown.querySelector(".words").cloneNode(true);
    // The heading names the nation of the turn; an event of another nation names its own.
    const isNamed = nation && !words.querySelector(".by");
    moment.replaceChildren(isNamed ? `${nation.replace(/^\S+\s+/, "")}: ` : "", ...words.childNodes);
    const list = turns.parentElement;
    if (scroll) list.scrollTop = shown.offsetTop - list.clientHeight / 2;
  }
  const now = document.getElementById("strip-now");
  now?.setAttribute("d", `M${at} 0V1`);
  for (const link of document.querySelectorAll("[data-state]")) {
    link.href = `/v1/games/${id}/states/${at}${link.dataset.state}`;
  }
  for (const link of document.querySelectorAll("[data-branch]")) link.href = link.dataset.branch + at;
  const steps = { first: 0, back: at - 1, forward: at + 1, last };
  for (const [name, to] of Object.entries(steps)) {
    const link = document.querySelector(`[data-step=${name}]`);
    if (to === at || to < 0 || to > last) {
      link.removeAttribute("href");
      link.setAttribute("aria-disabled", "true");
      link.setAttribute("role", "link");
    } else {
      link.href = `?at=${to}`;
      link.removeAttribute("aria-disabled");
      link.removeAttribute("role");
    }
  }
  // So that the address is a link to this moment.
  if (link) history.replaceState(null, "", location.pathname + (following ? "" : `#${at}`));
  if (at < last) preload(at + 1);
  markMoment();
  if (moved) document.dispatchEvent(new CustomEvent("tabularium:moment"));
}

/** The first event of the turn before or behind. */
function turnFrom(direction) {
  const own = entry(at)?.dataset.turn;
  let seq = at;
  while (seq + direction >= 0 && seq + direction <= last && entry(seq)?.dataset.turn === own) seq += direction;
  return seq;
}

function stop() {
  clearInterval(timer);
  timer = null;
  delete play.dataset.playing;
  play.setAttribute("aria-label", game.dataset.play);
  play.title = game.dataset.play;
}

function playOn() {
  if (at === last) show(0);
  play.dataset.playing = "";
  play.setAttribute("aria-label", game.dataset.pause);
  play.title = game.dataset.pause;
  timer = setInterval(() => (at < last ? show(at + 1) : stop()), 700);
}

const steps = {
  first: () => show(0),
  back: () => show(at - 1),
  forward: () => show(at + 1),
  last: () => show(last),
  play: () => (timer ? stop() : playOn()),
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href*='at='], [data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const step = link.dataset.step;
  if (step !== "play") stop();
  if (step) return steps[step]();
  const href = link.getAttribute("href");
  show(Number(/at=(\d+)/.exec(href)[1]), { scroll: !turns.contains(link) });
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, .play") && event.target.id !== "slider") return;
  // These scroll by keys while they have the focus themselves.
  if (event.target.matches(".turns, .board, .tab")) return;
  const onButton = event.target.closest("a, button");
  const keys = {
    ArrowLeft: () => show(event.shiftKey ? turnFrom(-1) : at - 1),
    ArrowRight: () => show(event.shiftKey ? turnFrom(1) : at + 1),
    Home: steps.first,
    End: steps.last,
    " ": onButton ? undefined : steps.play,
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  if (event.key !== " ") stop();
  act();
});

slider.addEventListener("input", () => {
  stop();
  show(Number(slider.value));
});

/** Shows the moment that the address names. The board is looked at then, not the list, where browsers go. */
function showLinked() {
  const seq = /^#(\d+)$/.exec(location.hash);
  if (!seq) return;
  show(Number(seq[1]), { link: false });
  game.scrollIntoView();
}
addEventListener("hashchange", showLinked);
addEventListener("load", showLinked);

/** Fetches the board in words for the moment that is shown, if a reader looks at it. */
async function showRegions() {
  if (shownTab() !== "regions-tab") return;
  const seq = at;
  const answer = await fetch(`/games/${id}/regions?at=${seq}`);
  if (!answer.ok || seq !== at) return;
  const parts = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.getElementById("regions").replaceWith(parts.getElementById("regions"));
}
document.addEventListener("tabularium:moment", showRegions);
document.addEventListener("tabularium:tab", ({ detail }) => {
  if (detail.id === "turns-tab") show(at, { link: false });
  showRegions();
});

/** Puts what has changed into the page, with new turns or all of them. */
function refresh(parts, all) {
  for (const name of ["status", "seats", "strip", "analysis-hint", "result"]) {
    const part = parts.getElementById(name);
    if (part) document.getElementById(name).replaceWith(part);
  }
  if (all) turns.replaceChildren();
  for (const turn of parts.querySelectorAll("#turns > .turn")) {
    const known = turns.lastElementChild;
    if (known?.dataset.turn === turn.dataset.turn) {
      known.querySelector("h3").replaceWith(turn.querySelector("h3"));
      known.querySelector(".events").append(...turn.querySelector(".events").children);
    } else {
      turns.append(turn);
    }
  }
}

const icon = document.querySelector('link[rel="icon"][type="image/svg+xml"]');
const icons = { false: icon.href, true: new URL("turn.svg", import.meta.url).href };
const title = document.title;
let isMine = false;

/** Three short tones, unless the reader wants none. */
function ring() {
  const audio = new AudioContext();
  for (const [place, pitch] of [523, 659, 784].entries()) {
    const tone = new OscillatorNode(audio, { frequency: pitch });
    tone.connect(new GainNode(audio, { gain: 0.1 })).connect(audio.destination);
    tone.start(place * 0.12);
    tone.stop(place * 0.12 + 0.1);
  }
}

/** Says in the title and the icon of the tab whose turn it is: that of this browser's player or of somebody else. */
export function setTurn(mine) {
  const yours = document.getElementById("play")?.dataset.yours;
  const others = [...document.querySelectorAll("#status .waits .for")].map((text) => text.textContent).join(" · ");
  const words = mine ? `● ${yours}` : others;
  document.title = words ? `${words} · ${title}` : title;
  icon.href = icons[mine];
  if (mine && !isMine && document.getElementById("sound")?.checked) ring();
  isMine = mine;
}

const language = document.documentElement.lang;
const local = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.NumberFormat(language, { style: "unit", unit: "day" });

/** Shows times in the zone of the reader, and what is left until those that are due. */
function showTimes(which) {
  for (const time of document.querySelectorAll(which)) {
    const at = new Date(time.dateTime);
    const words = local.format(at);
    const left = Math.max(0, Math.round((at - Date.now()) / 1000));
    const clock = [left / 3600 % 24, left / 60 % 60, left % 60].map((part) => String(Math.floor(part)).padStart(2, "0"));
    const isDue = time.dataset.due !== undefined;
    const day = left >= 86400 ? `${days.format(Math.floor(left / 86400))} ` : "";
    const text = isDue ? day + clock.join(":") : words;
    if (time.textContent !== text) time.textContent = text;
    time.title = words;
  }
}
const TIMES = "#status time, #result time";
showTimes(TIMES);
setInterval(() => showTimes("time[data-due]"), 1000);
setTurn(false);

let stream = null;
let refreshing = false;
// Whether there is something to fetch, and whether all turns are, because events on the page were taken back.
let wanted = false;
let anew = false;

/** Whether the game is over, as far as the page shows. */
export const isOver = () => document.querySelector("#status .finished, #status .abandoned") !== null;

/** Fetches what is new. Whether it could be had; otherwise it is wanted still. */
async function fetchNew() {
  const all = anew;
  [wanted, anew] = [false, false];
  // Without a network there is no answer.
  const answer = await fetch(`/games/${id}/live${all ? "" : `?after=${last}`}`).catch(() => null);
  if (!answer?.ok) {
    [wanted, anew] = [!answer || [429, 503].includes(answer.status), anew || all];
    return false;
  }
  const parts = new DOMParser().parseFromString(await answer.text(), "text/html");
  refresh(parts, all);
  showTimes(TIMES);
  game.dataset.last = last = Math.max(last, Number(turns.querySelector(".turn:last-child .events > li:last-child")?.id ?? 0));
  show(following ? last : at, { scroll: following, link: false });
  return true;
}

/** Fetches what is new until all of it is shown. Many events at once are one fetch. */
async function catchUp() {
  wanted = true;
  if (refreshing) return;
  refreshing = true;
  try {
    while (wanted) {
      const isNew = await fetchNew();
      if (isNew) document.dispatchEvent(new CustomEvent("tabularium:changed"));
      const pause = isNew ? PAUSE.shown : PAUSE.busy;
      // Nobody can watch more than this.
      if (wanted || !isOver()) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  } finally {
    refreshing = false;
    if (isOver()) {
      stream?.close();
      document.getElementById("analysis-switch").disabled = false;
      showTab("result");
    }
  }
}

if (game.dataset.live !== undefined) {
  stream = new EventSource(`/v1/games/${id}/events?after=${last}`);
  stream.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.seq <= last) return;
    // What was taken back is marked all over the list.
    anew ||= event.kind === "undo";
    catchUp();
  };
  stream.addEventListener("undo_request", catchUp);
  // Messages that were sent while there was no network are read when the stream is open again.
  for (const kind of ["chat", "open"]) {
    stream.addEventListener(kind, () => document.dispatchEvent(new CustomEvent("tabularium:chat")));
  }
  addEventListener("pagehide", () => stream.close());
  // A page that comes back by the back button of the browser has lost its stream.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}

if (location.hash) showLinked();
else show(at, { link: false });
