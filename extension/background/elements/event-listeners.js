/*
 * Listeners that hear the events of an element: on it and on all that its events come by, with the places of their functions in
 * the sources, and the handlers of frameworks behind them.
 */
import { internalOf, inWorld, itemsOf } from "../debugger/remote-values.js";
import { watchErrors } from "../page/error-watch.js";
import { watchListeners } from "../page/listener-watch.js";
import { withScripts } from "../sources/parsed-scripts.js";
import { Positions } from "../sources/positions.js";
import { frameworkHandlers } from "./framework-handlers.js";
import { askedElement, withHeld } from "./held-element.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("./held-element.js").Held} Held */
/** @typedef {import("../base/protocol-types").ToldListener} Told */
/** @import { Protocol } from "../debugger/commands" */
/** @typedef {Pick<Protocol.DOMDebugger.EventListener, "scriptId"|"lineNumber"|"columnNumber">} Location */
/** @typedef {{target: string, types: string[], options: string[], framework?: string, location: Location}} Listener */
/** @typedef {{objectId: string, name: string, isNode: boolean}} Target */
/** @typedef {import("../base/protocol-types").Params<"elements.event_listeners">} Wanted */

/** Own lines of the source that are told in one reply. */
const MAX_LINES = 30;
const MAX_LINE = 100;
/** Watchers of the extension in the page's own world, whose listeners are not the page's. */
const WATCHERS = [watchListeners, watchErrors].map(String);

/** @param {Wanted} wanted @param {TabCall} call */
export async function listenersOf(wanted, call) {
  const tabId = call.tab.id;
  const { where, facts: { element, path } } = await askedElement(wanted, "elements.path", call);
  return withHeld(where, call, (held, sendToTab) => withScripts(tabId, sendToTab, async (scripts, documents) => {
    const targets = await targetsOf(held, path);
    const heard = (await Promise.all(targets.map((target) => heardBy(held, target)))).flat();
    const own = await withoutOurs(heard, scripts, held);
    const noted = await notedBy(held, targets);
    const all = joined([...own, ...noted].filter(typesWanted(wanted.types)))
      .sort((one, other) => orderOf(targets, one) - orderOf(targets, other));
    const shown = all.slice(wanted.offset, wanted.offset + wanted.max_listeners);
    const positions = await Positions.among(scripts, documents, call);
    const listeners = await toldAll(shown, held.session, positions);
    const more = all.length - wanted.offset - shown.length;
    return {
      tabId, ref: where.ref, element, total: all.length, listeners, ...(more > 0 && { more }),
      ...(positions.notes.length && { notes: positions.notes }),
    };
  }, held.documents));
}

/** Number of the target of a listener, the element itself first. @param {Target[]} targets @param {Listener} listener */
const orderOf = (targets, { target }) => targets.findIndex(({ name }) => name === target);

/** @param {string[]|undefined} types @returns {(listener: Listener) => boolean} */
const typesWanted = (types) => ({ types: [type] }) => {
  if (!types) return true;
  const plain = type.replace(/^on:?|(Capture|Once|Passive)+$| for .*$/g, "").toLowerCase();
  return types.some((wanted) => wanted.toLowerCase() === plain);
};

/**
 * Nodes and globals that the events of the element come by, as objects of the page's own world: the debugger tells the listeners
 * of the world that an object is of.
 * @param {Held} held @param {string[]} path names of the nodes
 * @returns {Promise<Target[]>}
 */
async function targetsOf({ send, objectIds, page, objectGroup }, path) {
  const nodes = await Promise.all(objectIds.map(async (objectId, at) => (
    { objectId: await inWorld(send, objectId, page, objectGroup) ?? "", name: path[at] ?? "", isNode: true })));
  const globals = await Promise.all(["document", "window"].map(async (name) => {
    const { result } = await send("Runtime.evaluate", { expression: name, contextId: page, objectGroup, silent: true });
    return { objectId: result.objectId ?? "", name, isNode: false };
  }));
  return [...nodes, ...globals].filter(({ objectId }) => objectId);
}

