// Shows the games of this browser and of the account that is signed in.

import { seats } from "./api.js";

const section = document.getElementById("mine");
const kept = seats.all().slice(0, 30);

if (kept.length > 0 || section.dataset.account !== undefined) {
  const of = kept.map(({ game, seat }) => `${game}:${seat}`).join(",");
  const answer = await fetch(`/play/mine?${new URLSearchParams({ of })}`);
  const list = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("ul.games");
  if (answer.ok && list?.childElementCount > 0) {
    section.querySelector("ul").replaceWith(list);
    section.hidden = false;
  }
}
