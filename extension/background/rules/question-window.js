/*
 * Questions are shown to the person in the side panel beside the tab concerned, where that is open; else in a small window in
 * front of that tab's window, and as a notification of the system. Chrome opens a side panel only for a click of theirs. The
 * window takes the keyboard only where nobody types: else it stays behind and asks for attention as windows do. The worker
 * opens it and closes it, so that a window that goes without the worker's doing was closed by the person.
 */
import { ifInTime } from "../base/deadline.js";
import { Signal } from "../base/signal.js";
import { makeQueue } from "../base/turns.js";
import { persisted, ready } from "../base/state.js";
import { mayTell } from "./addresses.js";

/** @typedef {{id: string, title: string, message: string, tabId?: number}} Asked  tabId: the tab concerned */

const PAGE = "extension/ui/question/question.html";
const ICON = "extension/icons/128.png";
const SIZE = { width: 440, height: 520 };
/** Distance of the window from the corner of the one that it stands in front of. */
const INSET = 24;
const BELOW_TOOLBAR = 90;
/** A page that is too busy to say where the focus is may have it in a field. */
const LOOK_MS = 500;
const NOTICE = "question ";

/** The window that is open; 0: none. */
const shownIn = persisted("question-window", 0);
/** The open questions of each sort. @type {Array<() => Asked[]>} */
const sorts = [];
/** Pages that show the questions beside a window: the side panel, the popup. @type {Map<chrome.runtime.Port, number>} */
const views = new Map();
/** Questions that were shown in the window. @type {Set<string>} */
const put = new Set();
/** Questions that the person was notified of. @type {Set<string>} */
const notified = new Set();
/** The window that the question stands in front of. @type {number|undefined} */
let behind;
/** @type {Signal<[shown: ReadonlySet<string>]>} */
const closed = new Signal();
/** Calls a listener with the questions that were in the window when the person has closed it. */
export const onQuestionWindowClosed = closed.add;
/** Changes one after the other: a window that is being closed is not taken for one that shows the next question. */
const inTurn = makeQueue(ready);

/**
 * Declares a sort of questions.
 * @param {() => Asked[]} list those that are open
 */
export function declareQuestions(list) {
  sorts.push(list);
}

const allOpen = () => sorts.flatMap((list) => list());

/**
 * Notes a page that shows the questions. When it goes, the window shows those that are still open.
 * @param {chrome.runtime.Port} port
 * @param {number} windowId the window that it is beside
 */
export function noteView(port, windowId) {
  views.set(port, windowId);
  port.onDisconnect.addListener(() => {
    views.delete(port);
    showQuestionWindow().catch((error) => console.warn("tabwire: no window for a question", error));
  });
}

/** @param {Asked} asked @returns {Promise<number|undefined>} */
const windowOf = async ({ tabId }) =>
  tabId === undefined ? undefined : (await chrome.tabs.get(tabId).catch(() => null))?.windowId;

/** Whether a page beside the window concerned shows it. Chrome does not tell whose a side panel is: it has said so itself. */
async function isInView(/** @type {Asked} */ asked) {
  const windowId = await windowOf(asked);
  return windowId === undefined ? views.size > 0 : [...views.values()].includes(windowId);
}

/**
 * Makes sure that the person can find what they are asked. Once for each question: whoever has closed the window finds it behind
 * the button in the toolbar.
 * @returns {Promise<void>} rejects when Chrome opens no window
 */
export const showQuestionWindow = () => inTurn(async () => {
  const fresh = allOpen().filter(({ id }) => !put.has(id));
  const inView = await Promise.all(fresh.map(isInView));
  const unseen = fresh.filter((_, at) => !inView[at]);
  // The questions may have been answered meanwhile.
  if (!unseen.length) return;
  notify(unseen);
  const open = shownIn.get() ? await chrome.windows.get(shownIn.get()).catch(() => null) : null;
  if (!open) await openFor(unseen[0]);
  else await chrome.windows.update(shownIn.get(), { drawAttention: true }).catch(() => {});
  for (const { id } of unseen) put.add(id);
});

