// Plays a game against three bots with the client that openapi-generator makes for fetch, at the address given.

import { ActionsApi, Configuration, EventsApi, GamesApi, SeatsApi } from "./client/index.js";

const basePath = process.argv[2];
const guest = new Configuration({ basePath });
const bot = { player: { bot: "random" } };
const created = await new GamesApi(guest).createGame({
  newGame: { edition: "antike", board: "antike-east", seats: [{ player: "open" }, bot, bot, bot], maxRounds: 5 },
});
const id = created.id;
const claimed = await new SeatsApi(guest).claimSeat({ game: id, seat: 0 });
const mine = new Configuration({ basePath, accessToken: claimed.token ?? "" });
const [games, actions, events] = [new GamesApi(mine), new ActionsApi(mine), new EventsApi(mine)];

let acted = 0;
while ((await games.getGame({ game: id })).status !== "finished") {
  const legal = await actions.listLegalActions({ game: id });
  if (legal.pending.some((question) => question.seat === claimed.seat)) {
    const action = legal.actions[Math.floor(Math.random() * legal.actions.length)]!;
    await actions.submitAction({ game: id, actionsRequest: action as object, ifMatch: `"${legal.seq}"` });
    acted += 1;
  } else {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const page = await events.listGameEvents({ game: id, limit: 1000 });
if (page.items[0]?.payload?.setup?.edition !== "antike") throw new Error(JSON.stringify(page.items[0]));
console.log(`openapi-generator typescript-fetch: ${page.items.length} events, ${acted} of them mine`);
