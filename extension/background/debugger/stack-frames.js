/** Stacks of console messages and errors as plain frames, whether Chrome gives them as such or as text. */

/** @import { EventParams, Protocol } from "./commands" */
/** @typedef {"Runtime.consoleAPICalled"|"Runtime.exceptionThrown"|"Log.entryAdded"} ConsoleMethod */
/** @typedef {string|undefined} Session */
/** @typedef {{[M in ConsoleMethod]: [method: M, params: EventParams<M>, session: Session]}[ConsoleMethod]} ConsoleEvent */
/**
 * A place in a script that runs; `line` and `column` count from 0.
 * @typedef {object} StackFrame
 * @property {string} name of the function; "" for none
 * @property {string} url
 * @property {number} line
 * @property {number} column
 * @property {string} [scriptId]
 * @property {string} [session]
 * @property {string} [after] what was waited for between this frame and the one before it
 */

const MAX_FRAMES = 50;
const MAX_NAME = 200;
const EVAL = /^eval at .*\(([^()]+):(\d+):(\d+)\)/;
const LINE = /^\s*at (?:(.*?) \((.*):(\d+):(\d+)\)|(.*):(\d+):(\d+))$/;

/**
 * Frames of a stack and of those before its waits.
 * @param {Protocol.Runtime.StackTrace|undefined} trace @param {string|undefined} session
 * @returns {StackFrame[]}
 */
export function framesOfTrace(trace, session) {
  /** @type {StackFrame[]} */
  const frames = [];
  let after = "";
  for (let part = trace; part && frames.length < MAX_FRAMES; part = part.parent) {
    const waited = after;
    after = part.parent?.description || "async";
    part.callFrames.forEach(({ functionName, url, lineNumber, columnNumber, scriptId }, at) => frames.push({
      name: functionName.slice(0, MAX_NAME), url, line: lineNumber, column: columnNumber, scriptId, session,
      ...(waited && at === 0 && { after: waited }),
    }));
  }
  return frames.slice(0, MAX_FRAMES);
}

/**
 * The frames in the stack of an error, as V8 writes it.
 * @param {string} text
 * @param {string} [session]
 * @returns {StackFrame[]}
 */
export function framesIn(text, session) {
  return text.split("\n").flatMap((line) => {
    const [, name = "", named, row, column, bare, bareRow, bareColumn] = LINE.exec(line) ?? [];
    const url = named ?? bare?.replace(/^async /, "");
    if (url === undefined) return [];
    // Code of eval has no address; where it was called has one.
    const [, caller, callerRow, callerColumn] = EVAL.exec(url) ?? [];
    if (caller) return [{ name, url: caller, line: Number(callerRow) - 1, column: Number(callerColumn) - 1, session }];
    return [{
      name: name.slice(0, MAX_NAME), url, line: Number(row ?? bareRow) - 1, column: Number(column ?? bareColumn) - 1, session,
    }];
  }).slice(0, MAX_FRAMES);
}

/** The text of an error without its stack. @param {string} text */
export const withoutFrames = (text) => text.replace(/(?:\n\s+at .*)+$/, "");

/** @type {{[M in ConsoleMethod]: (params: EventParams<M>, session: string|undefined) => StackFrame[]}} */
const FRAMES = {
  "Runtime.consoleAPICalled": ({ stackTrace }, session) => framesOfTrace(stackTrace, session),
  "Runtime.exceptionThrown": ({ exceptionDetails }, session) => {
    const { stackTrace, exception, url, lineNumber, columnNumber, scriptId } = exceptionDetails;
    const traced = framesOfTrace(stackTrace, session);
    const found = traced.length ? traced : framesIn(exception?.subtype === "error" ? exception.description ?? "" : "", session);
    if (found.length || !url) return found;
    return [{ name: "", url, line: lineNumber, column: columnNumber, scriptId, session }];
  },
  "Log.entryAdded": ({ entry: { stackTrace, url, lineNumber } }, session) => {
    const traced = framesOfTrace(stackTrace, session);
    // A report without a line is about a resource, not about a place in a script.
    return traced.length || !url || lineNumber === undefined ? traced : [{ name: "", url, line: lineNumber, column: 0, session }];
  },
};

/** Stack of a console message, the innermost frame first. @param {ConsoleEvent} event @returns {StackFrame[]} */
export const framesOf = ([method, params, session]) => FRAMES[method](/** @type {never} */ (params), session);
