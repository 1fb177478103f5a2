/** The pause of a page: told with its stack and scopes, ended, stepped through, and evaluated in. */
import { invalid, said, TabwireError, timedOut } from "../base/errors.js";
import { within } from "../base/deadline.js";
import { withDebugger } from "../debugger/attachment.js";
import { senderOf } from "../debugger/child-sessions.js";
import { contextOf } from "../debugger/remote-values.js";
import { keeperOf } from "../debugger/script-pauses.js";
import { ValueReader, written } from "../debugger/shown-values.js";
import { framesOfTrace } from "../debugger/stack-frames.js";
import { strikeResult } from "../rules/secret-values.js";
import { UNTOLD } from "../rules/addresses.js";
import { reasonsOf } from "./breakpoint-commands.js";
import { endingOf, keptIn } from "./kept-breakpoints.js";
import { lookWhilePaused } from "./paused-secrets.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"breakpoints.paused">} Wanted */
/** @typedef {import("../base/protocol-types").PausedScope} ToldScope */
/** @typedef {import("./kept-breakpoints.js").Kept} Kept */
/** @typedef {import("./kept-breakpoints.js").Pause} Pause */
/** @typedef {import("../debugger/script-pauses.js").KnownDocuments} KnownDocuments */
/** @import { Protocol } from "../debugger/commands" */

const MAX_FRAMES = 40;
const MAX_SCOPES = 5;
const MAX_VARIABLES = 40;
const MAX_VALUE = 2_000;
const MAX_EVALUATED = 20_000;
/** Time that a page has to pause again after it was let go: at once, and after a step. */
const AGAIN_MS = 150;
const STEP_MS = 2_000;
const EVALUATE_MS = 10_000;
/** Left of a call to tell the pause that was waited for. */
const RESERVE_MS = 2_000;
const READ_MS = 10_000;
const GROUP = "tabwire.paused";

/** @type {Partial<Record<Wanted["action"], "Debugger.resume"|"Debugger.stepOver"|"Debugger.stepInto"|"Debugger.stepOut">>} */
const STEPS = {
  resume: "Debugger.resume", step_over: "Debugger.stepOver", step_into: "Debugger.stepInto", step_out: "Debugger.stepOut",
};

/** @param {Wanted} wanted @param {TabCall} call */
export async function paused(wanted, call) {
  const kept = keptIn(call.tab.id);
  kept?.touch();
  const step = STEPS[wanted.action];
  if (step) return goOn(step, wanted, call);
  if (wanted.action === "evaluate") return evaluated(wanted, call);
  await kept?.untilPaused(limitOf((wanted.wait ?? 0) * 1000, call), call.signal);
  return stateOf(wanted, call);
}

/** @param {number} ms @param {TabCall} call */
const limitOf = (ms, call) => Math.max(0, Math.min(ms, call.remaining() - RESERVE_MS));

const unread = () => timedOut(
  "the paused page does not tell its variables in time; call paused again with depth: 0, or leave the page (reload, tab_close)");

/** @param {Wanted} wanted @param {TabCall} call @param {object} [more] */
async function stateOf(wanted, call, more = {}) {
  const tabId = call.tab.id;
  const kept = keptIn(tabId);
  if (kept?.first) {
    const late = () => { throw unread(); };
    const facts = within(told(kept, kept.first, wanted, call), limitOf(READ_MS, call), late);
    return { tabId, paused: true, ...(await facts) };
  }
  const ended = kept ? undefined : endingOf(tabId);
  return { tabId, paused: false, watched: kept?.breakpoints.size ?? 0, ...more, ...(ended && { ended }) };
}

/** @param {TabCall} call @returns {{kept: Kept, pause: Pause}} */
function standing({ tab: { id: tabId } }) {
  const kept = keptIn(tabId);
  const pause = kept?.first;
  if (kept && pause) return { kept, pause };
  const ended = kept ? "" : endingOf(tabId);
  throw new TabwireError("invalid_element_state",
    `no script of tab ${tabId} is paused${ended ? `: ${ended}` : ""}; nothing was done. ` +
    "Set breakpoints, then call paused with wait");
}

