/* Console messages as they come: those after a number, in the order in which they came, waited for by events. */
import { bufferOf, onLogged } from "./log.js";
import { tellEach } from "./report.js";
import { untilNews } from "../tabs/tab-news.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../debugger/console-entries.js").Entry} Entry */
/** @typedef {import("../base/protocol-types").Params<"script.console">} Params */

const MAX_CHARS = 200_000;

/** The first entries that fit into a reply. @param {Entry[]} entries @param {number} most */
function fitting(entries, most) {
  let chars = 0;
  const over = entries.findIndex(({ text, stack = [] }) => (chars += text.length + stack.join().length) > MAX_CHARS);
  return entries.slice(0, Math.min(most, over < 0 ? most : Math.max(1, over)));
}

/**
 * @param {Params & {after: number}} params after: 0 only tells the number of the newest message
 * @param {TabCall} call
 */
export async function messagesAfter(params, call) {
  const tabId = call.tab.id;
  const left = untilNews(params, call);
  let last = params.after;
  for (;;) {
    const log = bufferOf(tabId);
    if (!log || !last) return { tabId, messages: [], last: log?.last ?? last, buffering: log !== null };
    const fresh = fitting(log.after(last), params.max_messages);
    const dropped = Math.max(0, log.lastDropped - last);
    if (fresh.length) {
      last = fresh.at(-1)?.n ?? last;
      const told = await tellEach(fresh, params, call);
      if (told.messages.length) return { tabId, ...told, last, buffering: true, ...(dropped && { dropped }) };
    } else if (!(await left((listener) => onLogged(tabId, listener)))) {
      return { tabId, messages: [], last, buffering: true, ...(dropped && { dropped }) };
    }
  }
}
