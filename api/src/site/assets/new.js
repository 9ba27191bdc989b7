// A new game: shows what fits the board and the number of players, creates the game, and takes a seat.

import { call, seats } from "./api.js";

const form = document.getElementById("new-game");
const refusal = document.getElementById("refusal");
const rows = [...form.querySelectorAll(".seat-row")];
const variants = [...form.querySelectorAll("#variants label")];
const { account, from, seq } = form.dataset;

const board = () => form.querySelector("[name=board]:checked");
const count = () => Number(form.elements.count.value);
const field = (row, name) => row.querySelector(`[name=${name}]`);
const nationName = (nation) =>
  document.getElementById("nations").content.querySelector(`[value="${nation}"]`).textContent;

/** Offers the numbers of players of the board; the one before stays if it is possible. */
function showCounts() {
  const select = form.elements.count;
  const counts = Object.keys(JSON.parse(board().dataset.starts));
  const before = select.value;
  select.replaceChildren(...counts.map((number) => new Option(number)));
  select.value = counts.includes(before) ? before : board().dataset.seats;
  showSeats();
}

/** Shows a row for each seat, and the nations and variants that are possible. */
function showSeats() {
  const groups = JSON.parse(board().dataset.starts)[count()];
  for (const [place, row] of rows.entries()) {
    row.hidden = place >= count();
    row.disabled = row.hidden;
    const select = field(row, "nations");
    const before = select.value;
    const options = groups.map((group) => new Option(group.map(nationName).join(" + "), group.join(" ")));
    // A game that plays on has the nations of the other.
    select.replaceChildren(...(from ? options.slice(place, place + 1) : [select.options[0], ...options]));
    select.value = [...select.options].some((option) => option.value === before) ? before : select.options[0]?.value;
  }
  for (const label of variants) {
    const { edition, counts } = label.dataset;
    const fits = edition === board().dataset.edition && (!counts || counts.split(" ").includes(String(count())));
    label.hidden = !fits;
    const box = label.querySelector("input");
    box.disabled = !fits;
    box.checked &&= fits;
  }
  if (variants.length > 0) document.getElementById("variants").hidden = variants.every((label) => label.hidden);
}

/** Fills the seats with the chosen opponents. */
function showOpponents() {
  const opponents = form.elements.opponents.value;
  for (const row of rows) {
    const player = field(row, "player");
    if (player.value !== "you") player.value = opponents === "bots" ? form.elements.bot.value : "open";
  }
  form.elements.visibility.value = opponents === "friends" ? "unlisted" : "public";
  document.getElementById("bot-choice").hidden = opponents !== "bots";
}

/** Gives up a choice in the other seats that only one seat can have. */
function keepSingle(changed) {
  const isSingle = changed.name === "nations" ? changed.value !== "" : changed.value === "you";
  for (const row of rows) {
    const other = field(row, changed.name);
    if (isSingle && other !== changed && other.value === changed.value) {
      other.value = changed.name === "nations" ? "" : "open";
    }
  }
}

form.addEventListener("change", ({ target }) => {
  if (target.name === "board") showCounts();
  if (target.name === "count") showSeats();
  if (["opponents", "bot"].includes(target.name)) showOpponents();
  if (["player", "nations"].includes(target.name)) keepSingle(target);
  if (target.name === "variant" && target.checked) {
    const excludes = (one, other) => one.dataset.excludes.split(" ").includes(other.value);
    for (const other of form.querySelectorAll("[name=variant]:checked")) {
      if (excludes(target, other) || excludes(other, target)) other.checked = false;
    }
  }
});

/** The request for the game. */
function wanted() {
  const own = account === undefined ? "open" : { id: account };
  const players = { you: own, open: "open" };
  const chosen = rows.slice(0, count()).map((row) => ({
    nations: field(row, "nations").value.split(" ").filter(Boolean),
    player: players[field(row, "player").value] ?? { bot: field(row, "player").value },
  }));
  const [turn, reserve] = form.elements.pace.value.split(" ").map(Number);
  const isTimed = turn > 0 && chosen.some(({ player }) => !player.bot);
  return {
    edition: board().dataset.edition,
    board: board().value,
    seats: chosen,
    variants: [...form.querySelectorAll("[name=variant]:checked")].map((box) => box.value),
    visibility: form.elements.visibility.value,
    ...(form.elements.bidding.value && { bidding: { kind: form.elements.bidding.value } }),
    ...(from && { from: { game: from, seq: Number(seq) } }),
    ...(isTimed && { pace: { turn_seconds: turn, reserve_seconds: reserve, then: form.elements.then.value } }),
  };
}

/** Creates the game, takes the own seat, and invites to the free ones. Returns the page to go to. */
async function create() {
  const body = wanted();
  const own = rows.slice(0, count()).findIndex((row) => field(row, "player").value === "you");
  const created = await call("POST", "/v1/games", { body });
  const path = `/v1/games/${created.id}`;
  const organizer = created.tokens.organizer ?? undefined;
  let game = created;
  seats.keep(created.id, { organizer });
  if (own >= 0 && account === undefined) {
    const name = form.elements.name.value.trim();
    const claimed = await call("POST", `${path}/seats/${own}`, { body: name ? { name } : {} });
    seats.keep(created.id, { token: claimed.token, seat: own, player: claimed.player });
    game = claimed.game;
  }
  if (game.status !== "open") return `/games/${created.id}`;
  const { code } = await call("POST", `${path}/invitation`, { token: organizer });
  seats.keep(created.id, { code });
  return `/games/${created.id}/lobby`;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = form.querySelector("button.first");
  button.disabled = true;
  refusal.hidden = true;
  try {
    location.href = await create();
  } catch (error) {
    refusal.textContent = error.message;
    refusal.hidden = false;
    button.disabled = false;
  }
});

showCounts();
showOpponents();
