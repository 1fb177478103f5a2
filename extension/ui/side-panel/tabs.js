/** Tabs that clients hold, and tabs that the person took from them. */
import { fill, find, make } from "../shared/elements.js";
import { ask } from "../shared/worker.js";

/** @typedef {{tabId: number, clientId: string, client: string, since?: number}} Held */

/** @type {{tabs: Held[], taken: Held[]}} */
let shown = { tabs: [], taken: [] };

/** @param {Held} held */
const title = async ({ tabId }) => {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  return tab?.title || tab?.url || `tab ${tabId}`;
};

/** @param {number} tabId */
async function bringToFront(tabId) {
  const tab = await chrome.tabs.update(tabId, { active: true });
  if (tab?.windowId !== undefined) await chrome.windows.update(tab.windowId, { focused: true });
}

/** @param {Held & {isTaken: boolean}} held */
function toItem({ tabId, clientId, client, isTaken }) {
  const name = make("button", { type: "button", className: "link", onclick: () => void bringToFront(tabId) });
  const data = { [isTaken ? "give" : "take"]: String(tabId) };
  const onclick = () => void (isTaken ? ask("giveTab", { tabId, clientId }) : ask("takeTab", { tabId }));
  const act = make("button", { type: "button", textContent: isTaken ? "Give back" : "Take back", data, onclick });
  const item = make("li", { className: "row", data: { tab: String(tabId) } },
    make("div", { className: "main" }, name, make("small", { textContent: isTaken ? `you took it from ${client}` : client })),
    act);
  void label(item, { tabId, clientId, client });
  return item;
}

/** @param {HTMLElement} item @param {Held} held */
async function label(item, held) {
  const text = await title(held);
  const name = find(".link", item);
  if (name.textContent === text) return;
  name.textContent = text;
  const act = find("button:not(.link)", item);
  act.setAttribute("aria-label", `${act.textContent}: ${text}`);
}

function draw() {
  const { tabs, taken } = shown;
  const all = [...tabs.map((held) => ({ ...held, isTaken: false })), ...taken.map((held) => ({ ...held, isTaken: true }))];
  fill(find("#tabs"), all, ({ tabId, clientId, isTaken }) => `${tabId} ${clientId} ${isTaken}`, toItem, label);
}

/** @param {{tabs: Held[], taken: Held[]}} state */
export function showTabs(state) {
  shown = state;
  draw();
}

/** Keeps the titles up to date. */
export function startTabs() {
  chrome.tabs.onUpdated.addListener((_, { title: named, url }) => {
    if (named !== undefined || url !== undefined) draw();
  });
}
