/* Roles and names as snapshots show them and refs remember them. */
import { mayGenerate } from "../dom/css-content.js";
import { slotOf } from "../dom/frames.js";
import * as names from "../dom/names.js";
import * as roles from "../dom/roles.js";
import { collapse } from "../dom/text.js";

/** Roles whose name is their text when they hold one text node and no attribute says otherwise. */
const NAMED_BY_TEXT = new Set([
  "link", "button", "heading", "option", "tab", "menuitem", "cell", "gridcell", "columnheader", "rowheader", "treeitem",
]);

/** A row would repeat its cells, a paragraph itself: their text is shown as text. */
const NAMED_BY_AUTHOR_ONLY = new Set(
  ["generic", "cell", "row", "listitem", "paragraph", "blockquote", "definition", "term", "comment", "graphics-object"],
);

/**
 * The name a snapshot shows and a ref remembers: the accessible name; most elements that are named by their text hold exactly
 * one text node, which needs no walk.
 * @param {Element} element
 * @param {string} role
 */
export function nameOf(element, role) {
  if (NAMED_BY_AUTHOR_ONLY.has(role) && !roles.isNamedByAuthor(element)) return "";
  if (NAMED_BY_TEXT.has(role)) {
    const child = element.firstChild;
    if (
      child?.nodeType === Node.TEXT_NODE &&
      child === element.lastChild &&
      !names.hasNamingAttribute(element) &&
      !mayGenerate(element)
    ) {
      const text = collapse(/** @type {Text} */ (child).data);
      if (text) return text;
    }
  }
  return collapse(names.nameOf(element));
}

const MEDIA = new Set(["canvas", "video", "audio"]);
/** Elements whose document is shown like that of an iframe. */
const EMBEDDING = new Set(["frame", "object", "embed"]);

/**
 * The role a snapshot shows and a ref remembers: ARIA has no word for some elements worth telling apart.
 * @param {Element} element
 * @returns {string}
 */
export function roleOf(element) {
  const tag = element.localName;
  if (MEDIA.has(tag) && !element.hasAttribute("role")) return tag;
  if (EMBEDDING.has(tag) && slotOf(element) !== null) return "iframe";
  // The group that Chrome makes of a box that can be dragged says nothing that its mark does not say.
  if (tag === "div" && roles.isBareGroup(element)) return "generic";
  return roles.roleOf(element);
}
