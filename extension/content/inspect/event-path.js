/*
 * Path of the events of an element (DOM, "get the parent"): the nodes that they come by below the document. They are held for the
 * worker, which asks the debugger who listens there.
 */
import * as elementSummaries from "../dom/element-summaries.js";
import { composedParent, shadowRootOf } from "../dom/flat-tree.js";
import * as refs from "../find/refs.js";
import { tagged } from "./named-elements.js";

const MAX_NODES = 80;

/** @param {Node} node @returns {Node|null} */
function parentOf(node) {
  if (node instanceof ShadowRoot) return node.host;
  const { parentNode } = node;
  const isSlotted = parentNode instanceof Element && shadowRootOf(parentNode) !== null;
  return (isSlotted && composedParent(/** @type {Element} */ (node))) || parentNode;
}

/** @param {Node} node */
const named = (node) =>
  (node instanceof ShadowRoot ? `the shadow root of ${tagged(node.host)}` : tagged(/** @type {Element} */ (node)));

/** @param {{target: TargetArgs}} asked */
export const path = ({ target }) => {
  const element = refs.resolve(target.ref);
  /** @type {Node[]} */
  const nodes = [];
  let next = /** @type {Node|null} */ (element);
  for (; next && next !== document && nodes.length < MAX_NODES; next = parentOf(next)) nodes.push(next);
  globalThis.__tabwireElements = new Map(nodes.entries());
  return { element: `${refs.marker(target.ref)} ${elementSummaries.describe(element)}`, path: nodes.map(named) };
};
