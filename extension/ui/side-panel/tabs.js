/** Tabs that clients hold, and tabs that the person took from them. */
import { clientMark } from "../shared/client-mark.js";
import { fill, find, make } from "../shared/elements.js";
import { nameTab, tabLink, tabOf, titleOf, watchTitles } from "../shared/open-tabs.js";
import { ask } from "../shared/worker.js";

/** @typedef {{tabId: number, clientId: string, client: string, since?: number}} Held */
/** @typedef {import("../../background/panel/panel-state.js").PanelState} PanelState */

/** @type {PanelState|null} */
let shown = null;

/** @param {Held & {isTaken: boolean, hue?: import("../../background/tabs/lease-holders.js").Hue}} held */
function toItem({ tabId, clientId, client, isTaken, hue }) {
  const data = { [isTaken ? "give" : "take"]: String(tabId) };
  const onclick = () => void (isTaken ? ask("giveTab", { tabId, clientId }) : ask("takeTab", { tabId }));
  const act = make("button", { type: "button", textContent: isTaken ? "Give back" : "Take back", data, onclick });
  const item = make("li", { className: "row", data: { tab: String(tabId) } }, clientMark({ name: client, hue }),
    make("div", { className: "main" }, tabLink(tabId),
      make("small", { textContent: isTaken ? `you took it from ${client}` : client })),
    act);
  void label(item, tabId);
  return item;
}

/** @param {HTMLElement} item @param {number} tabId */
async function label(item, tabId) {
  void nameTab(find(".link", item), tabId);
  const act = find("button:not(.link)", item);
  act.setAttribute("aria-label", `${act.textContent}: ${titleOf(await tabOf(tabId))}`);
}

function draw() {
  if (!shown) return;
  const { tabs, taken, clients } = shown;
  const hueOf = (/** @type {Held} */ { clientId }) => clients.find(({ id }) => id === clientId)?.hue;
  const all = [...tabs.map((held) => ({ ...held, isTaken: false })), ...taken.map((held) => ({ ...held, isTaken: true }))]
    .map((held) => ({ ...held, hue: hueOf(held) }));
  const keyOf = (/** @type {typeof all[number]} */ { tabId, clientId, isTaken, client, hue }) =>
    `${tabId} ${clientId} ${isTaken} ${client} ${hue?.dark}`;
  fill(find("#tabs"), all, keyOf, toItem, (item, { tabId }) => void label(item, tabId));
  find("#no-tabs").hidden = all.length > 0;
  find("#tabs-part").hidden = !clients.length;
}

/** @param {PanelState} state */
export function showTabs(state) {
  shown = state;
  draw();
}

/** Keeps the titles up to date. */
export function startTabs() {
  watchTitles(draw);
}
