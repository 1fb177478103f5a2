/*
 * Text that came with an act, as the lines that a person reads: the words of one block together, what matters first, the last of
 * them in any case, in a budget.
 */
import { hasMarks } from "../dom/line-breaks.js";
import { cut, printable, quote } from "../dom/text.js";

/** Characters for the lines of one act; of one that opened a form, where there is more to read. */
const [BUDGET, FORM_BUDGET] = [400, 1_200];
const MAX_LINE = 160;
/** The page's furniture is named, and no more. */
const MAX_ASIDE = 60;
/** A block with more elements in it is no line. */
const MAX_IN_LINE = 30;
/** The cells of a table's row are one line. */
const INLINE = /^(?:inline|contents|ruby|table-cell)/;
const URGENT = "[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],dialog,[role=dialog]," +
  "[role=alertdialog]";
const HEADING = "h1,h2,h3,[role=heading]";
const ASIDE = "nav,aside,footer,[role=navigation],[role=complementary],[role=contentinfo],[role=toolbar],[role=tooltip]," +
  "[role=banner]";

/** @typedef {{text: string, rank: number}} Line  rank: the lower, the sooner it is given */

/** @param {Element} element */
const isInline = (element) => INLINE.test(getComputedStyle(element).display);

/** The block whose line a text is in. @param {Element} element */
function blockOf(element) {
  let at = element;
  while (at.parentElement && isInline(at)) at = at.parentElement;
  return at;
}

/** @param {Element} block */
function rankOf(block) {
  if (block.closest(HEADING) || block.closest(URGENT)) return 0;
  return block.closest(ASIDE) ? 2 : 1;
}

/** @param {Element} block */
function wholeOf(block) {
  const parts = block instanceof HTMLTableRowElement ? [...block.cells] : [block];
  return parts.map((part) => printable(part.textContent ?? "")).filter(Boolean).join(" | ");
}

/**
 * The words of a block as one line: all of them, where they are no more than a line. Code keeps its lines.
 * @param {Element} block @param {string[]} came
 */
function lineOf(block, came) {
  if (came.some(hasMarks)) return came.join(" ");
  const within = [...block.querySelectorAll("*")];
  const whole = within.length <= MAX_IN_LINE && within.every(isInline) ? wholeOf(block) : "";
  return whole && whole.length <= MAX_LINE ? whole : came.join(" ");
}

/**
 * Lines that read the same as one, whatever case they are written in.
 * @param {Line[]} lines @param {Map<string, number>} counts text → how often it came, where that is known
 */
function merged(lines, counts) {
  /** @type {Map<string, Line & {count: number}>} */
  const found = new Map();
  for (const line of lines) {
    const key = line.text.toLowerCase();
    const known = found.get(key);
    const isOther = known !== undefined && known.text !== line.text;
    const count = isOther ? 0 : counts.get(line.text) ?? 1;
    found.set(key, { ...known ?? line, count: (known?.count ?? 0) + count });
  }
  return [...found.values()];
}

/** @param {Map<string, Element>} came text → where it is @returns {Line[]} in the order of the page */
function linesOf(came) {
  /** @type {Map<Element, string[]>} */
  const blocks = new Map();
  for (const [text, at] of came) {
    const block = blockOf(at);
    blocks.set(block, [...blocks.get(block) ?? [], text]);
  }
  return [...blocks].map(([block, texts]) => {
    const rank = rankOf(block);
    return { text: cut(lineOf(block, texts), rank < 2 ? MAX_LINE : MAX_ASIDE), rank };
  });
}

/**
 * Lines that fit: by rank, and at the end the last one of the page's main text.
 * @template {Line} L
 * @param {L[]} lines @param {number} budget
 * @returns {L[]}
 */
function chosen(lines, budget) {
  const last = lines.findLast(({ rank }) => rank < 2) ?? lines[lines.length - 1];
  const sorted = lines.filter((line) => line !== last).toSorted((a, b) => a.rank - b.rank);
  let left = budget - last.text.length;
  const over = sorted.findIndex(({ text }) => (left -= text.length) < 0);
  return [...(over < 0 ? sorted : sorted.slice(0, over)), last];
}

/**
 * The lines of text that came.
 * @param {Map<string, Element>} came text → where it is, at least one
 * @param {boolean} hasForm whether fields came along
 * @param {Map<string, number>} counts text → how often it came
 * @returns {string} quoted, with the number of those left out
 */
export function listedLines(came, hasForm, counts) {
  const lines = merged(linesOf(came), counts);
  const shown = chosen(lines, hasForm ? FORM_BUDGET : BUDGET);
  const more = lines.length - shown.length;
  const words = shown.map(({ text, count }) => `${quote(text)}${count > 1 ? ` × ${count}` : ""}`);
  if (!more) return words.join(", ");
  return [...words.slice(0, -1), `… ${more} more …`, words.at(-1)].join(", ");
}
