import { cursors, type Streams } from "./operations.js";
import { ProblemError } from "./problem.js";
import type { paths } from "./schema.js";
import { blocks, chunks } from "./stream.js";

type Method = "get" | "post" | "put" | "patch" | "delete";
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;
/** The paths that have a method and answer it with JSON or with nothing. */
type PathOf<M extends Method> = {
  [P in keyof paths]: [Operation<P, M>] extends [never] ? never : [Answer<Operation<P, M>>] extends [never] ? never : P;
}[keyof paths];

type Responses<O> = O extends { responses: infer R } ? R : never;
type Json<C> = C extends { "application/json": infer J } | { "application/json-patch+json": infer J } ? J : never;
type JsonAnswer<R> = {
  [S in keyof R & (200 | 201 | 202)]: R[S] extends { content: infer C } ? Json<C> : never;
}[keyof R & (200 | 201 | 202)];
/** What an operation answers: its JSON, or undefined if its answer is empty. */
export type Answer<O> = [JsonAnswer<Responses<O>>] extends [never]
  ? Responses<O> extends { 204: unknown }
    ? undefined
    : never
  : JsonAnswer<Responses<O>>;

type Parameters<O, Place extends string> = O extends { parameters: infer A }
  ? Place extends keyof A
    ? NonNullable<A[Place]>
    : never
  : never;
type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : O extends { requestBody?: { content: { "application/json": infer B } } }
    ? { body?: B }
    : unknown;
type PathParameters<O> = [Parameters<O, "path">] extends [never] ? unknown : { path: Parameters<O, "path"> };

/** What an operation accepts besides its path. */
export type Options<O> = Common & PathParameters<O> & Body<O> & { query?: Parameters<O, "query"> };
/** The options may be left out if none is required. */
type Rest<O> = Record<never, never> extends Options<O> ? [options?: Options<O>] : [options: Options<O>];

interface Common {
  /** Refuse the request if the game or league has changed: the number of the last event seen, or an `ETag`. */
  ifMatch?: number | string;
  /** Identifies the request to the server; a random one by default. */
  idempotencyKey?: string;
  /** Ends the request, its repetitions and its stream. */
  signal?: AbortSignal;
}

/** The options of a request whose types are not checked against the specification. */
export interface RequestOptions extends Common {
  path?: Record<string, unknown>;
  query?: object;
  body?: unknown;
  accept?: string;
  headers?: Record<string, string>;
}

/** How a client signs in and how it repeats requests. */
export interface ClientOptions {
  /** The address of the server; TABULARIUM_URL or `http://127.0.0.1:8080` by default. */
  url?: string | undefined;
  /** The token; TABULARIUM_TOKEN by default. The token `""` stands for none. */
  token?: string | null | undefined;
  /** How often a request is repeated, 5 by default. */
  retries?: number;
  /** Milliseconds until a request without an answer is repeated, 30000 by default. */
  timeout?: number;
  /** Replaces the `fetch` of the platform. */
  fetch?: typeof fetch;
  /** Waits for some milliseconds. */
  sleep?: (milliseconds: number) => Promise<void>;
}

const RETRIED = [429, 502, 503, 504];
const LONGEST_WAIT = 60_000;
/** The server sends something on each stream at least every 10 seconds. */
const STREAM_SILENCE = 30_000;

/** A server and the token with which the client signs in. */
export class Client {
  readonly url: string;
  readonly #options: ClientOptions & { token: string; retries: number; timeout: number };

  constructor(options: ClientOptions = {}) {
    const { retries = 5, timeout = 30_000 } = options;
    this.url = (options.url ?? variable("TABULARIUM_URL") ?? "http://127.0.0.1:8080").replace(/\/+$/, "");
    this.#options = { ...options, token: options.token ?? variable("TABULARIUM_TOKEN") ?? "", retries, timeout };
  }

