/** Errors of tabs that Chrome does not let the debugger into. */
import { TabwireError, unsupported } from "../base/errors.js";
import { isCrashed } from "../base/tabs.js";

/** Chrome's words where a frame of the page is another extension's: it refuses to attach then, and each command once attached. */
export const FOREIGN_FRAME = /Cannot access a chrome-extension:\/\/ URL/i;

/**
 * A page may get such a frame at any time, and lose it again; the attachment outlives that. `attach`: the debugger cannot be had,
 * nothing was done.
 */
export const foreignFrameError = () =>
  new TabwireError(
    "restricted_page",
    "the page shows a frame of another extension (as password managers put into pages), and Chrome keeps the debugger out of " +
    "such a tab. Close what shows that frame, or ask the user to keep that extension off this site, and try again",
    { attach: true, cause: "frame_of_extension" },
  );

/** @typedef {{code: string, message: string, data?: Record<string, unknown>}} Detached */

/**
 * Chrome's reasons for the end of an attachment, as errors for the calls that were using it. `lost`: what the page has of the
 * act is not known; `detached`: Chrome has ended the attachment, so that the page may have been led elsewhere.
 * @type {Record<string, Detached>}
 */
const DETACH_REASONS = {
  target_closed: {
    code: "no_such_tab", message: "the tab was closed while it was being used; call tab_list to see the open tabs",
  },
  canceled_by_user: {
    code: "permission_denied",
    message: "the user ended the debugging of this tab (Cancel in the browser's bar); ask before you go on",
    data: { lost: true },
  },
  led_out: {
    code: "unsupported_operation",
    message: "Chrome ended the debugging of this tab, as it does when a page leads to another program or to a page that " +
      "extensions may not see; try again",
    data: { lost: true, detached: true },
  },
};

/** @param {string} reason as `detachReason` gives it */
export function detachError(reason) {
  const other = `the debugger was detached from the tab (${reason}); try again`;
  const { code, message, data } = DETACH_REASONS[reason] ??
    { code: "unsupported_operation", message: other, data: { lost: true } };
  return new TabwireError(code, message, data);
}

/**
 * The reason of Chrome's for the end of an attachment; it says target_closed also of a tab that is still there.
 * @param {number} tabId @param {string} reason
 * @returns {Promise<string>}
 */
export async function detachReason(tabId, reason) {
  if (reason !== "target_closed") return reason;
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  return tab && !isCrashed(tab) ? "led_out" : reason;
}

/** @param {boolean} isLost whether the command may have been carried out */
export const detachedError = (isLost) =>
  unsupported("the debugger was detached from the tab; try again",
    { attach: true, detached: true, ...(isLost && { lost: true }) });

/** Error of an attachment that Chrome refuses. @param {Error} error */
export function attachError(error) {
  if (FOREIGN_FRAME.test(error.message)) return foreignFrameError();
  const restricted = /Cannot (access|attach)/i.test(error.message);
  return new TabwireError(restricted ? "restricted_page" : "unsupported_operation",
    `the debugger cannot be attached to this tab: ${error.message}`, { attach: true });
}
