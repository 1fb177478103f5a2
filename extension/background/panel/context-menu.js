/*
 * "Use this tab with …" in the context menu of pages and of the button in the toolbar: one entry for each connected client.
 */
import { makeQueue } from "../base/turns.js";
import { ready } from "../base/state.js";
import { connections, onConnections } from "../wire/connection.js";
import { labelOf, onRenamed } from "../tabs/lease-holders.js";
import { leaseOf, onLeasesChanged } from "../tabs/leases.js";
import { takeTab, useTab } from "./panel-state.js";

const USE = "use ";
const TAKE = "take";
/** @type {chrome.contextMenus.CreateProperties["contexts"]} */
const CONTEXTS = ["page", "action"];
/** Pages in which programs can work. */
const PAGES = ["http://*/*", "https://*/*", "file:///*"];

const inTurn = makeQueue(ready);
/** Entries of the menu now, as JSON. */
let shown = "";

/** @returns {Array<{id: string, title: string}>} */
function entries() {
  const ids = connections().clients.flatMap(({ id }) => id ?? []);
  const uses = ids.map((id) => ({ id: USE + id, title: `Use this tab with ${labelOf(id)}` }));
  return uses.length ? [...uses, { id: TAKE, title: "Take this tab back" }] : [];
}

/** Brings the menu up to date. */
const show = () => void inTurn(async () => {
  const wanted = entries();
  const now = JSON.stringify(wanted);
  if (now === shown) return;
  shown = now;
  await chrome.contextMenus.removeAll();
  for (const { id, title: text } of wanted) {
    // Chrome would put the selected text in place of %s, and take an ampersand for the mark of a key.
    const title = text.replaceAll("%s", "% s").replaceAll("&", "&&");
    chrome.contextMenus.create({ id, title, contexts: CONTEXTS, documentUrlPatterns: PAGES });
  }
});

chrome.contextMenus.onClicked.addListener(async ({ menuItemId }, tab) => {
  await ready;
  const [tabId, item] = [tab?.id, String(menuItemId)];
  if (tabId === undefined) return;
  if (item.startsWith(USE)) await useTab(tabId, item.slice(USE.length));
  else if (leaseOf(tabId)) await takeTab({ tabId });
});

for (const subscribe of [onConnections, onLeasesChanged, onRenamed]) subscribe(show);
show();