  /** The same server with another token, such as that of a seat. */
  withToken(token: string | null | undefined): Client {
    return new Client({ ...this.#options, url: this.url, token: token ?? "" });
  }

  get<P extends PathOf<"get">>(path: P, ...rest: Rest<Operation<P, "get">>) {
    return this.#json<Answer<Operation<P, "get">>>("GET", path, rest[0]);
  }

  post<P extends PathOf<"post">>(path: P, ...rest: Rest<Operation<P, "post">>) {
    return this.#json<Answer<Operation<P, "post">>>("POST", path, rest[0]);
  }

  put<P extends PathOf<"put">>(path: P, ...rest: Rest<Operation<P, "put">>) {
    return this.#json<Answer<Operation<P, "put">>>("PUT", path, rest[0]);
  }

  patch<P extends PathOf<"patch">>(path: P, ...rest: Rest<Operation<P, "patch">>) {
    return this.#json<Answer<Operation<P, "patch">>>("PATCH", path, rest[0]);
  }

  delete<P extends PathOf<"delete">>(path: P, ...rest: Rest<Operation<P, "delete">>) {
    return this.#json<Answer<Operation<P, "delete">>>("DELETE", path, rest[0]);
  }

  /** All items of a list. Loads each page when iteration reaches it. */
  list<P extends keyof typeof cursors>(path: P, ...rest: Rest<Operation<P, "get">>) {
    type Page = NonNullable<Answer<Operation<P, "get">>>;
    const options: RequestOptions = rest[0] ?? {};
    return new Pages<Page, Page["items"][number]>((cursor) => {
      const query = { ...options.query, ...(cursor === undefined ? {} : { [cursors[path]]: cursor }) };
      return this.#json<Page>("GET", path, { ...options, query });
    });
  }

  /** Server-sent events. After a lost connection the stream resumes behind the last event. */
  async *stream<P extends keyof Streams>(
    path: P,
    ...rest: Rest<Operation<P, P extends PathOf<"post"> ? "post" : "get">>
  ): AsyncGenerator<Streams[P], void, undefined> {
    const options: RequestOptions = rest[0] ?? {};
    const method = options.body === undefined ? "GET" : "POST";
    let lastId: string | undefined;
    let retry = 0;
    let failures = 0;
    for (;;) {
      const resumedFrom = lastId;
      const headers: Record<string, string> = lastId === undefined ? {} : { "Last-Event-ID": lastId };
      const response = await this.#send(method, path, { ...options, headers, accept: "text/event-stream" }, true);
      if (response.status === 204 || response.body === null) return;
      try {
        for await (const fields of blocks(chunks(response.body, Math.max(this.#options.timeout, STREAM_SILENCE)))) {
          failures = 0;
          lastId = fields.get("id") ?? lastId;
          if (/^\d+$/.test(fields.get("retry") ?? "")) retry = Number(fields.get("retry"));
          const data = fields.get("data");
          if (data === undefined) continue;
          const event = { event: fields.get("event") || "message", data: JSON.parse(data), id: fields.get("id") };
          yield event as Streams[P];
        }
        // Only a stream that can be read again has more to say after its end.
        if (method !== "GET") return;
      } catch (error) {
        if (!isLost(error) || failures >= this.#options.retries || method !== "GET") throw error;
      }
      if (lastId === resumedFrom) await this.#sleep(Math.max(retry, backoff(failures++)));
    }
  }

  /** Any request, for answers other than JSON: repeats it while that may help, and returns the successful answer. */
  request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    return this.#send(method, path, options, false);
  }

  async #json<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    const text = await (await this.request(method, path, options)).text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  async #send(method: string, path: string, options: RequestOptions, isStream: boolean): Promise<Response> {
    const url = new URL(this.url + fill(path, options.path ?? {}));
    for (const [name, value] of Object.entries(options.query ?? {})) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { Accept: options.accept ?? "application/json", ...options.headers };
    const { token, retries, timeout, fetch = globalThis.fetch } = this.#options;
    if (token !== "") headers["Authorization"] = `Bearer ${token}`;
    // One key for all attempts: the server carries the request out once.
    if (method !== "GET") headers["Idempotency-Key"] = options.idempotencyKey ?? randomKey();
    const { ifMatch } = options;
    if (ifMatch !== undefined) headers["If-Match"] = typeof ifMatch === "number" ? `"${ifMatch}"` : ifMatch;
    const request: RequestInit = { method, headers };
    if (options.body !== undefined) {
      headers["Content-Type"] = "application/json";
      request.body = JSON.stringify(options.body);
    }
    for (let attempt = 0; ; attempt++) {
      options.signal?.throwIfAborted();
      let wait = backoff(attempt);
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new TypeError("no answer in time")), timeout);
      const signal = options.signal ? AbortSignal.any([options.signal, late.signal]) : late.signal;
      try {
        const response = await fetch(url, { ...request, signal });
        if (response.ok && isStream) return response;
        if (response.ok) return await whole(response);
        const problem = await ProblemError.from(response);
        wait = retryAfter(response) ?? wait;
        if (!RETRIED.includes(response.status) || attempt >= retries || wait > LONGEST_WAIT) throw problem;
      } catch (error) {
        if (!isLost(error) || attempt >= retries) throw error;
      } finally {
        clearTimeout(timer);
      }
      await this.#sleep(wait);
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    const wait = () => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    return (this.#options.sleep ?? wait)(milliseconds);
  }
}

/** All items of a list. */
export class Pages<Page extends { items: Item[]; next?: string | null }, Item> implements AsyncIterable<Item> {
  readonly #load: (cursor: string | undefined) => Promise<Page>;

  constructor(load: (cursor: string | undefined) => Promise<Page>) {
    this.#load = load;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) for (const item of page.items) yield item;
  }

  /** The pages themselves, for what stands beside the items. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined;
    do {
      const page: Page = await this.#load(cursor);
      yield page;
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  }
}

/** A failed or silent connection, as `fetch` and this package report it. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError;
}

/** Milliseconds before the next attempt: half a second, doubled each time, less a random part. */
function backoff(attempt: number): number {
  return Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);
}

/** The milliseconds that the server asks to wait; it may name a number of seconds or a date. */
function retryAfter(response: Response): number | undefined {
  const value = response.headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** An answer with its whole body, so that a connection lost on the way counts as lost here. */
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

/** The path with its parameters; that of a file keeps its slashes. */
function fill(path: string, parameters: Record<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(parameters[name]));
    return name === "path" ? value.replaceAll("%2F", "/") : value;
  });
}

function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** An environment variable; browsers have none. */
function variable(name: string): string | undefined {
  const platform = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return platform.process?.env?.[name];
}
