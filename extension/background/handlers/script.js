/** JavaScript of the caller in the page, and what the console says. */
import { unlessAborted, within } from "../base/deadline.js";
import { dialogError } from "../debugger/blocked-page.js";
import { messagesAfter } from "../console/following.js";
import { MAX_VALUE_BYTES } from "../base/protocol.js";
import { bufferOf, lookBack, startBuffer, stopBuffer } from "../console/log.js";
import { clearFor, expressionOf, tell } from "../console/report.js";
import { attachmentsKnown, pendingDialog, withDebugger } from "../debugger/attachment.js";
import { said, TabwireError, timedOut } from "../base/errors.js";
import { cutValue, joinNotes } from "../base/text.js";
import { onlyReads, readException, run, thrownError } from "../debugger/evaluation.js";
import { inFrame, isElsewhere } from "../documents/execution-context.js";
import { endsAct } from "../input/press-verdict.js";
import { withoutFieldSecrets, withoutOwnSecrets } from "../page/secret-fields.js";
import { typeOf, valueOf } from "../debugger/remote-values.js";
import { assertNotStopped, guardStatement } from "../rules/allowed-origins.js";
import { redact, redactCookies } from "../rules/redaction.js";
import { runInjected } from "../page/injected-script.js";
import { RunningScript } from "../debugger/running-script.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */
/** @typedef {Omit<Params<"script.evaluate">, "observed">} Options */
/** @typedef {Params<"script.console">} ConsoleParams */
/** @typedef {import("../debugger/commands").Protocol.Runtime.ExceptionDetails} ExceptionDetails */
/** @typedef {import("../debugger/commands").Send} Send */
/** @typedef {import("../debugger/remote-values.js").PageValue} PageValue */

/** Objects of the page that are kept alive for one call. */
const OBJECT_GROUP = "tabwire.evaluate";
const REPLY_MARGIN_MS = 100;
const LEFT_NOTE = "the page was left before the script had given its value";
const UNREAD_NOTE = "the script ran, but its value could not be read";
/** Chrome's messages for a script whose document is gone. */
const LEFT = /navigated or closed|context was destroyed|Cannot find context|Promise was collected/i;

const DEFAULTS = { timeout: 30_000, max_output_size: 51_200, await_promise: true, return_by_value: true, sanitize: true };

/** Error codes in which a script that has run may end, instead of a value. */
const RUN_ENDS = new Set(["javascript_error", "timeout"]);

/**
 * observed: what it throws is a part of the result, so that what it did before is told, too.
 * @param {Params<"script.evaluate">} params @param {TabCall} call
 */
async function evaluate({ observed, ...params }, call) {
  if (!observed) return evaluateInFrame(params, call);
  return evaluateInFrame(params, call).catch((error) => {
    if (!RUN_ENDS.has(error.code) || call.signal.aborted) throw error;
    return { value: null, type: "undefined", thrown: error.message };
  });
}

/** @param {Options} params @param {TabCall} call */
function evaluateInFrame(params, call) {
  const options = { ...DEFAULTS, ...params };
  return evaluateByDebugger(options, call).catch((error) => {
    if (!error.data?.attach) throw error;
    return evaluateByInjection(options, error, call);
  });
}

/**
 * Runs the script by injection, where the debugger cannot be attached. A script that overruns cannot be stopped then.
 * @param {typeof DEFAULTS & Options} options @param {TabwireError} reason @param {TabCall} call
 */
async function evaluateByInjection(options, reason, call) {
  const limit = Math.max(1, Math.min(options.timeout, call.remaining() - REPLY_MARGIN_MS));
  const work = runInjected(call, { source: options.expression, args: options.args }, {
    frameId: options.frameId ?? 0,
    isAwaited: options.await_promise,
  }).catch((/** @type {TabwireError} */ error) => {
    if (error.code !== "unsupported_operation") throw error;
    throw new TabwireError(error.code, `${reason.message}. Without it the script was not run: ${error.message}`, reason.data);
  });
  const ended = within(work, limit, () => { throw lateError(options.timeout, "it could not be stopped"); });
  const { type = "undefined", json, thrown: message, value: thrownValue } = await unlessAborted(ended, call.signal);
  if (message !== undefined) {
    assertNotStopped({ exception: { value: thrownValue } }, call);
    const clean = await withoutOwn(message, options, call);
    throw new TabwireError("javascript_error", said(options.sanitize ? redact(clean).value : clean));
  }
  const result = await told(json === undefined ? null : JSON.parse(json), type, options, call);
  const note = [`it ran as a script of the page, under the page's own policy, because ${reason.message}`, result.note];
  return { ...result, note: joinNotes(...note) };
}