/** @param {Asked} asked */
async function openFor(asked) {
  const windowId = await windowOf(asked);
  const last = () => chrome.windows.getLastFocused({ windowTypes: ["normal"] });
  const over = await (windowId === undefined ? last() : chrome.windows.get(windowId)).catch(() => null);
  const focused = await mayTakeFocus();
  const wish = { url: chrome.runtime.getURL(PAGE), type: /** @type {const} */ ("popup"), focused, ...SIZE };
  // Chrome opens no window that would mostly be off the screen.
  const window = await chrome.windows.create({ ...wish, ...placeOver(over) }).catch(() => chrome.windows.create(wish));
  behind = over?.id;
  const id = /** @type {number} */ (window?.id);
  await shownIn.set(id);
  if (!focused) await chrome.windows.update(id, { drawAttention: true }).catch(() => {});
}

/** @param {chrome.windows.Window|null} window */
function placeOver(window) {
  const { left, top, width = 0, state } = window ?? {};
  if (left === undefined || top === undefined || state === "minimized") return {};
  return { left: Math.max(0, left + width - SIZE.width - INSET), top: top + BELOW_TOOLBAR };
}

/**
 * Whether a window in front takes no keys from a field. Who is in another program, or in the address field, may be typing there.
 * @returns {Promise<boolean>}
 */
async function mayTakeFocus() {
  const window = await chrome.windows.getLastFocused({ populate: true }).catch(() => null);
  const tab = window?.focused ? window.tabs?.find(({ active }) => active) : undefined;
  if (tab?.id === undefined || !mayTell(tab.url ?? "", tab.id)) return false;
  const target = { tabId: tab.id, allFrames: true };
  const asked = chrome.scripting.executeScript({ target, injectImmediately: true, func: tellFocus });
  const frames = (await ifInTime(asked, LOOK_MS)) ?? [];
  const where = frames.map(({ result }) => result);
  return where.includes("page") && !where.includes("field");
}

/** Tells where the keyboard focus is; runs in the page. @returns {"page"|"field"|"elsewhere"} where the keys of the person go */
function tellFocus() {
  if (!document.hasFocus()) return "elsewhere";
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  const isField = active instanceof HTMLElement && (active.isContentEditable || active.matches("input, textarea, select"));
  // The shadow root of another element may be closed.
  return isField || active?.localName.includes("-") ? "field" : "page";
}

/** @param {Asked[]} asked */
function notify(asked) {
  for (const { id, title, message } of asked) {
    if (notified.has(id)) continue;
    notified.add(id);
    const shown = { type: /** @type {const} */ ("basic"), iconUrl: chrome.runtime.getURL(ICON), title, message };
    // The person may have switched off notifications: window and button are there all the same.
    chrome.notifications.create(NOTICE + id, shown).catch(() => {});
  }
}

/** Takes away what shows questions that are not open any more. */
export const tidyQuestions = () => void inTurn(async () => {
  const open = new Set(allOpen().map(({ id }) => id));
  for (const id of [...put]) if (!open.has(id)) put.delete(id);
  for (const id of [...notified]) {
    if (open.has(id)) continue;
    notified.delete(id);
    void chrome.notifications.clear(NOTICE + id);
  }
  const id = shownIn.get();
  if (!id || open.size) return;
  const window = await chrome.windows.get(id).catch(() => null);
  // First, so that its end is not taken for the person's doing.
  await shownIn.set(0);
  await chrome.windows.remove(id).catch(() => {});
  if (window?.focused && behind !== undefined) await chrome.windows.update(behind, { focused: true }).catch(() => {});
});

chrome.notifications.onClicked.addListener(async (notice) => {
  if (!notice.startsWith(NOTICE)) return;
  await ready;
  const asked = allOpen().find(({ id }) => NOTICE + id === notice);
  const windowId = shownIn.get() || (asked && await windowOf(asked));
  if (windowId) await chrome.windows.update(windowId, { focused: true }).catch(() => {});
  void chrome.notifications.clear(notice);
});

chrome.windows.onRemoved.addListener(async (id) => {
  await ready;
  if (id !== shownIn.get()) return;
  const shown = new Set(put);
  await shownIn.set(0);
  closed.emit(shown);
});
