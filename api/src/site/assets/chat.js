// The chat of a game, by the public API: it is read when the tab is opened and whenever the stream of the game tells of
// a message.

import { call, seats } from "./api.js";
import { showTab, shownTab } from "./tabs.js";

const { game } = document.getElementById("game").dataset;
const section = document.getElementById("chat");
const list = document.getElementById("messages");
const form = document.getElementById("message-form");
const switchButton = document.getElementById("chat-switch");
const refused = document.getElementById("chat-refused");
const unread = document.getElementById("unread");
const path = `/v1/games/${game}/chat`;
const time = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });

/** Milliseconds between two questions for messages of a game that is over: it has no stream. */
const AFTER_THE_END = 20_000;

let last = 0;
let seen = Number(localStorage.getItem(`tabularium:chat:${game}`) ?? 0);
let isOn = true;
let reading = Promise.resolve();

// An account that is signed in needs no token.
const organizes = () => section.dataset.organizes !== undefined || Boolean(seats.of(game).organizer);
const mayWrite = () => section.dataset.writes !== undefined || Boolean(seats.of(game).token) || organizes();
const token = () => (section.dataset.writes === undefined ? (seats.of(game).token ?? seats.of(game).organizer) : undefined);
const organizerToken = () => (section.dataset.organizes === undefined ? seats.of(game).organizer : undefined);

/** Attempts something, and shows why it is refused. */
async function attempt(work) {
  refused.hidden = true;
  try {
    await work();
  } catch (error) {
    refused.textContent = error.message;
    refused.hidden = false;
  }
}

/** A button by which an account reports a message to the administrators. */
function reportButton(message) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = section.dataset.report;
  button.setAttribute("aria-label", `${section.dataset.report}: ${message.text}`);
  button.addEventListener("click", () => attempt(async () => {
    const reason = prompt(section.dataset.ask)?.trim();
    if (!reason) return;
    const text = `message ${message.number}: ${reason}`;
    await call("POST", "/v1/reports", { body: { kind: "game", subject: game, text } });
    button.replaceWith(section.dataset.reported);
  }));
  return button;
}

function row(message) {
  const item = document.createElement("li");
  const name = document.createElement("b");
  const isOrganizer = message.seat === null;
  name.textContent = message.name ?? (isOrganizer ? section.dataset.organizer : section.dataset.gone);
  const at = document.createElement("time");
  at.dateTime = message.at;
  at.textContent = time.format(new Date(message.at));
  const text = document.createElement("span");
  text.textContent = message.text ?? section.dataset.hidden;
  item.append(name, " ", at, " ", text);
  if (section.dataset.writes !== undefined && message.text !== null) item.append(" ", reportButton(message));
  return item;
}

/** Shows how many messages are unread, or marks them as read if they are in view. */
function count() {
  if (shownTab() === "chat" && !document.hidden) {
    seen = last;
    localStorage.setItem(`tabularium:chat:${game}`, String(seen));
  }
  const words = last > seen ? ` (${last - seen})` : "";
  if (unread.textContent === words) return;
  unread.textContent = words;
  showTab();
}

async function readNew() {
  for (;;) {
    const page = await call("GET", `${path}?after=${last}&limit=200`, { token: token() });
    const log = list.parentElement;
    const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 8;
    list.append(...page.items.map(row));
    if (isAtEnd) log.scrollTop = log.scrollHeight;
    last = page.next ?? page.last;
    isOn = page.on;
    if (page.next === null) break;
  }
  document.getElementById("no-messages").hidden = list.children.length > 0;
  document.getElementById("chat-is-off").hidden = isOn;
  form.hidden = !(mayWrite() && isOn);
  switchButton.hidden = !organizes();
  switchButton.textContent = isOn ? section.dataset.off : section.dataset.on;
  count();
}

/** Reads what is new; one request after the other. Without a network the next change brings it. */
function read() {
  reading = reading.then(readNew).catch(() => {});
  return reading;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const [input, button] = form.elements;
    button.disabled = true;
    try {
      await call("POST", path, { token: token(), body: { text: input.value } });
      input.value = "";
    } finally {
      button.disabled = false;
    }
    await read();
  });
});

switchButton.addEventListener("click", () => attempt(async () => {
  await call("PATCH", path, { token: organizerToken(), body: { on: !isOn } });
  await read();
}));

document.addEventListener("tabularium:chat", read);
document.addEventListener("tabularium:seat", read);
document.addEventListener("tabularium:tab", () => count());
document.addEventListener("visibilitychange", () => count());
setInterval(() => {
  const isOver = document.querySelector("#status .finished, #status .abandoned") !== null;
  if (isOver && shownTab() === "chat" && !document.hidden) read();
}, AFTER_THE_END);
read();
