/* Accessible names and descriptions: https://w3c.github.io/accname/ with HTML-AAM and SVG-AAM. */
import { generatedText, mayGenerate, replacedText } from "./css-content.js";
import {
  cache, cached, composedChildren, composedClosest, composedParent, HTML_NS, labelsOf, memo, referencedElements,
  shadowRootOf, SVG_NS, tagOf,
} from "./flat-tree.js";
import { EMBEDDED_CONTROLS, NAME_FROM_CONTENT, NAME_PROHIBITED, NO_NESTED_CONTENT, record, set } from "./role-tables.js";
import { hasOwners, hasText, ownedChildren, ownerOf, roleOf } from "./roles.js";
import * as secretValues from "./secret-values.js";
import { shownText } from "./text-transform.js";
import { isAccessibilityHidden, isInvisibleOnly, isRelocatedHidden, isRendered } from "./visibility.js";

const nameCache = cache();

/**
 * State that one computation carries through its recursion.
 * @typedef {object} Trail
 * @property {Element} root element whose name or description is wanted
 * @property {Set<Element>} visited
 * @property {boolean} isReferenced inside aria-labelledby or aria-describedby: references are followed once
 * @property {boolean | null} showsHidden the referenced or labelling element was hidden itself: its content counts; null: where
 * `root` is
 * @property {boolean} isNested not the root: controls give their value, any element its content
 * @property {boolean} isTarget directly referenced
 * @property {readonly Element[]} [targets] all that were referenced with it: a label among them is not read twice
 * @property {boolean} isMute its own text is not visible, that of descendants may be
 * @property {boolean} isRelocated under an element that aria-owns brought here
 * @property {boolean} [isThorough] second try: containers give their content too
 */

const SILENT = set("script style template noscript head title meta link datalist rt rp");
/** An area of a map that no picture uses is nowhere. @param {Element} element */
const isSilent = (element) => SILENT.has(element.localName) || (element.localName === "area" && !isRendered(element));

const UNTIDY = /^ |[\t\n\f\r]| (?: |$)/;

/** Collapses ASCII white space; a no-break space stays. @param {string} text */
export const tidy = (text) => (UNTIDY.test(text) ? text.replace(/[\t\n\f\r ]+/g, " ").replace(/^ | $/g, "") : text);

/** @param {string[]} texts */
const joined = (texts) => texts.map(tidy).filter(Boolean).join(" ");

/** @param {Element} element */
const labelAttribute = (element) => element.getAttribute("aria-label") ?? "";

/** @param {readonly Element[]} targets @param {Trail} trail */
function referencedText(targets, trail) {
  return joined(targets.map((target) => alternative(target, {
    ...startTrail(trail.root),
    targets,
    isReferenced: true,
    showsHidden: isAccessibilityHidden(target),
    isNested: target !== trail.root,
    isTarget: true,
  })));
}

const LABELLABLE = set("button input meter output progress select textarea");

/** @param {Element} element @param {Trail} trail */
function labelText(element, trail) {
  const labels = labelsOf(element).filter((label) => !trail.targets?.includes(label));
  return joined(labels.map((label) => alternative(label, nested(trail))));
}

/** A trail is never changed, so one that is nested already serves. @param {Trail} trail */
const countsHidden = ({ showsHidden, root }) => showsHidden ?? isAccessibilityHidden(root);
/** @param {Trail} trail */
const nested = (trail) => (trail.isNested && !trail.isTarget ? trail : { ...trail, isNested: true, isTarget: false });

/** @param {Element} element @param {string} tag */
function childNamed(element, tag) {
  for (const child of element.children) if (child.localName === tag) return child;
  return null;
}

/** @param {string} tag */
const childText = (tag) => (/** @type {Element} */ element, /** @type {Trail} */ trail) => {
  const child = childNamed(element, tag);
  return child ? tidy(alternative(child, nested(trail))) : "";
};

/** @param {string} name */
const attribute = (name) => (/** @type {Element} */ element) => element.getAttribute(name) ?? "";

const BUTTON_TEXT = record({ submit: "Submit", reset: "Reset", image: "Submit", file: "Choose File" });

const BUTTON_TEXT_FIRST = set("submit reset");

