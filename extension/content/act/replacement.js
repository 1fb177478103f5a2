/* Elements that the page draws in the place of one that an act was on its way to. */
import { boxes } from "../visibility/hit-testing.js";
import * as refs from "../find/refs.js";
import { deadlineFrom, heldBox, nextChange, pointerTarget } from "./actionability.js";

/** @param {DOMRect} a @param {DOMRect} b @returns {boolean} whether one box is, by more than half, where the other was */
function isSamePlace(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 && width * height * 2 > Math.max(a.width * a.height, b.width * b.height);
}

/**
 * The element that is where that of an act was; null where none, or more than one, is like it.
 * @param {TargetArgs} target @param {DOMRect} box
 */
const find = ({ ref }, box) =>
  refs.successorOf(ref, (el) => isSamePlace(pointerTarget(el).getBoundingClientRect(), box));

/** The successor of the element of an act whose place is known. @param {TargetArgs} target */
export function successor(target) {
  const box = heldBox(target);
  return box ? find(target, box) : null;
}

/**
 * The element that the page has drawn in the place of the one an act has aimed at: role, name, item and place agree. The page
 * may need a moment for it.
 * @param {{target: TargetArgs, timeout_ms: number}} args
 */
export const follow = async ({ target, timeout_ms }) => {
  const box = heldBox(target);
  if (!box) return { ref: null };
  const deadline = deadlineFrom(timeout_ms);
  let el = find(target, box);
  while (!el && await nextChange(document.documentElement, null, deadline)) el = find(target, box);
  return { ref: el ? refs.refFor(el) : null };
};

/**
 * The place of the element of an act in the end: the middle of its box, or of that of its successor, which gets a number.
 * @param {TargetArgs} target @param {Element} el the element that was pressed for it
 * @returns {{now?: Point, successor?: number}}
 */
export function remains(target, el) {
  const next = el.isConnected ? el : successor(target);
  const [box] = next ? boxes(next) : [];
  if (!next || !box) return {};
  const now = { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
  return { now, ...(next !== el && { successor: refs.refFor(next) }) };
}
