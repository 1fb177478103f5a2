/*
 * Lines that get a reference though nothing is known to be done with their element: headings, pictures, named regions. Parts
 * of lists and tables get one where the page's scripts can tell them apart, or listen around them.
 */
import { isMadeByFramework } from "../dom/framework-attributes.js";
import { set as words } from "../dom/role-tables.js";

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
export const isPlainPart = (element, role, listeners) =>
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
