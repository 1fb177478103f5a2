/*
 * The way to a question for the person. Chrome opens a side panel only for a click of theirs, so a small window does it, behind
 * what they type in: it asks for attention as windows do, in the task bar. Where the questions are on the screen already none opens.
 */
import { isShownBeside } from "./handovers.js";
import { persisted, ready } from "./state.js";

/** @typedef {import("./handovers.js").Shown} Shown */

const PAGE = "extension/panel/question.html";
const SIZE = { width: 420, height: 420 };

/** The window that is open; 0: none. */
const shownIn = persisted("handover-window", 0);
/** @type {Promise<void>|null} */
let opening = null;

/**
 * Makes sure that the person can find what they are asked.
 * @param {Shown[]} open
 * @returns {Promise<void>} never rejects: the extension's button has it too
 */
export function showWayIn(open) {
  if (!open.length) return Promise.resolve();
  opening ??= show(open).catch((error) => console.warn("tabwire: no window for a question", error)).finally(() => { opening = null; });
  return opening;
}

/** Whether the side panel beside one of these tabs shows them. @param {Shown[]} open */
async function isOnScreen(open) {
  const tabs = await Promise.all(open.map(({ tabId }) => chrome.tabs.get(tabId).catch(() => null)));
  return tabs.some((tab) => isShownBeside(tab?.windowId));
}

/** @param {Shown[]} questions */
async function show(questions) {
  await ready;
  const open = shownIn.get() ? await chrome.windows.get(shownIn.get()).catch(() => null) : null;
  if (!open && await isOnScreen(questions)) return;
  const window = open ?? await chrome.windows.create({ url: chrome.runtime.getURL(PAGE), type: "popup", focused: false, ...SIZE });
  const id = /** @type {number} */ (window?.id);
  if (!open) await shownIn.set(id);
  await chrome.windows.update(id, { drawAttention: true }).catch(() => {});
}
