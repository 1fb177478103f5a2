/*
 * Signs that an element has taken the place of a removed one: it is in the same part of the page, among the same words. One that
 * only has its name may do the same to something else.
 */
import { readable } from "../dom/clobbered.js";
import { composedParent } from "../dom/flat-tree.js";

const DIALOGS = "dialog,[role=dialog],[role=alertdialog],[popover]";
const PARTS = [
  DIALOGS,
  "form,fieldset,nav,main,aside,header,footer,section,article,table,ul,ol,menu,search",
  "[role=navigation],[role=main],[role=complementary],[role=banner],[role=contentinfo],[role=region],[role=form],[role=search]",
  "[role=group],[role=toolbar],[role=tabpanel],[role=menu],[role=listbox],[role=tree],[role=grid],[role=table],[role=list]",
].join();
const MARKS = ["id", "class", "role", "aria-label", "aria-labelledby", "name", "title"];

/** The part that an element is in, also above its shadow tree. @param {Element} element @returns {Element | null} */
export function containerOf(element) {
  const above = composedParent(element);
  if (!above) return null;
  const part = above.closest(PARTS);
  if (part) return part;
  const root = above.getRootNode();
  return root instanceof ShadowRoot ? root.host.matches(PARTS) ? root.host : containerOf(root.host) : null;
}

/**
 * Whether an element is in the part in which another one was. A dialog says with each question of its pages something else: there
 * the answer is no.
 * @param {Element | null | undefined} before  undefined: it is no longer known
 * @param {Element} element
 */
export function isSameContainer(before, element) {
  if (before === undefined) return false;
  const now = containerOf(element);
  if (!before || !now) return before === now;
  const was = readable(before);
  if (!was || was.matches(DIALOGS) || now.closest(DIALOGS)) return false;
  if (was === now) return true;
  const isAlike = (/** @type {string} */ mark) => was.getAttribute(mark) === now.getAttribute(mark);
  return !was.isConnected && was.localName === now.localName && MARKS.every(isAlike);
}

/** Boxes around a removed element whose words are compared. */
const DEPTH = 4;
const LETTER = /\p{L}/u;

/** Texts with letters in an element, which need not be in the page. @param {Element} element */
function wordsIn(element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const words = new Set();
  while (walker.nextNode()) {
    const text = /** @type {Text} */ (walker.currentNode).data.trim();
    if (LETTER.test(text)) words.add(text);
  }
  return words;
}

/**
 * Whether the words that were removed along with an element are around another one as well.
 * @param {Element} removed
 * @param {Element} element
 */
export function hasItsWords(removed, element) {
  let [was, now] = [removed, element];
  for (let depth = 0; depth < DEPTH && was.parentElement && now.parentElement; depth += 1) {
    [was, now] = [was.parentElement, now.parentElement];
  }
  return wordsIn(was).isSubsetOf(wordsIn(now));
}
