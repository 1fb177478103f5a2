/*
 * Numbers for elements, and the proof that a number still means the element that was shown: same document, same role,
 * same name, and the same text around it. The last one matters where a page redraws a list by re-using its nodes: the
 * Delete button of row B is then still there, but it would delete row C.
 */
import { codedError, pageText } from "../base/errors.js";
import { worker } from "../base/worker.js";
import { readable } from "../dom/clobbered.js";
import { cached, composedContains } from "../dom/flat-tree.js";
import { collapse, cut } from "../dom/text.js";
import { containerOf, hasItsWords, isSameContainer } from "./containers.js";
import { chunksOf, isItem, isStrict, itemOf } from "./item-context.js";
import { placeNames, staying } from "./place-names.js";
import { byRoleAndName } from "./selectors.js";
import * as shownNames from "./shown-names.js";

const MAX_CHUNKS = 60;
/** Limits of text runs: an item or row with more is page layout, whatever its tag. Rows of data may be wide. */
const [MAX_ITEM, MAX_ROW] = [MAX_CHUNKS, 300];
const MAX_CANDIDATES = 5;
const LETTER = /\p{L}/u;

/** Text of an element and around it. @typedef {{role: string, name: string, item: Surroundings | null}} Reading */
/**
 * container: the part of the page in which it was numbered; first, last: the round in which it was numbered, and shown last
 * @typedef {Reading & {local: number, element: Element | WeakRef<Element>, container: Element | WeakRef<Element> | null,
 *   first: number, last: number}} Shown
 */
/** Changed text of an element; `item`: where that differs. @typedef {Omit<Reading, "item"> & Partial<Reading>} Change */

/** Content scripts have their own wrappers of the page's nodes, so the page cannot see this key. */
const SHOWN = Symbol("shown");
/** @typedef {Element & {[SHOWN]?: Shown}} Numbered */
const SWEEP_FROM = 1000;
/** @type {Map<number, Shown>} */
const byLocal = new Map();
let sweepAt = SWEEP_FROM;
let last = 0;
let replaced = 0;
let round = 0;

/** The number of the element that the act under way is about. @type {number | null} */
let acted = null;

/** Begins another answer: elements that are numbered in one are in the page at the same time. */
export const begin = () => { round += 1; };

/** Notes the element that an act is about; null before one is known. @param {number | null} local */
export const actOn = (local) => { acted = local; };

/** @param {Element} element @returns {Surroundings | null} */
function surroundings(element) {
  const item = itemOf(element);
  if (!item) return null;
  return reading(item.element, item.isSemantic);
}

/** An item as it reads now. @param {Element} element @param {boolean} isSemantic @returns {Surroundings} */
function reading(element, isSemantic) {
  const chunks = chunksOf(element);
  return { isSemantic, element, words: () => chunks };
}

/**
 * The item shown then, as it reads now; the nearest item now when the element has left it.
 * @param {Surroundings | null} before
 * @param {Element} element
 * @returns {Surroundings | null}
 */
function surroundingsNow(before, element) {
  const item = before && held(before);
  if (!before || !item?.isConnected || !composedContains(item, element)) return surroundings(element);
  return reading(item, before.isSemantic);
}

const ICON_FONT = /icon|symbol/i;
const LIGATURE = /^[a-z][a-z0-9_]*$/;

/** Words that a font for icons draws as pictures ("favorite_border"). @param {Element} element */
export function ligaturesIn(element) {
  const drawn = [element, ...element.querySelectorAll("*")].filter((one) => {
    const isWord = !one.firstElementChild && LIGATURE.test(one.textContent.trim());
    return isWord && ICON_FONT.test(getComputedStyle(one).fontFamily);
  });
  return new Set(drawn.map((one) => one.textContent.trim()));
}

/**
 * Whether words are the same but for pictures: one may have become another.
 * @param {string[]} before
 * @param {string[]} now
 * @param {Element} element where they stand now
 */
function isSameButForIcons(before, now, element) {
  if (before.length !== now.length) return false;
  const icons = ligaturesIn(element);
  return icons.size > 0 && now.every((word, at) => word === before[at] || (icons.has(word) && LIGATURE.test(before[at])));
}

