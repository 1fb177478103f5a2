/** Values of the page as JSON: what has no JSON form is described instead of lost. */
import { previewText } from "./console-entries.js";

/** @import { Protocol, Send } from "./commands" */
/** @typedef {any} PageValue  whatever the scripts of a page have */

/** Remote type or subtype → type told to the caller, where they differ. @type {Record<string, string>} */
const TYPE_NAMES = { typedarray: "array", arraybuffer: "arraybuffer", null: "null" };

const ID = /^-?\d+\.(\d+)\.\d+$/;

/** The execution context that an object or a call frame is of, by its id; NaN where it does not say. @param {string} [id] */
export const contextOf = (id = "") => Number(ID.exec(id)?.[1]);

/** @param {Protocol.Runtime.RemoteObject} remote @returns {string} */
export const typeOf = ({ type, subtype }) => TYPE_NAMES[subtype ?? ""] ?? subtype ?? type;

/**
 * A property of an object that scripts do not see, such as [[Scopes]].
 * @param {Send} send @param {string} objectId @param {string} wanted
 */
export async function internalOf(send, objectId, wanted) {
  const { internalProperties = [] } = await send("Runtime.getProperties", { objectId, ownProperties: true });
  return internalProperties.find(({ name }) => name === wanted)?.value;
}

/** The items of a list, in order. @param {Send} send @param {string} objectId */
export async function itemsOf(send, objectId) {
  const { result } = await send("Runtime.getProperties", { objectId, ownProperties: true });
  return result.filter(({ name }) => /^\d+$/.test(name)).map(({ value }) => value);
}

/**
 * A node as an object of another world of its document.
 * @param {Send} send @param {string} objectId @param {number} executionContextId of that world @param {string} [objectGroup]
 */
export async function inWorld(send, objectId, executionContextId, objectGroup) {
  const { node: { backendNodeId } } = await send("DOM.describeNode", { objectId });
  const { object } = await send("DOM.resolveNode", { backendNodeId, executionContextId, ...(objectGroup && { objectGroup }) });
  return object.objectId;
}

/**
 * The value of a remote object.
 * @param {Send} send
 * @param {Protocol.Runtime.RemoteObject} remote
 * @param {{byValue: boolean, maxLength: number}} options
 * @returns {Promise<PageValue>} JSON; `undefined` becomes null
 */
export async function valueOf(send, remote, { byValue, maxLength }) {
  if (remote.type === "undefined") return null;
  if ("value" in remote) return remote.value;
  if (remote.unserializableValue !== undefined) return remote.unserializableValue.replace(/n$/, "");
  if (remote.type === "symbol" || !remote.objectId) return remote.description ?? null;
  if (!byValue) return describe(send, remote);
  const answer = await send("Runtime.callFunctionOn", {
    objectId: remote.objectId,
    functionDeclaration: toJson(),
    arguments: [{ value: maxLength }],
    returnByValue: true,
  });
  return answer.exceptionDetails ? described(remote) : answer.result.value;
}

/** Plain things are shown with what is in them. @param {Send} send @param {Protocol.Runtime.RemoteObject} remote */
async function describe(send, remote) {
  if (remote.type !== "object" || ["node", "error", "date", "regexp", "promise"].includes(remote.subtype ?? ""))
    return described(remote);
  const itself = { objectId: remote.objectId, functionDeclaration: "function () { return this; }", generatePreview: true };
  const { result } = await send("Runtime.callFunctionOn", itself);
  const text = result.preview ? previewText(result.preview) : "";
  const name = described(remote);
  return text.startsWith(name) || !text ? text || name : `${name} ${text}`;
}

/** "HTMLButtonElement button#save", "Array(3)", "function greet(name) {…" @param {Protocol.Runtime.RemoteObject} remote */
function described({ className, description = "", subtype }) {
  const text = description.slice(0, 500);
  return subtype === "node" && className ? `${className} ${text}` : text || className || "object";
}

/**
 * Source that runs in the page: the functions below as text, because nothing of this module exists there.
 * `this` is the value; the argument is the number of characters after which the rest is left out.
 */
const toJson = () => `function (maxLength) {
  const forms = (${objectForms})(${nodeText});
  // Proxies, cross-origin windows and the like refuse even to be looked at.
  try {
    return (${converter})(forms, maxLength)(this);
  } catch (error) {
    return "[cannot be read: " + error + "]";
  }
}`;

