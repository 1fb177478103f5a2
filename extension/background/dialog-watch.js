/** The dialogs that open in a tab from now on. */
import { onDialog, pendingDialog } from "./debugger.js";

/** How soon to look again whether a dialog that is answered elsewhere is gone. */
const LOOK_MS = 50;

/**
 * Calls `meet` for each dialog that opens after this, until it returns true or `signal` aborts.
 * @param {number} tabId
 * @param {AbortSignal} signal
 * @param {(dialog: import("./debugger.js").Dialog) => unknown} meet
 */
export async function meetDialogs(tabId, signal, meet) {
  let known = pendingDialog(tabId);
  while (!signal.aborted) {
    const dialog = await onDialog(tabId, signal).catch(() => null);
    if (!dialog) return;
    if (dialog === known) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      continue;
    }
    known = dialog;
    if ((await meet(dialog)) === true) return;
  }
}