/** @type {Lookup<(element: HTMLInputElement) => string>} */
const INPUT_BUTTONS = record({
  button: (element) => element.value,
  submit: (element) => (element.hasAttribute("value") ? element.value : ""),
  reset: (element) => (element.hasAttribute("value") ? element.value : ""),
  image: (element) => element.getAttribute("alt") || element.getAttribute("value") || "",
});

const PLACEHOLDER_TYPES = set("text search url tel email password number");

/** @param {HTMLInputElement} element @param {Trail} trail */
function inputText(element, trail) {
  return labelText(element, trail) || INPUT_BUTTONS[element.type]?.(element) || "";
}

/** @param {Element} element */
const optionText = (element) => element.getAttribute("label") || "";

const caption = childText("caption");

// https://w3c.github.io/html-aam/#accessible-name-and-description-computation
/** @type {ElementRules<string, [trail: Trail]>} */
const NATIVE = record({
  abbr: (element, trail) => (trail.isNested ? "" : element.getAttribute("title") ?? ""),
  area: attribute("alt"),
  button: labelText,
  fieldset: childText("legend"),
  figure: childText("figcaption"),
  img: (element) => (mayGenerate(element) && replacedText(element)) || (element.getAttribute("alt") ?? ""),
  input: inputText,
  meter: labelText,
  optgroup: attribute("label"),
  option: optionText,
  output: labelText,
  progress: labelText,
  select: labelText,
  table: (element, trail) => caption(element, trail) || element.getAttribute("summary") || "",
  textarea: labelText,
});

const XLINK_NS = "http://www.w3.org/1999/xlink";

// An HTML parser keeps the prefix of xlink:title outside of svg roots it knows.
/** @param {Element} element */
const xlinkTitle = (element) => element.getAttributeNS(XLINK_NS, "title") || element.getAttribute("xlink:title") || "";
/** @param {Element} element */
const svgTitle = (element) => childNamed(element, "title")?.textContent || xlinkTitle(element);

/** @param {Element} element @param {Trail} trail */
function nativeText(element, trail) {
  const tag = tagOf(element);
  if (tag.startsWith("svg:")) return svgTitle(element);
  const rule = NATIVE[tag];
  return rule ? rule(element, trail) : "";
}

// Hidden labels are nobody's first choice: browsers skip them, the standard takes them.
/** @param {Element} element @param {Trail} trail */
function hiddenLabelText(element, trail) {
  if (trail.isNested || !LABELLABLE.has(element.localName)) return "";
  const labels = labelsOf(element).filter(isAccessibilityHidden);
  return tidy(labels.map((label) => alternative(label, { ...nested(trail), showsHidden: true })).join(" "));
}

const TITLED = set("label object");

// Weaker than the content: title, then what the control shows while it is empty.
/** @param {Element} element @param {Trail} trail */
function fallbackText(element, trail) {
  if (!element.hasAttributes()) return "";
  const tag = element.localName;
  if (NAME_PROHIBITED.has(roleOf(element)) && !TITLED.has(tag) && !trail.isTarget) return "";
  if (tag === "img" && element.getAttribute("alt") === "") return "";
  const input = /** @type {HTMLInputElement} */ (element);
  const isBareButton = tag === "input" && BUTTON_TEXT_FIRST.has(input.type) && !element.hasAttribute("value");
  if (isBareButton) return BUTTON_TEXT[input.type] ?? "";
  const title = element.getAttribute("title");
  if (hasText(title)) return title;
  if (tag !== "input" && tag !== "textarea") return trail.isNested ? "" : element.getAttribute("aria-placeholder") ?? "";
  if (tag === "textarea" || PLACEHOLDER_TYPES.has(input.type)) {
    return element.getAttribute("placeholder") || element.getAttribute("aria-placeholder") || "";
  }
  if (BUTTON_TEXT_FIRST.has(input.type) || (trail.isNested && input.type === "file")) return "";
  return BUTTON_TEXT[input.type] ?? "";
}

const TYPED = set("input textarea");
const SECRET_TOKENS = /\b(one-time-code|cc-(number|csc))\b/;
/** @param {Element} element */
const isSecret = (element) => SECRET_TOKENS.test(element.getAttribute("autocomplete") ?? "");
/** @param {Element} element */
const isPassword = (element) =>
  element.localName === "input" && (/** @type {HTMLInputElement} */ (element).type === "password" || isSecret(element));

