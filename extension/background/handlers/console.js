/** Console messages of a tab in detail: values, elements, places in the sources. */
import { prepareRefs, refsOf } from "../console/element-refs.js";
import { lookClosely } from "../console/log.js";
import { chosen, groupWith, readable } from "../console/message-list.js";
import { expressionOf } from "../console/report.js";
import { assertNoDialog } from "../debugger/blocked-page.js";
import { senderOf } from "../debugger/child-sessions.js";
import { ValueReader, written } from "../debugger/shown-values.js";
import { framesOf } from "../debugger/stack-frames.js";
import { withScripts } from "../sources/parsed-scripts.js";
import { Positions } from "../sources/positions.js";

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

/** @param {Params<"console.messages">} params @param {TabCall} call */
async function messages({ all, ...wanted }, call) {
  expressionOf(wanted);
  await assertNoDialog(call);
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

/** @param {Params<"console.message">} params @param {TabCall} call */
async function message({ id, depth }, call) {
  await assertNoDialog(call);
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

/** @type {import("../../types").Handlers<"console">} */
export const handlers = {
  "console.messages": Object.assign(messages, { hears: true }),
  "console.message": Object.assign(message, { hears: true }),
};
