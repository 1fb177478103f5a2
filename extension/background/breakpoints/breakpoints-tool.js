/** Breakpoints are set, removed and listed. What cannot be set changes nothing. */
import { invalid, said } from "../base/errors.js";
import { lookClosely } from "../console/log.js";
import { withDebugger } from "../debugger/attachment.js";
import { childrenOf, senderOf } from "../debugger/child-sessions.js";
import { withRuntime } from "../documents/runtime-domain.js";
import { keeperOf } from "../debugger/script-pauses.js";
import { askedElement, withHeld } from "../elements/held-element.js";
import { withScripts } from "../sources/parsed-scripts.js";
import { readablePositions, sourcesOf } from "../sources/source-list.js";
import { apply, lift } from "./breakpoint-commands.js";
import { noteOn, placeAtLine, placeOfText } from "./breakpoint-places.js";
import { EVENTS } from "./event-names.js";
import { cool } from "./hot-conditions.js";
import { dropKept, endingOf, keptIn, withKept } from "./kept-breakpoints.js";
import { unobserved } from "../rules/call-parts.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"breakpoints.breakpoints">} Wanted */
/** @typedef {import("../base/protocol-types").ToldBreakpoint} Told */
/** @typedef {import("./breakpoint-commands.js").Breakpoint} Breakpoint */
/** @typedef {import("./kept-breakpoints.js").Kept} Kept */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("../sources/parsed-scripts.js").KnownDocuments} KnownDocuments */
/** @typedef {import("../sources/source-list.js").Source} Source */
/** @typedef {Pick<Breakpoint, "kind"|"what"> & Partial<Breakpoint> & {notes?: string[]}} Draft */

const MAX_BREAKPOINTS = 50;
const ELEMENT_MS = 3_000;
/** Logged lines of a breakpoint that one reply tells. */
const TOLD_LOGS = 20;

/** @type {Record<NonNullable<Wanted["change"]>, {type: "subtree-modified"|"attribute-modified"|"node-removed", what: string}>} */
const CHANGES = {
  subtree: { type: "subtree-modified", what: "change below" },
  attributes: { type: "attribute-modified", what: "change of an attribute of" },
  removal: { type: "node-removed", what: "removal of" },
};

/** @param {Wanted} wanted @param {TabCall} call */
export async function breakpoints(wanted, call) {
  const tabId = call.tab.id;
  const change = { set: add, remove, list: async () => ({}) }[wanted.action];
  const changed = await change(wanted, call);
  const kept = keptIn(tabId);
  const ended = kept ? undefined : endingOf(tabId);
  return {
    tabId, breakpoints: [...(kept?.breakpoints.values() ?? [])].map(told), ...changed, ...(kept && { max_pause: kept.maxPause }),
    ...(kept?.pause && { paused: kept.pause.message }), ...(ended && { ended }),
  };
}

/** @param {Breakpoint} one @returns {Told} */
function told({ id, kind, what, built, text, condition, log, hits, logged, problem }) {
  const more = logged.length - TOLD_LOGS;
  return {
    id, kind, what, hits,
    ...(built && { built }), ...(text && { line: text }), ...(condition && { condition }), ...(log && { log }),
    ...(logged.length && { logged: logged.slice(-TOLD_LOGS) }), ...(more > 0 && { logged_more: more }),
    ...(problem && { problem }),
  };
}

