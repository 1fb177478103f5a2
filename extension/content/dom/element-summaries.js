/* Elements in a few words, for messages. */
import { pageText } from "../base/errors.js";
import { nameOf } from "./names.js";
import { collapse } from "./text.js";

/** The tag of an element by which people know it: `<div class="veil">`. @param {Element} el */
export function tagLine(el) {
  const own = el.getAttribute("id");
  const id = own ? ` id="${own}"` : "";
  const classes = (el.getAttribute("class") ?? "").trim().split(/\s+/).filter(Boolean).slice(0, 3).join(" ");
  return `<${el.localName}${id}${classes ? ` class="${classes}"` : ""}>`;
}

/**
 * A short name of an element for messages: `<div class="veil"> "Loading"`, `<input> "Your name"`. The text within a list or a
 * text area is what may be chosen or was written there, not what people call it.
 * @param {Element} el
 */
export function describe(el) {
  const own = el.matches("select, textarea") ? "" : el.getAttribute("aria-label") ?? el.textContent ?? "";
  const text = collapse(own) || nameOf(el);
  const quoted = text ? ` "${text.length > 40 ? `${text.slice(0, 40)}…` : text}"` : "";
  return `${tagLine(el)}${quoted}`;
}

/** The description of an element, marked as a page's words. @param {Element} el */
export const named = (el) => pageText(describe(el));
