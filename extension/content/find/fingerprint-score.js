/*
 * The likeness of two fingerprints of elements: one that was recorded, and one of an element that is there now. Values alone: no
 * document is looked into. A feature counts only where the recorded element had it; what it is worth says how long it lasts while
 * a page is changed, and how well it tells one element from another.
 */
import { likeness, pairsOf } from "../dom/text.js";

/** The most of an element in another surrounding, where the recorded one had twins: the surrounding alone tells them apart. */
const ELSEWHERE = 0.5;
const SAME_SURROUNDING = 0.7;

/** @typedef {(recorded: any, found: any, one: Fingerprint, other: Fingerprint) => number} Similarity 0 to 1 */

/** A text that is partly the same is never worth as much as the same one. */
const PARTLY = 0.9;
const PARTLY_ITEM = 0.3;
/** Distance in CSS pixels at which a place says nothing any more. */
const FAR = 600;

/** @type {Similarity} */
const equal = (recorded, found) => (recorded === found ? 1 : 0);
/** @type {(partly: number) => Similarity} of texts, with the most for one that is partly the same */
const alikeBy = (partly) => (recorded, found) => (recorded === found ? 1
  : partly * likeness(pairsOf(String(recorded)), pairsOf(String(found ?? ""))));
const alike = alikeBy(PARTLY);

/** @type {Similarity} shared members of two lists */
function shared(recorded, found) {
  const other = new Set(Array.isArray(found) ? found : []);
  const both = recorded.filter((/** @type {string} */ one) => other.has(one)).length;
  return both / (recorded.length + other.size - both);
}

/** @type {Similarity} steps of two paths that are the same, counted from the element upwards */
function sharedEnd(recorded, found) {
  const [one, other] = [recorded, found ?? ""].map((path) => String(path).split(/ > | >>> /).reverse());
  const different = one.findIndex((/** @type {string} */ step, /** @type {number} */ at) => step !== other[at]);
  return (different < 0 ? one.length : different) / Math.max(one.length, other.length);
}

/** @type {Similarity} */
const near = (recorded, found) => {
  const apart = Math.hypot(recorded[0] - (found?.[0] ?? Infinity), recorded[1] - (found?.[1] ?? Infinity));
  return Math.max(0, 1 - apart / FAR);
};

/** @type {Similarity} the place among elements that say the same, from either end */
function sameTurn(recorded, found) {
  if (!Array.isArray(found)) return 0;
  return recorded[0] === found[0] || recorded[1] - recorded[0] === found[1] - found[0] ? 1 : 0;
}

/** Features, what each is worth, and how it is compared. @type {Array<[keyof Fingerprint, number, Similarity]>} */
const FEATURES = [
  ["role", 10, equal], ["tag", 3, equal], ["name", 30, alike], ["text", 8, alike], ["label", 8, alike], ["test_id", 20, equal],
  ["id", 12, equal], ["field", 8, equal], ["type", 4, equal], ["placeholder", 5, alike], ["href", 8, alike],
  ["classes", 5, shared], ["landmark", 5, equal], ["heading", 7, alike], ["item", 7, alike], ["before", 8, alike],
  ["after", 8, alike], ["turn", 3, sameTurn], ["place", 6, near], ["path", 5, sharedEnd], ["frame", 3, equal],
];
/** Worth of the item where the recorded element had twins. @type {[number, Similarity]} */
const TURN_ITEM = [30, alikeBy(PARTLY_ITEM)];
/** Features that say the same as another one, where they are equal to it: they count once. */
const REPEATED = /** @type {const} */ ({ text: "name", label: "name", placeholder: "name" });

/** @param {Fingerprint} recorded @param {keyof Fingerprint} key */
function counts(recorded, key) {
  const value = recorded[key];
  if (value === undefined || value === null || (Array.isArray(value) && !value.length)) return false;
  // An element that is in the top document, and one without a name, are so on purpose.
  if (value === "") return key === "frame";
  const other = REPEATED[/** @type {keyof typeof REPEATED} */ (key)];
  return !other || recorded[other] !== value;
}

/** @param {Fingerprint} recorded @param {Fingerprint} found */
const isElsewhere = (recorded, found) => /** @type {const} */ (["heading", "item"]).some((key) =>
  recorded[key] && alike(recorded[key], found[key], recorded, found) < SAME_SURROUNDING);

/**
 * @param {Fingerprint} recorded @param {Fingerprint} found
 * @returns {number} 0 to 1, in hundredths
 */
export function score(recorded, found) {
  let [worth, got] = [0, 0];
  for (const [key, weight, similarity] of FEATURES) {
    if (!counts(recorded, key)) continue;
    // Rows of a list are alike in most of their words: the row of one of many twins is the same one or it is not.
    const [own, compared] = key === "item" && recorded.turn ? TURN_ITEM : [weight, similarity];
    worth += own;
    got += own * compared(recorded[key], found[key], recorded, found);
  }
  const likeness = worth ? Math.round(100 * got / worth) / 100 : 0;
  return recorded.turn && isElsewhere(recorded, found) ? Math.min(likeness, ELSEWHERE) : likeness;
}
