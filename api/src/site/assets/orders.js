// Standing orders of a seat, by the public API: they are read, one is added or removed, and all are sent again.

import { call } from "./api.js";

const panel = document.getElementById("orders");
const list = document.getElementById("order-list");
const refusal = document.getElementById("refusal");
const game = document.getElementById("game").dataset.game;
const forms = panel.querySelectorAll("form");

let seat = null;
let orders = [];

const path = () => `/v1/games/${game}/seats/${seat.seat}/orders`;

/** What the choices of a form say in words, those that an order makes. */
function words(order) {
  const form = order.fortress ? forms[1] : forms[0];
  const choices = [...(form?.querySelectorAll("select") ?? [])].map((select) => {
    const chosen = [...select.options].find((option) => option.value === (order[select.name] ?? ""));
    return chosen?.textContent;
  });
  return choices.filter(Boolean).join(" · ") || JSON.stringify(order);
}

function show() {
  const items = orders.map((order, place) => {
    const item = document.getElementById("order").content.firstElementChild.cloneNode(true);
    item.querySelector("span").textContent = words(order);
    const remove = item.querySelector("button");
    remove.setAttribute("aria-label", `${remove.textContent}: ${words(order)}`);
    remove.addEventListener("click", () => change(orders.filter((_, other) => other !== place)));
    return item;
  });
  list.replaceChildren(...items);
  document.getElementById("no-orders").hidden = orders.length > 0;
}

/** Sends all orders anew; the old ones stay when they are refused. */
async function change(wanted) {
  refusal.hidden = true;
  try {
    orders = await call("PUT", path(), { token: seat.token, body: wanted });
    show();
  } catch (error) {
    refusal.textContent = error.message;
    refusal.hidden = false;
  }
}

for (const form of forms) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = [...new FormData(form)].filter(([, value]) => value);
    change([...orders, Object.fromEntries(given)]);
  });
}

document.addEventListener("tabularium:seat", async ({ detail }) => {
  const same = seat?.seat === detail.seat && seat?.token === detail.token;
  if (same) return;
  seat = detail;
  const given = await call("GET", path(), { token: seat.token });
  // Shown when they are known: what is sent replaces them all.
  if (seat !== detail) return;
  orders = given;
  show();
  panel.hidden = false;
});
