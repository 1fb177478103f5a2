/* Elements as debugging tools name them: with the reference that other tools take. */
import * as elementSummaries from "../dom/element-summaries.js";
import * as refs from "../find/refs.js";

/** @param {Element} element */
const refOf = (element) => refs.marker(refs.refFor(element));

/** Reference and tag: `@e7 <div class="veil">`. @param {Element} element */
export const tagged = (element) => `${refOf(element)} ${elementSummaries.tagLine(element)}`;

/** Reference, tag and text: `@e7 <button> "Buy"`. @param {Element} element */
export const described = (element) => `${refOf(element)} ${elementSummaries.describe(element)}`;
