/*
 * Memory of a page: its use, its objects by constructor, what has grown since the last look and what keeps it, and elements that
 * are in no document any more. Chrome keeps the HeapProfiler domain from extensions; the objects are those that
 * `Runtime.queryObjects` finds, and the references between them are read in the page. Only this summary leaves the page.
 */
import { internalOf, itemsOf } from "../debugger/remote-values.js";
import { getOrMake } from "../base/maps.js";
import { TabMap } from "../base/tabs.js";
import { makeQueue } from "../base/turns.js";
import { TabwireError, unsupported } from "../base/errors.js";
import { withDebugger } from "../debugger/attachment.js";
import { countObjects, keptPaths, ownFunctions } from "./heap-walk.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").HeapGroup} HeapGroup */
/** @typedef {import("../base/protocol-types").MemoryUse} Use */
/** @typedef {{document: string, use: Use, counts: Map<string, number>}} Look */
/** @import { Protocol, Send } from "../debugger/commands" */

const GROUP = "tabwire.memory";
const MAX_HEAP = 1024 * 1024 * 1024;
/** Functions whose variables are read; each takes a command of the debugger. */
const MAX_FUNCTIONS = 2_000;
const MAX_PATHS = 2;
const MAX_DETACHED = 6;
const MAX_LISTENERS = 1_000;
const FIRST = "there is no earlier call in this document to compare with: act now, and call again";
const PARTLY = "the heap is large: not all of it was walked through, and some paths are not known";
const MANY = `the variables of the first ${MAX_FUNCTIONS} functions were read: paths through others are not known`;

/** Tab → its looks, in turn: they share a group of objects. @type {TabMap<ReturnType<typeof makeQueue>>} */
const queues = new TabMap();
/** Tab → client → its last look. @type {TabMap<Map<string, Look>>} */
const looks = new TabMap();

