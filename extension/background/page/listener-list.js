/*
 * All listeners of a tab as the debugger lists them, and telling them to the content scripts: the list names nodes by
 * numbers that only the debugger knows, so each element found gets an event in its page that the content script sees.
 * Listeners that were told before are not told again.
 */
import { TabMap } from "../base/tabs.js";
import { inEachProcess } from "../documents/execution-context.js";

/** @typedef {import("../debugger/commands").Send} Send */
/** @typedef {Map<number, string>} Types number of the node → types */

const TYPES = new Set(("click dblclick mousedown mouseup pointerdown pointerup touchstart touchend " +
  "contextmenu mouseenter mouseover pointerenter pointerover dragstart dragover drop").split(" "));
/** The root of a framework listens to everything there is. */
const MAX_TYPES = 20;
/** Most changes told at once: each costs a command, and the rest comes with the next snapshot. */
const MAX_TOLD = 600;
/** Mostly elements that were removed, with which nothing is wrong. */
const MAX_GONE = 50;
const GROUP = "listeners";

/** Tab → process → what its content scripts were told. @type {TabMap<Map<string, Types>>} */
const told = new TabMap();

/** @param {Array<{backendNodeId?: number, type: string}>} listeners @returns {Types} */
function typesByNode(listeners) {
  /** @type {Map<number, Set<string>>} */
  const all = new Map();
  for (const { backendNodeId, type } of listeners) {
    if (!backendNodeId) continue;
    all.set(backendNodeId, (all.get(backendNodeId) ?? new Set()).add(type));
  }
  const found = new Map();
  for (const [node, types] of all) {
    const telling = [...types].filter((type) => TYPES.has(type)).sort();
    if (telling.length && types.size <= MAX_TYPES) found.set(node, telling.join(" "));
  }
  return found;
}

/** Tab → the debugger's name for the document in it. @type {TabMap<string>} */
const documents = new TabMap();
chrome.webNavigation.onCommitted.addListener(({ tabId, frameId }) => {
  if (frameId === 0) documents.delete(tabId);
});

/** @param {Send} send */
async function listed(send) {
  const objectId = await documentOf(send);
  const listeners = await listenersOf(send, objectId);
  send("Runtime.releaseObject", { objectId }).catch(() => {});
  return listeners;
}

/** Lists listeners with one command instead of two while document and debugger stay. @param {number} tabId @param {Send} send */
async function listedAgain(tabId, send) {
  const held = documents.get(tabId);
  const listeners = held && (await listenersOf(send, held).catch(() => null));
  if (listeners) return listeners;
  const objectId = await documentOf(send);
  documents.set(tabId, objectId);
  return listenersOf(send, objectId);
}

/**
 * The debugger's name for the document, in no group of objects: with a group Chrome would name each listener's function as well,
 * which takes three times as long as the list.
 * @param {Send} send
 */
async function documentOf(send) {
  const { result } = await send("Runtime.evaluate", { expression: "document", silent: true });
  return /** @type {string} */ (result.objectId);
}

/** @param {Send} send @param {string} objectId */
async function listenersOf(send, objectId) {
  const { listeners } = await send("DOMDebugger.getEventListeners", { objectId, depth: -1, pierce: true });
  return typesByNode(listeners);
}

/**
 * Runs in the page, on elements of one document. Tells which elements' events nobody took.
 * @param {string} name @param {string[]} types @param {Node[]} elements
 */
function dispatch(name, types, ...elements) {
  // The fields of a form hide its own members.
  const rootOf = (/** @type {Node} */ node) => /** @type {ShadowRoot} */ (Node.prototype.getRootNode.call(node));
  const localName = /** @type {() => string} */ (Object.getOwnPropertyDescriptor(Element.prototype, "localName")?.get);
  // An event from a closed tree would seem to come from its host.
  /** @type {(root: ShadowRoot) => boolean} */
  const isOpen = ({ host, mode }) => !host || (mode === "open" && isOpen(rootOf(host)));
  return elements.map((element, index) => {
    if (!(element instanceof Element) || ["body", "html"].includes(localName.call(element))) return false;
    if (!isOpen(rootOf(element))) return false;
    const event = new CustomEvent(name, { cancelable: true, composed: true, detail: types[index] });
    return EventTarget.prototype.dispatchEvent.call(element, event);
  });
}

