/*
 * The extension's button in the toolbar, as people see it from the corner of their eye.
 */
import { connections, onConnections } from "../wire/connection.js";
import { onQuestions, openQuestions } from "../rules/consent.js";
import { onHandovers, openHandovers } from "../tabs/handovers.js";
import { currentPause, onPauseChange, pauseKnown } from "../rules/stop.js";

/** Words and colours that differ in more than hue. */
const LOOKS = {
  paused: { text: "❚❚", color: "#b3261e" },
  asking: { text: "?", color: "#8a4b00" },
  connected: { text: "", color: "#1a56c4" },
  idle: { text: "", color: "#5f6368" },
};

/** Who is connected, whether the person has paused it, how many questions wait for their answer. */
function show() {
  const clients = connections().clients.map(({ name = "" }) => name);
  const questions = openQuestions().length + openHandovers().length;
  const isPaused = currentPause() !== null;
  const { text, color } = LOOKS[isPaused ? "paused" : questions ? "asking" : clients.length ? "connected" : "idle"];
  const who = clients.length ? clients.join(", ") : "no client";
  chrome.action.setTitle({
    title: questions ? `Tabwire asks you (${who})` : isPaused ? `Tabwire is paused (${who})` : `Tabwire: ${who}`,
  });
  chrome.action.setBadgeBackgroundColor({ color });
  chrome.action.setBadgeTextColor({ color: "#ffffff" });
  chrome.action.setBadgeText({ text: text || (clients.length ? String(clients.length) : "") });
}

for (const subscribe of [onConnections, onHandovers, onPauseChange, onQuestions]) subscribe(show);
void pauseKnown.then(show);
