/* The ARIA role of an element: explicit role with its conflict rules, else the one its host language gives. */
import {
  cache, composedChildren, composedClosest, composedContains, composedParent, hasShadows, memo, referencedElements, tagOf,
} from "./flat-tree.js";
import {
  FOCUSGROUP_ITEMS, GLOBAL_ATTRIBUTES, INPUT_TYPES, LIST_INPUTS, NEEDS_NAME, PLAIN_HTML, record, REQUIRED_CONTEXT, ROLES,
  set, SYNONYMS,
} from "./role-tables.js";
import { isAccessibilityHidden, isRendered } from "./visibility.js";

const roleCache = cache();
const ownsCache = cache();
const ownersCache = cache();
const focusgroupCache = cache();

/** @param {string | null} value @returns {value is string} */
export const hasText = (value) => value !== null && value.trim() !== "";

/**
 * Whether an attribute names the element, without computing the name.
 * @param {Element} element
 */
export function isNamedByAuthor(element) {
  if (!element.hasAttributes()) return false;
  if (hasText(element.getAttribute("aria-label")) || hasText(element.getAttribute("title"))) return true;
  return referencedElements(element, "aria-labelledby").length > 0;
}

/** @param {Element} element */
const hasGlobalAttribute = (element) => GLOBAL_ATTRIBUTES.some((name) => element.hasAttribute(name));

/** @type {ElementRules<boolean>} */
const FOCUSABLE = record({
  a: (element) => element.hasAttribute("href"),
  area: (element) => element.hasAttribute("href"),
  button: (element) => !element.matches(":disabled"),
  input: (/** @type {HTMLInputElement} */ element) => element.type !== "hidden" && !element.matches(":disabled"),
  select: (element) => !element.matches(":disabled"),
  textarea: (element) => !element.matches(":disabled"),
  summary: (element) => isDetailsSummary(element),
  iframe: () => true,
  audio: (element) => element.hasAttribute("controls"),
  video: (element) => element.hasAttribute("controls"),
});

/** @param {Element} element */
export const isEditingHost = (element) => {
  const value = element.getAttribute("contenteditable");
  return value !== null && value.toLowerCase() !== "false";
};

/**
 * Whether the element can take focus, by markup alone (it may still be hidden).
 * @param {Element} element
 */
export function isFocusable(element) {
  const test = FOCUSABLE[element.localName];
  if (test && test(element)) return true;
  const tabindex = element.getAttribute("tabindex");
  if (tabindex !== null && Number.isInteger(Number.parseInt(tabindex, 10))) return !(test && element.matches(":disabled"));
  return isEditingHost(element);
}

/** The summary of a details is its first summary child. @param {Element} element */
export function isDetailsSummary(element) {
  const parent = element.parentElement;
  return parent?.localName === "details" && parent.querySelector(":scope > summary") === element;
}

/** @param {ParentNode} root */
function ownersIn(root) {
  const owners = new Map();
  for (const owner of root.querySelectorAll("[aria-owns]")) {
    if (isAccessibilityHidden(owner)) continue;
    for (const owned of referencedElements(owner, "aria-owns")) {
      if (!owners.has(owned) && isRendered(owned) && !composedContains(owned, owner)) owners.set(owned, owner);
    }
  }
  return owners;
}

/** @param {Element} element */
export const ownerOf = (element) => memo(ownersCache, element.getRootNode(), ownersIn).get(element) ?? null;

/** @param {ParentNode} root */
const findOwners = (root) => root.querySelector("[aria-owns]") !== null;
/** Whether a tree uses aria-owns, asked once: a snapshot makes a walk for each option of its lists. @param {ParentNode} root */
export const hasOwners = (root) => memo(ownsCache, root, findOwners);

/**
 * Children in the order of the accessibility tree, where aria-owns moves some.
 * @param {Element} element
 * @returns {FlatNode[]}
 */
export function ownedChildren(element) {
  const owned = referencedElements(element, "aria-owns").filter((child) => ownerOf(child) === element);
  const own = Array.from(composedChildren(element)).filter((child) => {
    if (child.nodeType !== Node.ELEMENT_NODE) return true;
    const owner = ownerOf(child);
    return owner === null || (owner === element && !owned.includes(child));
  });
  return [...own, .../** @type {FlatNode[]} */ (owned)];
}

