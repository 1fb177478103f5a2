/*
 * Elements that a transition or an animation is about to show or to hide: the state at its end counts as the one of
 * now. Animations without an end, such as those of spinners, show and hide nothing.
 */
import { composedClosest } from "../dom/flat-tree.js";

/** Animations beyond these are not looked at. */
const MAX_ANIMATIONS = 200;
const FLAT = /scale(?:3d|X|Y)?\(\s*0\s*[,)]|^matrix\(0, 0, 0, 0,/;
const RENDERED = { visibilityProperty: true };
const SEEN = { ...RENDERED, opacityProperty: true };

/** @param {ComputedKeyframe} frame */
const isUnseen = ({ opacity, visibility, transform, scale }) =>
  (opacity !== undefined && Number(opacity) === 0) || visibility === "hidden" || scale === "0" ||
  FLAT.test(String(transform ?? ""));

/** @param {Animation} animation @returns {"shows" | "hides" | null} */
function directionOf({ effect, playState }) {
  if (!(effect instanceof KeyframeEffect) || effect.pseudoElement || !effect.target || playState !== "running") return null;
  const { iterations = 1, direction } = effect.getTiming();
  if (iterations !== 1) return null;
  const frames = effect.getKeyframes();
  const [start, end] = [frames.slice(0, 1).some(isUnseen), frames.slice(-1).some(isUnseen)];
  if (start === end) return null;
  return start === (direction === "reverse") ? "hides" : "shows";
}

/** Animations of a document as they are at one moment. */
export class Transitions {
  /** @type {Set<Element>} */
  showing = new Set();
  /** @type {Set<Element>} */
  hiding = new Set();
  /** Elements that are shown from a state in which they were not seen before. @type {Set<Element>} */
  fromUnseen = new Set();

  /** @param {Iterable<ShadowRoot>} roots shadow trees to look into as well */
  constructor(roots) {
    for (const animation of [document, ...roots].flatMap((root) => root.getAnimations()).slice(0, MAX_ANIMATIONS)) {
      const direction = directionOf(animation);
      if (direction) this[direction === "shows" ? "showing" : "hiding"].add(targetOf(animation));
      // The first frame of an animation may be none of the element's earlier states.
      if (direction === "shows" && animation instanceof CSSTransition) this.fromUnseen.add(targetOf(animation));
    }
  }

  /** Whether an element, or one around it, is about to be hidden. @param {Element} element */
  isLeaving(element) {
    return this.hiding.size > 0 && composedClosest(element, (node) => this.hiding.has(node)) !== null;
  }

  /** Whether text has begun to leave since an earlier moment. @param {Transitions} [earlier] */
  hasNewlyLeaving(earlier) {
    return [...this.hiding].some((element) => !earlier?.hiding.has(element) && /\S/.test(element.textContent ?? ""));
  }

  /** Whether an element, or one around it, is about to be shown. @param {Element} element */
  isArriving(element) {
    return this.showing.size > 0 && composedClosest(element, (node) => this.showing.has(node)) !== null;
  }

  /** Whether an element is seen, or will be when its animations have ended. @param {Element} element */
  isSeen(element) {
    if (this.isLeaving(element)) return false;
    return element.checkVisibility(this.isArriving(element) ? RENDERED : SEEN);
  }
}

/** @param {Animation} animation */
const targetOf = ({ effect }) => /** @type {Element} */ (/** @type {KeyframeEffect} */ (effect).target);
