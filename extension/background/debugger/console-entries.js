/*
 * Console messages, uncaught exceptions and the browser's own reports (failed requests, blocked scripts) as plain entries:
 * what the developer tools show in one line, bounded.
 */

/** @import { EventHandlers, Protocol } from "./commands" */
/** @typedef {Protocol.Runtime.RemoteObject} RemoteObject */
/** @typedef {Protocol.Runtime.ObjectPreview} ObjectPreview */
/**
 * type: of the call that said it, where `args` are kept
 * @typedef {Omit<Entry, "addresses"|"session"> & {type?: string}} Noted
 */
/**
 * @typedef {object} Entry
 * @property {string} key      the same for the same message told twice
 * @property {number} time     epoch ms
 * @property {"log"|"info"|"warn"|"error"|"debug"} level
 * @property {string} text
 * @property {string[]} [addresses] of the document it comes from and of those around it; none: not known
 * @property {string} [source] url:line:column
 * @property {string[]} [stack]
 * @property {"exception"} [kind]
 * @property {RemoteObject[]} [args]  what has to be looked at in the page before it can be said; not kept
 * @property {string} [session]
 * @property {number} [n] its number in the log
 */

const MAX_TEXT = 10_000;
const MAX_STRING = 2_000;
const MAX_STACK = 10;
const MAX_FRAME = 300;

/** Runtime.consoleAPICalled.type → level; the others are "log". @type {Record<string, Entry["level"]>} */
const LEVELS = { error: "error", assert: "error", warning: "warn", info: "info", debug: "debug" };
/** Log.LogEntry.level → level. @type {Record<Protocol.Log.LogEntry["level"], Entry["level"]>} */
const REPORT_LEVELS = { verbose: "debug", info: "info", warning: "warn", error: "error" };
/** Kinds of entries that say nothing to a reader. */
const SILENT = new Set(["endGroup", "profile", "profileEnd"]);

/** The beginning of a text, with the number of characters left out. @param {string} text */
export const cut = (text, limit = MAX_TEXT) =>
  text.length > limit ? `${text.slice(0, limit)}… [${text.length - limit} more characters]` : text;

/** @type {(url: string|undefined, line: number, column: number) => string|undefined} */
const place = (url, line, column) =>
  url ? [url.slice(0, 500), ...(line >= 0 ? [line + 1] : []), ...(column >= 0 ? [column + 1] : [])].join(":") : undefined;

/** @param {Protocol.Runtime.StackTrace|undefined} trace */
function stackOf(trace) {
  return (trace?.callFrames ?? []).slice(0, MAX_STACK).map(({ functionName, url, lineNumber, columnNumber }) =>
    `at ${functionName || "<anonymous>"} (${place(url, lineNumber, columnNumber) ?? "eval"})`.slice(0, MAX_FRAME));
}

/** @param {Protocol.Runtime.StackTrace|undefined} trace */
const topOf = (trace) => {
  const frame = trace?.callFrames?.[0];
  return frame && place(frame.url, frame.lineNumber, frame.columnNumber);
};

const EVENTS = /** @satisfies {EventHandlers<[], Noted|null>} */ ({
  "Runtime.consoleAPICalled": ({ type, args, timestamp, stackTrace }) => {
    if (SILENT.has(type)) return null;
    const isTraced = type === "trace" || type === "assert";
    return {
      key: `${type} ${timestamp} ${args.length} ${String(args[0]?.value ?? "").slice(0, 20)}`,
      time: timestamp,
      level: LEVELS[type] ?? "log",
      text: textOf(args, type),
      source: topOf(stackTrace),
      ...(isTraced ? { stack: stackOf(stackTrace) } : {}),
      ...(args.some(isUnknown) ? { args, type } : {}),
    };
  },
  "Runtime.exceptionThrown": ({ timestamp, exceptionDetails: details }) => {
    const { exception, text, url, lineNumber, columnNumber, stackTrace, exceptionId } = details;
    const [said, frames] = thrown(exception);
    return {
      key: `exception ${timestamp} ${exceptionId}`,
      time: timestamp,
      level: "error",
      kind: "exception",
      text: cut([text, said].filter(Boolean).join(" ")),
      source: topOf(stackTrace) ?? place(url, lineNumber, columnNumber),
      stack: frames.length ? frames : stackOf(stackTrace),
      ...(exception && isUnknown(exception) && exception.subtype !== "error" ? { args: [exception], type: text } : {}),
    };
  },
  "Log.entryAdded": ({ entry: { level, text, timestamp, url, lineNumber, stackTrace, source } }) => {
    // The session of a worker tells these itself.
    if (source === "worker") return null;
    return {
      key: `${source} ${timestamp} ${text.slice(0, 40)}`,
      time: timestamp,
      level: REPORT_LEVELS[level],
      text: cut(text),
      source: topOf(stackTrace) ?? place(url, lineNumber ?? -1, -1),
    };
  },
});

/** Debugger events that may be entries. @param {string} method @returns {method is keyof typeof EVENTS} */
export const isConsoleEvent = (method) => Object.hasOwn(EVENTS, method);

/**
 * The entry of a debugger event.
 * @param {keyof typeof EVENTS} method
 * @param {object|undefined} params
 * @param {string} [session]
 * @param {string[]|null} [addresses] of the document and of those around it
 * @returns {Entry|null} null for what is not worth telling
 */
export function toEntry(method, params, session, addresses) {
  /** @type {Noted|null} */
  const entry = EVENTS[method](/** @type {never} */ (params));
  if (!entry) return null;
  const key = `${session ?? ""} ${entry.key}`;
  return { ...entry, key, ...(addresses ? { addresses } : {}), ...(entry.args ? { session } : {}) };
}