/** @param {typeof DEFAULTS & Options} options @param {TabCall} call */
function evaluateByDebugger(options, call) {
  const { id: tabId } = call.tab;
  return withDebugger(tabId, call, (send) => inFrame(tabId, options.frameId ?? 0, send, (sendInFrame, placeOf, sessionId) => {
    const script = { source: options.expression, args: options.args };
    const running = new RunningScript(tabId, sessionId, options.expression, call);
    return evaluateIn(sendInFrame, running, script, placeOf, options);
  }, call));
}

/**
 * @param {Send} send @param {RunningScript} running @param {import("../debugger/evaluation.js").Script} script
 * @param {import("../documents/execution-context.js").PlaceOf} placeOf @param {Options} options
 */
async function evaluateIn(send, running, script, placeOf, options) {
  const { call } = running;
  const limit = Math.max(1, Math.min(options.timeout, call.remaining() - REPLY_MARGIN_MS));
  const began = Date.now();
  const settings = { objectGroup: OBJECT_GROUP, awaitPromise: options.await_promise, timeout: limit };
  let isOver = false;
  let hasBegun = false;
  let hasRun = false;
  /** Whether the page may keep objects for this call. */
  let keepsObjects = true;
  let hasObjects = false;
  const sendNoted = /** @type {Send} */ (async (...command) => {
    const answer = /** @type {any} */ (await send(...command));
    hasObjects ||= Boolean(answer.result?.objectId || answer.exceptionDetails);
    return answer;
  });
  /** @type {(isSure?: boolean) => Promise<import("../debugger/evaluation.js").Evaluation>} */
  const work = async (isSure = false) => {
    const { guard = "", ...place } = await placeOf(isSure);
    // The script does not begin when nobody waits for it any more.
    call.signal.throwIfAborted();
    if (isOver) throw call.signal.reason;
    hasBegun = true;
    const evaluation = await run(sendNoted, script, { ...settings, ...place }, guard + guardStatement(call));
    return guard && isElsewhere(evaluation) ? work(true) : evaluation;
  };
  try {
    const { result, exceptionDetails } = await inTime(work(), limit, options.timeout, running);
    hasRun = true;
    keepsObjects = hasObjects;
    assertNotStopped(exceptionDetails, call);
    if (exceptionDetails) throw await thrown(send, exceptionDetails, options, /** @type {TabCall} */ (call));
    const value = await valueOf(send, result, { byValue: options.return_by_value, maxLength: options.max_output_size * 2 });
    return await told(value, typeOf(result), options, /** @type {TabCall} */ (call));
  } catch (error) {
    // A script that has run is not run again in another way.
    if (hasRun && error.data?.attach) return { value: null, type: "undefined", note: `${UNREAD_NOTE}, because ${error.message}` };
    if (hasBegun && error.data?.lost) throw interrupted(error);
    if (error.code !== "unknown_error") throw error;
    // Chrome ends a script that overruns and calls that an internal error.
    if (Date.now() - began >= limit) throw lateError(options.timeout, "the script was still running and was stopped");
    if (LEFT.test(error.message)) return { value: null, type: "undefined", note: LEFT_NOTE };
    throw error;
  } finally {
    isOver = true;
    await running.close();
    if (keepsObjects) void running.send("Runtime.releaseObjectGroup", { objectGroup: OBJECT_GROUP }).catch(() => {});
  }
}

/** The debugger was lost under a script, which may have run. @param {TabwireError} error */
const interrupted = ({ message }) => new TabwireError("outcome_unknown",
  `the debugger was lost while the script ran, so whether it ran to its end is unknown: ${message}. Look at the page before ` +
  "you run it again");

const lateError = (/** @type {number} */ timeout, /** @type {string} */ state) => timedOut(
  `the script gave no value within ${timeout} ms: ${state}; shorten it, give it more timeout, or do not await its promise`);

/**
 * Ends the wait for a promise that does not settle, and a script that runs on although its call is over.
 * @template T
 * @param {Promise<T>} work @param {number} limit @param {number} timeout @param {RunningScript} running
 */
function inTime(work, limit, timeout, running) {
  const { signal } = running.call;
  const ended = within(work, limit + REPLY_MARGIN_MS / 2, async () => { throw lateError(timeout, await running.end()); });
  return unlessAborted(ended, signal).catch(async (error) => {
    if (error === signal.reason) await running.end();
    throw error;
  });
}

/**
 * Error to reply with for a thrown value. A value that is not an error is told as a returned value is.
 * @param {Send} send @param {ExceptionDetails} details @param {Options} options @param {TabCall} call
 */
async function thrown(send, details, options, call) {
  const { exception } = details;
  const cleaned = exception && (await readException(send, exception, (value) => withoutOwn(value, options, call)));
  const error = thrownError({ ...details, exception: cleaned }, options.expression);
  return options.sanitize ? new TabwireError(error.code, redact(error.message).value, redact(error.data).value) : error;
}

/**
 * A value of the script without what fields for secrets hold.
 * @param {PageValue} value @param {Options} options @param {TabCall} call
 */
