// What modules share that speak to the API.

const place = (game) => `tabularium:${game}`;

/** What this browser keeps of a game: the token and the number of its seat, the organizer's token, the invitation
 * code. Who is signed in needs no token: the browser sends the cookie. */
export const seats = {
  of: (game) => JSON.parse(localStorage.getItem(place(game)) ?? "{}"),
  keep: (game, more) => localStorage.setItem(place(game), JSON.stringify({ ...seats.of(game), ...more })),
  forget: (game) => seats.keep(game, { token: undefined, seat: undefined }),
  /** The games of which this browser keeps a seat, the newest first. */
  all: () =>
    Object.keys(localStorage)
      .map((key) => /^tabularium:([0-9a-f]{8}-[0-9a-f-]{27})$/.exec(key)?.[1])
      .filter((game) => game && seats.of(game).seat !== undefined)
      .sort()
      .reverse()
      .map((game) => ({ game, seat: seats.of(game).seat })),
};

/** Sends JSON and reads JSON; a problem (RFC 9457) is thrown. */
export async function call(method, path, { token, body, headers = {} } = {}) {
  const answer = await fetch(path, {
    method,
    headers: {
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(content.detail ?? answer.statusText), { problem: content });
  return content;
}