const TRANSPARENT = set("none generic");

/** @param {Element} element */
function contextRole(element) {
  const parent = composedClosest(composedParent(element), (ancestor) => !TRANSPARENT.has(roleOf(ancestor)));
  return parent && roleOf(parent);
}

/** @param {Element} element @param {Set<string | null>} contexts */
function isInContext(element, contexts) {
  const owner = ownerOf(element);
  if (owner && contexts.has(roleOf(owner))) return true;
  return contexts.has(contextRole(element));
}

// https://w3c.github.io/aria/#conflict_resolution_presentation_none
/** @param {Element} element */
const isPresentationRefused = (element) => hasGlobalAttribute(element) || isFocusable(element);

/** @param {Element} element @param {string} token */
function isTokenUsable(element, token) {
  if (!ROLES.has(token)) return false;
  const contexts = REQUIRED_CONTEXT[token];
  if (contexts) return isInContext(element, contexts);
  return !NEEDS_NAME.has(token) || isNamedByAuthor(element);
}

/** The first usable token of the role attribute; null leaves it to the host language. @param {Element} element */
function explicitRole(element) {
  const attribute = element.getAttribute("role");
  if (!attribute) return null;
  for (const raw of attribute.toLowerCase().split(/[ \t\n\f\r]+/)) {
    const token = SYNONYMS[raw] ?? raw;
    if (!isTokenUsable(element, token)) continue;
    if (token === "none" && isPresentationRefused(element)) return null;
    return token;
  }
  return null;
}

const SECTIONING_TAGS = set("article aside nav section");
const SECTIONING_ROLES = set("article complementary navigation");

/** @param {Element} element */
const isSectioning = (element) =>
  SECTIONING_TAGS.has(element.localName) || SECTIONING_ROLES.has(element.getAttribute("role") ?? "");
/** @param {Element} element */
const isMain = (element) => element.localName === "main" || element.getAttribute("role") === "main";

/** @param {Element} element */
const isInSectioning = (element) => composedClosest(composedParent(element), isSectioning) !== null;
/** @param {Element} element */
const isPageScoped = (element) =>
  composedClosest(composedParent(element), (ancestor) => isSectioning(ancestor) || isMain(ancestor)) === null;

const LISTS = set("ul ol menu dir");

// An li whose list got another role has none; the list's own "none" is inherited even past conflicts.
/** @param {Element} element */
function listItemRole(element) {
  const parent = composedParent(element);
  return parent && LISTS.has(parent.localName) && roleOf(parent) !== "list" ? "none" : "listitem";
}

const TABLE_ROLES = record({ table: "cell", grid: "gridcell", treegrid: "gridcell" });

/** @param {Element} element */
const tableRoleOf = (element) => {
  const table = element.closest("table");
  return table ? roleOf(table) : null;
};

/** @param {Element} element @param {string} role */
function tablePartRole(element, role) {
  const owner = tableRoleOf(element);
  return owner && owner in TABLE_ROLES ? role : "generic";
}

/** @param {Element} element */
function cellRole(element) {
  const row = element.closest("tr");
  if (row && roleOf(row) !== "row") return "generic";
  return TABLE_ROLES[tableRoleOf(element) ?? ""] ?? "generic";
}

const SCOPES = record({ col: "columnheader", colgroup: "columnheader", row: "rowheader", rowgroup: "rowheader" });
/** @param {Element | undefined} cell */
const isDataCell = (cell) => cell?.localName === "td";
/** @param {Element | undefined} cell */
const isHeaderCell = (cell) => cell?.localName === "th";
/** @param {Element | undefined} cell */
const hasContent = (cell) => cell !== undefined && isDataCell(cell) && cell.textContent.trim() !== "";

