// What modules share that speak to the API.

const place = (game) => `tabularium:${game}`;

/** Where this browser keeps its seats: of a game the token and, where it is known, the seat's number. */
export const seats = {
  of: (game) => JSON.parse(localStorage.getItem(place(game)) ?? "{}"),
  keep: (game, seat) => localStorage.setItem(place(game), JSON.stringify(seat)),
  forget: (game) => localStorage.removeItem(place(game)),
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
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(told.detail ?? answer.statusText), { problem: told });
  return told;
}