/** Elements of one document can go in one call: the middle of an object id tells its context. */
const contextOf = (/** @type {string} */ objectId) => objectId.split(".")[1] ?? "";

/** @typedef {{entry: [number, string], objectId: string}} Resolved */

/** @param {Send} send @param {Array<[number, string]>} entries @returns {Promise<Resolved[][]>} */
async function resolved(send, entries) {
  const nodes = await Promise.all(entries.map(([backendNodeId]) =>
    send("DOM.resolveNode", { backendNodeId, objectGroup: GROUP }).catch(() => null)));
  const found = entries.flatMap((entry, index) => {
    const objectId = nodes[index]?.object?.objectId;
    return objectId ? [{ entry, objectId }] : [];
  });
  return [...Map.groupBy(found, ({ objectId }) => contextOf(objectId)).values()];
}

/**
 * @param {Send} send @param {string} name @param {Resolved[]} group of one context
 * @returns {Promise<Array<[number, string]>>} what was heard
 */
async function tellGroup(send, name, group) {
  const { result } = await send("Runtime.callFunctionOn", {
    functionDeclaration: String(dispatch),
    objectId: group[0].objectId,
    arguments: [{ value: name }, { value: group.map(({ entry }) => entry[1]) }, ...group.map(({ objectId }) => ({ objectId }))],
    silent: true,
    returnByValue: true,
  });
  return group.filter((_, index) => !result.value?.[index]).map(({ entry }) => entry);
}

/**
 * @param {Send} send @param {string} name @param {Array<[number, string]>} entries
 * @returns {Promise<Array<[number, string]>>} the entries that were heard
 */
async function tell(send, name, entries) {
  const groups = await resolved(send, entries);
  const heard = await Promise.all(groups.map((group) => tellGroup(send, name, group).catch(() => [])));
  send("Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
  return heard.flat();
}

/**
 * Differences from the listeners told before; no types: no longer listened on.
 * @param {Types} before @param {Types} now
 * @returns {Array<[number, string]>}
 */
function changes(before, now) {
  const news = [...now].filter(([node, types]) => before.get(node) !== types);
  const gone = [...before.keys()].filter((node) => !now.has(node)).map((node) => /** @type {[number, string]} */ ([node, ""]));
  return [...news.slice(0, MAX_TOLD), ...gone.slice(0, MAX_GONE)];
}

/**
 * Tells the content scripts of a tab which elements are listened on, as far as that is news.
 * @param {number} tabId
 * @param {Send} send
 * @param {string} name of the events
 * @param {number} [frames] how many there are
 * @returns {Promise<boolean>} whether there was anything new
 */
export async function tellListeners(tabId, send, name, frames) {
  const before = told.get(tabId) ?? new Map();
  /** @type {Map<string, Types>} */
  const after = new Map();
  told.set(tabId, after);
  const context = { name, before, after };
  const isNew = frames !== undefined && frames > 1
    ? await inEachProcess(tabId, send, async (/** @type {Send} */ sendThere, /** @type {string} */ process) =>
      tellProcess(sendThere, process, await listed(sendThere), context))
    : [await tellProcess(send, "", await listedAgain(tabId, send), context)];
  return isNew.some(Boolean);
}

/**
 * @param {Send} send @param {string} process @param {Types} now
 * @param {{name: string, before: Map<string, Types>, after: Map<string, Types>}} context
 */
async function tellProcess(send, process, now, { name, before, after }) {
  /** @type {Types} */
  const known = before.get(process) ?? new Map();
  const news = changes(known, now);
  const next = new Map([...known].filter(([node]) => now.has(node)));
  after.set(process, next);
  if (!news.length) return false;
  const heard = await tell(send, name, news);
  for (const [node, types] of heard) if (types) next.set(node, types);
  return heard.length > 0;
}