// A th with no scope: headers on both sides make a column header, data in its row a row header.
// https://html.spec.whatwg.org/#algorithm-for-assigning-header-cells
/** @param {HTMLTableCellElement} element */
function headerCellRole(element) {
  if (cellRole(element) === "generic") return "generic";
  const scope = SCOPES[element.getAttribute("scope")?.toLowerCase() ?? ""];
  if (scope) return scope;
  const { cells } = /** @type {HTMLTableRowElement} */ (element.parentElement);
  if (!cells) return "columnheader";
  const index = element.cellIndex;
  const before = cells[index - 1];
  const after = cells[index + 1];
  if (isHeaderCell(before) && isHeaderCell(after)) return "columnheader";
  if (isDataCell(before) || isDataCell(after)) return "rowheader";
  const edges = [cells[0], cells[1], cells[cells.length - 1], cells[cells.length - 2]];
  return edges.some(hasContent) ? "rowheader" : "columnheader";
}

/** @param {HTMLInputElement} element */
function inputRole(element) {
  const type = element.type;
  if (LIST_INPUTS.has(type) && element.hasAttribute("list")) return "combobox";
  return INPUT_TYPES[type] ?? "textbox";
}

// https://w3c.github.io/html-aam/#el-img-empty-alt
/** @param {Element} element */
function imageRole(element) {
  if (element.getAttribute("alt") !== "") return "img";
  return hasText(element.getAttribute("title")) || isPresentationRefused(element) ? "img" : "none";
}

/** @param {HTMLSelectElement} element */
const isSelectBox = (element) => element.multiple || element.size > 1;

/** @param {Element} element */
function hasSvgTitle(element) {
  for (const child of element.children) if (child.localName === "title") return hasText(child.textContent);
  return false;
}

// https://w3c.github.io/svg-aam/#include_elements
/** @param {Element} element */
const isSvgIncluded = (element) => isNamedByAuthor(element) || hasSvgTitle(element) || isFocusable(element);
/** @param {Element} element */
const svgGroup = (element) => (isSvgIncluded(element) ? "group" : "generic");
/** @param {Element} element */
const isSvgLink = (element) => element.hasAttribute("href") || element.hasAttribute("xlink:href");

/** @param {string} role */
const unlessEmpty = (role) => (/** @type {Element} */ element) => (element.hasChildNodes() ? role : "generic");
/** @param {Element} element */
const linkRole = (element) => (element.hasAttribute("href") ? "link" : "generic");

/** Chrome makes a group of a div that can be dragged or takes the first focus. @param {Element} element */
export const isBareGroup = (element) =>
  !element.hasAttribute("role") && (element.getAttribute("draggable") === "true" || element.hasAttribute("autofocus"));

/** @param {string} roles those that a rule may come to, besides generic ones @param {(element: any) => string} of */
const rule = (roles, of) => ({ roles: set(roles), of });
/** @param {string} role */
const inTable = (role) => rule(role, (element) => tablePartRole(element, role));

/** @type {Lookup<{roles: Set<string>, of: (element: Element) => string}>} */
const CONTEXTUAL = record({
  a: rule("link", linkRole),
  area: rule("link", linkRole),
  address: rule("group", unlessEmpty("group")),
  p: rule("paragraph", unlessEmpty("paragraph")),
  aside: rule("complementary", (element) =>
    (isInSectioning(element) && !isNamedByAuthor(element) ? "generic" : "complementary")),
  div: rule("group", (element) => (isBareGroup(element) ? "group" : "generic")),
  footer: rule("contentinfo sectionfooter", (element) => (isPageScoped(element) ? "contentinfo" : "sectionfooter")),
  header: rule("banner sectionheader", (element) => (isPageScoped(element) ? "banner" : "sectionheader")),
  img: rule("img none", imageRole),
  input: rule(`combobox textbox ${Object.values(INPUT_TYPES).join(" ")}`, inputRole),
  li: rule("listitem none", listItemRole),
  section: rule("region", (element) => (isNamedByAuthor(element) ? "region" : "generic")),
  select: rule("listbox combobox", (element) => (isSelectBox(element) ? "listbox" : "combobox")),
  summary: rule("summary", (element) => (isDetailsSummary(element) ? "summary" : "generic")),
  tbody: inTable("rowgroup"),
  tfoot: inTable("rowgroup"),
  thead: inTable("rowgroup"),
  tr: inTable("row"),
  td: rule("cell gridcell", cellRole),
  th: rule("columnheader rowheader", headerCellRole),
  "svg:svg": rule("img", (element) => (element.firstElementChild || isSvgIncluded(element) ? "img" : "generic")),
  "svg:image": rule("img", (element) => (isSvgIncluded(element) || isSvgLink(element) ? "img" : "generic")),
  "svg:a": rule("link group", (element) => (isSvgLink(element) ? "link" : svgGroup(element))),
  "svg:g": rule("group", svgGroup),
  "svg:foreignObject": rule("group", svgGroup),
  "svg:symbol": rule("group", svgGroup),
});

