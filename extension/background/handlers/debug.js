/** Debugging of a live tab: console messages in detail, with places in the sources, and its requests without preparing. */
import { allowedOf } from "../console/allowed-messages.js";
import { prepareRefs, refsOf } from "../console/element-refs.js";
import { lookBack, lookClosely } from "../console/log.js";
import { chosen, groupWith, readable } from "../console/message-list.js";
import { expressionOf } from "../console/report.js";
import { matches } from "../console/text-pattern.js";
import { breakpoints } from "../breakpoints/breakpoints-tool.js";
import { paused, whilePaused } from "../breakpoints/paused-tool.js";
import { attachmentsKnown, isAttached, pendingDialog, withDebugger } from "../debugger/attachment.js";
import { dialogError } from "../debugger/blocked-page.js";
import { senderOf } from "../debugger/child-sessions.js";
import { ValueReader, written } from "../debugger/shown-values.js";
import { framesOf } from "../debugger/stack-frames.js";
import { auditOf } from "../elements/audit.js";
import { componentsOf } from "../elements/components.js";
import { listenersOf } from "../elements/event-listeners.js";
import { stylesOf } from "../elements/styles.js";
import { detailsOf, toldBody } from "../network/request-details.js";
import { chainWith, chosen as chosenRequests, endedAfter, factsOf as requestFacts, requestsOf } from "../network/request-list.js";
import { scriptText, withScripts } from "../sources/parsed-scripts.js";
import { Positions } from "../sources/positions.js";
import { divided } from "../sources/readable-scripts.js";
import { answerAbout } from "../sources/source-answers.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../console/log.js").ConsoleLog} Log */
/** @typedef {import("../console/message-groups.js").Group} Group */
/** @typedef {import("../debugger/stack-frames.js").ConsoleEvent} ConsoleEvent */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("../sources/parsed-scripts.js").KnownDocuments} KnownDocuments */
/** @import { Send } from "../debugger/commands" */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

const MAX_LISTED_TEXT = 240;
const MAX_VALUES_CHARS = 30_000;

/** @param {TabCall} call */
async function assertAnswering(call) {
  await attachmentsKnown;
  const dialog = pendingDialog(call.tab.id);
  if (dialog) throw dialogError(dialog);
}

const timeOf = (/** @type {number} */ ms) => new Date(ms).toISOString();

/** Facts about a group that list and detail share. @param {Group} group @param {number} id */
const factsOf = ({ first: { level, kind, time }, last, count }, id) => ({
  id, level, ...(kind && { kind }), count, time: timeOf(time), ...(count > 1 && { last: timeOf(last.time) }),
});

/** The first line of a text, cut. @param {string} text */
function headOf(text) {
  const line = text.trim().replace(/\s*\n[^]*/, " …");
  return line.length > MAX_LISTED_TEXT ? `${line.slice(0, MAX_LISTED_TEXT)}…` : line;
}

/** @param {Params<"debug.messages">} params @param {TabCall} call */
async function messages({ all, ...wanted }, call) {
  expressionOf(wanted);
  await assertAnswering(call);
  return lookClosely(call.tab.id, call, async (log, send) => {
    const known = await readable(log, all, call);
    const { shown, ...counts } = await chosen(known, wanted, call);
    const placed = await withPositions(shown, log, send, call);
    const lines = shown.map((group, at) => {
      const { place, built, name } = placed.told[at] ?? {};
      const unplaced = group.first.source && { place: group.first.source };
      return {
        ...factsOf(group, known.numberOf(group.first)), text: headOf(group.first.text),
        ...(place ? { place, ...(built && { built }), ...(name && { name }) } : unplaced),
      };
    });
    const { dropped } = log;
    return {
      tabId: call.tab.id, ...counts, messages: lines, ...known.note, ...(dropped && { dropped }),
      ...(placed.notes.length && { notes: placed.notes }),
    };
  });
}

/**
 * Places at which groups were said.
 * @param {Group[]} groups @param {Log} log @param {Send} send @param {TabCall} call
 */
async function withPositions(groups, log, send, call) {
  const stacks = groups.map(({ first }) => {
    const event = log.events?.get(first.key);
    return event ? framesOf(event).slice(0, 1) : [];
  });
  if (!stacks.some(({ length }) => length)) return { told: [], notes: [] };
  return withScripts(call.tab.id, send, async (scripts, documents) => {
    const positions = await Positions.among(scripts, documents, call);
    const told = await Promise.all(stacks.map(async ([frame]) => frame && (await placeOfFirst(frame, positions)).told));
    return { told, notes: positions.notes };
  }, log.documents);
}