/** @param {string} before @param {string} now @param {Element} element */
const isSameName = (before, now, element) =>
  before === now || isSameButForIcons(before.split(" "), now.split(" "), element);

/** @param {Numbered} element @param {Reading} look */
function newNumber(element, look) {
  /** @type {Shown} */
  const shown = { local: ++last, element, container: containerOf(element), first: round, last: round, ...look };
  element[SHOWN] = shown;
  byLocal.set(shown.local, shown);
  if (byLocal.size > sweepAt) sweep();
  return shown.local;
}

/**
 * The number of an element that a snapshot shows; stays with it. What the element looks like now is remembered.
 * @param {Numbered} element
 * @param {string} role
 * @param {string} name
 * @param {Surroundings | null} [item]
 * @returns {number}
 */
export function refShown(element, role, name, item = surroundings(element)) {
  const shown = element[SHOWN];
  if (!shown) return newNumber(element, { role, name, item });
  shown.role = role;
  shown.name = name;
  shown.item = item;
  shown.last = round;
  return shown.local;
}

/**
 * The number of an element found otherwise. Where the number it has was given to something that read differently, it
 * gets another: whoever holds the old one has not seen the change.
 * @param {Numbered} element
 * @returns {number}
 */
export function refFor(element) {
  const shown = element[SHOWN];
  if (shown && !mismatch(shown, element)) return shown.local;
  const role = shownNames.roleOf(element);
  if (shown) replaced += 1;
  return newNumber(element, { role, name: shownNames.nameOf(element, role), item: surroundings(element) });
}

/** Elements that left the page are held weakly from here on: the page may put them back, or drop them. */
function sweep() {
  for (const shown of byLocal.values()) {
    if (shown.element instanceof WeakRef || shown.element.isConnected) continue;
    shown.element = new WeakRef(shown.element);
    if (shown.container instanceof Element) shown.container = new WeakRef(shown.container);
    const { item } = shown;
    if (!item) continue;
    const words = item.words();
    shown.item = { isSemantic: item.isSemantic, element: new WeakRef(/** @type {Element} */ (held(item))), words: () => words };
  }
  sweepAt = Math.max(SWEEP_FROM, byLocal.size * 2);
}

/** @param {{element: Element | WeakRef<Element>}} holder */
const held = ({ element }) => readable(element instanceof WeakRef ? element.deref() : element);

/** @param {number} local @returns {string} the marker the worker turns into @eN */
export const marker = (local) => `\uE000${worker.seal ?? ""}:${local}\uE001`;

/** @param {string} role @param {string} name */
const describe = (role, name) => (name ? `${role} ${pageText(JSON.stringify(cut(name, 120)))}` : role);

/** @param {Shown} shown @param {string} cause @param {string} message @param {object} [data] */
function stale(shown, cause, message, data) {
  return codedError("stale_element_reference", `${marker(shown.local)} ${message}`, { cause, ...data });
}

/** @param {Pick<Shown, "role"|"name">} shown */
const isUnnamed = ({ role, name }) => role === "generic" && !name;

/**
 * Elements that look like a removed one without role and name: same tag, id, classes, number of children and text.
 * @param {Shown} shown
 */
function lookalikesOf(shown) {
  const gone = held(shown);
  if (!gone) return [];
  const { id, classList, childElementCount, textContent } = gone;
  // The text comes last: that of a box is all text in it.
  return [...document.getElementsByTagName(gone.localName)].filter((element) => element.id === id
    && element.classList.value === classList.value && element.childElementCount === childElementCount
    && element.textContent === textContent);
}

/**
 * Elements that could have taken the place of a removed one: same role and name, in an item that reads the same.
 * @param {Shown} shown
 */
function twinsOf({ role, name, item }) {
  if (isUnnamed({ role, name })) return [];
  return staying(byRoleAndName(role, name).filter((element) => isSameItem(item, surroundings(element), element)));
}

/**
 * @param {number} local
 * @param {(element: Element) => boolean} isThere whether an element is at the place of the removed one
 * @returns {Element | null} null unless there is exactly one
 */
