/*
 * References of elements that console messages hold. The debugger's objects and the content scripts do not know each other: the
 * debugger hands each element to the isolated world of its document, and the content script there gives it its number.
 */
import { contextOf, inWorld } from "../debugger/remote-values.js";
import { senderOf } from "../debugger/child-sessions.js";
import { callAll } from "../page/content-calls.js";
import { publishAnswer } from "../page/refs.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../debugger/shown-values.js").NodeRef} NodeRef */
/** @typedef {import("./log.js").Context} Context */

const MAX_NODES = 60;

/** Runs in the isolated world. @this {Node} @param {number} key */
function mark(key) {
  (globalThis.__tabwireElements ??= new Map()).set(key, this);
}

/** Puts the content scripts into all frames, so that their contexts are known. @param {TabCall} call */
export const prepareRefs = (call) => callAll(call.tab.id, "elements.marked", {}, call);

/**
 * @param {NodeRef[]} nodes
 * @param {Context[]} contexts of the tab
 * @param {TabCall} call
 * @returns {Promise<Map<NodeRef, string>>} "@eN" of those that are in the page and may be read
 */
export async function refsOf(nodes, contexts, call) {
  const tabId = call.tab.id;
  const asked = nodes.slice(0, MAX_NODES);
  if (!asked.length) return new Map();
  await Promise.allSettled(asked.map((node, key) => hand(tabId, node, key, contexts)));
  const answers = await callAll(tabId, "elements.marked", {}, call);
  const named = await Promise.all(answers.map(async (answer) => {
    if (!answer.value?.length) return [];
    /** @type {Array<{key: number, ref: string}>} */
    const published = await publishAnswer(tabId, answer, answer.value);
    return published.map(({ key, ref }) => /** @type {[NodeRef, string]} */ ([asked[key], ref]));
  }));
  return new Map(named.flat());
}

/** @param {number} tabId @param {NodeRef} node @param {number} key @param {Context[]} contexts */
async function hand(tabId, { objectId, session }, key, contexts) {
  const send = senderOf(tabId, session);
  const world = contextOf(objectId);
  const ofSession = contexts.filter((one) => one.session === session).map(({ context }) => context);
  const frame = ofSession.findLast(({ id }) => id === world)?.auxData?.frameId;
  const ours = ofSession.findLast(({ auxData, origin }) =>
    !auxData?.isDefault && auxData?.frameId === frame && origin.includes(chrome.runtime.id));
  if (!frame || !ours) return;
  const own = await inWorld(send, objectId, ours.id);
  await send("Runtime.callFunctionOn", {
    objectId: own, functionDeclaration: String(mark), arguments: [{ value: key }], silent: true,
  });
}
