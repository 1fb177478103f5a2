/** The extension's worker, as its pages talk to it. */
import { within } from "../../background/base/deadline.js";

const LIMIT_MS = 5_000;
const RETRY_MS = 500;

/**
 * Asks the worker.
 * @param {string} type
 * @param {Record<string, unknown>} [more]
 * @param {number} [limit] ms to wait for the answer
 * @returns {Promise<unknown>} what the module of the worker that answers this type says it is
 * @throws {Error} when it refuses, or does not answer in time
 */
export async function ask(type, more = {}, limit = LIMIT_MS) {
  const late = () => { throw new Error("the extension's worker does not answer"); };
  const reply = await within(chrome.runtime.sendMessage({ type, ...more }), limit, late);
  if (reply?.error) throw new Error(String(reply.error).replace(/^Error: /, ""));
  return reply;
}

/**
 * Hears what the worker says from now on, also after Chrome has started it anew.
 * @template Message
 * @param {string} name of the port
 * @param {(message: Message) => void} listener
 * @param {() => Promise<object|null>} [hello] what it is told of the page first; null: nothing
 */
export function listen(name, listener, hello) {
  // A missing id means that the extension was reloaded and this page is an orphan.
  if (!chrome.runtime?.id) return;
  const port = chrome.runtime.connect(undefined, { name });
  port.onMessage.addListener(listener);
  port.onDisconnect.addListener(() => {
    void chrome.runtime.lastError;
    setTimeout(listen, RETRY_MS, name, listener, hello);
  });
  // The port may be gone by then, and the next one says it again.
  void hello?.().then((message) => { if (message) port.postMessage(message); }).catch(() => {});
}