/** @param {ParentNode} root */
const hasFocusgroups = (root) => root.querySelector("[focusgroup]") !== null;
/** @param {ParentNode} node in whose tree there may be some */
const usesFocusgroups = (node) => memo(focusgroupCache, /** @type {ParentNode} */ (node.getRootNode()), hasFocusgroups);

/** @param {Element} element */
function focusgroupBehaviour(element) {
  const tokens = element.getAttribute("focusgroup")?.toLowerCase().split(/\s+/) ?? [];
  return tokens.find((token) => token in FOCUSGROUP_ITEMS) ?? null;
}

// A generic container with a focusgroup behaviour takes its role, and its focusable generics and buttons the item role.
/** @param {Element} element @param {string} role */
function focusgroupRole(element, role) {
  if (element.hasAttribute("role")) return role;
  const own = element.hasAttribute("focusgroup") && focusgroupBehaviour(element);
  if (own) return role === "generic" && element.localName !== "section" ? own : role;
  if (role !== "button" && !isFocusable(element)) return role;
  if (Number.parseInt(element.getAttribute("tabindex") ?? "0", 10) < 0) return role;
  const owner = composedClosest(composedParent(element), (ancestor) => ancestor.hasAttribute("focusgroup"));
  const behaviour = owner && focusgroupBehaviour(owner);
  return (behaviour && roleOf(owner) === behaviour && FOCUSGROUP_ITEMS[behaviour]) || role;
}

/**
 * The role the host language gives, before any role attribute.
 * @param {Element} element
 */
function nativeRole(element) {
  const tag = tagOf(element);
  const role = PLAIN_HTML[tag] ?? CONTEXTUAL[tag]?.of(element) ?? "generic";
  if (role !== "generic" && role !== "button") return role;
  if (!usesFocusgroups(element)) return role;
  return focusgroupRole(element, role);
}

/** @param {Element} element */
function computeRole(element) {
  return (element.hasAttributes() && explicitRole(element)) || nativeRole(element);
}

/**
 * The computed role. "none" where the author or context removed it, "generic" where the element has none of its own;
 * "summary", "legend" and "iframe" are host-language roles ARIA has no word for.
 * @param {Element} element
 * @returns {string}
 */
export function roleOf(element) {
  return memo(roleCache, element, computeRole);
}

/** @param {Element} element */
const firstToken = (element) => {
  const token = element.getAttribute("role")?.trim().toLowerCase().split(/[ \t\n\f\r]+/)[0] ?? "";
  return SYNONYMS[token] ?? token;
};

/**
 * Whether a query for `role` means this element: its computed role, or the one its author gave it where only the
 * context that role needs is missing (an option outside a listbox). Ask for its states with that role.
 * @param {Element} element
 * @param {string} role
 */
export function hasRole(element, role) {
  const wanted = SYNONYMS[role] ?? role;
  if (roleOf(element) === wanted) return true;
  return wanted in REQUIRED_CONTEXT && element.hasAttribute("role") && firstToken(element) === wanted;
}

/** @type {Map<string, string>} */
const selectors = new Map();

/** @param {string} role */
function makeSelector(role) {
  if (role === "generic") return "*";
  const tags = Object.keys({ ...PLAIN_HTML, ...CONTEXTUAL }).filter((tag) =>
    PLAIN_HTML[tag] === role || CONTEXTUAL[tag]?.roles.has(role));
  return ["[role]", ...new Set(tags.map((tag) => tag.replace(/^\w+:/, "")))].join();
}

/**
 * A CSS selector of all elements under a node that can have a role, and of others.
 * @param {string} role @param {ParentNode} root
 */
export function selectorOf(role, root) {
  if (hasShadows(root) || usesFocusgroups(root)) return "*";
  const wanted = SYNONYMS[role] ?? role;
  if (!selectors.has(wanted)) selectors.set(wanted, makeSelector(wanted));
  return /** @type {string} */ (selectors.get(wanted));
}
