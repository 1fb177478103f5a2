/*
 * The extension's button in the toolbar, as people see it from the corner of their eye.
 */

/** Words and colours that differ in more than hue. */
const LOOKS = {
  paused: { text: "❚❚", color: "#b3261e" },
  asking: { text: "?", color: "#8a4b00" },
  connected: { text: "", color: "#1a56c4" },
  idle: { text: "", color: "#5f6368" },
};

/**
 * Shows how Tabwire stands.
 * @param {string[]} clients names of those connected
 * @param {boolean} isPaused
 * @param {number} [questions] how many wait for the person's answer
 */
export function showOnButton(clients, isPaused, questions = 0) {
  const { text, color } = LOOKS[isPaused ? "paused" : questions ? "asking" : clients.length ? "connected" : "idle"];
  const who = clients.length ? clients.join(", ") : "no client";
  chrome.action.setTitle({ title: questions ? `Tabwire asks you (${who})` : isPaused ? `Tabwire is paused (${who})` : `Tabwire: ${who}` });
  chrome.action.setBadgeBackgroundColor({ color });
  chrome.action.setBadgeTextColor({ color: "#ffffff" });
  chrome.action.setBadgeText({ text: text || (clients.length ? String(clients.length) : "") });
}
