/*
 * Roles of elements by their tag alone, where that is enough: most elements of a page have no role attribute. And the groups of
 * roles that get lines of different kinds.
 */
import { set as words } from "../dom/role-tables.js";
import * as shownNames from "../find/shown-names.js";

/** Roles that only shape text or layout: their children move up. */
export const DISSOLVED = words(
  "generic none presentation strong emphasis code subscript superscript deletion insertion mark time rowgroup text " +
  "sectionheader sectionfooter legend caption label",
);
export const NAMED_BY_CONTENT = words(
  "link button heading option tab menuitem menuitemcheckbox menuitemradio checkbox radio switch treeitem gridcell " +
  "columnheader rowheader summary tooltip doc-noteref doc-backlink doc-biblioref doc-glossref doc-subtitle",
);
/** Drawings and their parts: told in the name of what holds them. */
export const DRAWN = words("img image graphics-symbol graphics-document");
export const CONTAINERS = words(
  "list listitem paragraph group table article figure form region definition term blockquote navigation main banner " +
  "contentinfo complementary search",
);
export const FOLDING = words("listitem term definition cell");
export const SET_ITEMS = words("option listitem article menuitem row");

/** Elements that get no line for the role they have without a role attribute. */
const PLAIN = words(
  "div span b i u s small font center tbody bdi bdo big tt nobr wbr em strong code sub sup mark del ins kbd samp var abbr " +
  "cite label",
);
/** Roles that need no look at the context, for elements without a role attribute. */
/** @type {Lookup<string>} */
const QUICK = {
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", p: "paragraph", ul: "list",
  ol: "list", button: "button",
};
/** Whether an element stands directly in a list that has its line. @param {Element} element @param {SnapshotPlace} above */
const isInList = ({ parentNode }, { element, line }) => line !== null && line.role === "list" && element === parentNode;

/** @param {Element} element @param {string} tag @param {boolean} hasAttributes @param {SnapshotPlace} above */
export function roleOf(element, tag, hasAttributes, above) {
  if (hasAttributes && element.hasAttribute("role")) return shownNames.roleOf(element);
  if (PLAIN.has(tag)) return "generic";
  if (QUICK[tag]) return QUICK[tag];
  if (tag === "a" && hasAttributes && element.hasAttribute("href")) return "link";
  if (tag === "li" && isInList(element, above)) return "listitem";
  return shownNames.roleOf(element);
}
