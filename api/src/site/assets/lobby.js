// The table of a game before its start: take and leave a seat, invite, fill with bots. It follows the game live.

import { call, seats } from "./api.js";

const lobby = document.getElementById("lobby");
const { game, account } = lobby.dataset;
const path = `/v1/games/${game}`;
const part = (id) => document.getElementById(id);
const refusal = part("refusal");

/** The number of the own seat as a text: of the account, or else the one that this browser keeps. */
const ownSeat = () => lobby.dataset.own ?? seats.of(game).seat?.toString();
const seatToken = () => (lobby.dataset.own === undefined ? seats.of(game).token : undefined);
const organizes = () => lobby.dataset.organizes !== undefined || seats.of(game).organizer !== undefined;
const organizerToken = () => (lobby.dataset.organizes === undefined ? seats.of(game).organizer : undefined);

/** Finds the seat of a guest again, whom bids may have moved to another one. */
async function findSeat() {
  const { token, player } = seats.of(game);
  if (!token || !player) return;
  const table = await call("GET", path);
  const found = table.seats.find((seat) => seat.player.id === player);
  if (found) seats.keep(game, { seat: found.seat });
}

/** Shows the form to bid to a player whose bid is awaited; sealed bids can be given as soon as one has a seat. */
function showBids(own) {
  const bids = part("bids");
  if (!bids) return;
  const isMissing = part("bidding-state").dataset.missing.split(" ").includes(own);
  bids.hidden = own === undefined || !(isMissing || part("bidding").dataset.kind === "sealed");
}

/** Shows what this caller can do now. */
function show() {
  const isOpen = lobby.dataset.status === "open";
  const own = ownSeat();
  if (!isOpen && lobby.dataset.status !== "abandoned" && (own !== undefined || organizes())) {
    findSeat().catch(() => {}).finally(() => location.replace(`/games/${game}`));
    return;
  }
  for (const button of lobby.querySelectorAll("[data-take]")) {
    button.hidden = own !== undefined || !(isOpen || button.dataset.reserved !== undefined);
  }
  for (const button of lobby.querySelectorAll("[data-decline]")) button.hidden = own !== undefined;
  for (const button of lobby.querySelectorAll("[data-withdraw]")) button.hidden = !organizes();
  for (const button of lobby.querySelectorAll("[data-leave]")) {
    button.hidden = !isOpen || own !== button.dataset.leave;
  }
  for (const mark of lobby.querySelectorAll(".you")) mark.hidden = mark.dataset.seat !== own;
  part("name").hidden = account !== undefined || !lobby.querySelector("[data-take]:not([hidden])");
  part("invite").hidden = !isOpen || !organizes();
  part("organize").hidden = part("invite").hidden;
  showBids(own);
  showLink(seats.of(game).code);
}

function showLink(code) {
  part("invite-link").hidden = !code;
  part("invite-none").hidden = Boolean(code);
  part("share").hidden = !navigator.share;
  if (!code || part("link").value.endsWith(`/${code}`)) return;
  part("link").value = `${location.origin}/join/${code}`;
  const qr = new Image(220, 220);
  qr.alt = part("qr").dataset.alt;
  qr.src = `/join/${code}/qr.svg`;
  part("qr").replaceChildren(qr);
}

/** Fetches what has changed. The forms stay as they are. */
async function refresh() {
  const answer = await fetch(location.pathname);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const id of ["lobby-status", "seat-list", "bidding-state"]) part(id)?.replaceWith(page.getElementById(id));
  for (const name of ["seq", "status", "own", "organizes"]) {
    const value = page.getElementById("lobby").dataset[name];
    if (value === undefined) delete lobby.dataset[name];
    else lobby.dataset[name] = value;
  }
  show();
}

/** Does something and shows the change, or why it was refused. */
async function attempt(work) {
  refusal.hidden = true;
  try {
    await work();
  } catch (error) {
    refusal.textContent = error.message;
    refusal.hidden = false;
  }
  await refresh();
}

async function take(seat) {
  const name = account === undefined ? part("guest-name").value.trim() : "";
  const claimed = await call("POST", `${path}/seats/${seat}`, { body: name ? { name } : {} });
  if (claimed.token) seats.keep(game, { token: claimed.token, seat: claimed.seat, player: claimed.player });
}

async function leave(seat) {
  await call("DELETE", `${path}/seats/${seat}`, { token: seatToken() });
  seats.forget(game);
}

lobby.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  const { take: taken, leave: left, decline, withdraw } = button?.dataset ?? {};
  if (taken) attempt(() => take(taken));
  if (left) attempt(() => leave(left));
  if (decline) attempt(() => call("DELETE", `${path}/seats/${decline}`));
  if (withdraw) attempt(() => call("DELETE", `${path}/seats/${withdraw}`, { token: organizerToken() }));
});

part("bids")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = new FormData(event.target);
  const seat = given.get("seat");
  const bids = [...given].filter(([name]) => name !== "seat").map(([name, points]) => ({
    seat: Number(seat ?? name),
    points: Number(points),
  }));
  attempt(async () => {
    await call("PUT", `${path}/seats/${ownSeat()}/bids`, { token: seatToken(), body: { bids } });
    part("bids-sent").textContent = part("bids-sent").dataset.text;
  });
});

part("make").addEventListener("click", () =>
  attempt(async () => {
    const { code } = await call("POST", `${path}/invitation`, { token: organizerToken() });
    seats.keep(game, { code });
  }),
);

part("withdraw").addEventListener("click", () =>
  attempt(async () => {
    await call("DELETE", `${path}/invitation`, { token: organizerToken() });
    seats.keep(game, { code: undefined });
  }),
);

part("copy").addEventListener("click", async () => {
  part("link").select();
  // Without a secure connection, the browser refuses; the link is selected then.
  const copied = await navigator.clipboard?.writeText(part("link").value).then(() => true, () => false);
  part("copied").textContent = copied ? part("copied").dataset.text : "";
});

part("share").addEventListener("click", () => navigator.share({ url: part("link").value }).catch(() => {}));

/** The numbers of the free seats. */
async function freeSeats() {
  const { seats: all } = await call("GET", path, { token: organizerToken() });
  return all.filter(({ player, invited }) => player.kind === "open" && !invited).map(({ seat }) => seat);
}

const replace = (seat, player) =>
  call("PUT", `${path}/seats/${seat}`, { token: organizerToken(), body: { player } });

part("by-handle").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const [seat] = await freeSeats();
    if (seat === undefined) return;
    await replace(seat, { id: event.target.elements.handle.value.trim() });
    event.target.reset();
  });
});

part("fill").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    for (const seat of await freeSeats()) await replace(seat, { bot: event.target.elements.bot.value });
  });
});

part("cancel").addEventListener("click", (event) => {
  if (!confirm(event.target.dataset.question)) return;
  attempt(() => call("DELETE", path, { token: organizerToken() }));
});

show();

if (lobby.dataset.status === "open") {
  const stream = new EventSource(`${path}/events?after=${lobby.dataset.seq}`);
  stream.onmessage = (message) => {
    if (JSON.parse(message.data).seq > Number(lobby.dataset.seq)) refresh();
  };
  stream.addEventListener("bidding", refresh);
  addEventListener("pagehide", () => stream.close());
  // A page that comes back by the back button of the browser has lost its stream.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}