const withoutOwn = async (value, { sanitize, frameId = 0 }, call) =>
  (sanitize ? (await withoutOwnSecrets(value, frameId, call)).value : value);

/** @param {PageValue} value @param {string} type @param {Options} options @param {TabCall} call */
async function told(value, type, options, call) {
  if (!options.sanitize) return report(value, type, options);
  const clean = await withoutFieldSecrets(value, options.frameId ?? 0, call, endsAct(call));
  const result = report(clean.value, type, options);
  const redacted = clean.redacted + (result.redacted ?? 0);
  return { ...result, ...(redacted && { redacted }) };
}

/**
 * @param {PageValue} value @param {string} type @param {Options} options
 * @returns {{value: PageValue, type: string, truncated?: boolean, note?: string, redacted?: number}}
 */
function report(value, type, options) {
  const clean = options.sanitize ? sanitized(value, options.expression) : { value, redacted: 0 };
  const { value: kept, cut } = cutValue(clean.value, options.max_output_size);
  const redacted = clean.redacted ? { redacted: clean.redacted } : {};
  if (!cut) return { value: kept, type, ...redacted };
  const isText = typeof clean.value === "string";
  // Where the page has made JSON of it, it has stopped there.
  const size = !isText && cut.length >= 2 * cut.kept ? `more than ${2 * cut.kept}` : cut.bytes;
  const more = options.max_output_size < MAX_VALUE_BYTES ? ", or with a larger max_output_size" : "";
  const note = `the script ran; ${isText ? "the text" : "its JSON text"} has ${size} bytes, too many for a reply: ` +
    `the first ${cut.kept} are shown. A script that changes nothing may run again and return less${more}`;
  return { value: `${kept}… [cut: ${note}]`, type, truncated: true, note, ...redacted };
}

/** @param {PageValue} value @param {string} expression */
function sanitized(value, expression) {
  if (typeof value === "string" && /\.cookie\b(?!\s*=[^=])/.test(expression) && /^[^=;\s]+=/.test(value)) {
    return { value: redactCookies(value), redacted: value.split(";").length };
  }
  return redact(value);
}

/** @typedef {import("../base/protocol-types").Result<"script.console">} ConsoleResult */
/** @type {Record<ConsoleParams["action"], (params: ConsoleParams, call: TabCall) => Promise<ConsoleResult>>} */
const CONSOLE_ACTIONS = {
  async get(params, call) {
    if (params.after !== undefined) return messagesAfter({ ...params, after: params.after }, call);
    const buffer = bufferOf(call.tab.id);
    const log = buffer ?? (await lookBack(call.tab.id, call));
    return { ...(await tell(log.list, params, call)), ...lost(log), buffering: buffer !== null };
  },
  async clear(params, call) {
    await clearFor(call, Date.now());
    return { cleared: true, buffering: bufferOf(call.tab.id) !== null };
  },
  async start_buffer(params, call) {
    const log = await startBuffer(call.tab.id, call);
    const note = "messages are collected until stop_buffer, also across navigations; the debugger stays attached to the tab";
    return { tabId: call.tab.id, buffering: true, since: new Date(log.since).toISOString(), collected: log.entries.size, note };
  },
  async stop_buffer(params, call) {
    const log = bufferOf(call.tab.id);
    /** @type {Pick<ConsoleResult, "messages"|"note"|"dropped">} */
    const told = log ? { ...(await tell(log.list, params, call)), ...lost(log) } : { messages: [] };
    const hadPart = await stopBuffer(call.tab.id, call);
    const goesOn = bufferOf(call.tab.id) !== null;
    const note = hadPart ? told.note : "you had no buffer in this tab";
    return { ...told, ...(note ? { note } : {}), buffering: goesOn, ...(goesOn ? { held_by: "another client" } : {}) };
  },
};

/** Number of messages that were dropped to make room. */
const lost = (/** @type {{dropped: number}} */ { dropped }) => (dropped ? { dropped } : {});

/** @param {ConsoleParams} params @param {TabCall} call */
async function readConsole(params, call) {
  expressionOf(params);
  await attachmentsKnown;
  const dialog = pendingDialog(call.tab.id);
  // Messages in a buffer can be told even while a dialog is open.
  const needsPage = params.after === undefined && ["get", "start_buffer"].includes(params.action) && !bufferOf(call.tab.id);
  if (dialog && needsPage) throw dialogError(dialog);
  return CONSOLE_ACTIONS[params.action](params, call);
}

/** @param {Params<"script.evaluate">} params */
const looks = ({ expression }) => onlyReads(expression);

/** @type {import("../../types").Handlers<"script">} */
export const handlers = {
  "script.evaluate": Object.assign(evaluate, { looks, hears: true }),
  "script.console": Object.assign(readConsole, { hears: true }),
};
