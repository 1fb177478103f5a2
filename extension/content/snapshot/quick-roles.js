/* Roles of elements by their tag alone, where that is enough: most elements of a page have no role attribute. */
globalThis.__tabwire.add("snapshot/quick-roles", (tw) => {
const { set: words } = tw.roleTables;
/** Elements that get no line for the role they have without a role attribute. */
const PLAIN = words(
  "div span b i u s small font center tbody bdi bdo big tt nobr wbr em strong code sub sup mark del ins kbd samp var abbr " +
  "cite label",
);
/** Roles that need no look at the context, for elements without a role attribute. */
/** @type {Lookup<string>} */
const QUICK = {
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", p: "paragraph", ul: "list",
  ol: "list", button: "button",
};
/** Whether an element stands directly in a list that has its line. @param {Element} element @param {SnapshotPlace} above */
const isInList = ({ parentNode }, { element, line }) => line !== null && line.role === "list" && element === parentNode;

/** @param {Element} element @param {string} tag @param {boolean} hasAttributes @param {SnapshotPlace} above */
function roleOf(element, tag, hasAttributes, above) {
  if (hasAttributes && element.hasAttribute("role")) return tw.refs.roleOf(element);
  if (PLAIN.has(tag)) return "generic";
  if (QUICK[tag]) return QUICK[tag];
  if (tag === "a" && hasAttributes && element.hasAttribute("href")) return "link";
  if (tag === "li" && isInList(element, above)) return "listitem";
  return tw.refs.roleOf(element);
}

tw.quickRoles = { roleOf };
});
