/*
 * The document that keys go to: that of the element they are for, or the one in which the focus is. A frame's element that has
 * the focus hands it on to the document in it, whatever process draws that.
 */
import { call as callPage } from "../page/content-calls.js";
import { inPage, tabIdOf, timeLeft } from "../page/element-lookup.js";
import { frameTree, pathKey } from "../page/frames.js";
import { said, TabwireError } from "../base/errors.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/content-calls.js").FrameTarget} FrameTarget */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/**
 * strokes: given where the keys write a text
 * @typedef {{where: Located|null, frame: FrameTarget, until: number, strokes?: object[]}} Wanted
 */
/** slot: of the frame element that has the focus @typedef {{element?: string, note?: string, slot?: number|string}} Focused */
/** @typedef {Omit<Focused, "slot"> & {frame: FrameTarget}} Holder */
/** slot: of the frame to go into; null: out of this one @typedef {{slot: number | string | null, backwards: boolean}} Way */

/**
 * Gives the focus to the element that keys are for, if there is one.
 * @param {CallContext} call @param {Wanted} what
 * @returns {Promise<Focused>}
 */
const focusFirst = async (call, { where, frame, until, strokes }) => {
  const types = Boolean(strokes);
  if (where) return inPage(call, where, "keyboard.focus", { timeout_ms: timeLeft(until), types });
  return callPage(tabIdOf(call), frame, "keyboard.holder", { types, enters: frame.frameId !== 0 }, call);
};

/**
 * The document in a frame element of another document, if it can be reached.
 * @param {CallContext} call @param {FrameTarget} frame that of the element @param {number|string} slot
 */
export async function frameIn(call, frame, slot) {
  const nodes = await frameTree(tabIdOf(call), call);
  const around = nodes.find(({ frameId, documentId }) => frameId === frame.frameId || documentId === frame.documentId);
  return around && nodes.find(({ path }) => pathKey(path) === pathKey([...around.path, slot]));
}

/**
 * The document in the frame element that has the focus in another one, and in that one, down to what gets the keys.
 * @param {CallContext} call @param {FrameTarget} frame @param {Focused} focused @param {boolean} types
 * @returns {Promise<FrameTarget>}
 */
async function innermost(call, frame, { slot, element = "" }, types) {
  const tabId = tabIdOf(call);
  const nodes = await frameTree(tabId, call);
  const byPath = new Map(nodes.map((node) => [pathKey(node.path), node]));
  let at = nodes.find(({ frameId, documentId }) => frameId === frame.frameId || documentId === frame.documentId);
  for (let next = slot; next !== undefined;) {
    at = at && byPath.get(pathKey([...at.path, next]));
    if (!at) {
      throw new TabwireError("frame_unreachable",
        `the frame ${said(element)} has the focus and cannot be reached. Give the selector of a field, or click one`);
    }
    ({ slot: next } = await callPage(tabId, at, "keyboard.holder", { types, enters: false }, call));
  }
  return { frameId: /** @type {FrameTarget & {frameId: number}} */ (at).frameId, documentId: at?.documentId };
}

/**
 * Gives the focus to the element that trusted keys are for, or to the frame: Chrome itself gives them to what has it.
 * @param {CallContext} call @param {Wanted} what
 * @returns {Promise<{element?: string, note?: string}>}
 */
export async function focusForKeys(call, what) {
  if (!what.where && !what.frame.frameId && !what.strokes) return {};
  const { slot, ...focused } = await focusFirst(call, what);
  // Of a document that no script can read, such as a PDF, only the browser knows what takes a text.
  const types = Boolean(what.strokes);
  if (slot !== undefined) await innermost(call, what.frame, { slot, ...focused }, types).catch(passUnreachable);
  return focused;
}

/** @param {TabwireError} error */
function passUnreachable(error) {
  if (error.code !== "frame_unreachable") throw error;
}

/**
 * Gives the focus to the element that keys are for, if there is one, and finds the document that gets them.
 * @param {CallContext} call @param {Wanted} what
 * @returns {Promise<Holder>}
 */
export async function keyHolder(call, what) {
  const { slot, ...focused } = await focusFirst(call, what);
  if (slot === undefined) return { ...focused, frame: what.frame };
  return { ...focused, frame: await innermost(call, what.frame, { slot, ...focused }, Boolean(what.strokes)) };
}

/**
 * Leads a Tab by DOM events into a frame, or out of one into the document around it, until it has come to an element.
 * @param {CallContext} call @param {FrameTarget} from the document that it leaves
 * @param {Way} way
 * @returns {Promise<FrameTarget>} the document that has the focus then: that of the frame's element where it cannot be reached
 */
export async function followTab(call, from, way) {
  const nodes = await frameTree(tabIdOf(call), call);
  const byPath = new Map(nodes.map((node) => [pathKey(node.path), node]));
  let at = nodes.find(({ frameId, documentId }) => frameId === from.frameId || documentId === from.documentId);
  for (let next = /** @type {Way | null} */ (way); at && next;) {
    const { slot, backwards } = next;
    const to = byPath.get(pathKey(slot === null ? at.path.slice(0, -1) : [...at.path, slot]));
    if (!to) break;
    const left = slot === null ? at.path.at(-1) : null;
    ({ way: next } = await callPage(tabIdOf(call), to, "keyboard.goOnByTab", { slot: left, backwards }, call));
    at = to;
  }
  return at ? { frameId: at.frameId, documentId: at.documentId } : from;
}
