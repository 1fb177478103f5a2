/*
 * An element that a selector means, for the debugger: content scripts find it and hold it in their world of its document, and the
 * debugger takes it from there, in whatever process that is.
 */
import { itemsOf } from "../debugger/remote-values.js";
import { withDebugger } from "../debugger/attachment.js";
import { inContexts } from "../documents/execution-context.js";
import { inPage, locate } from "../page/element-lookup.js";
import { publishAnswer } from "../page/refs.js";
import { navigatedAway } from "../base/errors.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @typedef {import("../documents/execution-context.js").Pair} Pair */
/** @import { Send } from "../debugger/commands" */
/**
 * @typedef {object} Held
 * @property {Send} send commands for the process of the element
 * @property {string|undefined} session of that process; undefined: the tab's own
 * @property {string[]} objectIds of the element and those around it, as objects of our world
 * @property {number} page context of the page's own scripts
 * @property {string} objectGroup of objects that last as long as the hold
 * @property {import("../debugger/script-pauses.js").KnownDocuments} documents of the tab
 */

const TAKEN = `(() => {
  const held = Object.hasOwn(globalThis, "__tabwireElements") ? [...globalThis.__tabwireElements.values()] : [];
  delete globalThis.__tabwireElements;
  return held;
})()`;

/**
 * Finds an element and asks its document about it; references in the answer are public.
 * @param {{selector: string, frameId?: number, timeout?: number}} wanted @param {string} name of the content function
 * @param {TabCall} call
 */
export async function askedElement({ selector, frameId, timeout }, name, call) {
  const where = await locate(selector, { frameId, timeout }, call);
  return { where, facts: await publishAnswer(call.tab.id, where.frame, await inPage(call, where, name)) };
}

/**
 * Runs `work` with the debugger's objects of an element that a content script has just held.
 * @template T
 * @param {Located} where @param {TabCall} call @param {(held: Held, sendToTab: Send) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withHeld(where, call, work) {
  const tabId = call.tab.id;
  const { frameId } = where.frame;
  const objectGroup = crypto.randomUUID();
  return withDebugger(tabId, call, (sendToTab) => inContexts(tabId, frameId, sendToTab, async (send, contexts) => {
    const { own, page, documents } = contexts;
    try {
      const objectIds = await takenFrom(send, own.context.id, objectGroup);
      const { sessionId: session, context: { id } } = page;
      return await work({ send, session, objectIds, page: id, objectGroup, documents }, sendToTab);
    } finally {
      void send("Runtime.releaseObjectGroup", { objectGroup }).catch(() => {});
    }
  }, call));
}

/** @param {Send} send @param {number} contextId @param {string} objectGroup */
async function takenFrom(send, contextId, objectGroup) {
  const { result } = await send("Runtime.evaluate", { expression: TAKEN, contextId, objectGroup, silent: true });
  const objectIds = (await itemsOf(send, /** @type {string} */ (result.objectId))).map((item) => item?.objectId ?? "");
  if (objectIds.length && objectIds.every(Boolean)) return objectIds;
  throw navigatedAway("the page was replaced while its element was looked at; take a new snapshot");
}
