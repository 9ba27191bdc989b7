// The sections beside the board as tabs. Every section of the class `tab` with a heading is one, unless it is empty.

const side = document.querySelector(".side");
const list = document.createElement("div");
list.className = "tablist";
list.setAttribute("role", "tablist");
list.setAttribute("aria-label", side.dataset.tabs);

let chosen = null;

const sections = () => [...side.querySelectorAll(":scope > .tab")].filter((section) => section.querySelector("h2"));

/** Shows one section, by default the one that is shown or else the first. */
export function showTab(id = chosen) {
  const all = sections();
  const shown = all.find((section) => section.id === id) ?? all[0];
  chosen = shown.id;
  const tabs = all.map((section) => {
    const isShown = section === shown;
    section.hidden = !isShown;
    section.setAttribute("role", "tabpanel");
    section.tabIndex = 0;
    const tab = document.getElementById(`tab-${section.id}`) ?? document.createElement("button");
    tab.type = "button";
    tab.id = `tab-${section.id}`;
    tab.textContent = section.querySelector("h2").textContent;
    tab.tabIndex = isShown ? 0 : -1;
    for (const [name, value] of Object.entries({ role: "tab", "aria-controls": section.id, "aria-selected": isShown })) {
      tab.setAttribute(name, value);
    }
    return tab;
  });
  const focused = document.activeElement;
  list.replaceChildren(...tabs);
  if (tabs.includes(focused)) focused.focus();
  document.dispatchEvent(new CustomEvent("tabularium:tab", { detail: { id: chosen } }));
}

/** The section that is shown. */
export const shownTab = () => chosen;

side.addEventListener("click", (event) => {
  const button = event.target.closest("[role=tab], [data-tab]");
  if (button) showTab(button.dataset.tab ?? button.getAttribute("aria-controls"));
});

list.addEventListener("keydown", (event) => {
  const tabs = [...list.children];
  const at = tabs.indexOf(document.activeElement);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  event.stopPropagation();
  const tab = tabs.at(to % tabs.length);
  showTab(tab.getAttribute("aria-controls"));
  tab.focus();
});

side.querySelector(".tab").before(list);
side.classList.add("tabbed");
// The address can name a tab, such as `#notes`. No element has this id, so the page does not scroll.
showTab(`${location.hash.slice(1)}-tab`);
