/* The text beside a field that has no label: what people take for one. Said as a mark, because it is no accessible name. */
import { composedParent, VISIBLE } from "../dom/flat-tree.js";
import { collapse, printable, quote, visibleText } from "../dom/text.js";
import { CONTROLS } from "../visibility/clickable.js";
import { placeOf } from "./tree-positions.js";

const FIELDS = new Set("textbox searchbox combobox listbox spinbutton slider checkbox radio switch".split(" "));
/** Fields whose label stands behind them. */
const TICKED = new Set(["checkbox", "radio", "switch"]);
/** Text on the other side of the edge of one of these belongs to something else. */
const EDGES = "body,form,fieldset,main,section,article,dialog,tr,li,[role=row],[role=listitem],[role=dialog],[role=group]";
const MAX_LEVELS = 4;
const MAX_LENGTH = 60;
/** Contents that are longer, or of more elements, are no label, and are not read. */
const MAX_CONTENT = 500;
const MAX_ELEMENTS = 100;
/** Siblings of a field that are looked at. */
const MAX_SIBLINGS = 50;

/** Whether a person sees the text directly in an element. @param {Element} element */
function isSeen(element) {
  const { unseen, path } = placeOf(element);
  return unseen === "" && path.inkOf(element) === "";
}

/** A text, "" where there is none, null where no text beyond is meant for the field. @param {Node} node */
function textOf(node) {
  if (node instanceof Element) {
    if (node.matches(CONTROLS) || node.querySelector(CONTROLS)) return null;
    const content = node.textContent ?? "";
    const isLong = content.length > MAX_CONTENT || node.querySelectorAll("*").length > MAX_ELEMENTS;
    return isLong ? (content.trim() && null) : visibleText(node, isSeen);
  }
  const text = node.nodeType === Node.TEXT_NODE ? collapse(/** @type {Text} */ (node).data) : "";
  const parent = node.parentElement;
  return text && parent?.checkVisibility(VISIBLE) && isSeen(parent) ? text : "";
}

/** The nearest text among the siblings on one side. @param {Node} node @param {"previousSibling" | "nextSibling"} side */
function besides(node, side) {
  for (let at = node[side], left = MAX_SIBLINGS; at && left > 0; at = at[side], left -= 1) {
    const text = textOf(at);
    if (text !== "") return text;
  }
  return "";
}

/** @param {Element} field @param {"previousSibling" | "nextSibling"} side */
function nearest(field, side) {
  /** @type {Element | null} */
  let at = field;
  for (let left = MAX_LEVELS; at && left > 0 && (at === field || !at.matches(EDGES)); left -= 1, at = composedParent(at)) {
    const text = besides(at, side);
    if (text !== "") return text;
  }
  return "";
}

/** The text in front of a control, which may be its own label. @param {Element} control */
export function nearestText(control) {
  const text = nearest(control, "previousSibling");
  return text && text.length <= MAX_LENGTH ? text : "";
}

/** The text beside a field that says what it is for; "" where there is none. @param {Element} field @param {string} role */
export function textBeside(field, role) {
  if (!FIELDS.has(role)) return "";
  const text = (TICKED.has(role) && nearest(field, "nextSibling")) || nearest(field, "previousSibling");
  return text && text.length <= MAX_LENGTH ? text : "";
}

/**
 * @param {Element} field @param {SnapshotLine} line @param {boolean} withText  the texts around it have lines of their own
 * @returns {string} a mark, or nothing
 */
export function markOf(field, { role, name }, withText) {
  if (!FIELDS.has(role)) return "";
  if (name && (withText || name !== collapse(field.getAttribute("placeholder") ?? ""))) return "";
  const text = textBeside(field, role);
  return text ? ` [near ${quote(printable(text))}]` : "";
}
