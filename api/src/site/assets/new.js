// A new game against bots: creates it, claims its first seat, and goes there.

import { call, seats } from "./api.js";

document.documentElement.classList.add("runs");

const form = document.getElementById("new-game");
const refusal = document.getElementById("refusal");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const board = form.querySelector("[name=board]:checked");
  const bots = Array(Number(board.dataset.seats) - 1).fill({ player: { bot: form.bot.value } });
  const body = { edition: board.dataset.edition, board: board.value, seats: [{ player: "open" }, ...bots] };
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const game = await call("POST", "/v1/games", { body });
    const name = form.elements.name.value.trim();
    const claimed = await call("POST", `/v1/games/${game.id}/seats/0`, { body: name ? { name } : {} });
    seats.keep(game.id, { token: claimed.token, seat: 0 });
    location.href = `/games/${game.id}`;
  } catch (error) {
    refusal.textContent = error.message;
    refusal.hidden = false;
    button.disabled = false;
  }
});
