/*
 * The window with the questions to the owner. It opens behind what they type in, and asks for attention as windows do: in
 * the task bar, and on the extension's button.
 */
import { closeAll } from "./consent.js";
import { persisted, ready } from "./state.js";

const PAGE = "extension/consent/consent.html";
const SIZE = { width: 440, height: 520 };

/** The window that is open; 0: none. */
const shownIn = persisted("consent.window", 0);
/** @type {Promise<void>|null} */
let opening = null;

/**
 * Makes sure that the questions are on the screen.
 * @param {boolean} isAlive whether a window is there that hears of new questions: one of an earlier worker does not
 * @returns {Promise<void>} rejects when Chrome opens no window
 */
export function showQuestions(isAlive) {
  opening ??= show(isAlive).finally(() => { opening = null; });
  return opening;
}

/** @param {boolean} isAlive */
async function show(isAlive) {
  await ready;
  const open = shownIn.get() && await chrome.windows.get(shownIn.get()).catch(() => null);
  const window = open || await chrome.windows.create({ url: chrome.runtime.getURL(PAGE), type: "popup", focused: false, ...SIZE });
  const id = /** @type {number} */ (window?.id);
  if (!open) await shownIn.set(id);
  else if (!isAlive) for (const tab of await chrome.tabs.query({ windowId: id })) await chrome.tabs.reload(/** @type {number} */ (tab.id));
  await chrome.windows.update(id, { drawAttention: true }).catch(() => {});
}

chrome.windows.onRemoved.addListener(async (id) => {
  await ready;
  if (id !== shownIn.get()) return;
  await shownIn.set(0);
  await closeAll();
});
