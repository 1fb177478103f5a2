/** Browser windows. */

/** @typedef {chrome.windows.Window & {id: number, tabs: import("../../types").OpenTab[]}} OpenWindow */

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
