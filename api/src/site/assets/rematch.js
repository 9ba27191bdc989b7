// The rematch of a game that is over: a player with a seat creates it, and goes to it.

import { call, seats } from "./api.js";

const { game } = document.getElementById("game").dataset;

/** Whether the reader has a seat: this browser keeps its token, or the account that is signed in plays. */
async function hasSeat() {
  if (seats.of(game).token) return true;
  if (!document.querySelector(".reader form")) return false;
  const [me, table] = await Promise.all([call("GET", "/v1/me"), call("GET", `/v1/games/${game}`)]);
  return table.seats.some((seat) => seat.player.id === me.player.id);
}

/** Shows the button to players of the game. */
async function offer() {
  if (!document.getElementById("rematch")) return;
  const isOffered = await hasSeat().catch(() => false);
  const button = document.getElementById("rematch");
  if (button) button.hidden = !isOffered;
}

document.querySelector(".side").addEventListener("click", async (event) => {
  const button = event.target.closest("#rematch");
  if (!button) return;
  button.disabled = true;
  try {
    const next = await call("POST", `/v1/games/${game}/rematch`, { token: seats.of(game).token });
    for (const [seat, token] of Object.entries(next.tokens.seats)) seats.keep(next.id, { token, seat: Number(seat) });
    if (next.tokens.organizer) seats.keep(next.id, { organizer: next.tokens.organizer });
    location.href = `/games/${next.id}${next.status === "open" ? "/lobby" : ""}`;
  } catch (error) {
    const refused = document.getElementById("rematch-refused");
    refused.textContent = error.message;
    refused.hidden = false;
    button.disabled = false;
  }
});

document.addEventListener("tabularium:changed", offer);
offer();
