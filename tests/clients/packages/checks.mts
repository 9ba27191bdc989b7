// Checks what the README of the TypeScript package promises, against a scripted server and against Tabularium.
//
//     node checks.mjs ADDRESS

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, ProblemError, type ClientOptions, type Schemas } from "@tabularium/client";

type Reply = (response: ServerResponse, request: IncomingMessage, body: string) => Promise<void> | void;

function answer(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Closes the connection without an answer. */
const hangUp: Reply = (response) => void response.destroy();

/** A stream; one that is not whole breaks off. */
function events(isWhole: boolean, ...chunks: string[]): Reply {
  return (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.flushHeaders();
    for (const chunk of chunks) response.write(chunk);
    // What was written goes out before the connection breaks off.
    if (isWhole) response.end();
    else response.write(" ", () => response.destroy());
  };
}

/** Passes the request on to a server, and its answer back unless that is to be lost. */
function passedOn(address: string, isLost: boolean): Reply {
  return async (response, request, body) => {
    const { host, connection, "content-length": length, ...rest } = request.headers;
    const headers = rest as Record<string, string>;
    const passed = await fetch(address + request.url, { method: request.method!, headers, body });
    if (isLost) return void response.destroy();
    answer(await passed.text(), passed.status, { "Content-Type": passed.headers.get("Content-Type")! })(response, request, body);
  };
}

/** A server that gives its replies in order and remembers the requests. */
class Script {
  readonly waits: number[] = [];
  readonly requests: { target: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  readonly #replies: Reply[];
  readonly #server = createServer({ keepAlive: false }, (request, response) => void this.#reply(request, response));

  constructor(...replies: Reply[]) {
    this.#replies = replies;
  }

  async #reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    this.requests.push({ target: `${request.method} ${request.url}`, headers: request.headers, body });
    response.setHeader("Connection", "close");
    await this.#replies.shift()!(response, request, body);
  }

  async client(options: ClientOptions = {}): Promise<Client> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve).unref());
    const { port } = this.#server.address() as AddressInfo;
    const sleep = async (milliseconds: number) => void this.waits.push(milliseconds);
    return new Client({ url: `http://127.0.0.1:${port}/`, sleep, ...options });
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  header(name: string) {
    return this.requests.map(({ headers }) => headers[name]);
  }
}

