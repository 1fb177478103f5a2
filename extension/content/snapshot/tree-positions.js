/* Positions of a snapshot's walk, and their surroundings. */
import { cache, composedParent } from "../dom/flat-tree.js";
import { StylePath } from "../visibility/clickable.js";
import { hasPlane } from "../visibility/turned-faces.js";
import { Step } from "../find/item-context.js";

/** @param {Element} element */
const isApart = (element) => /^(absolute|fixed)$/.test(getComputedStyle(element).position);

/** Whether an element escapes the reason why what is around it is invisible. @param {string} around @param {Element} element */
const isEscaped = (around, element) =>
  (around === "turned" ? hasPlane(element) : /^(small|beyond)$/.test(around) && isApart(element));

/** Kinds of places by what is done when the walk leaves one. */
export const MUTE = 0;
export const DISSOLVING = 1;
export const LINE = 2;

/**
 * The reason why a place is invisible. Its content is invisible too, except for boxes that escape it.
 * @param {SnapshotPlace | null} above
 * @param {Element | null} element
 * @param {StylePath | null} path
 */
function unseenIn(above, element, path) {
  const around = above === null ? "" : above.unseen;
  if (path === null || element === null) return around;
  if (around !== "" && !isEscaped(around, element)) return around;
  return path.boxAt(element) || (isCutOff(above, element) ? "beyond" : "");
}

/** @param {SnapshotPlace | null} above @param {Element} element */
const isCutOff = (above, element) =>
  above !== null && above.clip !== null && !escapes(element, above.clip) && isOutside(element, above.clip);

/** Whether a box is laid out apart from the one that would cut it off. @param {Element} element @param {ClipBox} clip */
function escapes(element, { isPositioned }) {
  const { position } = getComputedStyle(element);
  return position === "fixed" || (position === "absolute" && !isPositioned);
}

/** @param {Element} element @param {ClipBox} clip */
function isOutside(element, { left, top, right, bottom }) {
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return false;
  return box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom;
}

/** The part of the page that a box leaves of what is in it. @param {Element} element with `overflow: clip` @returns {ClipBox} */
function clipOf(element) {
  const { overflowX, overflowY, overflowClipMargin, position } = getComputedStyle(element);
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const margin = parseFloat(overflowClipMargin) || 0;
  const [across, along] = [overflowX, overflowY].map((value) => (value === "clip" ? margin : Infinity));
  const isPositioned = position !== "static";
  return { left: left - across, top: top - along, right: right + across, bottom: bottom + along, isPositioned };
}

/**
 * The part of the page beyond which what is in an element is cut off; boxes that are laid out apart escape a box around them.
 * @param {SnapshotPlace | null} above
 * @param {Element | null} element
 * @param {StylePath | null} path
 * @returns {ClipBox | null}
 */
function clipIn(above, element, path) {
  const around = above === null ? null : above.clip;
  if (path === null || element === null) return around;
  if (path.isClip && element !== document.body && element !== document.documentElement) return clipOf(element);
  return around !== null && escapes(element, around) ? null : around;
}

/** A position of the capture. */
class PlaceOfWalk extends Step {
  /** @param {SnapshotPlace | null} above */
  constructor(above) {
    super(above);
    this.begin(above, null, null, 0);
  }

  /**
   * @param {SnapshotPlace | null} above
   * @param {Element | null} element
   * @param {StylePath | null} path null: the capture sets it
   * @param {number} start
   */
  begin(above, element, path, start) {
    /** @type {SnapshotPlace | null} */
    this.above = above;
    this.element = element;
    this.path = /** @type {StylePath} */ (path);
    this.start = start;
    this.depth = above ? above.depth : 0;
    this.cover = above ? above.cover : "";
    /** Names of lines around it that are made of their content: pictures in it are told there. */
    this.pictured = above ? above.pictured : "";
    this.isInAction = above !== null && above.isInAction;
    /** Whether the hand of its cursor is that of the rows or items in it. */
    this.passesHand = false;
    /** The reason why its content is invisible; "" when it is visible. */
    this.unseen = unseenIn(above, element, path);
    this.clip = clipIn(above, element, path);
    this.isMute = false;
    this.kind = DISSOLVING;
    this.isItem = false;
    this.hasCover = false;
    /** @type {NamedBox | null} */
    this.box = null;
    /** Line of its level, if it is one. @type {SnapshotLine | null} */
    this.level = null;
    /** @type {SnapshotLine | null} */
    this.line = null;
    this.name = "";
    /** @type {Item | null | undefined} */
    this.found = undefined;
    /** @type {Stretch | null} */
    this.surroundings = null;
    this.next = null;
    this.list = null;
    this.index = 0;
    return this;
  }
}

export const Place = /** @type {new (above: SnapshotPlace | null) => SnapshotPlace} */ (PlaceOfWalk);

/** The text runs of an item, without those of the items in it: what is around the elements in it. */
export class Stretch {
  /**
   * @param {{chunks: string[], items: ItemRange[]}} walk
   * @param {Omit<Item, "distance">} item
   * @param {number} start
   */
  constructor({ chunks, items }, { element, isSemantic }, start) {
    this.isSemantic = isSemantic;
    this.element = element;
    this.chunks = chunks;
    this.items = items;
    this.start = start;
    this.end = start;
  }

  /** @returns {string[]} */
  words() {
    const { chunks, items, start, end } = this;
    const inner = items.filter((one) => one.start >= start && one.end <= end && one.of !== this);
    return chunks
      .slice(start, end)
      .filter((_, index) => !inner.some((one) => one.start <= index + start && index + start < one.end));
  }
}

// The cast is true because the constructor calls `begin`, which sets all members.

const places = cache();

/** The place of an element as the walk of a snapshot has it. @param {Element} element */
export function placeOf(element) {
  /** @type {Element[]} */
  const missing = [];
  let at = /** @type {Element | null} */ (element);
  for (; at && !places.map?.has(at); at = composedParent(at)) missing.push(at);
  let place = /** @type {SnapshotPlace | null} */ (at && places.map?.get(at));
  for (const one of missing.reverse()) {
    const path = StylePath.of(one, place?.path ?? null);
    place = new Place(place).begin(place, one, path, 0);
    places.map?.set(one, place);
  }
  return /** @type {SnapshotPlace} */ (place);
}
