// Plays a game against three bots with the client that openapi-zod-client makes, at the address given. It checks
// what is sent and answered.

import { createApiClient } from "./client.js";

const client = createApiClient(process.argv[2]!);
const bot = { player: { bot: "random" } };
const created = await client.create_game({
  edition: "antike",
  board: "antike-east",
  seats: [{ player: "open" }, bot, bot, bot],
  max_rounds: 5,
});
const params = { game: created.id };
const claimed = await client.claim_seat({}, { params: { ...params, seat: 0 } });
const headers = { Authorization: `Bearer ${claimed.token}` };

let acted = 0;
while ((await client.get_game({ params })).status !== "finished") {
  const legal = await client.list_legal_actions({ params });
  if (legal.pending.some((question) => question.seat === claimed.seat)) {
    const action = legal.actions[Math.floor(Math.random() * legal.actions.length)]!;
    await client.submit_action(action as object, { params, headers });
    acted += 1;
  } else {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const page = await client.list_game_events({ params, queries: { limit: 1000 } });
if (page.items[0]?.payload?.setup?.edition !== "antike") throw new Error(JSON.stringify(page.items[0]));
console.log(`openapi-zod-client: ${page.items.length} events, ${acted} of them mine`);
