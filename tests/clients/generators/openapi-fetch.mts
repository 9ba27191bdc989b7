// Plays a game against three bots with openapi-fetch and the types that openapi-typescript generates.

import createClient from "openapi-fetch";
import type { components, paths } from "./tabularium.js";

type Problem = components["schemas"]["Problem"];
type ActionInput = components["schemas"]["ActionInput"];

/** Returns the answer; fails if it is a problem. */
function good<Answer>({ data, error }: { data?: Answer; error?: Problem }): Answer {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}

const address = process.argv[2]!;
const client = createClient<paths>({ baseUrl: address });

// A table: one open seat, and a bot on each of the others.
const bot = { player: { bot: "random" } };
const created = good(
  await client.POST("/v1/games", {
    body: {
      edition: "antike",
      board: "antike-east",
      seats: [{ player: "open" }, bot, bot, bot],
      max_rounds: 20,
    },
  }),
);
const id = created.id;
console.log("game", id);

// Taking the seat gives the token that plays it. It is shown this once.
const claimed = good(
  await client.POST("/v1/games/{game}/seats/{seat}", { params: { path: { game: id, seat: 0 } } }),
);
const headers = { Authorization: `Bearer ${claimed.token}` };

const params = { path: { game: id } };
let game = claimed.game;
let acted = 0;
while (game.status !== "finished") {
  const legal = good(await client.GET("/v1/games/{game}/legal-actions", { params }));
  if (legal.pending.some((question) => question.seat === claimed.seat)) {
    // What is listed can be posted as it is. `If-Match` refuses it should the game have gone on.
    const action = legal.actions[Math.floor(Math.random() * legal.actions.length)] as ActionInput;
    const answer = good(
      await client.POST("/v1/games/{game}/actions", {
        params: { ...params, header: { "If-Match": `"${legal.seq}"` } },
        headers,
        body: action,
      }),
    );
    game = answer.game;
    acted += 1;
  } else {
    await new Promise((resolve) => setTimeout(resolve, 50));
    game = good(await client.GET("/v1/games/{game}", { params }));
  }
}

console.log(`over after ${game.seq} events, ${acted} of them mine: ${game.result?.reason}`);
for (const rank of game.result?.ranks ?? []) {
  console.log(`${rank.rank}. seat ${rank.seat} (${rank.nations.join(", ")}): ${rank.points} points`);
}