/**
 * The innermost frame of a message that may be read runs in its document.
 * @param {import("../debugger/stack-frames.js").StackFrame} frame @param {Positions} positions
 */
function placeOfFirst(frame, positions) {
  const { scriptId, session } = frame;
  if (scriptId !== undefined) positions.allow({ scriptId, session });
  return positions.place(frame);
}

/** @param {Params<"debug.message">} params @param {TabCall} call */
async function message({ id, depth }, call) {
  await assertAnswering(call);
  await prepareRefs(call);
  return lookClosely(call.tab.id, call, async (log, send) => {
    const known = await readable(log, true, call);
    const group = groupWith(known, id);
    const facts = { tabId: call.tab.id, ...factsOf(group, known.numberOf(group.first)), text: group.first.text };
    const event = log.events?.get(group.first.key);
    if (!event) {
      const { stack = [], source } = group.first;
      const kept = stack.length ? stack : source ? [source] : [];
      return {
        ...facts, values: [], stack: kept.map((line) => ({ place: line.replace(/^at /, "") })),
        notes: ["its document is gone, and its values with it"],
      };
    }
    const read = async (/** @type {Script[]} */ scripts, /** @type {KnownDocuments} */ documents) =>
      detail(event, depth, log, await Positions.among(scripts, documents, call));
    return { ...facts, ...(await withScripts(call.tab.id, send, read, log.documents)) };
  });
}

/** Values that were logged or thrown. @param {ConsoleEvent} event */
function valuesIn([method, params]) {
  if (method === "Runtime.consoleAPICalled") return params.args;
  return method === "Runtime.exceptionThrown" && params.exceptionDetails.exception ? [params.exceptionDetails.exception] : [];
}

/** @param {ConsoleEvent} event @param {number} depth @param {Log} log @param {Positions} positions */
async function detail(event, depth, log, positions) {
  const { call } = positions;
  const session = event[2];
  const reader = new ValueReader(senderOf(call.tab.id, session), session);
  const shown = [];
  // Values are read one after the other: they share what may be read in all.
  for (const value of valuesIn(event)) shown.push(await reader.read(value, depth, true));
  const refs = await refsOf(reader.nodes, log.contexts, call);
  const inErrors = await Promise.all(reader.frames.map((frame) => positions.place(frame)));
  const places = new Map(inErrors.map((placed) => [placed.frame, placed]));
  const stack = await Promise.all(framesOf(event).map((frame, at) =>
    (at ? positions.place(frame) : placeOfFirst(frame, positions))));
  const nameOf = (/** @type {Exclude<import("../debugger/shown-values.js").Piece, string>} */ piece) => {
    if ("node" in piece) return refs.has(piece.node) ? ` ${refs.get(piece.node)}` : "";
    const { name, place } = places.get(piece.frame)?.told ?? {};
    return name ? `${name} (${place})` : `${place}`;
  };
  const own = stack.find(({ told, found }) => found && !told.library) ?? stack.find(({ script }) => script);
  const excerpt = own && (await positions.excerpt(own));
  return {
    values: withinRoom(shown.map((value) => written(value, nameOf))), stack: stack.map(({ told }) => told),
    ...(excerpt && { excerpt }), ...(positions.notes.length && { notes: positions.notes }),
  };
}

/** @param {string[]} values */
function withinRoom(values) {
  let left = MAX_VALUES_CHARS;
  return values.map((value) => {
    const kept = value.slice(0, Math.max(0, left));
    left -= value.length;
    return kept.length < value.length ? `${kept}… [${value.length - kept.length} more characters: less depth shows all]` : kept;
  });
}

/** @param {Params<"debug.requests">} params @param {TabCall} call */
async function requests(params, call) {
  if (params.after !== undefined) return endedAfter({ ...params, after: params.after }, call);
  const { chains, dropped, isTimed, note } = await requestsOf(call);
  const { shown, ...counts } = chosenRequests(chains, params);
  return {
    tabId: call.tab.id, ...counts, requests: shown.map(requestFacts), ...note, ...(dropped && { dropped }),
    ...(!isTimed && { notes: ["the page does not tell its own timing: sizes and requests from caches may be missing"] }),
  };
}

/** @param {Params<"debug.request">} params @param {TabCall} call */
async function request({ id, body }, call) {
  const { chains } = await requestsOf(call);
  const { told, recorded } = await detailsOf(chainWith(chains, id), call);
  return { tabId: call.tab.id, ...told, ...(body && (await bodyOf(told, recorded, call))) };
}

