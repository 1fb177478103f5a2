/*
 * Values of the page in words, expanded to a depth without running any code of the page: members are read by the debugger and
 * getters are not called. First all is asked for, then elements and stacks get their names, then it is written.
 */
import { framesIn, withoutFrames } from "./stack-frames.js";
import { cut as cutText, functionText, previewText } from "./console-entries.js";

/** @import { Protocol, Send } from "./commands" */
/** @typedef {import("./stack-frames.js").StackFrame} StackFrame */
/** @typedef {Protocol.Runtime.RemoteObject} RemoteObject */
/** @typedef {Pick<Protocol.Runtime.PropertyDescriptor, "name"|"value"|"get">} Member */
/** @typedef {{objectId: string, session: string|undefined}} NodeRef */
/** @typedef {string | {node: NodeRef} | {frame: StackFrame}} Piece */
/** @typedef {{label?: string, value: Shown}} Item */
/** @typedef {{pieces: Piece[]} | {head: Piece[], open: string, close: string, items: Item[], more: number}} Shown */

const MAX_OBJECTS = 150;
/** An error may be its own cause. */
const MAX_CAUSES = 20;
const MAX_ITEMS = 60;
const MAX_STRING = 1_000;
const MAX_ERROR_FRAMES = 15;
const MAX_LINE = 100;
/** Room that a reference or a place takes. */
const PIECE_WIDTH = 8;
const INDENT = "  ";
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const plain = (/** @type {string} */ text) => ({ pieces: [text] });
const cut = (/** @type {string} */ text) => cutText(text, MAX_STRING);

/** Reads values of one session. */
export class ValueReader {
  /** @param {Send} send @param {string|undefined} session */
  constructor(send, session) {
    this.send = send;
    this.session = session;
    this.left = MAX_OBJECTS;
    this.causes = MAX_CAUSES;
    /** Elements that get a reference. @type {NodeRef[]} */
    this.nodes = [];
    /** Places that are mapped. @type {StackFrame[]} */
    this.frames = [];
  }

  /**
   * @param {RemoteObject} remote
   * @param {number} depth levels of members that are shown
   * @param {boolean} [isText] a string is a text of the message, not a value
   * @returns {Promise<Shown>}
   */
  async read(remote, depth, isText = false) {
    const { type, subtype, value, unserializableValue, description = "", objectId } = remote;
    if (type === "string") return plain(isText ? cut(value) : JSON.stringify(cut(value)));
    if (type === "function") return plain(functionText(description));
    if (!objectId || unserializableValue !== undefined) return plain(unserializableValue ?? (description || String(value)));
    if (subtype === "node") return this.element(objectId, description);
    if (subtype === "error") return this.error(remote, depth);
    if (subtype === "date" || subtype === "regexp" || type === "symbol") return plain(cut(description));
    return this.object(remote, depth);
  }

  /** @param {string} objectId @param {string} description @returns {Shown} */
  element(objectId, description) {
    const node = { objectId, session: this.session };
    this.nodes.push(node);
    return { pieces: [`<${description.slice(0, 200)}>`, { node }] };
  }

  /** @param {string} objectId */
  async members(objectId) {
    this.left -= 1;
    const { result, internalProperties = [] } = await this.send("Runtime.getProperties", {
      objectId, ownProperties: true, generatePreview: true,
    });
    return { own: result, internal: internalProperties };
  }

  /** An error with its stack, its cause, and what else it holds. @param {RemoteObject} remote @param {number} depth */
  async error({ objectId, description = "" }, depth) {
    const frames = framesIn(description, this.session).slice(0, MAX_ERROR_FRAMES);
    this.frames.push(...frames);
    /** @type {Piece[]} */
    const head = [cut(withoutFrames(description))];
    for (const frame of frames) head.push(`\n${INDENT}at `, { frame });
    if (depth < 1 || this.left < 1) return { pieces: head };
    const { own } = await this.members(/** @type {string} */ (objectId));
    const telling = own.filter(({ name, value, enumerable }) =>
      value && (name === "cause" || name === "errors" || (enumerable && !["stack", "message"].includes(name))));
    if (!telling.length) return { pieces: head };
    // A cause is told however deep it is: it is why.
    const isWhy = (/** @type {string} */ name) => (name === "cause" || name === "errors") && this.causes-- > 0;
    const items = await this.items(telling, (name) => (isWhy(name) ? depth : depth - 1));
    return { head: [...head, "\n"], open: "{", close: "}", items, more: Math.max(0, telling.length - MAX_ITEMS) };
  }

