// Checks pages: node pages.mjs ADDRESS FOLDER [PATH ...]. See `run`.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import * as chrome from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";

const [address, folder, ...given] = process.argv.slice(2);
const LEAST = 95;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const first = async (path, key = "id") => (await (await fetch(address + path)).json()).items[0]?.[key];

// Returns a running game that waits for a person, as most games do. A page that follows bots changes while it is measured.
async function waiting() {
  const ask = async (path, body) => {
    const answer = await fetch(address + path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const bot = { player: { bot: "greedy" } };
  const seats = [{ nations: ["greeks"], player: "open" }, bot, bot, bot];
  const game = { edition: "antike", board: "antike-east", first: "greeks", seats };
  const { id } = await ask("/v1/games", JSON.stringify(game));
  await ask(`/v1/games/${id}/seats/0`, JSON.stringify({ name: "Hanno" }));
  return id;
}

async function pages() {
  const finished = await first("/v1/games?status=finished&limit=1");
  const running = await waiting();
  const league = await first("/v1/leagues?limit=1");
  const player = await first("/v1/ratings?edition=antike&limit=1", "handle");
  return [
    "/", "/games", "/play", "/players", "/leagues", "/stats", "/stats/openings", "/stats/nations", "/stats/versus/openings",
    "/sign-in", "/sign-up", "/recover", "/rules", "/rules/antike", "/docs", "/docs/leagues", "/docs/api/games",
    finished && `/games/${finished}`, `/games/${running}`, league && `/leagues/${league}`,
    player && `/players/${player}`,
  ].filter(Boolean);
}

// Returns the errors that the Nu HTML checker finds in a page.
function errors(html, number) {
  const file = `${folder}/${number}.html`;
  writeFileSync(file, html);
  const options = ["-jar", `${folder}/node_modules/vnu-jar/build/dist/vnu.jar`, "--errors-only", "--exit-zero-always",
    "--format", "json", file];
  const { stderr } = spawnSync("java", options, { encoding: "utf8" });
  const { messages } = JSON.parse(stderr);
  return messages.map(({ lastLine, message }) => `line ${lastLine}: ${message}`);
}

// Returns the points of a page in each category, and what lowers them.
async function points(path, isPrivate, port, config) {
  // Pages that search engines shall not show lack what these two look for.
  const skipAudits = isPrivate ? ["is-crawlable", "meta-description"] : [];
  const flags = { port, onlyCategories: CATEGORIES, skipAudits, logLevel: "error" };
  const { lhr } = await lighthouse(address + path, flags, config);
  const found = CATEGORIES.map((name) => Math.round(100 * lhr.categories[name].score));
  const lowered = CATEGORIES.filter((_, at) => found[at] < LEAST).flatMap((name) => lhr.categories[name].auditRefs
    .filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9)
    .map(({ id }) => `${name}: ${lhr.audits[id].title} ${lhr.audits[id].displayValue ?? ""}`));
  return { found, lowered };
}

const browser = await chrome.launch({ chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu"] });
let failures = 0;
console.log(`${"page".padEnd(50)} HTML errors   desk: ${CATEGORIES.join(", ")}   phone`);
for (const [number, path] of (given.length ? given : await pages()).entries()) {
  const answer = await fetch(address + path, { headers: { Accept: "text/html" } });
  const html = await answer.text();
  const isPrivate = html.includes('name="robots" content="noindex"');
  const wrong = answer.ok ? errors(html, number) : [`it answers ${answer.status}`];
  const desk = await points(path, isPrivate, browser.port, desktopConfig);
  const phone = await points(path, isPrivate, browser.port, undefined);
  console.log(`${path.padEnd(50)} ${wrong.length}   ${desk.found.join(" ")}   ${phone.found.join(" ")}`);
  const faults = [...wrong, ...desk.lowered.map((text) => `desk, ${text}`), ...phone.lowered.map((text) => `phone, ${text}`)];
  faults.forEach((text) => console.log(`    ${text}`));
  failures += faults.length;
}
await browser.kill();
process.exitCode = failures > 0 ? 1 : 0;
