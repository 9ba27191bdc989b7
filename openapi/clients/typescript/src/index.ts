/** A client for Tabularium, a server for the Antike board games. Begin with `Client`. */
export { Client, Pages } from "./client.js";
export type { Answer, ClientOptions, Options, RequestOptions } from "./client.js";
export { ProblemError } from "./problem.js";
export type { StreamEvent } from "./stream.js";
export type { Schemas } from "./problem.js";
export type { Streams } from "./operations.js";
