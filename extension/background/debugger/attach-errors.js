/** Errors of tabs that Chrome does not let the debugger into. */
import { TabwireError } from "../base/errors.js";

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

/** Error of an attachment that Chrome refuses. @param {Error} error */
export function attachError(error) {
  if (FOREIGN_FRAME.test(error.message)) return foreignFrameError();
  const restricted = /Cannot (access|attach)/i.test(error.message);
  return new TabwireError(restricted ? "restricted_page" : "unsupported_operation",
    `the debugger cannot be attached to this tab: ${error.message}`, { attach: true });
}