/** @param {Element} element @param {Trail} trail */
function textValue(element, trail) {
  if (isPassword(element)) return "";
  const field = /** @type {HTMLInputElement} */ (element);
  if (element.localName === "input") return trail.isNested && !PLACEHOLDER_TYPES.has(field.type) ? "" : field.value;
  if (element.localName === "textarea") return field.value;
  return contentOf(element, trail);
}

/** @param {Element} element @returns {Element[]} */
function selectedOptions(element) {
  if (element.localName === "select") return Array.from(/** @type {HTMLSelectElement} */ (element).selectedOptions);
  const lists = [element, ...referencedElements(element, "aria-owns")];
  if (roleOf(element) === "combobox") lists.push(...referencedElements(element, "aria-controls"));
  return lists.flatMap((list) => Array.from(list.querySelectorAll('[role="option"][aria-selected="true"]')));
}

/** @param {Element} element @param {Trail} trail */
function choiceValue(element, trail) {
  if (element.localName === "input") return isPassword(element) ? "" : /** @type {HTMLInputElement} */ (element).value;
  const options = selectedOptions(element);
  if (!options.length) return roleOf(element) === "combobox" && element.localName !== "select" ? contentOf(element, trail) : "";
  return options.map((option) => tidy(alternative(option, nested(trail)))).join(" ");
}

const NATIVE_RANGES = set("input meter progress");

/** @param {Element} element */
function rangeValue(element) {
  const spoken = element.getAttribute("aria-valuetext") || element.getAttribute("aria-valuenow");
  if (spoken) return spoken;
  return NATIVE_RANGES.has(element.localName) ? String(/** @type {HTMLInputElement} */ (element).value) : null;
}

const VALUES = { text: textValue, choice: choiceValue, range: rangeValue };

/**
 * The value of a control inside the name of another element; null when it has none to give.
 * @param {Element} element
 * @param {Trail} trail
 */
function embeddedValue(element, trail) {
  if (!trail.isNested) return null;
  const kind = EMBEDDED_CONTROLS[roleOf(element)];
  return kind ? VALUES[kind](element, trail) : null;
}

/** @param {Element} element */
const childrenOf = (element) => (hasOwners(element.getRootNode()) ? ownedChildren(element) : composedChildren(element));

const TABLE_PARTS = set("tbody td tfoot th thead tr");
const FLOWING = set("inline ruby");
const ATOMIC = set("audio canvas embed iframe img math object svg video");

const ATOMIC_ROLES = set(`
    button checkbox combobox img listbox meter progressbar radio scrollbar searchbox slider spinbutton switch textbox`);

// Inline boxes that are objects of their own, or whose words the author gave, do not run into their neighbours.
/** @param {Element} element */
function isSetApart(element) {
  if (ATOMIC.has(element.localName) || LABELLABLE.has(element.localName)) return true;
  if (!element.hasAttributes()) return false;
  return element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby") || ATOMIC_ROLES.has(roleOf(element));
}

/** @param {FlatNode} child @param {Element} element @param {Trail} trail */
function childAlternative(child, element, trail) {
  if (child.nodeType === Node.TEXT_NODE) return trail.isMute ? "" : shownText(child, element);
  if (child.nodeType !== Node.ELEMENT_NODE) return "";
  if (child.localName === "br") return " ";
  if (SILENT.has(child.localName)) return "";
  const own = alternative(child, child.parentNode === element || !ownerOf(child) ? trail : { ...trail, isRelocated: true });
  if (child.localName === "slot") return own;
  if (TABLE_PARTS.has(child.localName)) return ` ${own} `;
  const { display, contentVisibility } = getComputedStyle(child);
  if (display === "none" && !countsHidden(trail)) return "";
  const text = contentVisibility === "hidden" ? "" : own;
  if (text === "" && child.localName === "img" && roleOf(child) === "none") return "";
  const isInLine = FLOWING.has(display) || (text === "" && display.startsWith("inline"));
  return isInLine && !isSetApart(child) ? text : ` ${text} `;
}

