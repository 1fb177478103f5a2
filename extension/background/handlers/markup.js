/** The document of a page as it stands: elements, attributes and texts. */
import { callAll, callWithDocument } from "../page/content-calls.js";
import { refNumber, resolve } from "../page/refs.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"markup.read">} Params */

/**
 * The first match of the selector: in the page itself, else in its frames.
 * @param {Params} params
 * @param {TabCall} call
 */
async function read({ selector, tabId: _, ...options }, call) {
  const tabId = call.tab.id;
  const found = await ask(tabId, selector, options, call);
  return found ? { tabId, found: true, ...found } : { tabId, found: false };
}

/**
 * @param {number} tabId @param {string|undefined} selector
 * @param {Omit<Params, "selector"|"tabId">} options @param {TabCall} call
 */
async function ask(tabId, selector, options, call) {
  if (selector !== undefined && refNumber(selector) !== null) {
    const { documentId, frameId, local } = await resolve(tabId, selector);
    return (await callWithDocument(tabId, { documentId, frameId }, "markup.read", { local, ...options }, call)).value;
  }
  const args = { ...(selector === undefined ? {} : { selector }), ...options };
  const { value } = await callWithDocument(tabId, { frameId: 0 }, "markup.read", args, call);
  if (value || selector === undefined) return value;
  return (await callAll(tabId, "markup.read", args, call)).find((answer) => answer.value)?.value;
}

/** @type {import("../../types").Handlers<"markup">} */
export const handlers = {
  "markup.read": read,
};