async function refused(status: number, code: string, request: Promise<unknown>): Promise<ProblemError> {
  const problem = await request.then(
    () => assert.fail(`expected ${status} ${code}`),
    (error: unknown) => error,
  );
  assert(problem instanceof ProblemError, String(problem));
  assert.deepEqual([problem.status, problem.code], [status, code], problem.message);
  return problem;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function checkRetries(): Promise<void> {
  const busy = { type: "about:blank", title: "", status: 503, detail: "too busy", instance: "/", code: "overloaded" };
  const date = new Date(Date.now() + 5000).toUTCString();
  const waits = [answer(busy, 503, { "Retry-After": "7" }), answer(busy, 429, { "Retry-After": date }), answer("{}", 503)];
  let script = new Script(hangUp, ...waits, answer({ id: "1" }, 201));
  let client = await script.client({ token: "secret" });
  const created = await client.post("/v1/games", { body: { edition: "antike", board: "antike-east", seats: [] } });
  assert.equal(created.id, "1");
  assert(new Set(script.header("idempotency-key")).size === 1 && script.header("idempotency-key")[0]);
  assert.equal(new Set(script.requests.map(({ body }) => body)).size, 1);
  assert.deepEqual(new Set(script.header("authorization")), new Set(["Bearer secret"]));
  const [lost = 0, seconds, until = 0, last = 0] = script.waits;
  assert(lost >= 250 && lost <= 500 && seconds === 7000 && until >= 3000 && until <= 5000 && last >= 2000, `${script.waits}`);

  const late = answer(busy, 503, { "Retry-After": "3600" });
  script = new Script(...Array<Reply>(3).fill(answer(busy, 503)), late, answer({}), answer({}));
  client = await script.client({ retries: 2 });
  await refused(503, "overloaded", client.get("/v1"));
  assert.equal(script.waits.length, 2);
  await refused(503, "overloaded", client.get("/v1"));
  assert.equal(script.waits.length, 2, "an hour is too long to wait");
  for (const id of ["1", "1"]) await client.post("/v1/games/{game}/rematch", { path: { game: id } });
  const [one, other] = script.header("idempotency-key").slice(-2);
  assert(one && other && one !== other);
  await script.close();
  await assert.rejects(client.get("/v1"), TypeError);
  assert.equal(script.waits.length, 4);
  await assert.rejects(client.get("/v1", { signal: AbortSignal.abort() }), { name: "AbortError" });
}

async function checkStreams(): Promise<void> {
  const event = (seq: number) =>
    `id: ${seq}\ndata: {"seq": ${seq}, "kind": "a_word_to_come", "notation": "a\u2028b", "to_come": 1}\n\n`;
  let script = new Script(
    events(false, "retry: 1\n: hello\n", `${event(4)}id: 5\nda`, 'ta: {"cut'),
    events(true, "event: to_come\ndata: [1,\ndata: 2]\n\n", event(5)),
    hangUp,
    answer("", 204),
  );
  let client = await script.client();
  const seen = await all(client.stream("/v1/games/{game}/events", { path: { game: "1" }, query: { after: "3" } }));
  const names = seen.map(({ event, id }) => [event as string, id]);
  assert.deepEqual(names, [["message", "4"], ["to_come", undefined], ["message", "5"]]);
  assert.deepEqual(seen[0]?.data, { seq: 4, kind: "a_word_to_come", notation: "a\u2028b", to_come: 1 });
  assert.deepEqual(seen[1]?.data, [1, 2]);
  assert.deepEqual(script.header("last-event-id"), [undefined, "4", "5", "5"]);
  assert.deepEqual(new Set(script.requests.map(({ target }) => target)), new Set(["GET /v1/games/1/events?after=3"]));

  script = new Script(events(true), events(true), answer({ code: "unauthenticated" }, 401));
  client = await script.client();
  await refused(401, "unauthenticated", all(client.stream("/v1/me/events")));
  assert.equal(script.waits.length, 2, "a stream that sends nothing must not be asked for without pause");

  client = await new Script(events(true, 'data: {"done": false}\n\ndata: {"done": true}\n\n')).client();
  const analyses = await all(client.stream("/v1/engine/analysis", { body: { budget: { playouts: 1 } } }));
  assert.deepEqual(analyses.map(({ data }) => data.done), [false, true]);
}

async function checkPages(): Promise<void> {
  const games = new Script(
    answer({ items: [{ id: "1", status: "paused" }], next: "a b&c" }),
    answer({ items: [], next: "d" }),
    answer({ items: [{ id: "2", to_come: {} }], next: null }),
  );
  const found = await all((await games.client()).list("/v1/games", { query: { status: "running", limit: 1 } }));
  assert.deepEqual(found.map(({ id }) => id), ["1", "2"]);
  assert.equal(found[0]?.status, "paused");
  const query = "GET /v1/games?status=running&limit=1";
  const targets = ["", "&cursor=a+b%26c", "&cursor=d"].map((cursor) => query + cursor);
  assert.deepEqual(games.requests.map(({ target }) => target), targets);
  const log = new Script(answer({ items: [{ seq: 1 }], next: "1" }), answer({ items: [{ seq: 2 }], next: null }));
  const pages = await all((await log.client()).list("/v1/games/{game}/events", { path: { game: "a/b" } }).pages());
  assert.deepEqual(pages.map(({ items }) => items[0]?.seq), [1, 2]);
  const path = "GET /v1/games/a%2Fb/events";
  assert.deepEqual(log.requests.map(({ target }) => target), [path, `${path}?after=1`]);
}

async function checkProblems(): Promise<void> {
  const broken = await new Script(answer("<html>Bad gateway", 502)).client({ retries: 0 });
  assert.equal((await refused(502, "", broken.get("/v1"))).detail, "<html>Bad gateway");
  await refused(418, "to_come", (await new Script(answer({ code: "to_come", to_come: 1 }, 418)).client()).get("/v1"));
}

/** Known kinds have their members; the type for all others remains at the end. */
export function checkTypes(action: Schemas["Action"]): string {
  if (action.type === "move_stone") return action.field;
  if (action.type === "build_temple") {
    // @ts-expect-error: a temple has a region and no field.
    const field: string = action.field;
    return action.region + field;
  }
  return action.type;
}

async function checkServer(address: string): Promise<void> {
  const client = new Client({ url: address });
  const bot: Schemas["NewSeat"] = { player: { bot: "random" } };
  const game: Schemas["NewGame"] = { edition: "antike", board: "antike-east", seats: [{ player: "open" }, bot, bot, bot] };
  // @ts-expect-error: there is no `bord`.
  const wrong = await refused(422, "invalid_body", client.post("/v1/games", { body: { ...game, max_rounds: 0, bord: "x" } }));
  const fields = wrong.errors.map(({ field }) => field);
  assert(fields.includes("max_rounds") && fields.includes("bord"), `${fields}`);
  await refused(401, "unauthenticated", client.withToken("wrong").get("/v1"));

  // A lost answer: what holds a secret is not repeated, everything else is.
  const first = await client.post("/v1/games", { body: game });
  const twice = [passedOn(address, true), passedOn(address, false)];
  const path = { game: first.id, seat: 0 };
  const claim = (await new Script(...twice).client()).post("/v1/games/{game}/seats/{seat}", { path });
  assert.equal((await refused(409, "already_done", claim)).location, `/v1/games/${first.id}`);

  const { id } = await client.post("/v1/games", { body: { ...game, first: 0 } });
  const { token } = await client.post("/v1/games/{game}/seats/{seat}", { path: { game: id, seat: 0 } });
  const player = client.withToken(token);
  const legal = await player.get("/v1/games/{game}/legal-actions", { path: { game: id } });
  const conquest: Schemas["ActionInput"] = { type: "conquer", region: "alexandria", legions: 1 };
  const illegal = player.post("/v1/games/{game}/actions", { path: { game: id }, body: conquest });
  assert.equal((await refused(422, "illegal_action", illegal)).rule, "A11");
  const body = legal.actions[0]!;
  const stale = player.post("/v1/games/{game}/actions", { path: { game: id }, body, ifMatch: legal.seq - 1 });
  await refused(412, "stale_view", stale);
  const lossy = await new Script(...twice).client({ token });
  const acted = await lossy.post("/v1/games/{game}/actions", { path: { game: id }, body, ifMatch: legal.seq });
  assert.equal(acted.seq, (await client.get("/v1/games/{game}", { path: { game: id } })).seq);

  const listed = (await all(client.list("/v1/games", { query: { limit: 1 } }))).map((one) => one.id);
  assert(listed.includes(first.id) && listed.includes(id), `${listed}`);
  const logged = await all(client.list("/v1/games/{game}/events", { path: { game: id }, query: { limit: 1 } }));
  const rest = logged.slice(1);
  for await (const event of client.stream("/v1/games/{game}/events", { path: { game: id }, query: { after: "0" } })) {
    assert.deepEqual([event.event, event.data], ["message", rest.shift()]);
    if (rest.length === 0) break;
  }
  const record = await client.request("GET", "/v1/games/{game}/record", { path: { game: id }, accept: "text/plain" });
  assert((await record.text()) !== "");
}

await checkRetries();
await checkStreams();
await checkPages();
await checkProblems();
await checkServer(process.argv[2] ?? "");
console.log("the package in TypeScript keeps what it promises");
