/*
 * Whether an act has done what it was for: a field holds what was typed, a drag had a result. The reply to one that has not says
 * so first.
 */
import { textOf } from "../dom/fields.js";
import { SVG_NS } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { cut, quote } from "../dom/text.js";
import { accepts, hitAt } from "../visibility/hit-testing.js";
import { described } from "./text-changes.js";

/** Narrower fields only catch the keys for something that is drawn elsewhere. */
const MIN_FIELD_PX = 16;
const MAX_TEXT = 60;
const SHAPES = "path, line, polyline, polygon, rect, circle, ellipse";
/** Distance in px that is no move. */
const STILL_PX = 2;
const SEEN = { opacityProperty: true, visibilityProperty: true };

/** Letters and digits: masks put other characters between them. @param {string} text */
const bare = (text) => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();

/** Whether the keys that a field gets are for the field. @param {Element} field */
function isShownField(field) {
  const { x, y, width, height } = field.getBoundingClientRect();
  if (!field.isConnected || width < MIN_FIELD_PX || !field.checkVisibility(SEEN)) return false;
  return accepts(field, hitAt({ x: x + width / 2, y: y + height / 2 }));
}

/**
 * Whether a text has lost its first keys, as it does to a focus that comes late.
 * @param {string} held @param {string} text
 */
const hasLostFirst = (held, text) => [...bare(text)].some((_, from, { length }) => from > 0 && length - from > 1 &&
  bare(held).endsWith(bare(text).slice(from)));

/**
 * The field that holds something else than what was typed, in words; undefined where it does hold that.
 * @param {Iterable<Element>} entered fields that were entered, the last one last
 * @param {string} text what was typed
 */
export function otherThanTyped(entered, text) {
  const field = [...entered].at(-1);
  if (!field || /[\n\t]/.test(text) || !bare(text) || !isShownField(field)) return undefined;
  const held = textOf(field);
  if (held === null || bare(held).includes(bare(text))) return undefined;
  // Editors make headings and lists of what is typed.
  if (/** @type {HTMLElement} */ (field).isContentEditable && !hasLostFirst(held, text)) return undefined;
  const shown = secretValues.withheld(field) || secretValues.veiled(field, held, nameOf);
  return `${described(field)} holds ${quote(cut(shown, MAX_TEXT))}`;
}

/** @param {Node} node */
const isDrawn = (node) => node instanceof SVGElement && node.namespaceURI === SVG_NS && node.isConnected &&
  (node.matches(SHAPES) || node.querySelector(SHAPES) !== null);

/** The element that a drag takes hold of, and whether its drop was taken. */
export class DragTrace {
  /** Browsers fire `drop` only where the page has accepted what is dragged. */
  isDropped = false;

  /** @param {Element} source */
  constructor(source) {
    this.source = source;
    this.box = source.getBoundingClientRect();
    this.offset = { x: scrollX, y: scrollY };
  }

  /** The way that the source has gone in the page; "" for none. */
  moved() {
    const { x, y } = this.source.getBoundingClientRect();
    const ways = /** @type {Array<[number, string, string]>} */ ([
      [x + scrollX - this.box.x - this.offset.x, "right", "left"], [y + scrollY - this.box.y - this.offset.y, "down", "up"],
    ]);
    return ways.filter(([by]) => Math.abs(by) > STILL_PX)
      .map(([by, forth, back]) => `${Math.round(Math.abs(by))} px ${by > 0 ? forth : back}`).join(", ");
  }

  /**
   * Results of the drag, in words.
   * @param {{fresh: Set<Node>, old: Set<Node>}} texts nodes that came and went
   */
  results({ fresh, old }) {
    const { source, isDropped } = this;
    const isReplaced = !source.isConnected || [...old].some((node) => node.contains(source));
    const moved = isReplaced ? "" : this.moved();
    const shapes = [...fresh].filter(isDrawn).length;
    return [
      ...(isDropped ? ["the drop was taken"] : []),
      ...(isReplaced ? ["what was dragged has another place in the page"] : []),
      ...(moved ? [`${described(source)} moved ${moved}`] : []),
      ...(shapes ? [`${shapes} new shape${shapes > 1 ? "s" : ""} drawn`] : []),
    ];
  }
}