/** @param {Wanted} wanted @param {TabCall} call */
async function add(wanted, call) {
  await assertReads(wanted, call);
  const before = keptIn(call.tab.id);
  if ((before?.breakpoints.size ?? 0) >= MAX_BREAKPOINTS)
    throw invalid(`a tab has at most ${MAX_BREAKPOINTS} breakpoints; remove some first`);
  const { notes = [], ...draft } = await draftOf(wanted, call);
  const twin = [...(before?.breakpoints.values() ?? [])].find((one) => isSame(one, draft));
  if (twin) throw invalid(`breakpoint ${twin.id} is the same (${twin.what}); remove it first to set it with other options`);
  return withKept(call, async (kept) => {
    const { condition, log } = wanted;
    /** @type {Breakpoint} */
    const one = {
      ...draft, id: kept.last + 1, condition, log, hits: 0, logged: [], engineIds: new Set(), misses: new Map(), quick: new Map(),
    };
    kept.take(call);
    // Frames and workers may hit it before all of them have it.
    kept.breakpoints.set(one.id, one);
    await (wanted.element === undefined ? applyAll(one, call.tab.id) : watchElement(one, wanted, call)).catch((error) => {
      kept.breakpoints.delete(one.id);
      throw error;
    });
    kept.last = one.id;
    kept.maxPause = wanted.max_pause;
    kept.touch();
    return { added: one.id, ...(notes.length && { notes }) };
  });
}

/** @param {Breakpoint} one @param {Draft} other */
const isSame = (one, other) => (one.location || other.location
  ? JSON.stringify(one.location) === JSON.stringify(other.location)
  : one.kind === other.kind && (one.kind === "exceptions" || (one.kind !== "element" && one.name === other.name)));

/**
 * The tab's own session says whether it can be set; frames and workers take what they know.
 * @param {Breakpoint} one @param {number} tabId
 */
async function applyAll(one, tabId) {
  await apply(senderOf(tabId, undefined), one).catch((error) => {
    const why = said(/"message":"([^"]*)"/.exec(error.message)?.[1] ?? error.message);
    throw invalid(`Chrome does not set this breakpoint: ${why}; nothing was changed: choose another place`);
  });
  await Promise.allSettled(childrenOf(tabId).map(([session]) => apply(senderOf(tabId, session), one)));
}

/** Throws where a condition or a log is no expression. Nothing of it runs. @param {Wanted} wanted @param {TabCall} call */
async function assertReads({ condition, log }, call) {
  for (const [name, text] of Object.entries({ condition, log })) {
    if (text === undefined) continue;
    const asked = { expression: `(\n${text}\n)`, sourceURL: "", persistScript: false };
    const { exceptionDetails } = await withDebugger(call.tab.id, call, (send) =>
      withRuntime(call.tab.id, send, () => send("Runtime.compileScript", asked)));
    const why = exceptionDetails?.exception?.description?.split("\n")[0];
    if (exceptionDetails) throw invalid(`${name}: it is no expression (${said(why ?? exceptionDetails.text)}); correct it`);
  }
}

/** @param {Wanted} wanted @param {TabCall} call @returns {Promise<Draft>} */
async function draftOf(wanted, call) {
  const { event, exceptions, request, element, change } = wanted;
  if (event !== undefined) return eventDraft(event);
  if (exceptions)
    return { kind: "exceptions", name: exceptions, what: exceptions === "all" ? "every exception" : "uncaught exceptions" };
  if (request !== undefined) {
    const what = request ? `fetch or XMLHttpRequest to an address with ${request}` : "every fetch or XMLHttpRequest";
    return { kind: "request", name: request, what };
  }
  if (element !== undefined && change) return { kind: "element", what: `${CHANGES[change].what} ${element}` };
  return withSources(call, (all) => placeDraft(wanted, all, call));
}

/** @param {Wanted} wanted @param {Source[]} all @param {TabCall} call @returns {Promise<Draft>} */
async function placeDraft({ source, line, column, text }, all, call) {
  const place = text !== undefined ? await placeOfText(all, { text, source }, call)
    : await placeAtLine(all, { source: source ?? "", line: line ?? 1, column }, call);
  const { statement, source: { script, told: { source: name, kind, built } } } = place;
  const shown = kind === "inline" ? name.replace(/:\d+:\d+$/, "") : name;
  return {
    kind: text !== undefined ? "text" : "line", what: `${shown}:${place.line}:${statement.at}`, text: place.text,
    ...(built && { built: `${built}:${statement.line + 1}:${statement.column + 1}` }),
    location: { url: script.url, lineNumber: statement.line, columnNumber: statement.column }, notes: await noteOn(place),
  };
}