/** @param {NonNullable<typeof STEPS[Wanted["action"]]>} step @param {Wanted} wanted @param {TabCall} call */
async function goOn(step, wanted, call) {
  const { kept, pause: { session } } = standing(call);
  if (step !== "Debugger.resume") kept.stepping.add(session);
  kept.wentOn(session);
  await senderOf(kept.tabId, session)(step);
  const own = step === "Debugger.resume" ? AGAIN_MS : STEP_MS;
  await kept.untilPaused(limitOf(wanted.wait === undefined ? own : wanted.wait * 1000, call), call.signal);
  return stateOf(wanted, call, { resumed: true });
}

/**
 * A frame of the stack, in whose document what is to be done is allowed. Its document is that of the function that runs, whatever
 * script it is of.
 * @param {Kept} kept @param {Pause} pause @param {number} number @param {"read"|"script"} need @param {TabCall} call
 */
function frameOf({ documents }, { params: { callFrames }, session }, number, need, call) {
  const frame = callFrames[number];
  if (!frame) throw invalid(`frame: the stack has the frames 0 to ${callFrames.length - 1}; give one of them`);
  const error = documents.refusalIn(session, contextOf(frame.callFrameId), need, call);
  if (error) throw error;
  return frame;
}

/** @param {Wanted} wanted @param {TabCall} call */
async function evaluated({ frame: number, expression = "", depth }, call) {
  const { kept, pause } = standing(call);
  const frame = frameOf(kept, pause, number, "script", call);
  const send = senderOf(kept.tabId, pause.session);
  const looked = lookWhilePaused(kept.tabId, send, frame.callFrameId);
  const { result, exceptionDetails } = await send("Debugger.evaluateOnCallFrame", {
    callFrameId: frame.callFrameId, expression, generatePreview: true, objectGroup: GROUP, timeout: EVALUATE_MS,
  }).catch((error) => {
    const why = said(/"message":"([^"]*)"/.exec(error.message)?.[1] ?? error.message);
    throw new TabwireError("javascript_error", `the frame does not evaluate it: ${why}; call paused to see how it stands`);
  });
  const value = written(await new ValueReader(send, pause.session).read(exceptionDetails?.exception ?? result, depth), () => "");
  const isThrown = exceptionDetails !== undefined;
  const { tabId, first } = kept;
  const text = strikeResult(value, await looked).value.slice(0, MAX_EVALUATED);
  return { tabId, paused: Boolean(first), value: text, ...(isThrown && { thrown: true }) };
}

/** @type {Record<string, (data: any) => string>} */
const REASONS = {
  EventListener: (data) => `event ${String(data?.eventName ?? "").replace(/^listener:/, "")}`,
  XHR: (data) => `request to ${String(data?.url ?? "").replace(/[?#].*$/s, "")}`,
  DOM: (data) => `change of an element (${data?.type})`,
  exception: (data) => (data?.uncaught === false ? "exception that the page catches" : "exception"),
  promiseRejection: () => "rejected promise",
  step: () => "step",
  debugCommand: () => "debugger statement",
  OOM: () => "the page is out of memory",
};

/** @param {Kept} kept @param {Pause} pause */
function reasonOf(kept, { params, breakpoint }) {
  const own = breakpoint === undefined ? undefined : kept.breakpoints.get(breakpoint);
  if (own?.location) return `breakpoint ${own.id}`;
  const words = reasonsOf(params).flatMap(({ reason, data }) => REASONS[reason]?.(data) ?? []).join(", ");
  const told = words || "a step, a debugger statement, or another debugger such as DevTools";
  return `${told}${own ? ` (breakpoint ${own.id})` : ""}`;
}

