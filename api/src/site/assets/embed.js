// A game in a frame of another site: it follows the game.

const shown = () => document.getElementById("embed");
const { game, last } = shown().dataset;
const stream = new EventSource(`/v1/games/${game}/events?after=${last}`);

/** Milliseconds between two looks at what is new. */
const PAUSE = 1000;

let wanted = false;
let refreshing = false;

/** Shows the game as it is. Many events in a short time are one look. */
async function refresh() {
  wanted = true;
  if (refreshing) return;
  refreshing = true;
  while (wanted) {
    wanted = false;
    const answer = await fetch(location.href).catch(() => null);
    if (answer?.ok) {
      const read = new DOMParser().parseFromString(await answer.text(), "text/html");
      shown().replaceWith(read.getElementById("embed"));
    }
    if (shown().dataset.live === undefined) stream.close();
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    wanted ||= !answer?.ok;
  }
  refreshing = false;
}

stream.onmessage = refresh;
addEventListener("pagehide", () => stream.close());
// A page that comes back by the back button of the browser has lost its stream.
addEventListener("pageshow", (event) => event.persisted && location.reload());
