// The search of the documentation.

import MiniSearch from "./minisearch.js";

const form = document.querySelector(".search");
const input = document.getElementById("search");
const list = document.getElementById("found");
const count = document.getElementById("found-count");
const MOST = 12;
let loading;
let options = [];
let chosen = -1;

/** Loads the index when the search is first used. */
const load = async () => {
  const sections = await (await fetch(form.dataset.index)).json();
  const index = new MiniSearch({
    fields: ["title", "page", "text"],
    storeFields: ["title", "page", "at"],
    searchOptions: { boost: { title: 3, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
  });
  index.addAll(sections);
  return index;
};

/** The address of a section: on a server below `/docs`, else beside the pages. */
const address = (at) => {
  const root = form.dataset.root;
  if (!root.startsWith("/")) return root + at;
  return at === "" || at.startsWith("#") ? root + at : `${root}/${at}`;
};

const close = () => {
  list.hidden = true;
  chosen = -1;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
};

const choose = (place) => {
  options[chosen]?.setAttribute("aria-selected", "false");
  chosen = place;
  const option = options[chosen];
  if (!option) return input.removeAttribute("aria-activedescendant");
  option.setAttribute("aria-selected", "true");
  option.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", option.id);
};

const show = (found) => {
  options = found.map(({ title, page, at }, place) => {
    const option = document.createElement("li");
    option.id = `found-${place}`;
    option.role = "option";
    option.dataset.to = address(at);
    option.setAttribute("aria-selected", "false");
    option.append(title);
    if (page !== title) {
      const of = document.createElement("span");
      of.textContent = page;
      option.append(" ", of);
    }
    option.addEventListener("click", () => location.assign(option.dataset.to));
    return option;
  });
  list.replaceChildren(...options);
  list.hidden = options.length === 0;
  input.setAttribute("aria-expanded", String(options.length > 0));
  input.removeAttribute("aria-activedescendant");
  chosen = -1;
  count.textContent = options.length ? count.dataset.some + options.length : count.dataset.none;
  count.classList.toggle("visually-hidden", options.length > 0);
};

input.addEventListener("input", async () => {
  loading ??= load();
  const index = await loading;
  const words = input.value.trim();
  if (words !== "") return show(index.search(words).slice(0, MOST));
  close();
  count.textContent = "";
});

input.addEventListener("keydown", (event) => {
  const last = options.length - 1;
  if (event.key === "Escape") close();
  else if (event.key === "ArrowDown") choose(chosen >= last ? 0 : chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen <= 0 ? last : chosen - 1);
  else return;
  event.preventDefault();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const option = options[Math.max(chosen, 0)];
  if (option) location.assign(option.dataset.to);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
  event.preventDefault();
  input.focus();
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("search")) close();
});