export function successorOf(local, isThere) {
  const shown = byLocal.get(local);
  const like = shown && isUnnamed(shown) ? lookalikesOf : twinsOf;
  const found = shown ? cached(() => like(shown)).filter(isThere) : [];
  return found.length === 1 ? found[0] : null;
}

/**
 * Whether an element has taken the place of a removed one: it was not beside it, and is in the same part of the page, among the
 * same words.
 * @param {Shown} shown @param {Element} gone @param {Numbered} element
 */
function hasItsPlace({ container, last: lastSeen }, gone, element) {
  const wasBeside = (element[SHOWN]?.first ?? Infinity) <= lastSeen;
  if (wasBeside || element.closest("[inert]")) return false;
  return isSameContainer(container instanceof WeakRef ? container.deref() : container, element) && hasItsWords(gone, element);
}

/**
 * Goes on with the element that has taken the place of a removed one, where only one does: with its role and name, in an item
 * that reads the same.
 * @param {number} local
 * @returns {boolean} whether the number means another element from here on
 */
export const goOn = (local) => cached(() => {
  const shown = byLocal.get(local);
  const gone = shown && held(shown);
  if (!shown?.name || !gone || gone.isConnected) return false;
  const [twin, ...others] = twinsOf(shown);
  if (!twin || others.length || !hasItsPlace(shown, gone, twin)) return false;
  byLocal.set(local, { ...shown, element: twin });
  return true;
});

/** @param {Shown} shown */
function removed(shown) {
  const twins = twinsOf(shown).slice(0, MAX_CANDIDATES);
  const candidates = twins.map((element) => marker(refFor(element)));
  const what = describe(shown.role, shown.name);
  if (!candidates.length) return stale(shown, "removed", `(${what}) was removed from the page; take a new snapshot`);
  const places = placeNames(twins);
  const listed = candidates.map((ref, at) => (places[at] ? `${ref} in ${pageText(`"${places[at]}"`)}` : ref));
  return stale(shown, "replaced",
    `(${what}) was replaced; now like it: ${listed.join(", ")}. Check which one is meant, or take a new snapshot`,
    { candidates });
}

/** @param {string[]} chunks @param {Set<string>} own */
function significant(chunks, own) {
  const trimmed = chunks.map((chunk) => chunk.trim());
  return trimmed.filter((chunk) => chunk && !own.has(chunk)).slice(0, MAX_CHUNKS);
}

