// Moves the seats that this browser plays without an account to the account that is signed in.

import { call, seats } from "./api.js";

const section = document.getElementById("guest-seats");
const games = Object.keys(localStorage)
  .filter((name) => name.startsWith("tabularium:"))
  .map((name) => name.slice("tabularium:".length))
  .filter((game) => seats.of(game).token);

/** Moves the seat of a game. A seat that cannot be moved any more, as in a game that is over, stays a guest's. */
async function move(game, item) {
  try {
    await call("POST", "/v1/me/seats", { body: { game, token: seats.of(game).token } });
    seats.forget(game);
    item.remove();
    return true;
  } catch (error) {
    item.append(` (${error.message})`);
    return false;
  }
}

if (section && games.length > 0) {
  const list = section.querySelector("ul");
  const items = games.map((game) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `/games/${game}`;
    link.textContent = game;
    item.append(link);
    list.append(item);
    return [game, item];
  });
  section.hidden = false;
  const button = section.querySelector("button");
  button.addEventListener("click", async () => {
    button.disabled = true;
    let all = true;
    for (const [game, item] of items) all = (await move(game, item)) && all;
    const status = section.querySelector("[role=status]");
    status.textContent = all ? status.dataset.done : status.dataset.kept;
  });
}
