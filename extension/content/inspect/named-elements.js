/* Elements as debugging tools name them: with the reference that other tools take. */
globalThis.__tabwire.add("inspect/named-elements", (tw) => {
/** @param {Element} element */
const refOf = (element) => tw.refs.marker(tw.refs.refFor(element));

/** Reference and tag: `@e7 <div class="veil">`. @param {Element} element */
const tagged = (element) => `${refOf(element)} ${tw.actionability.tagLine(element)}`;

/** Reference, tag and text: `@e7 <button> "Buy"`. @param {Element} element */
const described = (element) => `${refOf(element)} ${tw.actionability.describe(element)}`;

tw.namedElements = { tagged, described };
});