/** @param {Held} held @param {Target} target @returns {Promise<Listener[]>} */
async function heardBy({ send }, { objectId, name: target }) {
  const { listeners } = await send("DOMDebugger.getEventListeners", { objectId });
  return listeners.map(({ type, useCapture, passive, once, ...location }) => ({
    target, types: [type], location,
    options: Object.entries({ capture: useCapture, passive, once }).filter(([, isSet]) => isSet).map(([name]) => name),
  }));
}

/** @param {Listener[]} listeners @param {Script[]} scripts @param {Held} held */
async function withoutOurs(listeners, scripts, { send, session }) {
  // What the extension runs in the page has no address, as what scripts of the page evaluate.
  const unnamed = scripts.filter((script) => script.session === session && !script.url).map(({ scriptId }) => scriptId);
  const cited = [...new Set(listeners.map(({ location }) => location.scriptId))].filter((id) => unnamed.includes(id));
  const ours = await Promise.all(cited.map(async (scriptId) => {
    const { scriptSource } = await send("Debugger.getScriptSource", { scriptId });
    return WATCHERS.some((watcher) => scriptSource.includes(watcher)) ? scriptId : "";
  }));
  return listeners.filter(({ location }) => !ours.includes(location.scriptId));
}

/** Handlers of frameworks on the nodes. @param {Held} held @param {Target[]} targets @returns {Promise<Listener[]>} */
async function notedBy({ send, page, objectGroup }, targets) {
  const nodes = targets.filter(({ isNode }) => isNode);
  const { result, exceptionDetails } = await send("Runtime.callFunctionOn", {
    functionDeclaration: String(frameworkHandlers), executionContextId: page, objectGroup, silent: true,
    arguments: nodes.map(({ objectId }) => ({ objectId })),
  });
  if (exceptionDetails || !result.objectId) return [];
  const values = await itemsOf(send, result.objectId);
  const found = await Promise.all(values.filter((_, at) => at % 4 === 3).map(async (handler, at) => {
    const [number, framework, name] = values.slice(at * 4).map((value) => value?.value);
    const location = handler?.objectId && (await internalOf(send, handler.objectId, "[[FunctionLocation]]"))?.value;
    const target = nodes[number]?.name ?? "";
    return location ? [{ target, types: [String(name)], options: [], framework: String(framework), location }] : [];
  }));
  return found.flat();
}

/** Joins listeners that differ in their types alone, as those of the root of a framework do. @param {Listener[]} listeners */
function joined(listeners) {
  const groups = Map.groupBy(listeners, ({ target, options, framework = "", location }) =>
    [target, framework, ...options, location.scriptId, location.lineNumber, location.columnNumber].join("\n"));
  return [...groups.values()].map((same) => ({ ...same[0], types: [...new Set(same.flatMap(({ types }) => types))] }));
}

/** @param {Listener[]} listeners @param {string|undefined} session @param {Positions} positions @returns {Promise<Told[]>} */
async function toldAll(listeners, session, positions) {
  let left = MAX_LINES;
  return Promise.all(listeners.map(async ({ location: { scriptId, lineNumber, columnNumber }, ...listener }) => {
    const url = positions.scripts.find((one) => one.scriptId === scriptId && one.session === session)?.url ?? "";
    const placed = await positions.place({ name: "", url, line: lineNumber, column: columnNumber, scriptId, session });
    const { place, built, library } = placed.told;
    const isOwn = !library && left-- > 0;
    const excerpt = isOwn ? await positions.excerpt(placed) : undefined;
    const text = excerpt?.lines.find(({ number }) => number === excerpt.line)?.text.trim().slice(0, MAX_LINE);
    return { ...listener, place, ...(built && { built }), ...(library && { library }), ...(text && { text }) };
  }));
}