const NO_BODY = "it is not there any more: capture {\"action\": \"start\", \"include_bodies\": true}, then load it again";

/**
 * The body of a request where a capture has it, or the engine that runs it as a script. Nothing is loaded again for it.
 * @param {{type: string, url: string}} request
 * @param {import("../base/protocol-types").RecordedRequest|undefined} recorded @param {TabCall} call
 */
async function bodyOf({ type, url }, recorded, call) {
  if (recorded?.body !== undefined) return toldBody(recorded.body, recorded.base64);
  const text = type === "script" ? await textOfAddress(url, call) : undefined;
  return text === undefined ? { body_note: recorded?.body_note ?? NO_BODY } : toldBody(text);
}

/** @param {string} url @param {TabCall} call @returns {Promise<string|undefined>} */
function textOfAddress(url, call) {
  const { tab: { id: tabId } } = call;
  return withDebugger(tabId, call, (send) => withScripts(tabId, send, async (scripts, documents) => {
    const { readable } = await divided(scripts, documents, call);
    const script = readable.findLast((one) => one.url === url);
    return script && scriptText(tabId, script);
  }));
}

/** @param {Params<"debug.sources">} wanted @param {TabCall} call */
async function sources(wanted, call) {
  const expression = expressionOf(wanted);
  const test = (/** @type {string[]} */ texts) => matches(/** @type {RegExp} */ (expression), texts, call.tab.id, call);
  const answer = (/** @type {Script[]} */ scripts, /** @type {KnownDocuments} */ documents) =>
    answerAbout(wanted, scripts, documents, expression && { expression, test }, call);
  const atPause = whilePaused(call, answer);
  if (atPause) return atPause;
  await assertAnswering(call);
  // The look at the console joins frames of other sites and workers, and knows their documents.
  return lookClosely(call.tab.id, call, (log, send) => withScripts(call.tab.id, send, answer, log.documents));
}

const UNREAD_CONSOLE = "errors in the console are not counted here, which takes the debugger: console_messages lists them";

/** @param {Params<"debug.audit">} params @param {TabCall} call */
async function audit(params, call) {
  const found = await auditOf(params, call);
  const { chains } = await requestsOf(call);
  const { failed } = chosenRequests(chains, { failed: true, max_requests: 1, offset: 0 });
  const errors = await consoleErrors(call);
  return {
    ...found, basics: [
      ...found.basics,
      told("failed_requests", failed, `failed requests: ${failed}; network_requests with failed: true lists them`),
      ...(errors === undefined ? [] : [
        told("console_errors", errors, `errors in the console: ${errors}; console_messages lists them`),
      ]),
    ],
    ...(errors === undefined && { notes: [UNREAD_CONSOLE] }),
  };
}

/** @param {string} name @param {number} count @param {string} detail */
const told = (name, count, detail) => /** @type {const} */ ({ name, level: count ? "error" : "ok", detail: count ? detail : "" });

/** Number of errors in the console; undefined where the person would see that the debugger is attached. @param {TabCall} call */
async function consoleErrors(call) {
  if (!call.client.launched && !isAttached(call.tab.id)) return undefined;
  const { list } = await lookBack(call.tab.id, call);
  return allowedOf(list, call).kept.filter(({ level }) => level === "error").length;
}

/** A script of the client runs with these. @param {{condition?: string, log?: string, expression?: string}} params */
const sensitive = ({ condition, log, expression }) => ((condition ?? log ?? expression) === undefined ? [] : ["evaluate"]);
/** Looking is no act in the tab. @param {{action: string}} params @param {TabCall} call */
const acts = ({ action }, call) => (action === "list" || action === "state" ? [] : [call.tab.id]);
const waits = (/** @type {Params<"debug.paused">} */ { wait }) => wait !== undefined;
const looks = (/** @type {Params<"debug.paused">} */ { action }) => action !== "resume";

/** @type {import("../../types").Handlers<"debug">} */
export const handlers = {
  "debug.messages": Object.assign(messages, { hears: true }), "debug.message": Object.assign(message, { hears: true }),
  "debug.requests": Object.assign(requests, { hears: true }), "debug.request": Object.assign(request, { hears: true }),
  "debug.styles": stylesOf, "debug.listeners": listenersOf, "debug.components": componentsOf,
  "debug.audit": audit, "debug.sources": sources,
  "debug.breakpoints": Object.assign(breakpoints, { acts, sensitive, hears: true }),
  "debug.paused": Object.assign(paused, { acts, sensitive, waits, looks, hears: true }),
};