/** @param {string[]} before @param {string[]} now */
function isContained(before, now) {
  const rest = [...now];
  return before.every((chunk) => {
    const index = rest.indexOf(chunk);
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
}

/** @param {string} chunk */
const hasLetter = (chunk) => LETTER.test(chunk);

/** @param {string[]} chunks */
const lettered = (chunks) => chunks.map((chunk) => chunk.trim()).filter(hasLetter);

/**
 * Whether the text around the element is what was shown. Numbers alone do not count where there are words (a counter
 * may tick); what is no line of data may gain words (a validation message).
 * @param {Surroundings | null} before
 * @param {Surroundings | null} now
 * @param {Element} element
 */
function isSameItem(before, now, element) {
  if (!before) return true;
  const item = held(before);
  const isRow = before.isSemantic && item !== undefined && isStrict(item);
  const words = before.words();
  if (now && words.filter(hasLetter).length > (isRow ? MAX_ROW : MAX_ITEM)) return true;
  const own = new Set(isItem(element) ? [] : chunksOf(element).map((chunk) => chunk.trim()));
  const [old, current] = [significant(words, own), significant(now?.words() ?? [], own)];
  // Where it was alone, it may be moved out of its item.
  if (!now) return old.length === 0;
  const inWords = !before.isSemantic || old.some(hasLetter) || current.some(hasLetter);
  const [was, is] = inWords ? [old.filter(hasLetter), current.filter(hasLetter)] : [old, current];
  const isSame = isRow ? was.join("\n") === is.join("\n") : isContained(was, is);
  return isSame || (item !== undefined && isSameButForIcons(lettered(words), lettered(now.words()), item));
}

/** @param {Surroundings | null | undefined} item */
const reads = (item) => (item ? cut(collapse(item.words().join(" ")), 120) : "something else");

/** Role and name of an element where they are not those shown. @param {Shown} shown @param {Element} element */
function differenceOf(shown, element) {
  const role = shownNames.roleOf(element);
  const name = shownNames.nameOf(element, role);
  return role !== shown.role || !isSameName(shown.name, name, element) ? { role, name } : null;
}

/**
 * The present text of an element when it differs from what was shown under its number; null when it does not.
 * @param {Shown} shown
 * @param {Element} element
 * @returns {Change | null}
 */
function mismatch(shown, element) {
  const other = differenceOf(shown, element);
  if (other) return other;
  const item = surroundingsNow(shown.item, element);
  return isSameItem(shown.item, item, element) ? null : { role: shown.role, name: shown.name, item };
}

/** @param {Shown} shown @param {Change} now */
function renamed(shown, now) {
  const { role, name } = shown;
  if ("item" in now) {
    const item = { was: reads(shown.item), is: reads(now.item) };
    const is = now.item ? `that item reads ${pageText(`"${item.is}"`)} now` : "it is in no item now";
    return stale(
      shown,
      "renamed",
      `(${describe(role, name)}) was in the item that read ${pageText(`"${item.was}"`)}; ${is}; take a new snapshot and ` +
      "choose again",
      { item },
    );
  }
  return stale(
    shown,
    "renamed",
    `was ${describe(role, name)} and is ${describe(now.role, now.name)} now; if that is still the one you mean, take a new ` +
    `snapshot and use its ref`,
    { was: { role, name }, is: now },
  );
}

/**
 * The element of a number, when it is still what was shown under it.
 * @param {number} local
 * @returns {Element}
 */
export function resolve(local) {
  const shown = byLocal.get(local);
  if (!shown) {
    throw codedError(
      "stale_element_reference",
      "the ref was given out before the page's scripts were replaced; take a new snapshot",
      { cause: "removed" },
    );
  }
  const element = held(shown);
  return cached(() => {
    if (!element?.isConnected || element.ownerDocument !== document) throw removed(shown);
    const now = mismatch(shown, element);
    if (now) throw renamed(shown, now);
    return element;
  });
}

/**
 * The element of a number while it is in the page, whatever it looks like by now: for looking at the outcome of an act
 * on it. An act itself starts with `resolve`.
 * @param {number} local
 * @returns {Element | null}
 */
export function elementOf(local) {
  const shown = byLocal.get(local);
  const element = shown && held(shown);
  return element?.isConnected ? element : null;
}

/** @param {TargetArgs} args */
export const check = ({ ref }) => {
  resolve(ref);
  return true;
};

/** Number of times an element that had a number got another one: earlier snapshots show the old one. */
export const replacements = () => replaced;

/** A list with more like it is not looked through for the changes of one act. */
const MAX_BESIDE = 200;

/**
 * Whether elements of its role that were shown together with one, and are in no item with it, still read as shown. In a list that
 * is drawn on the same nodes others change as well, or one is gone.
 * @param {Shown} shown @param {Element | null} item
 */
function areOthersAsShown(shown, item) {
  const others = [...byLocal.values()].filter((other) =>
    other !== shown && other.role === shown.role && other.last === shown.last && !item?.contains(held(other) ?? null));
  return others.length <= MAX_BESIDE && others.every((other) => {
    const element = held(other);
    return element?.isConnected && !mismatch(other, element);
  });
}

/**
 * Takes what an act has made of the element it was for, and of the item around it, for shown: the reply reports it. An act that
 * has changed others like it as well has drawn another list there.
 */
export const acknowledge = () => cached(() => {
  const shown = acted === null ? undefined : byLocal.get(acted);
  const element = shown && held(shown);
  acted = null;
  if (!shown || !element?.isConnected || !mismatch(shown, element)) return;
  const item = (shown.item && held(shown.item)) ?? null;
  const role = shownNames.roleOf(element);
  if (role !== shown.role || !areOthersAsShown(shown, item)) return;
  for (const one of item ? byLocal.values() : []) {
    const inside = held(one);
    if (one === shown || !inside?.isConnected || !item?.contains(inside)) continue;
    if (!differenceOf(one, inside)) one.item = surroundingsNow(one.item, inside);
  }
  shown.name = shownNames.nameOf(element, role);
  shown.item = surroundingsNow(shown.item, element);
});
