/**
 * JavaScript written by the caller, run in the page by the debugger: the page's CSP does not apply there.
 *
 * The text may be an expression, statements, a function body with `return`, or a function. Which one it is the parser of
 * the page says: a reading that does not compile has run nothing, so the next one is tried.
 */
import { said, TabwireError } from "../base/errors.js";
import { valueOf } from "./remote-values.js";

/** @import { Protocol, Send } from "./commands" */
/** @typedef {{source: string, args?: unknown[]}} Script */
/** @typedef {Protocol.Runtime.EvaluateResponse} Evaluation */

const MAX_LAST_STATEMENT_TRIES = 12;
const MAX_THROWN = 2_000;

/**
 * Index after the bracket that closes the one at `start`; brackets in strings are counted, which is good enough here.
 * @param {string} text @param {number} start
 */
function closing(text, start) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if ("([{".includes(text[at])) depth += 1;
    else if (")]}".includes(text[at]) && --depth === 0) return at + 1;
  }
  return -1;
}

/** @param {string} text @returns {boolean} whether the whole text is a function: `() => …`, `x => …`, `function …` */
function isFunctionSource(text) {
  const source = text.replace(/^(\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)+/, "");
  if (/^(async\s+)?function\b/.test(source)) return true;
  if (/^(async\s+)?[\w$]+\s*=>/.test(source)) return true;
  const open = /^(async\s*)?\(/.exec(source);
  if (!open) return false;
  const end = closing(source, open[0].length - 1);
  return end > 0 && /^\s*=>/.test(source.slice(end));
}

/**
 * The source begins on line 1 of every reading (counted from 0), so that line numbers are the caller's.
 * @param {string} source
 */
const lined = (source) => `\n${source}\n`;

/** `source` with its last statement returned, for each place where that may begin, from the end. @param {string} source */
function* lastStatementReturned(source) {
  const text = source.trimEnd().replace(/;+$/, "");
  let tries = 0;
  for (let at = text.length - 1; at >= 0 && tries < MAX_LAST_STATEMENT_TRIES; at -= 1) {
    if (text[at] !== ";" && text[at] !== "\n") continue;
    if (!text.slice(at + 1).trim()) continue;
    tries += 1;
    yield `${text.slice(0, at + 1)} return (${text.slice(at + 1)}\n)`;
  }
}

/**
 * The ways to read a text, the likeliest first.
 * @param {Script} script
 * @returns {Generator<string>} expressions whose value is that of the script
 */
export function* readings({ source, args }) {
  const list = JSON.stringify(args ?? []);
  const expression = source.trim().replace(/;+$/, "");
  if (isFunctionSource(expression)) yield `(${lined(expression)})(...${list})`;
  yield args ? `((args) => (${lined(expression)}))(${list})` : `(${lined(expression)})`;
  yield args ? `{ const args = ${list}; {${lined(source)}} }` : `{${lined(source)}}`;
  yield `(function (...args) {${lined(source)}})(...${list})`;
  yield `(async (args) => (${lined(expression)}))(${list})`;
  if (!/\breturn\b/.test(source)) {
    for (const returned of lastStatementReturned(source)) yield `(async (...args) => {${lined(returned)}})(...${list})`;
  }
  yield `(async (...args) => {${lined(source)}})(...${list})`;
}

/** Names, members and numbers, compared or added up: no call, no assignment, nothing that is made anew. */
const READING = /^(?:[\w$.?\s[\]+*:&|-]|"[^"\\]*"|'[^'\\]*'|[=!]==?(?!=)|[<>]=?(?!=))+$/;
const DOING = /\+\+|--|<<=|>>=|\b(?:new|delete|await|yield|throw|debugger)\b/;

/**
 * Whether a script only reads, as far as its words tell: a getter of the page may still do something.
 * @param {string} source
 */
export const onlyReads = (source) => READING.test(source) && !DOING.test(source);

/**
 * Whether an evaluation may have failed because its text does not compile. An error that was thrown has a stack, unless the page
 * keeps errors from having one.
 * @param {Evaluation} evaluation
 */
function mayBeUncompiled({ exceptionDetails }) {
  const { exception, stackTrace, text = "" } = exceptionDetails ?? {};
  if (exception?.className !== "SyntaxError" || stackTrace || text.includes("(in promise)")) return false;
  return !/\n\s+at /.test(exception.description ?? "");
}

/** Value that a text throws which compiles, and which is only asked whether it does. */
const COMPILES = "tabwire: compiles";

/**
 * Asks whether a text compiles, without running it.
 * @param {Send} send @param {Omit<Protocol.Runtime.EvaluateRequest, "expression">} options @param {string} expression
 * @returns {Promise<boolean>} true as well when that is not known
 */
const compiles = (send, options, expression) => send("Runtime.evaluate", {
  ...options, expression: `throw ${JSON.stringify(COMPILES)};${expression}`, silent: true, awaitPromise: false,
}).then((evaluation) => !mayBeUncompiled(evaluation), () => true);

/**
 * Runs a script once: its next reading only when the one before it did not compile.
 * @param {Send} send  debugger commands of the right frame
 * @param {Script} script
 * @param {Omit<Protocol.Runtime.EvaluateRequest, "expression">} options
 * @param {string} [guard]  a statement that runs before it
 * @returns {Promise<Evaluation>}
 */
export async function run(send, script, options, guard = "") {
  const isBody = !isFunctionSource(script.source) && /[;\n{]|\breturn\b/.test(script.source);
  const settings = { userGesture: true, allowUnsafeEvalBlockedByCSP: true, ...options };
  /** @type {Evaluation[]} */
  const refused = [];
  for (const reading of readings(script)) {
    const expression = guard + reading;
    const evaluating = send("Runtime.evaluate", { ...settings, expression });
    // Statements are no expression: the first readings of a body are likely to be refused, so it is asked ahead.
    const ahead = isBody ? compiles(send, settings, expression) : undefined;
    const evaluation = await evaluating;
    if (!mayBeUncompiled(evaluation) || await (ahead ?? compiles(send, settings, expression))) return evaluation;
    refused.push(evaluation);
  }
  // The error in a function or an expression is best described by the attempt to read it as one.
  return /** @type {Evaluation} */ (isBody ? refused.at(-1) : refused[0]);
}

/**
 * A value that was thrown, read and cleaned before it is cut.
 * @param {Send} send @param {Protocol.Runtime.RemoteObject} exception
 * @param {(value: any) => Promise<any>} clean
 */
export async function readException(send, exception, clean) {
  if (!exception.objectId || exception.subtype === "error") return cleanException(exception, clean);
  const value = await valueOf(send, exception, { byValue: true, maxLength: MAX_THROWN }).catch(() => null);
  return value === null ? exception : { ...exception, description: shortened(await clean(value)) };
}

/**
 * An error, or a simple value that was thrown, with its message cleaned.
 * @param {Protocol.Runtime.RemoteObject} exception @param {(value: any) => Promise<any>} clean
 */
export async function cleanException(exception, clean) {
  const { description } = exception;
  if ("value" in exception) return { ...exception, value: await clean(exception.value) };
  if (!description) return exception;
  const [message, ...stack] = description.split(/(?=\n\s+at )/);
  return { ...exception, description: [await clean(message), ...stack].join("") };
}

/** @param {any} value */
const shortened = (value) => (typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_THROWN);

/**
 * Turns the exception of a script into an error to reply with.
 * @param {Protocol.Runtime.ExceptionDetails} details
 * @param {string} source
 * @returns {TabwireError}
 */
export function thrownError({ exception, text, lineNumber, columnNumber, stackTrace }, source) {
  const value = exception && ("value" in exception || exception.type === "undefined") ? String(exception.value) : text;
  const description = exception?.description ?? value;
  const [first, ...stack] = String(description).split("\n");
  const message = exception?.subtype === "error" ? first : `thrown: ${first}`;
  const top = stackTrace?.callFrames?.[0];
  const place = top && !top.url ? top.lineNumber : lineNumber;
  // Lines outside the script's own do not count: code around it adds some, and functions of the page have others.
  const line = place > 0 && place <= source.split("\n").length && !top?.url ? place : undefined;
  const column = line && !top && exception?.className === "SyntaxError" ? columnNumber + 1 : undefined;
  const at = line ? ` (line ${line}${column ? `, column ${column}` : ""} of the script)` : "";
  const frames = stack.map((entry) => entry.trim()).filter((entry) => entry.startsWith("at ")).slice(0, 5);
  return new TabwireError("javascript_error", `${said(message)}${at}`, { line, ...(column ? { column } : {}), stack: frames });
}
