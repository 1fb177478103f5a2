/*
 * Elements that their page draws anew as the pointer or the focus comes, as lists of frameworks do. A person would not notice:
 * the act goes on with the element that has taken the place, when its role, name and item are the same.
 */
import { inPage, tabIdOf, timeLeft } from "../page/element-lookup.js";
import { isChangedElement, TabwireError } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { publishNumber } from "../page/refs.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../page/element-lookup.js").Located} Located */

/** A page may fetch something before it draws an element again. */
const REDRAW_MS = 500;

/**
 * Goes on with another element.
 * @param {CallContext} call @param {Located} where brought up to date @param {number} local number of the element in its document
 */
export async function goOnWith(call, where, local) {
  const { documentId, frameId } = where.frame;
  where.local = local;
  where.ref = await publishNumber(tabIdOf(call), documentId, frameId, local);
}

/**
 * Goes on with what has taken the place of the element of this act.
 * @param {CallContext} call @param {Located} where brought up to date @param {number} until epoch ms
 * @returns {Promise<boolean>} false: nothing like it is there
 */
export async function follow(call, where, until) {
  const { ref: local } = await inPage(call, where, "actionability.follow", { timeout_ms: Math.min(REDRAW_MS, timeLeft(until)) });
  if (local === null) return false;
  await goOnWith(call, where, local);
  return true;
}

/** @param {TabwireError} error */
const nothingDone = ({ code, message, data }) => new TabwireError(code,
  `the page removed or replaced the element as the act came, so nothing was done: ${message}`, data);

/**
 * Does an act on an element, and on what takes its place for as long as the page draws it anew before it has got the act.
 * @template {object} Result
 * @param {CallContext} call
 * @param {Located} where the element; afterwards the one that got the act
 * @param {number} until epoch ms
 * @param {(aimed: () => void) => Promise<Result>} work calls `aimed` once it has seen the element fit for the act
 * @returns {Promise<Result & {ref?: string, note?: string}>}
 */
export async function onRedrawn(call, where, until, work) {
  const { ref } = where;
  let isAimed = false;
  for (;;) {
    try {
      /** @type {Result & {note?: string}} */
      const result = await work(() => { isAimed = true; });
      if (where.ref === ref) return result;
      const note = joinNotes(`${where.ref} replaced ${ref} as the act came`, result.note);
      return { ...result, ref: where.ref, note };
    } catch (error) {
      if (!isAimed || !isChangedElement(error)) throw error;
      if (!timeLeft(until) || !await follow(call, where, until)) throw nothingDone(error);
    }
  }
}

/** Notes the document of an element that is given something. @param {CallContext} call @param {Located} where */
async function noteDocument(call, { frame: { frameId }, ref }) {
  const frame = frameId ? await chrome.webNavigation.getFrame({ tabId: tabIdOf(call), frameId }) : call.tab;
  if (frame?.url) call.observation?.noteFilled({ frameId, url: frame.url, ref });
}

/**
 * Does an act that first gives the focus to an element, and does it on what takes its place for that.
 * @template {object} Result
 * @param {CallContext} call
 * @param {Located} where as for `onRedrawn`
 * @param {number} until epoch ms
 * @param {() => Promise<Result>} work
 */
export async function onRefocused(call, where, until, work) {
  await noteDocument(call, where);
  return onRedrawn(call, where, until, async (aimed) => {
    try {
      return await work();
    } catch (error) {
      if (error.data?.redrawn) aimed();
      throw error;
    }
  });
}