/** @param {{since_last: boolean, max_groups: number}} wanted @param {TabCall} call */
export function memoryOf(wanted, call) {
  const tabId = call.tab.id;
  return getOrMake(queues, tabId, makeQueue)(() => withDebugger(tabId, call, async (send) => {
    try {
      return await lookAt(wanted, send, call);
    } finally {
      void send("Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
    }
  }));
}

/** @param {{since_last: boolean, max_groups: number}} wanted @param {Send} send @param {TabCall} call */
async function lookAt({ since_last: sinceLast, max_groups: most }, send, call) {
  const tabId = call.tab.id;
  const { frameTree: { frame: { loaderId } } } = await send("Page.getFrameTree");
  const objectId = await allObjects(send);
  /** @type {{groups: Array<[string, number]>, detached: number}} */
  const { groups, detached } = await run(send, objectId, countObjects);
  const use = { ...(await useOf(send)), objects: groups.reduce((sum, [, count]) => sum + count, 0), detached };
  const own = getOrMake(looks, tabId, () => new Map());
  const last = own.get(call.client.id);
  const before = sinceLast && last?.document === loaderId ? last : undefined;
  own.set(call.client.id, { document: loaderId, use, counts: new Map(groups) });
  const told = chosen(groups, before, most);
  const kept = await pathsOf(send, objectId, before ? told.map(({ name }) => name) : []);
  const notes = [...(sinceLast && !before ? [FIRST] : []), ...kept.notes];
  return {
    tabId, url: call.tab.url ?? "", use, ...(before && { before: before.use }),
    groups: told.map((group, at) => ({ ...group, ...(before && { kept: kept.paths[at].slice(0, MAX_PATHS) }) })),
    detached: kept.detached.slice(0, MAX_DETACHED), ...(notes.length && { notes }),
  };
}

/**
 * The largest groups, or those that have grown most.
 * @param {Array<[string, number]>} groups @param {Look|undefined} before @param {number} most
 */
function chosen(groups, before, most) {
  const addedTo = (/** @type {string} */ name, /** @type {number} */ count) => count - (before?.counts.get(name) ?? 0);
  const counted = groups.map(([name, count]) => ({ name, count, ...(before && { added: addedTo(name, count) }) }));
  return counted.filter(({ added = 1 }) => added > 0)
    .sort((one, other) => (other.added ?? other.count) - (one.added ?? one.count)).slice(0, most);
}

/** All objects of the page's own world that live after a garbage collection, as an array there. @param {Send} send */
async function allObjects(send) {
  const { usedSize } = await send("Runtime.getHeapUsage");
  if (usedSize > MAX_HEAP) throw unsupported(
    `the heap of the page has ${Math.round(usedSize / 1e6)} MB, and ${Math.round(MAX_HEAP / 1e6)} MB is the limit. ` +
    "Reload the page, repeat fewer of the acts and ask again");
  const { result } = await send("Runtime.evaluate", { expression: "Object.prototype", objectGroup: GROUP, silent: true });
  const { objects } = await send("Runtime.queryObjects", { prototypeObjectId: result.objectId ?? "", objectGroup: GROUP });
  return objects.objectId ?? "";
}

/** @param {Send} send @returns {Promise<Omit<Use, "objects"|"detached">>} */
async function useOf(send) {
  const { usedSize: heap } = await send("Runtime.getHeapUsage");
  await send("Performance.enable", {});
  const { metrics } = await send("Performance.getMetrics").finally(() => send("Performance.disable"));
  const { Documents: documents, Nodes: nodes, JSEventListeners: listeners } =
    /** @type {Record<string, number>} */ (Object.fromEntries(metrics.map(({ name, value }) => [name, value])));
  return { heap, documents, nodes, listeners };
}

/**
 * Runs a function of ours on an object of the page.
 * @param {Send} send @param {string} objectId @param {(this: any[], ...values: any[]) => unknown} what
 * @param {Protocol.Runtime.CallArgument[]} values
 */
async function run(send, objectId, what, values = []) {
  const { result, exceptionDetails } = await send("Runtime.callFunctionOn", {
    functionDeclaration: String(what), objectId, arguments: values, returnByValue: true, silent: true,
  });
  if (exceptionDetails) throw new TabwireError("unknown_error",
    `the objects of the page cannot be read (${exceptionDetails.exception?.description ?? exceptionDetails.text}); ` +
    "reload it and try again");
  return result.value;
}

/**
 * The ways to objects of some constructors and to detached elements.
 * @param {Send} send @param {string} objectId @param {string[]} names
 * @returns {Promise<{paths: Array<Array<{path: string, count: number}>>, notes: string[],
 *   detached: Array<{element: string, count: number, elements: number, path: string}>}>}
 */
async function pathsOf(send, objectId, names) {
  const functions = await functionsIn(send, objectId);
  const scopes = await Promise.all(functions.map(async (one) => (await internalOf(send, one, "[[Scopes]]"))?.objectId));
  const heard = await listenersIn(send);
  const { isWhole, ...found } = await run(send, objectId, keptPaths, [
    { value: names }, { value: heard.map(({ type }) => type) }, { value: functions.length },
    ...functions.map((one) => ({ objectId: one })), ...scopes.map((one) => (one ? { objectId: one } : { value: null })),
    ...heard.flatMap(({ target, handler }) => [{ objectId: target }, { objectId: handler }]),
  ]);
  return { ...found, notes: [...(isWhole ? [] : [PARTLY]), ...(functions.length < MAX_FUNCTIONS ? [] : [MANY])] };
}

/** @param {Send} send @param {string} objectId */
async function functionsIn(send, objectId) {
  const { result } = await send("Runtime.callFunctionOn", {
    functionDeclaration: String(ownFunctions), objectId, arguments: [{ value: MAX_FUNCTIONS }], objectGroup: GROUP, silent: true,
  });
  return (await itemsOf(send, result.objectId ?? "")).flatMap((item) => item?.objectId ?? []);
}

/** The listeners of the globals, which no property leads to. @param {Send} send */
async function listenersIn(send) {
  const heard = await Promise.all(["window", "document", "document.body"].map(async (expression) => {
    const { result: { objectId: target } } = await send("Runtime.evaluate", { expression, objectGroup: GROUP, silent: true });
    if (!target) return [];
    const { listeners } = await send("DOMDebugger.getEventListeners", { objectId: target });
    return listeners.flatMap(({ type, handler }) => (handler?.objectId ? [{ type, target, handler: handler.objectId }] : []));
  }));
  return heard.flat().slice(0, MAX_LISTENERS);
}
