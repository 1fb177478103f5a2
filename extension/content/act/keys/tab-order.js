/*
 * The order in which Tab goes through a document, for keys by DOM events. Each document in a frame has another one; from one to
 * the next the worker leads.
 */
import { describe } from "../../dom/element-summaries.js";
import { activeElementDeep, dropFocus, giveFocus, walkElements } from "../../dom/flat-tree.js";
import { elementOf, slotOf } from "../../dom/frames.js";
import { isVisible } from "../../dom/visibility.js";
import { isDisabled } from "../actionability.js";
import { isEditingHost } from "../edits.js";

/**
 * slot: of the frame that comes next; null: the document around this one
 * @typedef {{slot: FrameSlot | null, backwards: boolean}} Way
 */

/** The element that has the focus in this document. */
export const focused = () =>
  /** @type {HTMLElement} */ (activeElementDeep() ?? document.body ?? document.documentElement);

/** Tab stops at one radio button of a group: the one that is checked, else the first. @param {HTMLInputElement} radio */
function isStopOfGroup(radio) {
  const { name, form } = radio;
  if (!name || radio.checked) return true;
  const root = form ?? radio.getRootNode();
  const group = `input[type=radio][name="${CSS.escape(name)}"]`;
  const peers = /** @type {NodeListOf<HTMLInputElement>} */ (root.querySelectorAll(group));
  return ![...peers].some((peer) => peer.checked) && peers[0] === radio;
}

/** @param {HTMLElement} el */
export function isTabbable(el) {
  if (el.tabIndex < 0 && (el.hasAttribute("tabindex") || !isEditingHost(el))) return false;
  // A link without an address takes no focus, whatever its tabIndex says.
  if (el.matches(":is(a, area):not([href], [tabindex])") || el.closest("[inert]")) return false;
  if (isDisabled(el) || !isVisible(el)) return false;
  return !el.matches("input[type=radio]") || isStopOfGroup(/** @type {HTMLInputElement} */ (el));
}

/** Positive tabindex first, in order, then the rest of the document. */
function tabOrder() {
  const all = /** @type {HTMLElement[]} */ ([...walkElements(document.documentElement)]).filter(isTabbable);
  const first = all.filter((el) => el.tabIndex > 0).sort((a, b) => a.tabIndex - b.tabIndex);
  // An editor without a tabindex says -1.
  return [...first, ...all.filter((el) => el.tabIndex <= 0)];
}

/**
 * Sequential focus navigation by one element.
 * @param {Element | null} from  null: from before the document, or from behind it
 * @param {boolean} backwards
 * @returns {Way | null} where it goes on, if that is not here
 */
export function moveByTab(from, backwards) {
  const order = tabOrder();
  const at = order.indexOf(/** @type {HTMLElement} */ (from));
  const next = order[at < 0 ? (backwards ? order.length - 1 : 0) : at + (backwards ? -1 : 1)];
  if (!next) {
    // Behind the last one of a page the browser's own controls get the focus.
    if (order.length) dropFocus();
    return self === top ? null : { slot: null, backwards };
  }
  giveFocus(next);
  if (next.matches("input")) /** @type {HTMLInputElement} */ (next).select();
  const slot = slotOf(next);
  return slot === null ? null : { slot, backwards };
}

/**
 * Goes on with a Tab that comes out of a frame of this document, or into this document from around it.
 * @param {{slot: FrameSlot | null, backwards: boolean}} args  slot: of the frame; null where it comes from around
 */
export const goOnByTab = ({ slot, backwards }) => {
  if (slot === null && !tabOrder().length) {
    // Chrome gives the focus to the document: its keys scroll it.
    window.focus();
    return { focus: describe(focused()), way: null };
  }
  const way = moveByTab(slot === null ? null : elementOf(slot), backwards);
  return { focus: describe(focused()), way };
};
