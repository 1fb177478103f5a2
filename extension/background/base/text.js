/*
 * Texts of others, made fit to be shown to people.
 */

/** Marks and directions that would let a text pose as another one. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

/** @param {string} text @param {number} [limit] characters that are kept */
export const visibleText = (text, limit) => text.replace(INVISIBLE, " ").trim().slice(0, limit);

/** @param {number} number @param {string} noun whose plural ends in s */
export const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** A client as people are told of it. @param {{name: string}} client */
export const clientName = ({ name }) => visibleText(name, 60) || "a client without a name";
