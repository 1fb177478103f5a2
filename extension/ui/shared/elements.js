/** Elements of the extension's own pages. What comes from outside goes in as text, never as markup. */

/** @typedef {Node | string | false | null | undefined} Child */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]> & {data?: Record<string, string>}} [properties] `data` holds its data-* attributes
 * @param {...Child} children those that are false or missing are left out
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, { data = {}, ...properties } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  Object.assign(element.dataset, data);
  element.append(.../** @type {Array<Node|string>} */ (children.filter(Boolean)));
  return element;
}

/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement} */
export function find(selector, root = document) {
  const found = /** @type {HTMLElement | null} */ (root.querySelector(selector));
  if (!found) throw new Error(`no ${selector} in this page`);
  return found;
}

/**
 * Brings a list in line with what it shows. An entry that stays is left where it is: the focus may be in it.
 * @template T
 * @param {HTMLElement} list
 * @param {T[]} entries
 * @param {(entry: T) => string} keyOf
 * @param {(entry: T) => HTMLElement} toItem
 * @param {(item: HTMLElement, entry: T) => void} [refresh] of an entry that stays
 */
export function fill(list, entries, keyOf, toItem, refresh) {
  const known = new Map(/** @type {HTMLElement[]} */ ([...list.children]).map((item) => [item.dataset.key, item]));
  const wanted = entries.map((entry) => {
    const key = keyOf(entry);
    const item = known.get(key) ?? toItem(entry);
    if (known.has(key)) refresh?.(item, entry);
    item.dataset.key = key;
    known.delete(key);
    return item;
  });
  for (const item of known.values()) item.remove();
  wanted.forEach((item, at) => { if (list.children[at] !== item) list.insertBefore(item, list.children[at] ?? null); });
}

/** Sets a text where it changes: what is read out is read out once. @param {HTMLElement} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const CODE = /`([^`]+)`/g;

/** Sets a text as `say` does, with what stands between backticks as code. @param {HTMLElement} element @param {string} text */
export function sayWithCode(element, text) {
  if (element.textContent !== text.replaceAll(CODE, "$1")) element.replaceChildren(...withCode(text));
}

/** The parts of a text, those between backticks as code. @param {string} text */
export const withCode = (text) =>
  text.split(CODE).map((part, at) => (at % 2 ? make("code", { textContent: part }) : part));

/**
 * Does what the person wants, and says where they see it what went wrong.
 * @param {HTMLElement} problem
 * @param {() => Promise<unknown>} act
 * @param {string} [before] what is said before the reason
 * @returns {Promise<boolean>} whether it was done
 */
export async function attempt(problem, act, before = "") {
  try {
    await act();
    say(problem, "");
    return true;
  } catch (error) {
    sayWithCode(problem, before + /** @type {Error} */ (error).message);
    return false;
  }
}

/** The options of a select, in the order of their words. @param {Record<string, string>} words value → what is shown for it */
export const optionsOf = (words) =>
  Object.entries(words).map(([value, textContent]) => make("option", { value, textContent }));

/** Puts a text into the clipboard, and says whether the browser has let it. @param {string} text @param {HTMLElement} told */
export const copyText = (text, told) => void navigator.clipboard.writeText(text)
  .then(() => say(told, "Copied."), () => say(told, "Select the text and copy it."));
