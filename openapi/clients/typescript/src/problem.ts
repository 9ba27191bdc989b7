import type { components } from "./schema.js";

/** The types of all bodies by the names of their schemas, such as `Schemas["NewGame"]`. */
export type Schemas = components["schemas"];

/** The server refused a request. `problem` is the whole answer (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  /** The kind of problem, such as `illegal_action`; empty if a proxy answered with something else. */
  readonly code: string;
  readonly detail: string;
  /** The number of the rule that an action breaks, such as `A11`. */
  readonly rule: string | undefined;
  /** Everything that is wrong with a body or query. */
  readonly errors: Schemas["FieldError"][];
  /** Of `already_done`: the path of what the first attempt created. */
  readonly location: string | undefined;

  constructor(
    readonly status: number,
    readonly problem: Partial<Schemas["Problem"]>,
  ) {
    const { code = "", detail = "", rule, errors = [], location } = problem;
    super(`${status} ${code}: ${detail}${rule === undefined ? "" : ` (rule ${rule})`}`);
    this.code = code;
    this.detail = detail;
    this.rule = rule;
    this.errors = errors;
    this.location = location;
  }

  /** Reads the problem of an answer. */
  static async from(response: Response): Promise<ProblemError> {
    const text = await response.text();
    try {
      const problem = JSON.parse(text) as Partial<Schemas["Problem"]> | null;
      if (problem?.code !== undefined) return new ProblemError(response.status, problem);
    } catch {
      // The answer of a proxy is no problem document.
    }
    return new ProblemError(response.status, { detail: text.slice(0, 1000) });
  }
}
