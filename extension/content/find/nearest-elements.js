/* The elements that are most like one that was recorded, on a page that may have changed. */
import { cached, isOwn, walkElements } from "../dom/flat-tree.js";
import { isVisible } from "../dom/visibility.js";
import * as bestLocator from "./best-locator.js";
import { score } from "./fingerprint-score.js";
import { itemOf, outer, placeOf, whole } from "./fingerprints.js";
import * as refs from "./refs.js";

/** Elements that are looked at closely. */
const MAX_CLOSE = 40;
/** Elements that are looked at in all, and the time for that. */
const MAX_LOOKED = 20_000;
const MAX_LOOK_MS = 1_500;
const MAX_CANDIDATES = 3;
/** The least likeness that is worth a look. */
const PROPOSED = 0.4;

/** @param {Element} element */
const isShown = (element) => isVisible(element) || (element.localName === "input" &&
  [...(/** @type {HTMLInputElement} */ (element).labels ?? [])].some((label) => isVisible(label)));

/** @typedef {{element: Element, known: Fingerprint}} Possible known: the part that costs little */

/**
 * Elements of this document that could be the recorded one.
 * @param {Fingerprint} recorded @returns {Generator<Possible, boolean>} whether all elements were looked at
 */
function* possible(recorded) {
  const until = performance.now() + MAX_LOOK_MS;
  let looked = 0;
  for (const element of walkElements(document)) {
    looked += 1;
    if (looked > MAX_LOOKED || performance.now() > until) return false;
    if (isOwn(element)) continue;
    const known = outer(element);
    const isLike = known.role === recorded.role || known.tag === recorded.tag ||
      (known.id && known.id === recorded.id) || (known.test_id && known.test_id === recorded.test_id);
    // Of many twins, those in the right surrounding are looked at closely.
    const around = recorded.item ? { item: itemOf(element), place: placeOf(element) } : { place: placeOf(element) };
    if (isLike && isShown(element)) yield { element, known: { ...known, ...around } };
  }
  return true;
}

/**
 * The elements of this document that are most like a recorded one, each with the selector that leads to it.
 * @param {{fingerprint: Fingerprint}} args
 */
export const nearest = ({ fingerprint }) => {
  return cached(() => {
    // All that tells twins apart is known of the close ones only.
    const { turn: _, ...loose } = fingerprint;
    /** @type {Array<Possible & {score: number}>} */
    const found = [];
    const looking = possible(fingerprint);
    let step = looking.next();
    for (; !step.done; step = looking.next()) {
      const { known } = step.value;
      const isInItem = known.item && known.item === fingerprint.item ? 1 : 0;
      found.push({ ...step.value, score: score(loose, known) + isInItem });
    }
    const roughly = found.sort((a, b) => b.score - a.score).slice(0, MAX_CLOSE);
    const close = roughly.map(({ element, known }) => ({ element, score: score(fingerprint, whole(element, known)) }))
      .filter((one) => one.score >= PROPOSED).sort((a, b) => b.score - a.score);
    const candidates = close.slice(0, MAX_CANDIDATES).map((one) => ({
      score: one.score, ref: refs.marker(refs.refFor(one.element)), target: bestLocator.describe(one.element),
    }));
    return { candidates, isWhole: step.value };
  });
};

/** The likeness of an element to a recorded one. @param {{target: TargetArgs, fingerprint: Fingerprint}} args */
export const scoreTarget = ({ target, fingerprint }) => {
  const element = refs.elementOf(target.ref);
  return element ? cached(() => score(fingerprint, whole(element))) : 0;
};
