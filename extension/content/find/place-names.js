/*
 * The place of an element in words, by which it differs from others with the same role and name: the words of its row or item,
 * the name of its form, dialog or section, the text in front of it.
 */
import { composedParent } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import { collapse, cut, visibleText } from "../dom/text.js";
import { Transitions } from "../visibility/transitions.js";
import { containerOf } from "./containers.js";
import { itemOf } from "./item-context.js";

const MAX_PLACE = 40;
const MAX_PARTS = 4;
const MAX_ABOVE = 3;
const TITLES = "legend, caption, h1, h2, h3, h4, h5, h6, [role=heading]";

/** @param {Element} element */
const wordsOf = (element) => collapse(visibleText(element));

/** Words of an item around an element, without those of the element. @param {Element} element */
function itemWords(element) {
  const item = itemOf(element);
  if (!item || item.element === element) return "";
  return collapse(wordsOf(item.element).replace(wordsOf(element), " "));
}

/** Names of the parts of the page around an element, the nearest first. @param {Element} element */
function partNames(element) {
  const names = [];
  for (let part = containerOf(element); part && names.length < MAX_PARTS; part = containerOf(part)) {
    const title = part.querySelector(TITLES);
    const name = collapse(nameOf(part)) || (title && !title.contains(element) ? wordsOf(title) : "");
    if (name) names.push(name);
  }
  return names;
}

/** The text in front of an element, a few boxes up. @param {Element} element */
function textBefore(element) {
  for (let at = /** @type {Element | null} */ (element), left = MAX_ABOVE; at && left > 0; at = composedParent(at), left -= 1) {
    for (let before = at.previousSibling; before; before = before.previousSibling) {
      const isText = before.nodeType === Node.TEXT_NODE;
      const text = before instanceof Element ? wordsOf(before) : isText ? collapse(before.nodeValue ?? "") : "";
      if (text) return text;
    }
  }
  return "";
}

/**
 * Places of elements that look alike, each with the first words in which it differs from all others; "" where none do.
 * @param {Element[]} elements
 * @returns {string[]}
 */
export function placeNames(elements) {
  if (elements.length < 2) return elements.map(() => "");
  const known = elements.map((element) => [itemWords(element), ...partNames(element), textBefore(element)]
    .map((words) => cut(words, MAX_PLACE)).filter(Boolean));
  const isOnly = (/** @type {string} */ words, /** @type {string[]} */ mine) =>
    known.every((others) => others === mine || !others.includes(words));
  return known.map((mine) => mine.find((words) => isOnly(words, mine)) ?? mine[0] ?? "");
}

/**
 * Elements without those that are about to go: in an exit animation, or inert; all of them where none is to stay.
 * @template {Element} E
 * @param {E[]} elements
 * @returns {E[]}
 */
export function staying(elements) {
  if (elements.length < 2) return elements;
  const transitions = new Transitions([]);
  const found = elements.filter((element) => !transitions.isLeaving(element) && !element.closest("[inert]"));
  return found.length ? found : elements;
}
