/* Controls without words that no person can see: traps for robots, and what is kept for later. */
import { HTML_NS, lineage } from "../dom/flat-tree.js";
import { boxOf } from "./hidden-text.js";
import { hasPlane } from "./turned-faces.js";

/** Code editors, which take their text in a field that is hidden. */
const EDITORS = ".monaco-editor, .CodeMirror, .cm-editor, .ace_editor, .xterm";
/** Reasons that boxes which are laid out apart escape. */
const ESCAPED = /^(small|beyond)$/;
/** Reasons that hide a field: faded ones often lie over what is drawn in their place. */
const HIDES_FIELDS = new Set(["away", "beyond", "clipped", "turned"]);
/** Elements that have no box, or whose box is not that of what is shown. */
const BOXLESS = "map, option, optgroup, canvas";
const FIELDS = new Set(["input", "textarea", "select"]);
/** Parts of an element without size that are asked whether they have one. */
const MAX_PARTS = 20;

/** @param {Element} element */
function hasArea(element) {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}

/** Whether a person sees something of a box by its size. @param {Element} element */
export const hasSize = (element) =>
  hasArea(element) || [...element.querySelectorAll("*")].slice(0, MAX_PARTS).some(hasArea);

/** Whether nothing of an element takes room, be it for parts that are drawn by a font. @param {Element} element */
function isSizeless(element) {
  if (element.namespaceURI !== HTML_NS || element.closest(BOXLESS)) return false;
  // The icons of a font that is not there yet take no room in a line.
  if (/^(inline|contents)$/.test(getComputedStyle(element).display)) return false;
  if (!element.firstElementChild) return !hasArea(element);
  return [element, ...[...element.querySelectorAll("*")].slice(0, MAX_PARTS)].every((part) => {
    const { width, height } = part.getBoundingClientRect();
    return width === 0 && height === 0;
  });
}

/** The reason why a box around an element, or its own, hides it; "" where there is none. @param {Element} element */
function unseenReason(element) {
  let escapes = false;
  for (const at of lineage(element)) {
    const reason = boxOf(getComputedStyle(at), at);
    const isEscaped = ESCAPED.test(reason) || (reason === "turned" && escapes);
    if (reason !== "" && (at === element || !isEscaped)) return reason;
    escapes ||= hasPlane(at);
  }
  return "";
}

/** Whether a label or an editor shows a field that is hidden itself. @param {Element} element */
const hasStandIn = (element) =>
  [.../** @type {HTMLInputElement} */ (element).labels ?? []].some((label) => unseenReason(label) === "" && hasArea(label)) ||
  element.closest(EDITORS) !== null;

/** Words about such an element. */
export const UNSEEN = "it is outside the page, cut off or without size, as in a trap for robots";

/** Whether no person can see an element that is acted on. @param {Element} element */
export const isUnseen = (element) => isUnseenControl(element, unseenReason(element));

/**
 * Whether no person can see a control that shows no words: it is far away, cut off or without size.
 * @param {Element} element @param {string} unseen the reason why its content is invisible, or ""
 */
export function isUnseenControl(element, unseen) {
  const isField = FIELDS.has(element.localName);
  const isOfSize = unseen === "" || (isField && unseen === "small");
  if (isOfSize ? !isSizeless(element) : isField && !HIDES_FIELDS.has(unseen)) return false;
  return !(isField && hasStandIn(element));
}