  /** @param {Member[]} members @param {(name: string) => number} depthOf @returns {Promise<Item[]>} */
  async items(members, depthOf) {
    const items = [];
    for (const { name, value, get } of members.slice(0, MAX_ITEMS)) {
      const shown = value ? await this.read(value, depthOf(name)) : plain(get ? "[getter]" : "undefined");
      items.push({ label: IDENTIFIER.test(name) ? name : JSON.stringify(name), value: shown });
    }
    return items;
  }

  /** @param {RemoteObject} remote @param {number} depth @returns {Promise<Shown>} */
  async object(remote, depth) {
    const { subtype, description = "", className = "", preview, objectId } = remote;
    if (depth < 1 || this.left < 1) return plain(preview ? previewText(preview) : cut(description || className));
    const { own, internal } = await this.members(/** @type {string} */ (objectId));
    const entries = internal.find(({ name }) => name === "[[Entries]]")?.value;
    if (entries?.objectId) return this.collection(description, entries.objectId, depth);
    const isList = subtype === "array" || subtype === "typedarray";
    const inner = internal.filter(({ name }) => /^\[\[(PromiseState|PromiseResult|Target)\]\]$/.test(name));
    const told = [...inner, ...own.filter(({ name, enumerable }) => (isList ? /^\d+$/.test(name) : enumerable))];
    const items = await this.items(told, () => depth - 1);
    const named = isList ? items.map(({ value }) => ({ value })) : items;
    const head = ["Object", "Array"].includes(className) ? [] : [`${description.slice(0, 200)} `];
    const [open, close] = isList ? "[]" : "{}";
    return { head, open, close, items: named, more: told.length - items.length };
  }

  /**
   * A map or a set.
   * @param {string} description @param {string} objectId of its entries @param {number} depth
   * @returns {Promise<Shown>}
   */
  async collection(description, objectId, depth) {
    const { own } = await this.members(objectId);
    const entries = own.filter(({ name, value }) => /^\d+$/.test(name) && value?.objectId);
    const items = [];
    for (const { value: entry } of entries.slice(0, MAX_ITEMS)) {
      if (this.left < 1) break;
      const { own: parts } = await this.members(/** @type {string} */ (entry?.objectId));
      const [key, value] = ["key", "value"].map((wanted) => parts.find(({ name }) => name === wanted)?.value);
      const shown = value ? await this.read(value, depth - 1) : plain("?");
      items.push(key ? { label: written(await this.read(key, 0), () => "", "").slice(0, 100), value: shown } : { value: shown });
    }
    return { head: [`${description} `], open: "{", close: "}", items, more: entries.length - items.length };
  }
}

/**
 * A value as text: on one line where there is room.
 * @param {Shown} shown
 * @param {(piece: Exclude<Piece, string>) => string} nameOf
 * @param {string} [indent]
 * @returns {string}
 */
export function written(shown, nameOf, indent = "") {
  const text = (/** @type {Piece[]} */ pieces) =>
    pieces.map((piece) => (typeof piece === "string" ? piece : nameOf(piece))).join("").replaceAll("\n", `\n${indent}`);
  if ("pieces" in shown) return text(shown.pieces);
  const { head, open, close, items, more } = shown;
  const inner = `${indent}${INDENT}`;
  const left = more > 0 ? [`… ${more} more`] : [];
  const lines = [...items.map(({ label, value }) => `${label ? `${label}: ` : ""}${written(value, nameOf, inner)}`), ...left];
  if (!lines.length) return `${text(head)}${open}${close}`;
  const isShort = lines.every((line) => !line.includes("\n")) && widthOf(lines) + indent.length <= MAX_LINE;
  if (isShort) return `${text(head)}${open}${lines.join(", ")}${close}`;
  return `${text(head)}${open}\n${lines.map((line) => `${inner}${line}`).join(",\n")}\n${indent}${close}`;
}

/** @param {string[]} lines */
const widthOf = (lines) => lines.reduce((sum, line) => sum + line.length + 2, PIECE_WIDTH);