/**
 * Name from content: generated text and the children's alternatives, joined the way they are laid out.
 * @param {Element} element
 * @param {Trail} trail
 */
function contentOf(element, trail) {
  const generates = !trail.isMute && mayGenerate(element) && (!countsHidden(trail) || isRendered(element));
  const replaced = generates ? replacedText(element) : null;
  if (replaced !== null) return ` ${replaced} `;
  let text = generates ? generatedText(element, "::before") : "";
  const inner = nested(trail);
  for (const child of childrenOf(element)) text += childAlternative(child, element, inner);
  return generates ? text + generatedText(element, "::after") : text;
}

// Tables and details without a role are read through; so is everything an ID list refers to.
const READ_THROUGH = set("address details div svg table tbody td tfoot th thead tr");

const READ_STRAIGHT = set("cell columnheader generic gridcell listitem none paragraph rowheader strong emphasis");

const TABLE_ROLES = set("table grid treegrid");
/** @param {Element} element */
const isTable = (element) => TABLE_ROLES.has(roleOf(element));

// The standard names every row by its content; Chrome only those that can be reached as rows, in grids. A plain row's cells say
// it all.
/** @param {Element} element */
function isNamedByContent(element) {
  const role = roleOf(element);
  if (role !== "row") return NAME_FROM_CONTENT.has(role);
  const table = composedClosest(composedParent(element), isTable);
  return table !== null && roleOf(table) !== "table";
}

/** @param {Element} element @param {Trail} trail */
function allowsContent(element, trail) {
  if (trail.isTarget || trail.isReferenced) return true;
  if (!trail.isNested) return isNamedByContent(element);
  const role = roleOf(element);
  if (trail.isThorough || !NO_NESTED_CONTENT.has(role)) return true;
  return READ_THROUGH.has(element.localName) && !element.hasAttribute("role");
}

/** @param {Trail} trail @param {Element} element */
function isHiddenOn(trail, element) {
  if (!trail.isNested) return false;
  return (trail.isRelocated ? isRelocatedHidden(element) : isAccessibilityHidden(element)) && !countsHidden(trail);
}

/**
 * Runs one step of the text alternative computation for an element.
 * @param {Element} element
 * @param {Trail} trail
 * @returns {string}
 */
function alternative(element, trail) {
  if (trail.visited.has(element) || isSilent(element)) return "";
  if (isHiddenOn(trail, element)) return isInvisibleOnly(element) ? contentOf(element, { ...trail, isMute: true }) : "";
  trail.visited.add(element);
  return element.localName === "slot"
    ? contentOf(element, trail)
    : ownAlternative(element, trail.isMute ? { ...trail, isMute: false } : trail);
}

const NAMING_ATTRIBUTES = ["aria-label", "aria-labelledby", "aria-owns"];
/** @param {Element} element */
export const hasNamingAttribute = (element) =>
  element.hasAttributes() && NAMING_ATTRIBUTES.some((name) => element.hasAttribute(name));

/** The text node that is all there is in an element. @param {Element} element */
function onlyText(element) {
  const only = element.firstChild;
  return only?.nodeType === Node.TEXT_NODE && !only.nextSibling ? /** @type {Text} */ (only) : null;
}

/** @param {Element} element */
function isBareText(element) {
  if (!onlyText(element) || hasNamingAttribute(element)) return false;
  if (NATIVE[element.localName] || !READ_STRAIGHT.has(roleOf(element))) return false;
  return !shadowRootOf(element) && !mayGenerate(element);
}

/** @param {Element} element @param {Trail} trail */
function ownAlternative(element, trail) {
  if (trail.isNested && isBareText(element)) return shownText(/** @type {Text} */ (element.firstChild), element);
  const hasAttributes = element.hasAttributes();
  if (hasAttributes && !trail.isReferenced) {
    const text = referencedText(referencedElements(element, "aria-labelledby"), trail);
    if (text) return text;
  }
  const value = embeddedValue(element, trail);
  if (value) return value;
  if (hasAttributes && hasText(labelAttribute(element))) return labelAttribute(element);
  const native = roleOf(element) === "none" && !trail.isTarget ? "" : nativeText(element, trail);
  if (native) return native;
  if (!allowsContent(element, trail)) return fallbackText(element, trail) || hiddenLabelText(element, trail);
  const text = contentOf(element, trail);
  return tidy(text) ? text : fallbackText(element, trail) || hiddenLabelText(element, trail) || text;
}

