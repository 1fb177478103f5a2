/*
 * Console messages, uncaught exceptions and the browser's own reports (failed requests, blocked scripts) as plain entries:
 * what the developer tools show in one line, bounded.
 */

/**
 * @typedef {object} Entry
 * @property {string} key      the same for the same message told twice
 * @property {number} time     epoch ms
 * @property {"log"|"info"|"warn"|"error"|"debug"} level
 * @property {string} text
 * @property {string} [page] address or origin of the document it comes from
 * @property {string} [source] url:line:column
 * @property {string[]} [stack]
 * @property {"exception"} [kind]
 * @property {any[]} [args]    what has to be looked at in the page before it can be said; not kept
 * @property {string} [session]
 */

const MAX_TEXT = 10_000;
const MAX_STRING = 2_000;
const MAX_STACK = 10;
const MAX_FRAME = 300;

/** Runtime.consoleAPICalled.type → level; the others are "log". */
const LEVELS = { error: "error", assert: "error", warning: "warn", info: "info", debug: "debug" };
/** Log.LogEntry.level → level. */
const REPORT_LEVELS = { verbose: "debug", info: "info", warning: "warn", error: "error" };
/** What says nothing to a reader. */
const SILENT = new Set(["endGroup", "profile", "profileEnd"]);

export const cut = (text, limit = MAX_TEXT) => (text.length > limit ? `${text.slice(0, limit)}… [${text.length - limit} more characters]` : text);

const place = (url, line, column) => (url ? [url.slice(0, 500), ...(line >= 0 ? [line + 1] : []), ...(column >= 0 ? [column + 1] : [])].join(":") : undefined);

/** @param {any} trace  Runtime.StackTrace */
function stackOf(trace) {
  return (trace?.callFrames ?? []).slice(0, MAX_STACK).map(({ functionName, url, lineNumber, columnNumber }) =>
    `at ${functionName || "<anonymous>"} (${place(url, lineNumber, columnNumber) ?? "eval"})`.slice(0, MAX_FRAME));
}

const topOf = (trace) => {
  const frame = trace?.callFrames?.[0];
  return frame && place(frame.url, frame.lineNumber, frame.columnNumber);
};

const EVENTS = {
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
};

/** Debugger events that may be entries. */
export const isConsoleEvent = (method) => Object.hasOwn(EVENTS, method);

/**
 * The entry of a debugger event.
 * @param {string} method
 * @param {any} params
 * @param {string} [session]
 * @param {string} [page] address or origin of the document
 * @returns {Entry|null} null for what is not worth telling
 */
export function toEntry(method, params, session, page) {
  const entry = EVENTS[method](params);
  return entry && { ...entry, ...(page ? { page } : {}), key: `${session ?? ""} ${entry.key}`, ...(entry.args ? { session } : {}) };
}

/** [what was thrown, stack] @returns {[string, string[]]} */
function thrown(exception) {
  if (!exception) return ["", []];
  const description = exception.subtype === "error" ? exception.description : valueText(exception);
  const [, said, rest] = /^([^]*?)((?:\n\s+at [^]*)?)$/.exec(description) ?? [];
  const frames = (rest ?? "").split("\n").map((line) => line.trim().slice(0, MAX_FRAME)).filter(Boolean);
  return [said ?? description, frames.slice(0, MAX_STACK)];
}

// ---- values ---------------------------------------------------------------------------------------------------------

/** An object of which only its class was told. */
const isUnknown = ({ type, subtype, preview, objectId }) =>
  objectId !== undefined && !preview && type === "object" && !["error", "node", "date", "regexp"].includes(subtype);

/**
 * An entry whose objects have been looked at.
 * @param {Entry & {type?: string}} entry
 * @param {any[]} args  with previews
 */
export function withArgs({ type, args: _, session: __, ...entry }, args) {
  return { ...entry, text: entry.kind ? cut(`${type} ${thrown(args[0])[0]}`) : textOf(args, type) };
}

const PREFIXES = { assert: "Assertion failed: ", trace: "Trace: ", clear: "console was cleared" };

function textOf(args, type) {
  const [first, ...rest] = args;
  const hasFormat = first?.type === "string" && /%[sdifoOc%]/.test(first.value) && args.length > 1;
  const parts = hasFormat ? formatted(first.value, rest) : args.map(valueText);
  return cut((PREFIXES[type] ?? "") + parts.join(" "));
}

/** The format specifiers of the console. */
function formatted(format, values) {
  const left = [...values];
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
    return left.length ? CONVERSIONS[letter](left.shift()) : match;
  });
  return [text, ...left.map(valueText)];
}

const numberText = (value, shape) => String(typeof value.value === "number" ? shape(value.value) : Number.parseFloat(valueText(value)));

/** A value as one of several arguments: texts are not quoted. @param {any} remote  Runtime.RemoteObject */
function valueText(remote) {
  const { type, subtype, value, unserializableValue, description = "", preview, className } = remote;
  if (type === "string") return value;
  if (type === "undefined") return "undefined";
  if (unserializableValue !== undefined) return unserializableValue;
  if (value !== undefined) return String(value);
  if (type === "function") return `[${/^class\b/.test(description) ? "class" : "function"} ${/^(?:async )?(?:function\*?|class)\s+([\w$]+)/.exec(description)?.[1] ?? "anonymous"}]`;
  if (subtype === "node") return `<${cut(description, 200)}>`;
  if (preview && !["error", "date", "regexp"].includes(subtype)) return previewText(preview);
  return cut(description || className || type, MAX_STRING);
}

/**
 * {a: 1, b: "x", …}, [1, 2], Map(1) {"k" => 1}
 * @param {any} preview  Runtime.ObjectPreview
 * @returns {string}
 */
export function previewText({ subtype, description = "", properties = [], entries, overflow }) {
  const more = overflow ? ["…"] : [];
  if (entries) {
    const shown = entries.map(({ key, value }) => (key ? `${nested(key)} => ${nested(value)}` : nested(value)));
    return `${description} {${[...shown, ...more].join(", ")}}`;
  }
  const isList = subtype === "array" || subtype === "typedarray";
  const isItem = ({ name }) => isList && /^\d+$/.test(name);
  const told = subtype === "typedarray" ? properties.filter(isItem) : properties;
  const shown = told.map((property) => (isItem(property) ? memberText(property) : `${property.name}: ${memberText(property)}`));
  const inside = [...shown, ...more].join(", ");
  if (isList) return `${subtype === "array" ? "" : `${description} `}[${inside}]`;
  return `${description === "Object" ? "" : `${description} `}{${inside}}`;
}

const nested = (preview) => (preview.type === "object" && preview.properties?.length ? previewText(preview) : memberText({ ...preview, value: preview.description }));

function memberText({ type, subtype, value = "", valuePreview }) {
  if (valuePreview) return previewText(valuePreview);
  if (type === "string") return JSON.stringify(value);
  if (type === "function") return "[function]";
  if (type === "accessor") return "[getter]";
  return subtype === "node" ? `<${value}>` : value;
}
