/*
 * Possible acts on an element, as a snapshot says them. And lines that get a reference though nothing is known to be done with
 * their element: headings, pictures, named regions. Parts of lists and tables get one where the page's scripts can tell them
 * apart, or listen around them.
 */
import { isMadeByFramework } from "../dom/framework-attributes.js";
import { set as words } from "../dom/role-tables.js";
import { roleOf } from "../dom/roles.js";
import { isRendered } from "../dom/visibility.js";
import { isNative, isScriptLink, markedFacts, NO_FACTS, WIDGETS } from "../visibility/clickable.js";
import { scrolls } from "../visibility/scrollers.js";
import { NOTHING } from "../find/listeners.js";
import * as lineText from "./line-text.js";

const [NO_LABEL, DOUBLED, STAND_IN] = [0, 1, 2];
const RIGHT = " [right-clickable]";
const MEDIA = new Set(["canvas", "video", "audio"]);
/** Boxes of rows or items: what the pointer can do in one it does to them. */
const ITEM_BOXES =
  "table,thead,tbody,tfoot,ul,ol,[role=table],[role=grid],[role=treegrid],[role=rowgroup],[role=list]";
/** @type {Facts} */
export const INERT = Object.freeze({ isActionable: false, isAction: false, mark: "" });
const WIDGET = Object.freeze({ isActionable: true, isAction: true, mark: "" });
const FOCUSABLE = Object.freeze({ isActionable: true, isAction: false, mark: "" });

/**
 * @param {Element} element
 * @param {string} tag
 * @param {string} role
 * @param {boolean} hasAttributes
 * @param {SnapshotPlace} above the place around it
 * @param {StylePath} path its computed style
 * @param {Listeners | null} listeners null: not to be asked
 * @returns {Facts}
 */
export function factsOf(element, tag, role, hasAttributes, above, path, listeners) {
  const isWidget = isNative(element, tag) || (WIDGETS.has(role) && !isPlainCell(element, role, listeners));
  const marked = hasAttributes && !isWidget ? markedFacts(element) : NO_FACTS;
  const hand = isWidget || passesHand(element, above, path) || !hasOwnHand(above, path) ? "" : path.hand;
  const heard = listeners === null || isWidget ? NOTHING : listeners.marksOf(element, tag);
  const scrollable =
    path !== above.path && path.isScroller && !isWidget && tag !== "body" && tag !== "html" && scrolls(element);
  const label = tag === "label" ? labelKind(/** @type {HTMLLabelElement} */ (element)) : NO_LABEL;
  const clickable =
    !isWidget &&
    label !== DOUBLED &&
    (marked.clickable ||
      (hand === "click" && !above.isInAction) ||
      heard.clickable ||
      label === STAND_IN ||
      (hasAttributes && !above.isInAction && isScriptLink(element, tag)));
  let mark = "";
  if (clickable) mark += " [clickable]";
  if (clickable && tag === "label") mark += standInMark(/** @type {HTMLLabelElement} */ (element));
  if (marked.editable && role !== "textbox") mark += " [editable]";
  if (marked.draggable || hand === "drag" || heard.draggable) mark += " [draggable]";
  mark += heard.mark;
  if (marked.rightClickable && !clickable && !heard.mark.includes(RIGHT)) mark += RIGHT;
  if (scrollable) mark += " [scrollable]";
  if (mark === "" && marked.focusable && role === "generic") mark = " [focusable]";
  if (mark !== "") return { isActionable: true, isAction: isWidget || hand === "click" || tag === "label", mark };
  if (isWidget) return WIDGET;
  return marked.focusable || MEDIA.has(role) || role === "iframe" ? FOCUSABLE : INERT;
}

/**
 * A cell of a grid is acted on, but for one of a table that only is called a grid.
 * @param {Element} element @param {string} role @param {Listeners | null} listeners
 */
const isPlainCell = (element, role, listeners) =>
  role === "gridcell" && listeners !== null && isPlainPart(element, role, listeners);

/**
 * Whether the cursor over an element is not just that of the box around it.
 * @param {SnapshotPlace} above @param {StylePath} path
 */
const hasOwnHand = (above, path) => path.hand !== above.path.hand || above.passesHand;

/**
 * Whether the hand over a box is there for what is in it: pages listen on a table, and its rows are what is clicked.
 * @param {Element} element @param {SnapshotPlace} above @param {StylePath} path
 */
export const passesHand = (element, above, path) =>
  path.hand === "click" && hasOwnHand(above, path) && element.matches(ITEM_BOXES) && !markedFacts(element).clickable;

/**
 * A label of a control that is there says nothing that is not on the control's line; it is what people click when the
 * control is not there to be clicked.
 * @param {HTMLLabelElement} label
 */
function labelKind({ control }) {
  if (!control) return NO_LABEL;
  return isRendered(control) ? DOUBLED : STAND_IN;
}

/** @param {HTMLLabelElement} label */
function standInMark({ control }) {
  if (!control) return "";
  const role = roleOf(control);
  return ` [for=${role}]${lineText.statesOf(control, control.localName, role, "").words}`;
}

const REFERRED = words("heading img image option dialog alertdialog treeitem tabpanel");
const LANDMARKS = words("main navigation banner contentinfo complementary search form region");
const PARTS = words("listitem row gridcell rowheader columnheader");
/** Attributes for looks and structure: scripts know nothing by them. */
const OF_LOOKS =
  /^(class|style|role|align|valign|width|height|bgcolor|nowrap|colspan|rowspan|scope|headers|abbr|dir|lang|value|type)$/;

/** @param {Element} element */
const isBare = (element) =>
  !element.hasAttributes() ||
  element.getAttributeNames().every((name) => OF_LOOKS.test(name) || isMadeByFramework(name));

/**
 * Whether an element is nothing but a part of a list or table, by all that is known of it.
 * @param {Element} element @param {string} role @param {Listeners | null} listeners
 */
const isPlainPart = (element, role, listeners) =>
  PARTS.has(role) && isBare(element) && !listeners?.isHeardAround(element);

/**
 * @param {Element} element @param {string} role @param {string} name @param {Listeners | null} listeners
 * @returns {boolean}
 */
export const isReferred = (element, role, name, listeners) =>
  REFERRED.has(role) || (LANDMARKS.has(role) && name !== "") || (PARTS.has(role) && !isPlainPart(element, role, listeners));

/**
 * Whether a row or item may be what a listener around it is there for.
 * @param {Element} element @param {string} role @param {Listeners | null} listeners
 */
export const isPressed = (element, role, listeners) =>
  (role === "row" || role === "listitem") && listeners !== null && listeners.isHeardAround(element);