const START = { isReferenced: false, isNested: false, isTarget: false, isRelocated: false, isMute: false };

/** @param {Element} root @returns {Trail} */
const startTrail = (root) => ({ ...START, root, visited: new Set(), showsHidden: null });

// Shortcut for the many controls that hold one text node: no recursion, no styles.
/** @param {Element} element */
function plainText(element) {
  const only = onlyText(element);
  if (!only || element.namespaceURI !== HTML_NS || !isNamedByContent(element)) return "";
  if (hasNamingAttribute(element)) return "";
  if (NATIVE[element.localName] && (!LABELLABLE.has(element.localName) || labelsOf(element).length)) return "";
  if (shadowRootOf(element) || mayGenerate(element)) return "";
  return tidy(shownText(only, element));
}

/** @param {Element} element */
function isNameless(element) {
  if (element.hasAttributes() || NATIVE[element.localName] || element.namespaceURI !== HTML_NS) return false;
  return !isNamedByContent(element);
}

// A link around an article would otherwise have no name at all.
/** @param {Element} element */
function computeName(element) {
  if (isNameless(element)) return "";
  const name = plainText(element) || tidy(alternative(element, startTrail(element)));
  if (name || !element.firstElementChild || !isNamedByContent(element)) return name;
  return tidy(alternative(element, { ...startTrail(element), isThorough: true }));
}

/**
 * The accessible name; hidden elements get the name they would have.
 * @param {Element} element
 * @returns {string}
 */
export function nameOf(element) {
  return nameCache.map ? memo(nameCache, element, computeName) : cached(() => computeName(element));
}

/** The standard names every row by its content, Chrome those of grids only. @param {Element} element @param {string} role */
export function nameToFind(element, role) {
  const name = nameOf(element);
  if (name || role !== "row") return name;
  return cached(() => tidy(alternative(element, { ...startTrail(element), isTarget: true })));
}

/** @type {ElementRules<string>} */
const NATIVE_DESCRIPTIONS = record({
  table: (element) => caption(element, startTrail(element)) || element.getAttribute("summary") || "",
  input: (/** @type {HTMLInputElement} */ element) => INPUT_BUTTONS[element.type]?.(element) ?? "",
});

// https://w3c.github.io/svg-aam/#mapping_additional_nd
/** @param {Element} element */
const svgDescription = (element) => childNamed(element, "desc")?.textContent || childNamed(element, "title")?.textContent || "";

/** @param {Element} element */
const nativeDescription = (element) =>
  (element.namespaceURI === SVG_NS ? svgDescription : NATIVE_DESCRIPTIONS[element.localName])?.(element) ?? "";

/** @param {Element} element */
function computeDescription(element) {
  if (!element.hasAttributes() && element.namespaceURI === HTML_NS) return "";
  const targets = referencedElements(element, "aria-describedby");
  if (targets.length) return referencedText(targets, startTrail(element));
  const own = element.getAttribute("aria-description");
  if (hasText(own)) return tidy(own);
  const name = nameOf(element);
  for (const text of [nativeDescription(element), element.getAttribute("title") ?? ""]) {
    if (tidy(text) && tidy(text) !== name) return tidy(text);
  }
  return "";
}

/**
 * The accessible description: aria-describedby, aria-description, then host-language text the name did not use.
 * @param {Element} element
 * @returns {string}
 */
export function descriptionOf(element) {
  return cached(() => computeDescription(element));
}

/**
 * Value that a textbox, combobox or list shows. The value of a password field is never given.
 * @param {Element} element
 * @param {string} [role]
 * @returns {string}
 */
export function valueOf(element, role = roleOf(element)) {
  const kind = EMBEDDED_CONTROLS[role];
  if (kind === "text" && TYPED.has(element.localName)) {
    return isPassword(element) ? "" : tidy(secretValues.veiled(element, /** @type {HTMLInputElement} */ (element).value, nameOf));
  }
  return kind ? cached(() => tidy(String(VALUES[kind](element, startTrail(element)) ?? ""))) : "";
}
