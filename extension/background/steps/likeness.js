/* Conclusions from scores of likeness to a recorded element. Measured on the pages of tests/e2e/steps/test_changed_pages.py. */

/** An element with less was never the recorded one, whatever selector leads to it. */
const CONTRADICTED = 0.35;
/** An element with less is compared with the others of its page. */
const DOUBTED = 0.9;
/** An element that is so much more like the recorded one was meant. */
const OVERTAKEN = 0.15;
/** The least that is taken without anybody's look at it, and its lead before the next one. */
const CLEAR = 0.55;
const LEAD = 0.1;

/** Scores are hundredths; their differences are not, in binary numbers. @param {number} one @param {number} other */
const lead = (one, other) => Math.round(100 * (one - other)) / 100;

/** Whether an element is compared with others before it is taken for the recorded one. @param {number} score */
export const isDoubtful = (score) => score < DOUBTED;

/**
 * Whether the element that a selector leads to is another one than was recorded.
 * @param {number} own its score @param {number[]} others scores of the other elements, the highest first
 */
export const isOther = (own, others) => own < CONTRADICTED || lead(others[0] ?? 0, own) >= OVERTAKEN;

/** Whether the first of some elements is clearly the recorded one. @param {number[]} scores the highest first */
export const isClear = ([best = 0, next = 0]) => best >= CLEAR && lead(best, next) >= LEAD;