/** Describes a node in words; runs in the page. @param {Node} node */
function nodeText(node) {
  if (node.nodeType === 9) return `[document ${/** @type {Document} */ (node).URL}]`;
  if (node.nodeType !== 1) return `[${node.nodeName} ${JSON.stringify((node.nodeValue ?? "").slice(0, 100))}]`;
  const tag = /** @type {Element} */ (node.cloneNode(false)).outerHTML.replace(/<\/[^>]+>$/, "").slice(0, 300);
  const text = (node.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 100);
  return text ? `${tag} ${text}` : tag;
}

/**
 * Lists objects that are told in words or in another shape, as [test, form]; the first match wins. Runs in the page.
 * @param {(node: Node) => string} toNodeText
 * @returns {[test: (value: PageValue) => boolean, form: (value: PageValue) => PageValue][]}
 */
function objectForms(toNodeText) {
  const isListLike = (/** @type {PageValue} */ value) =>
    typeof value !== "function" && typeof value.length === "number" && typeof value.item === "function";
  return [
    [(value) => typeof Node === "function" && value instanceof Node, toNodeText],
    [(value) => value === value.window, () => "[window]"],
    [(value) => value instanceof Date, (value) => (isNaN(value) ? "Invalid Date" : value.toISOString())],
    [(value) => value instanceof RegExp, String],
    [(value) => value instanceof Error, ({ name, message }) => ({ name, message })],
    [(value) => value instanceof Map || value instanceof Set, (value) => [...value]],
    [(value) => value instanceof Promise, () => "[Promise]"],
    [
      (value) => value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef,
      (value) => `[${value.constructor.name}]`,
    ],
    [
      (value) => value instanceof ArrayBuffer || value instanceof DataView,
      (value) => `[${value.constructor.name} of ${value.byteLength} bytes]`,
    ],
    [(value) => ArrayBuffer.isView(value), (value) => [...value]],
    [
      (value) => typeof Blob === "function" && value instanceof Blob,
      (value) => `[${value.constructor.name} ${value.name ?? ""} ${value.size} bytes]`,
    ],
    [(value) => typeof value.toJSON === "function", (value) => value.toJSON()],
    [(value) => isListLike(value) || Object.prototype.toString.call(value) === "[object Arguments]", (value) => [...value]],
  ];
}

/**
 * Makes a function that turns a value into what JSON can hold; runs in the page.
 * @param {ReturnType<typeof objectForms>} forms @param {number} maxLength
 */
function converter(forms, maxLength) {
  const MAX_DEPTH = 40;
  /** @type {PageValue[]} */
  const ancestors = [];
  let left = maxLength;
  const spend = (/** @type {string} */ text) => {
    left -= text.length;
    return text;
  };
  /** @type {Partial<Record<string, (value: PageValue) => PageValue>>} */
  const PRIMITIVES = {
    string: (value) => spend(value.length > left ? value.slice(0, Math.max(0, left) + 1) : value),
    number: (value) => (Number.isFinite(value) ? value : String(value)),
    bigint: String,
    boolean: (value) => value,
    symbol: String,
    function: (value) => `[function ${value.name || "anonymous"}]`,
    undefined: () => null,
  };

  /** @param {ArrayLike<PageValue>} list */
  function listed(list) {
    const items = [];
    for (let at = 0; at < list.length && left >= 0; at += 1) items.push(convert(list[at]));
    return items;
  }

  /** @param {PageValue} object */
  function members(object) {
    const result = Object.create(null);
    for (const key of Object.keys(object)) {
      if (left < 0) break;
      try {
        const member = object[key];
        if (member !== undefined && typeof member !== "function") result[spend(key)] = convert(member);
      } catch (error) {
        result[key] = `[threw ${error}]`;
      }
    }
    return result;
  }

  /** @param {PageValue} value @returns {PageValue} */
  function convert(value) {
    left -= 2;
    if (value === null) return null;
    const primitive = PRIMITIVES[typeof value];
    if (primitive) return primitive(value);
    if (ancestors.includes(value)) return "[circular]";
    if (ancestors.length >= MAX_DEPTH) return "[too deep]";
    ancestors.push(value);
    const form = Array.isArray(value) ? null : forms.find(([test]) => test(value));
    const shaped = form ? form[1](value) : value;
    const isObject = typeof shaped === "object" && shaped !== null;
    const json = !isObject ? convert(shaped) : Array.isArray(shaped) ? listed(shaped) : members(shaped);
    ancestors.pop();
    return json;
  }
  return convert;
}
