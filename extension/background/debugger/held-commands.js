/** Commands to a page that may be held by a dialog: it takes them, in order, when the dialog is closed. */
import { onDialog } from "./attachment.js";

/**
 * Resolves when a command was answered, or when a dialog keeps it waiting: it is sent, and nothing is gained by waiting too.
 * @param {number} tabId
 * @param {Promise<unknown>} command
 * @returns {Promise<void>}
 */
export async function takenBy(tabId, command) {
  const over = new AbortController();
  const held = onDialog(tabId, over.signal);
  held.catch(() => {});
  command.catch(() => {});
  try {
    await Promise.race([command, held]);
  } finally {
    over.abort();
  }
}
