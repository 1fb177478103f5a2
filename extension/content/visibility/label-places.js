/*
 * Places of a label at which a press means its control. Content of a label that takes a press for itself, such as a link to the
 * terms, keeps the press from the control: https://html.spec.whatwg.org/#the-label-element
 */
import { composedClosest as closest, composedContains as contains, walkElements } from "../dom/flat-tree.js";

const TAKES_PRESS = "a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, iframe, object, embed, "
  + "audio[controls], video[controls], [role=button], [role=link], [contenteditable]:not([contenteditable=false])";
/** Middle of the box that a style sheet may have drawn at an end of a label. */
const END_PX = 8;
/** Points all over a box, as shares of its width and height. */
export const GRID = Array.from({ length: 49 }, (_, at) => [(at % 7 + 0.5) / 7, (Math.floor(at / 7) + 0.5) / 7]);

/** @param {Element} el @returns {el is HTMLLabelElement} */
const isLabel = (el) => el.localName === "label" && Boolean(/** @type {HTMLLabelElement} */ (el).control);

/** @param {HTMLLabelElement} label @param {Element} node */
const takesPress = (label, node) => node !== label.control && node !== label && node.matches(TAKES_PRESS);

/** Whether content of a label takes a press on `hit` for itself. @param {Element} label @param {Element} hit */
export function isTaken(label, hit) {
  if (!isLabel(label)) return false;
  const first = closest(hit, (node) => node === label || node === label.control || takesPress(label, node));
  return first !== null && first !== label && first !== label.control;
}

/** The control that a press on an element means by the label around it. @param {Element} hit @returns {HTMLElement | null} */
export function controlPressedBy(hit) {
  const label = /** @type {HTMLLabelElement | null} */ (closest(hit, (node) => node.localName === "label"));
  return label && !isTaken(label, hit) ? label.control : null;
}

/** @param {HTMLLabelElement} label @param {Element[]} takers @returns {Point[]} the middles of words that no taker holds */
function ownWords(label, takers) {
  const texts = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  /** @type {Point[]} */
  const found = [];
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    if (!text.nodeValue?.trim() || takers.some((taker) => contains(taker, text))) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const { x, y, width, height } of range.getClientRects()) found.push({ x: x + width / 2, y: y + height / 2 });
  }
  return found;
}

/** @param {DOMRect} box @returns {Point[]} */
function spread({ left, right, top, width, height }) {
  const inset = Math.min(END_PX, width / 2);
  const middle = top + height / 2;
  return [
    ...GRID.map(([fx, fy]) => ({ x: left + width * fx, y: top + height * fy })),
    { x: left + inset, y: middle },
    { x: right - inset, y: middle },
  ];
}

/**
 * Places of a label that none of its content takes, by their boxes, in or out of the viewport. None for other elements.
 * @param {Element} label
 * @returns {Point[]}
 */
export function freePlaces(label) {
  if (!isLabel(label)) return [];
  const takers = [...walkElements(label)].filter((node) => takesPress(label, node));
  const taken = takers.flatMap((node) => [...node.getClientRects()]);
  const isFree = (/** @type {Point} */ { x, y }) =>
    !taken.some(({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
  return [...ownWords(label, takers), ...[...label.getClientRects()].flatMap(spread)].filter(isFree);
}