/** [what was thrown, stack] @param {RemoteObject|undefined} exception @returns {[string, string[]]} */
function thrown(exception) {
  if (!exception) return ["", []];
  const description = exception.subtype === "error" ? exception.description ?? "" : valueText(exception);
  const [, said, rest] = /^([^]*?)((?:\n\s+at [^]*)?)$/.exec(description) ?? [];
  const frames = (rest ?? "").split("\n").map((line) => line.trim().slice(0, MAX_FRAME)).filter(Boolean);
  return [said ?? description, frames.slice(0, MAX_STACK)];
}

/** An object of which only its class was told. @param {RemoteObject} remote */
const isUnknown = ({ type, subtype, preview, objectId }) =>
  objectId !== undefined && !preview && type === "object" && !["error", "node", "date", "regexp"].includes(subtype ?? "");

/**
 * An entry whose objects have been looked at.
 * @param {Entry & {type?: string}} entry
 * @param {RemoteObject[]} args  with previews
 */
export function withArgs({ type, args: _, session: __, ...entry }, args) {
  return { ...entry, text: entry.kind ? cut(`${type} ${thrown(args[0])[0]}`) : textOf(args, type) };
}

/** @type {Record<string, string>} */
const PREFIXES = { assert: "Assertion failed: ", trace: "Trace: ", clear: "console was cleared" };

/** @param {RemoteObject[]} args @param {string|undefined} type */
function textOf(args, type) {
  const [first, ...rest] = args;
  const hasFormat = first?.type === "string" && /%[sdifoOc%]/.test(first.value) && args.length > 1;
  const parts = hasFormat ? formatted(first.value, rest) : args.map(valueText);
  return cut((PREFIXES[type ?? ""] ?? "") + parts.join(" "));
}

/** The format specifiers of the console. @param {string} format @param {RemoteObject[]} values */
function formatted(format, values) {
  const left = [...values];
  /** @type {Record<string, (value: RemoteObject) => string>} */
  const CONVERSIONS = {
    s: (value) => valueText(value),
    d: (value) => numberText(value, Math.trunc),
    i: (value) => numberText(value, Math.trunc),
    f: (value) => numberText(value, (number) => number),
    o: (value) => valueText(value),
    O: (value) => valueText(value),
    c: () => "",
  };
  const text = format.replace(/%([sdifoOc%])/g, (match, letter) => {
    if (letter === "%") return "%";
    const value = left.shift();
    return value ? CONVERSIONS[letter](value) : match;
  });
  return [text, ...left.map(valueText)];
}

/** @type {(value: RemoteObject, shape: (number: number) => number) => string} */
const numberText = (value, shape) =>
  String(typeof value.value === "number" ? shape(value.value) : Number.parseFloat(valueText(value)));

/** A function by its name. @param {string} description its text */
export const functionText = (description) =>
  `[${/^class\b/.test(description) ? "class" : "function"} ` +
  `${/^(?:async )?(?:function\*?|class)\s+([\w$]+)/.exec(description)?.[1] ?? "anonymous"}]`;

/** A value as one of several arguments: texts are not quoted. @param {RemoteObject} remote @returns {string} */
function valueText(remote) {
  const { type, subtype, value, unserializableValue, description = "", preview, className } = remote;
  if (type === "string") return value;
  if (type === "undefined") return "undefined";
  if (unserializableValue !== undefined) return unserializableValue;
  if (value !== undefined) return String(value);
  if (type === "function") return functionText(description);
  if (subtype === "node") return `<${cut(description, 200)}>`;
  if (preview && !["error", "date", "regexp"].includes(subtype ?? "")) return previewText(preview);
  return cut(description || className || type, MAX_STRING);
}

/**
 * {a: 1, b: "x", …}, [1, 2], Map(1) {"k" => 1}
 * @param {Partial<ObjectPreview>} preview
 * @returns {string}
 */
export function previewText({ subtype, description = "", properties = [], entries, overflow }) {
  const more = overflow ? ["…"] : [];
  if (entries) {
    const shown = entries.map(({ key, value }) => (key ? `${nested(key)} => ${nested(value)}` : nested(value)));
    return `${description} {${[...shown, ...more].join(", ")}}`;
  }
  const isList = subtype === "array" || subtype === "typedarray";
  const isItem = (/** @type {{name: string}} */ { name }) => isList && /^\d+$/.test(name);
  const told = subtype === "typedarray" ? properties.filter(isItem) : properties;
  const shown = told.map((property) => (isItem(property) ? memberText(property) : `${property.name}: ${memberText(property)}`));
  const inside = [...shown, ...more].join(", ");
  if (isList) return `${subtype === "array" ? "" : `${description} `}[${inside}]`;
  return `${description === "Object" ? "" : `${description} `}{${inside}}`;
}

/** @param {ObjectPreview} preview */
const nested = (preview) =>
  preview.type === "object" && preview.properties?.length
    ? previewText(preview)
    : memberText({ ...preview, value: preview.description });

/** @param {Pick<Protocol.Runtime.PropertyPreview, "type"|"subtype"|"value"|"valuePreview">} member @returns {string} */
function memberText({ type, subtype, value = "", valuePreview }) {
  if (valuePreview) return previewText(valuePreview);
  if (type === "string") return JSON.stringify(value);
  if (type === "function") return "[function]";
  if (type === "accessor") return "[getter]";
  return subtype === "node" ? `<${value}>` : value;
}
