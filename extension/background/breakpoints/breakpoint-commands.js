/** Breakpoints as commands of the debugger, and the pauses that they make. */

/** @import { EventParams, Send } from "../debugger/commands" */
/** @typedef {EventParams<"Debugger.paused">} PausedParams */
/** @typedef {import("../base/protocol-types").ToldBreakpoint["kind"]} Kind */
/** @typedef {"subtree-modified"|"attribute-modified"|"node-removed"} Change */
/**
 * A breakpoint. location: that of a statement; name: of the event, or the state of exceptions, or a part of an address; misses:
 * session → pauses for which its condition was false; quick: session → what is set in single scripts there
 * @typedef {object} Breakpoint
 * @property {number} id
 * @property {Kind} kind
 * @property {string} what in words
 * @property {string} [built]
 * @property {string} [text]
 * @property {{url: string, lineNumber: number, columnNumber: number}} [location]
 * @property {Set<string>} engineIds that the sessions have given it: a page and a worker call the same place differently
 * @property {string} [name]
 * @property {{session: string|undefined, nodeId: number, type: Change}} [node]
 * @property {string} [condition]
 * @property {string} [log]
 * @property {number} hits
 * @property {string[]} logged
 * @property {string} [problem]
 * @property {Map<string|undefined, number>} misses
 * @property {Map<string|undefined, SetInScript[]>} quick
 */
/**
 * A breakpoint in one script. isDecided: whether the engine decides about the condition
 * @typedef {{scriptId: string, engineId: string, isDecided: boolean}} SetInScript
 */

/**
 * The state of a session in which the engine decides about conditions. contexts: those known at the start; a new one means a new
 * document
 * @typedef {{instrumentationId: string, contexts: Set<number>, ones: Set<Breakpoint>}} Quick
 */
/**
 * The breakpoints of a tab. call: what is allowed is allowed for it; stepping: sessions in which a step is under way
 * @typedef {object} Breakpoints
 * @property {number} tabId
 * @property {import("../../types").TabCall} call
 * @property {Map<number, Breakpoint>} breakpoints
 * @property {Set<Breakpoint>} lifting those that are being removed: scripts that hit one run on
 * @property {import("../debugger/script-pauses.js").KnownScript[]} scripts
 * @property {import("../documents/documents.js").Documents} documents
 * @property {Set<string|undefined>} stepping
 * @property {Map<string|undefined, Quick>} quick
 * @property {Array<string|undefined>} sessions the tab's own first
 */

/** @param {Breakpoint} one */
const nameOf = ({ name = "" }) => name;

/** @type {Record<Kind, (send: Send, one: Breakpoint) => Promise<unknown>>} */
const SET = {
  line: place,
  text: place,
  event: (send, one) => send("DOMDebugger.setEventListenerBreakpoint", { eventName: nameOf(one) }),
  request: (send, one) => send("DOMDebugger.setXHRBreakpoint", { url: nameOf(one) }),
  exceptions: (send, one) => send("Debugger.setPauseOnExceptions", { state: /** @type {"all"|"uncaught"} */ (nameOf(one)) }),
  // Set where its element is.
  element: async () => {},
};

/** @type {Record<Kind, (send: Send, one: Breakpoint) => Promise<unknown>>} */
const LIFT = {
  line: unplace,
  text: unplace,
  event: (send, one) => send("DOMDebugger.removeEventListenerBreakpoint", { eventName: nameOf(one) }),
  request: (send, one) => send("DOMDebugger.removeXHRBreakpoint", { url: nameOf(one) }),
  exceptions: (send) => send("Debugger.setPauseOnExceptions", { state: "none" }),
  element: async (send, { node }) => node && send("DOMDebugger.removeDOMBreakpoint", { nodeId: node.nodeId, type: node.type }),
};

/**
 * The engine does not know the condition: it would ask for it in every document that runs the script, allowed or not.
 * @param {Send} send @param {Breakpoint} one
 */
async function place(send, one) {
  const { location } = one;
  if (!location) return;
  const { breakpointId } = await send("Debugger.setBreakpointByUrl", location);
  one.engineIds.add(breakpointId);
}

/** @param {Send} send @param {Breakpoint} one */
async function unplace(send, { engineIds, quick }) {
  const ids = [...engineIds, ...[...quick.values()].flat().map((own) => own.engineId)];
  await Promise.allSettled(ids.map((breakpointId) => send("Debugger.removeBreakpoint", { breakpointId })));
}

/** Sets a breakpoint in a session. @param {Send} send @param {Breakpoint} one */
export const apply = (send, one) => SET[one.kind](send, one);

/** Takes a breakpoint out of a session. @param {Send} send @param {Breakpoint} one */
export const lift = (send, one) => LIFT[one.kind](send, one);

/**
 * Reasons of a pause: there may be several.
 * @param {PausedParams} params @returns {Array<{reason: string, data?: any}>}
 */
export const reasonsOf = ({ reason, data }) => (reason === "ambiguous"
  ? (data?.reasons ?? []).map((/** @type {any} */ one) => ({ reason: one.reason, data: one.auxData })) : [{ reason, data }]);

/** @type {Record<Kind, (one: Breakpoint, reason: string, data: any) => boolean>} */
const MATCHES = {
  line: () => false,
  text: () => false,
  event: ({ name }, reason, data) => reason === "EventListener" && data?.eventName === `listener:${name}`,
  request: ({ name }, reason, data) => reason === "XHR" && data?.breakpointURL === name,
  exceptions: (_, reason) => reason === "exception" || reason === "promiseRejection",
  element: ({ node }, reason, data) => reason === "DOM" && data?.type === node?.type,
};

/**
 * Whether a breakpoint has made a pause.
 * @param {Breakpoint} one @param {PausedParams} params @param {string|undefined} session
 */
export function isHit(one, params, session) {
  if (one.node && one.node.session !== session) return false;
  if (params.hitBreakpoints?.some((id) => isIdOf(id, one))) return true;
  if (setHere(one, params, session)) return true;
  return reasonsOf(params).some(({ reason, data }) => MATCHES[one.kind](one, reason, data));
}

/**
 * Whether the engine calls a breakpoint this. A pause may be heard before the answer to the command that has set it; the place is
 * the end of the id.
 * @param {string} id @param {Breakpoint} one
 */
const isIdOf = (id, { engineIds, location }) => engineIds.has(id) ||
  (location !== undefined && id.endsWith(`:${location.lineNumber}:${location.columnNumber}:${location.url}`));

/**
 * The breakpoint in a single script that has made a pause.
 * @param {Breakpoint} one @param {PausedParams} params @param {string|undefined} session
 */
export const setHere = ({ quick }, { hitBreakpoints = [] }, session) =>
  quick.get(session)?.find(({ engineId }) => hitBreakpoints.includes(engineId));

/** A condition as it is evaluated; names of the page's own cannot change it. @param {string} [condition] */
export const wholeOf = (condition) => `!!(\n${condition}\n)`;
