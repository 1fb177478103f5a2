/*
 * Position of this document among the frames of its tab. A frame in the document tree is known to both sides by its index
 * in the parent's window (readable across origins); one in a shadow tree has no index there and gets a number from the
 * parent, asked directly (same origin) or over a message port.
 */
import { cached, elementsMatching } from "./flat-tree.js";

export const FRAMES = new Set(["iframe", "frame", "object", "embed"]);
const REPLY_LIMIT_MS = 400;
const MAX_WAITING = 50;

/** Frame elements in shadow trees → "s1", "s2" … @type {WeakMap<Element, string>} */
const shadowSlots = new WeakMap();
/** @type {Map<string, WeakRef<Element>>} */
const bySlot = new Map();
const nonces = new Set();
/** Questions that came before the worker told this frame their nonce. @type {Array<MessageEvent>} */
let waiting = [];

/** @param {Window} parent @param {Window} child */
function indexIn(parent, child) {
  for (let index = 0; index < parent.length; index += 1) if (parent[index] === child) return index;
  return -1;
}

const EMBEDS = "embed";

/**
 * An embed does not tell its window: the ones no other element has belong to the embeds, in order.
 * @param {Element} embed
 * @returns {Window | null}
 */
function embeddedWindow(embed) {
  const others = new Set(Array.from(document.querySelectorAll("iframe,frame,object"), windowOf));
  const free = Array.from({ length: window.length }, (_, index) => window[index]).filter((child) => !others.has(child));
  const embeds = Array.from(document.querySelectorAll(EMBEDS)).filter((one) => one.getClientRects().length);
  return free[embeds.findIndex((one) => one === embed)] ?? null;
}

/** @param {Element} element @returns {Window | null} */
function windowOf(element) {
  if (!FRAMES.has(element.localName)) return null;
  if (element.localName === EMBEDS) return embeddedWindow(element);
  return /** @type {HTMLIFrameElement} */ (element).contentWindow ?? null;
}

/** @param {Element} element */
function shadowSlot(element) {
  let slot = shadowSlots.get(element);
  if (!slot) {
    slot = `s${bySlot.size + 1}`;
    shadowSlots.set(element, slot);
    bySlot.set(slot, new WeakRef(element));
  }
  return slot;
}

/**
 * The slot of a frame element in this document.
 * @param {Element} element
 * @returns {FrameSlot | null} null when it holds no document
 */
export function slotOf(element) {
  const child = windowOf(element);
  if (!child) return null;
  const index = indexIn(window, child);
  return index >= 0 ? index : shadowSlot(element);
}

/** @param {FrameSlot} slot */
export function elementOf(slot) {
  if (typeof slot === "string") return bySlot.get(slot)?.deref() ?? null;
  const child = window[slot];
  for (const element of document.querySelectorAll("iframe,frame,object,embed")) {
    if (windowOf(element) === child) return element;
  }
  return null;
}

function indexPath() {
  const path = [];
  for (let current = /** @type {Window} */ (window); current !== current.parent; current = current.parent) {
    const index = indexIn(current.parent, current);
    if (index < 0) return null;
    path.unshift(index);
  }
  return path;
}

/** The parent's own content scripts, when its origin is ours. */
function neighbour() {
  try {
    if (!window.frameElement) return null;
    // An element of this id is seen under the same name.
    return Object.hasOwn(window.parent, "__tabwire") ? window.parent.__tabwire ?? null : null;
  } catch {
    return null;
  }
}

/** @param {string | undefined} nonce @returns {Promise<FramePath>} */
function askParent(nonce) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const answer = (/** @type {FramePath} */ path) => {
      clearTimeout(timer);
      port1.close();
      resolve(path);
    };
    const timer = setTimeout(answer, REPLY_LIMIT_MS, null);
    port1.onmessage = ({ data }) => answer(Array.isArray(data) ? data : null);
    window.parent.postMessage({ tabwireFrame: nonce }, "*", [port2]);
  });
}

/** @param {string | undefined} nonce @returns {Promise<FramePath>} */
async function pathThroughParent(nonce) {
  const parent = neighbour();
  if (!parent) return askParent(nonce);
  const reply = /** @type {{result?: FramePath}} */ (
    await parent.call("frames.pathTo", { nonce, frame: window.frameElement }));
  return reply.result ?? null;
}

/**
 * The slots from the top document down to this one.
 * @param {string} [nonce] known to every frame of this call; lets a parent trust the question
 * @returns {FramePath | Promise<FramePath>}
 */
function pathOf(nonce) {
  if (nonce) learn(nonce);
  return indexPath() ?? pathThroughParent(nonce);
}

/**
 * @template {object} Answer
 * @param {Answer} answer
 * @param {string} [nonce]
 */
export function withPath(answer, nonce) {
  const path = pathOf(nonce);
  return path instanceof Promise ? path.then((found) => ({ ...answer, path: found })) : { ...answer, path };
}

/** @param {string} nonce */
function learn(nonce) {
  nonces.add(nonce);
  if (nonces.size > MAX_WAITING) nonces.delete(nonces.values().next().value);
  const questions = waiting;
  waiting = [];
  for (const event of questions) answerChild(event);
}

/** Elements that may hold a document. @param {ParentNode} root */
export const framesIn = (root) => cached(() => elementsMatching(root, [...FRAMES].join()));

/** @param {MessageEvent} event */
async function answerChild(event) {
  const nonce = event.data.tabwireFrame;
  if (!nonces.has(nonce)) {
    if (waiting.length < MAX_WAITING) waiting.push(event);
    return;
  }
  const element = framesIn(document).find((frame) => windowOf(frame) === event.source);
  const above = element ? await pathOf(nonce) : null;
  event.ports[0].postMessage(element && above ? [...above, slotOf(element)] : null);
}

/** Answers the documents in frames that ask for their place. */
export function listen() {
  window.addEventListener("message", (event) => {
    if (typeof event.data?.tabwireFrame !== "string" || !event.ports[0]) return;
    event.stopImmediatePropagation();
    answerChild(event);
  }, true);
}

/** @param {{nonce: string}} args */
export const position = async ({ nonce }) => ({ path: await pathOf(nonce) });

/**
 * The slots from the top document down to a frame element of this one, for the document in it.
 * @param {{nonce?: string, frame: Element}} args
 */
export const pathTo = async ({ nonce, frame }) => {
  const above = await pathOf(nonce);
  return above && [...above, /** @type {FrameSlot} */ (slotOf(frame))];
};
