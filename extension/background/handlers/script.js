/** JavaScript of the caller in the page. */
import { withDebugger } from "../debugger.js";
import { TabwireError } from "../errors.js";
import { run, thrownError } from "../evaluation.js";
import { inFrame } from "../execution-context.js";
import { typeOf, valueOf } from "../page-value.js";
import { redact, redactCookies } from "../redaction.js";

/** Objects of the page that are kept alive for one call. */
const OBJECT_GROUP = "tabwire.evaluate";
const REPLY_MARGIN_MS = 100;
const DEFAULTS = { timeout: 30_000, max_output_size: 51_200, await_promise: true, return_by_value: true, sanitize: true };

/** @param {any} params @param {import("../../types").CallContext} call */
function evaluate(params, call) {
  const options = { ...DEFAULTS, ...params };
  const { id: tabId } = call.tab;
  return withDebugger(tabId, call, (send) =>
    inFrame(tabId, params.frameId ?? 0, send, (sendInFrame, context) => evaluateIn(sendInFrame, context, options, call)));
}

async function evaluateIn(send, context, options, call) {
  const limit = Math.max(1, Math.min(options.timeout, call.remaining() - REPLY_MARGIN_MS));
  const script = { source: options.expression, args: options.args };
  const began = Date.now();
  const settings = { ...context, objectGroup: OBJECT_GROUP, awaitPromise: options.await_promise, timeout: limit };
  try {
    const { result, exceptionDetails } = await inTime(run(send, script, settings), limit, options.timeout);
    if (exceptionDetails) throw thrownError(exceptionDetails, options.expression);
    const value = await valueOf(send, result, { byValue: options.return_by_value, maxLength: options.max_output_size * 2 });
    return report(value, typeOf(result), options);
  } catch (error) {
    // Chrome ends a script that overruns and calls that an internal error.
    if (error.code !== "unknown_error" || Date.now() - began < limit) throw error;
    throw lateError(options.timeout, "the script was still running and was stopped");
  } finally {
    void send("Runtime.releaseObjectGroup", { objectGroup: OBJECT_GROUP }).catch(() => {});
  }
}

const lateError = (timeout, state) => new TabwireError("timeout",
  `the script gave no value within ${timeout} ms: ${state}; shorten it, give it more timeout, or do not await its promise`);

/** Ends the wait for a promise that does not settle; a script that keeps running is ended by the page's engine. */
function inTime(work, limit, timeout) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(lateError(timeout, "its promise is still pending")), limit + REPLY_MARGIN_MS / 2);
  });
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function report(value, type, options) {
  const clean = options.sanitize ? sanitized(value, options.expression) : { value, redacted: 0 };
  const bounded = withinSize(clean.value, options.max_output_size);
  return { value: bounded.value, type, ...bounded.note, ...(clean.redacted ? { redacted: clean.redacted } : {}) };
}

function sanitized(value, expression) {
  if (typeof value === "string" && /\.cookie\b(?!\s*=[^=])/.test(expression) && /^[^=;\s]+=/.test(value)) {
    return { value: redactCookies(value), redacted: value.split(";").length };
  }
  return redact(value);
}

/** A value that is too long is cut as text, and says so. */
function withinSize(value, limit) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return { value, note: {} };
  const kept = new TextDecoder().decode(bytes.subarray(0, limit)).replace(/\uFFFD$/, "");
  const what = typeof value === "string" ? "the text" : "its JSON text";
  const note = `${what} has ${bytes.length} bytes; the first ${limit} are shown: return less, or raise max_output_size`;
  return { value: `${kept}… [cut: ${note}]`, note: { truncated: true, note } };
}

export const handlers = { "script.evaluate": evaluate };
