/*
 * The extension's button in the toolbar, as people see it from the corner of their eye.
 */
import { connections, onConnections } from "../wire/connection.js";
import { hueOf, labelOf, onRenamed } from "../tabs/lease-holders.js";
import { count } from "../base/text.js";
import { browserState, onBrowserState } from "./browser-state.js";

/** @typedef {import("./browser-state.js").BrowserState} BrowserState */

/** Words and colours that differ in more than hue. @type {Record<BrowserState["name"], {text: string, color: string}>} */
const LOOKS = {
  stopped: { text: "❚❚", color: "#5f6368" },
  paused: { text: "❚❚", color: "#5f6368" },
  needs_you: { text: "?", color: "#8a4b00" },
  working: { text: "●", color: "#1a56c4" },
  ready: { text: "", color: "#1a56c4" },
  not_connected: { text: "", color: "#5f6368" },
};

/** @param {BrowserState} state */
function show({ name, words, clientId }) {
  const clients = connections().clients.map(({ id = "" }) => labelOf(id));
  const { text, color } = LOOKS[name];
  const who = clients.length ? `${count(clients.length, "program")} connected: ${clients.join(", ")}` : "";
  chrome.action.setTitle({ title: [`Tabwire: ${words}`, who].filter(Boolean).join("\n") });
  chrome.action.setBadgeBackgroundColor({ color: hueOf(clientId)?.dark ?? color });
  chrome.action.setBadgeTextColor({ color: "#ffffff" });
  chrome.action.setBadgeText({ text });
}

onBrowserState(show);
// The state may be the same, and who is connected another.
for (const subscribe of [onConnections, onRenamed]) subscribe(() => void browserState().then(show));
