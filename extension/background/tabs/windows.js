/** Browser windows. */

/** @typedef {chrome.windows.Window & {id: number, tabs: import("../../types").OpenTab[]}} OpenWindow */

/** Windows with a page that a person may have in front: those of an installed application, and those that pages open, too. */
const WITH_PAGES = /** @type {chrome.windows.QueryOptions["windowTypes"]} */ (["normal", "popup", "app"]);
const OWN_PAGES = chrome.runtime.getURL("");

/**
 * The window that the user has used last, with its tabs. The window of a question of ours lies over the one that they mean.
 * @returns {Promise<chrome.windows.Window|null>} null when no window is open that extensions see
 */
export async function lastUsedWindow() {
  const last = (/** @type {chrome.windows.QueryOptions["windowTypes"]} */ windowTypes) =>
    chrome.windows.getLastFocused({ populate: true, windowTypes }).catch(() => null);
  const window = await last(WITH_PAGES);
  // A tab that has just been opened has no address yet but the one it is to show.
  const isOurs = window?.type !== "normal" && window?.tabs?.some(({ active, url, pendingUrl = "" }) =>
    active && (url || pendingUrl).startsWith(OWN_PAGES));
  return window && !isOurs ? window : last(["normal"]);
}

/**
 * Opens a window of the given outer size.
 * @param {{url: string, width: number, height: number, focused: boolean, incognito?: boolean}} wanted
 * @returns {Promise<OpenWindow>}
 */
export async function openWindow({ width: wantedWidth, height: wantedHeight, ...rest }) {
  const size = { width: Math.round(wantedWidth), height: Math.round(wantedHeight) };
  const window = /** @type {OpenWindow} */ (await chrome.windows.create({ ...rest, ...size }));
  if (window.width === size.width && window.height === size.height) return window;
  // A browser started with a window size gives it to every new window.
  const { width, height } = await chrome.windows.update(window.id, size);
  return { ...window, width, height };
}

/**
 * Shows another tab of a tab's window while `work` runs; an empty one where there is no other.
 * @template T
 * @param {import("../../types").OpenTab} tab
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileHidden(tab, work) {
  const { id, windowId } = tab;
  const [shown] = await chrome.tabs.query({ windowId, active: true });
  if (shown?.id !== id) return work();
  const others = (await chrome.tabs.query({ windowId, active: false })).filter(({ discarded }) => !discarded);
  const stand = others[0] ?? await chrome.tabs.create({ windowId, url: "about:blank", active: false });
  try {
    await chrome.tabs.update(/** @type {number} */ (stand.id), { active: true });
    return await work();
  } finally {
    await chrome.tabs.update(id, { active: true }).catch(() => {});
    if (!others.length) await chrome.tabs.remove(/** @type {number} */ (stand.id)).catch(() => {});
  }
}