/**
 * Runs `work` with the sources of a tab that may be told.
 * @template T
 * @param {TabCall} call @param {(all: Source[]) => Promise<T>} work
 * @returns {Promise<T>}
 */
function withSources(call, work) {
  const tabId = call.tab.id;
  /** @param {Script[]} scripts @param {KnownDocuments} documents */
  const read = async (scripts, documents) => work(await sourcesOf((await readablePositions(scripts, documents, call)).positions));
  // A look at the console takes the objects of a paused page away.
  if (keeperOf(tabId)) return withDebugger(tabId, call, (send) => withScripts(tabId, send, read));
  return lookClosely(tabId, call, (log, send) => withScripts(tabId, send, read, log.documents));
}

/** @param {string} name @returns {Draft} */
function eventDraft(name) {
  const draft = { kind: /** @type {const} */ ("event"), name, what: `event ${name}` };
  if (EVENTS.has(name)) return draft;
  const bare = name.replace(/^on/, "").toLowerCase();
  const meant = [...EVENTS].find((one) => one.toLowerCase() === bare) ?? [...EVENTS].find((one) => isNear(one, name));
  if (meant) throw invalid(`event: no event is called ${name}; ${meant} is one`);
  const note = `${name} is no event of the browser: it pauses where a listener hears an event of the page with this name`;
  return { ...draft, notes: [note] };
}

/** Whether two names differ by one letter, as misspelt ones do. @param {string} one @param {string} other */
function isNear(one, other) {
  if (Math.abs(one.length - other.length) > 1 || other.length < 4) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return rest.slice(1) === otherRest.slice(1) || rest === otherRest.slice(1) || rest.slice(1) === otherRest ||
    rest.slice(0, 2) === [...otherRest.slice(0, 2)].reverse().join("") && rest.slice(2) === otherRest.slice(2);
}

/** @param {Breakpoint} one @param {Wanted} wanted @param {TabCall} call */
async function watchElement(one, { element = "", change = "subtree", frameId }, call) {
  const reading = unobserved(call);
  const { where, facts } = await askedElement({ selector: element, frameId, timeout: ELEMENT_MS }, "elements.path", reading);
  await withHeld(where, reading, async ({ send, session, objectIds: [objectId] }) => {
    await send("DOM.enable");
    await send("DOM.getDocument", { depth: 0 });
    const { nodeId } = await send("DOM.requestNode", { objectId });
    const { type, what } = CHANGES[change];
    await send("DOMDebugger.setDOMBreakpoint", { nodeId, type });
    Object.assign(one, { node: { session, nodeId, type }, what: `${what} ${facts.element}` });
  });
}

/** @param {Wanted} wanted @param {TabCall} call */
async function remove({ id }, call) {
  const kept = keptIn(call.tab.id);
  const found = [...(kept?.breakpoints.values() ?? [])].filter((one) => id === undefined || one.id === id);
  if (id !== undefined && !found.length)
    throw invalid(`id: the tab has no breakpoint ${id} (any more); call breakpoints for those that there are`);
  if (kept) await takeOut(kept, found);
  if (kept && !kept.breakpoints.size && !kept.first) await dropKept(call);
  return { removed: found.map(({ id: number }) => number) };
}

/** @param {Kept} kept @param {Breakpoint[]} found */
async function takeOut(kept, found) {
  for (const one of found) {
    kept.breakpoints.delete(one.id);
    kept.lifting.add(one);
    cool(kept, one);
  }
  await Promise.all(kept.sessions.map((session) => {
    const here = found.filter(({ node }) => !node || node.session === session);
    return Promise.allSettled(here.map((one) => lift(senderOf(kept.tabId, session), one)));
  }));
  for (const one of found) kept.lifting.delete(one);
}