/** @param {Kept} kept @param {Pause} pause @param {Wanted} wanted @param {TabCall} call */
async function told(kept, pause, { frame: number, depth }, call) {
  const { params, session, place, breakpoint, within: around } = pause;
  // Place and reason are those of the first one.
  frameOf(kept, pause, 0, "read", call);
  const frame = frameOf(kept, pause, number, "read", call);
  const looked = lookWhilePaused(kept.tabId, senderOf(kept.tabId, session), frame.callFrameId);
  const { stack, positions } = await placed(kept, pause, call);
  const excerpt = stack[number] && (await positions.excerpt(stack[number]).catch(() => undefined));
  const reader = new ValueReader(senderOf(kept.tabId, session), session);
  const thrown = reasonsOf(params).find(({ reason }) => reason === "exception" || reason === "promiseRejection")?.data;
  const where = await looked;
  const clean = (/** @type {string} */ text) => strikeResult(text, where).value.slice(0, MAX_VALUE);
  const exception = thrown && clean(written(await reader.read(thrown, 0), placeIn));
  return strikeResult({
    place, reason: reasonOf(kept, pause), ...(breakpoint !== undefined && { breakpoint }),
    ...(around && { within: around }),
    ...(exception && { exception }), stack: stack.map((one) => one.told), frame: number,
    scopes: await scopesOf(frame, reader, depth, clean),
    ...(excerpt && { excerpt }), left_s: Math.max(0, Math.round((kept.until - Date.now()) / 1000)),
    ...(positions.notes.length && { notes: positions.notes }),
  }, where).value;
}

/** A place in an error as it is built. @param {Exclude<import("../debugger/shown-values.js").Piece, string>} piece */
const placeIn = (piece) => ("frame" in piece ? `${piece.frame.name} (${piece.frame.url}:${piece.frame.line + 1})` : "");

/**
 * The stack of a pause, of whose frames those of documents that may not be read keep their number alone.
 * @param {Kept} kept @param {Pause} pause @param {TabCall} call
 */
async function placed(kept, { params: { callFrames, asyncStackTrace }, session }, call) {
  const mayRead = kept.documents.reading(call);
  const isRead = (/** @type {Protocol.Debugger.CallFrame} */ { callFrameId }) => mayRead(session, contextOf(callFrameId));
  const positions = await kept.positionsFor(callFrames.filter(isRead), session, call);
  const own = callFrames.slice(0, MAX_FRAMES).map(async (frame) => {
    const { functionName: name, location: { lineNumber: line, columnNumber: column = 0, scriptId } } = frame;
    if (!isRead(frame)) return { frame: { name: "", url: "", line, column }, told: { place: UNTOLD } };
    return positions.place({ name, url: kept.scriptOf(frame, session)?.url ?? "", line, column, scriptId, session });
  });
  const [first, ...later] = framesOfTrace(asyncStackTrace, session);
  const before = first ? [{ ...first, after: asyncStackTrace?.description || "async" }, ...later] : [];
  return { stack: (await Promise.all([...own, ...before.map((one) => positions.place(one))])).slice(0, MAX_FRAMES), positions };
}

/**
 * @param {Protocol.Debugger.CallFrame} frame @param {ValueReader} reader @param {number} depth
 * @param {(text: string) => string} clean  strikes secrets out of a value and cuts it
 * @returns {Promise<ToldScope[]>}
 */
async function scopesOf({ scopeChain, this: self }, reader, depth, clean) {
  /** @type {ToldScope[]} */
  const scopes = [];
  for (const { type, name, object } of scopeChain.filter(({ type: kind }) => kind !== "global").slice(0, MAX_SCOPES)) {
    if (!object.objectId) continue;
    const { own } = await reader.members(object.objectId);
    const variables = [];
    for (const member of own.slice(0, MAX_VARIABLES)) {
      const unread = member.get ? "[getter]" : "[not yet set]";
      const value = member.value ? written(await reader.read(member.value, depth), placeIn) : unread;
      variables.push({ name: member.name, value: clean(value) });
    }
    const more = own.length - variables.length;
    scopes.push({ type, ...(name && { name }), variables, ...(more > 0 && { more }) });
  }
  if (self.type === "undefined" || !scopes[0]) return scopes;
  scopes[0].variables.push({ name: "this", value: clean(written(await reader.read(self, 0), placeIn)) });
  return scopes;
}

/**
 * Runs `work` with what a paused tab knows of its scripts; undefined where it is not paused.
 * @template T
 * @param {TabCall} call @param {(scripts: Kept["scripts"], documents: KnownDocuments) => Promise<T>} work
 * @returns {Promise<T>|undefined}
 */
export function whilePaused(call, work) {
  const keeper = keeperOf(call.tab.id);
  return keeper?.pause ? withDebugger(call.tab.id, call, () => work([...keeper.scripts], keeper.documents)) : undefined;
}
