// Takes a seat by an invitation link.

import { call, seats } from "./api.js";

const form = document.getElementById("join");
const refusal = document.getElementById("refusal");

/** Takes a seat, and returns the page to go to. */
async function join(seat) {
  const { code, game } = form.dataset;
  const name = form.elements.name?.value.trim();
  const body = { ...(name && { name }), ...(seat && { seat: Number(seat) }) };
  const claimed = await call("POST", `/v1/invitations/${encodeURIComponent(code)}`, { body });
  // An account needs no token.
  if (claimed.token) seats.keep(game, { token: claimed.token, seat: claimed.seat, player: claimed.player });
  return claimed.game.status === "open" ? `/games/${game}/lobby` : `/games/${game}`;
}

// Who has a seat already goes to it.
if (form && seats.of(form.dataset.game).token) location.replace(`/games/${form.dataset.game}/lobby`);

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const buttons = form.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  refusal.hidden = true;
  try {
    location.href = await join(event.submitter?.value);
  } catch (error) {
    refusal.textContent = error.message;
    refusal.hidden = false;
    for (const button of buttons) button.disabled = false;
  }
});
