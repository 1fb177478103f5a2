/*
 * The small window in which the person is asked. Chrome opens a side panel only for a click of theirs, so a window does it: it
 * opens behind what they type in, and asks for attention as windows do, in the task bar. The worker opens it and closes it, so
 * that a window that goes without the worker's doing was closed by the person.
 */
import { Signal } from "./signal.js";
import { makeQueue } from "./turns.js";
import { persisted, ready } from "./state.js";

const PAGE = "extension/ui/question/question.html";
const SIZE = { width: 440, height: 520 };

/** The window that is open; 0: none. */
const shownIn = persisted("question-window", 0);
/** How many questions of each sort are open. @type {Array<() => number>} */
const counts = [];
/** @type {Signal<[]>} */
const closed = new Signal();
/** Calls a listener when the person has closed the window. */
export const onQuestionWindowClosed = closed.add;
/** One after the other: a window that is being closed is not taken for one that shows the next question. */
const inTurn = makeQueue(ready);

/**
 * Declares a sort of questions that the window shows.
 * @param {() => number} count how many are open
 */
export function declareQuestions(count) {
  counts.push(count);
}

const isAsked = () => counts.some((count) => count() > 0);

/**
 * Makes sure that the person can find what they are asked.
 * @param {() => Promise<boolean>} [isElsewhere] whether it is on the screen anyway: then no window opens for it
 * @returns {Promise<void>} rejects when Chrome opens no window
 */
export const showQuestionWindow = (isElsewhere = async () => false) => inTurn(async () => {
  // It may have been answered, in the popup or the side panel, before its turn came.
  if (!isAsked()) return;
  const open = shownIn.get() ? await chrome.windows.get(shownIn.get()).catch(() => null) : null;
  if (!open && await isElsewhere()) return;
  const window =
    open ?? (await chrome.windows.create({ url: chrome.runtime.getURL(PAGE), type: "popup", focused: false, ...SIZE }));
  const id = /** @type {number} */ (window?.id);
  if (!open) await shownIn.set(id);
  await chrome.windows.update(id, { drawAttention: true }).catch(() => {});
});

/** Closes the window when it has nothing to show any more. */
export const hideQuestionWindow = () => void inTurn(async () => {
  const id = shownIn.get();
  if (!id || isAsked()) return;
  // First, so that its end is not taken for the person's doing.
  await shownIn.set(0);
  await chrome.windows.remove(id).catch(() => {});
});

chrome.windows.onRemoved.addListener(async (id) => {
  await ready;
  if (id !== shownIn.get()) return;
  await shownIn.set(0);
  closed.emit();
});
