/*
 * The item an element belongs to (row, list item, repeated box) and the words in it. Together with role and name they
 * tell whether an element still stands for what it stood for when it was shown.
 */
import { cache, composedChildren, composedParent, rootOf, VISIBLE } from "../dom/flat-tree.js";
import { hasOwners, ownedChildren } from "../dom/roles.js";
import { isMarkedHidden, isRendered } from "../dom/visibility.js";
import { hasTwin, isRepeated } from "./repeated-boxes.js";

const ITEM_TAGS = new Set(["li", "tr", "option", "article", "dd", "dt"]);
const ITEM_ROLES = new Set(["row", "listitem", "option", "treeitem", "article", "menuitem", "tab", "comment"]);
/** Lines of data: any other word in one makes it another line. Other items may gain words (a message, a badge). */
const STRICT = new Set(["tr", "option", "row", "treeitem"]);
const CELLS = new Set(["td", "th", "gridcell", "cell", "columnheader", "rowheader"]);
const MAX_DISTANCE = 12;
/** A repeated box this close inside another item is a part of it (a cell in a row made of divs). */
const PART_DISTANCE = 2;
const SKIPPED = new Set("script style template noscript head meta link title base param source track datalist".split(" "));
const NAMING = ["role", "aria-label", "aria-labelledby"];
const SVG_CONTENT = "text,a,foreignObject,[role],[tabindex],[onclick],[aria-label],[aria-labelledby]";
const FOCUSABLE =
  "a[href],button:not([disabled]),input:not([disabled]):not([type=hidden]),select:not([disabled])," +
  "textarea:not([disabled]),[tabindex]:not([tabindex^='-'])";

/** Nodes between two looks at the time. */
const NODES_PER_LOOK = 512;

const itemCache = cache();

/** @param {Element} element */
const roleAttribute = (element) => element.getAttribute("role")?.trim().toLowerCase();

/** @param {Element} element @param {boolean} [mayHaveRole] */
export function isItem(element, mayHaveRole = element.hasAttributes()) {
  const role = mayHaveRole ? roleAttribute(element) : null;
  if (!(role ? ITEM_ROLES.has(role) : ITEM_TAGS.has(element.localName))) return false;
  // The one article of a page is the page.
  return (role ?? element.localName) !== "article" || hasTwin(element);
}

/** @param {Element} element */
const isCell = (element) => CELLS.has(roleAttribute(element) ?? element.localName);

/** @param {Element} element an item */
export const isStrict = (element) => STRICT.has(roleAttribute(element) ?? element.localName);

/** @param {Element} element */
const isPage = (element) => element.localName === "body" || element.localName === "html";

/**
 * The item at or above an element, from the one above its parent.
 * @param {Element} element
 * @param {Item | null} above
 * @param {boolean} [isOne] whether the element is an item itself
 * @returns {Item | null}
 */
export function itemFrom(element, above, isOne = isItem(element)) {
  if (isOne) return { element, isSemantic: true, distance: 0 };
  const isPart = above !== null && above.distance < PART_DISTANCE;
  const mayBe = !isPart && hasTwin(element) && !isCell(element);
  if (mayBe && isRepeated(element)) return { element, isSemantic: false, distance: 0 };
  if (above === null || above.distance >= MAX_DISTANCE) return null;
  return { element: above.element, isSemantic: above.isSemantic, distance: above.distance + 1 };
}

/** Finds an item by a loop from the nearest known one down: pages nest deeper than calls can. @param {Element} element */
function itemAt(element) {
  const path = [];
  /** @type {Item | null} */
  let item = null;
  for (let current = /** @type {Element | null} */ (element); current && !isPage(current); current = composedParent(current)) {
    const known = /** @type {Item | null | undefined} */ (itemCache.map?.get(current));
    if (known !== undefined) {
      item = known;
      break;
    }
    path.push(current);
  }
  for (const current of path.reverse()) {
    item = itemFrom(current, item);
    itemCache.map?.set(current, item);
  }
  return item;
}

/** @param {Element} element @returns {Item | null} the row, list item or repeated box the element belongs to */
export function itemOf(element) {
  if (isItem(element)) return { element, isSemantic: true, distance: 0 };
  const parent = composedParent(element);
  return parent && itemAt(parent);
}

/** Position of a walk: one step per element on the way down. */
export class Step {
  /** @param {WalkStep | null} above */
  constructor(above) {
    this.above = above;
    /** The next child: a sibling chain, or what is left of a list. @type {ChildNode | null} */
    this.next = null;
    /** @type {ArrayLike<Node> | null} */
    this.list = null;
    this.index = 0;
    /** Whether text in the element is hidden; elements in it may be shown. */
    this.isMute = false;
  }

  take() {
    if (this.list !== null) return this.index < this.list.length ? /** @type {FlatNode} */ (this.list[this.index++]) : null;
    const node = this.next;
    if (node !== null) this.next = node.nextSibling;
    return /** @type {FlatNode | null} */ (node);
  }
}

/**
 * A walk over what is shown under an element: the one rule of what counts, for snapshots and for comparing items.
 * Subclasses say what to do with text and elements. It keeps its own stack: pages nest deeper than calls can.
 */
export class Walk {
  constructor() {
    this.hasOwners = hasOwners(document);
    /** @type {WalkStep | null} */
    this.entry = null;
    /** The step where it stands; null: at the end. @type {WalkStep | null} */
    this.position = null;
    /** Looks at the time so far. */
    this.looks = 0;
  }

  /** @param {Element} root @param {WalkStep} above */
  walk(root, above) {
    this.begin(root, above);
    this.goOn(Infinity);
  }

  /** Enters what will be walked. @param {Element} root @param {WalkStep} above */
  begin(root, above) {
    this.entry = this.position = this.element(root, above);
  }

  /**
   * Walks on from where it stands.
   * @param {number} until  `performance.now()` at which it is to stop
   * @returns {boolean} whether it has come to the end
   */
  goOn(until) {
    let step = this.position;
    for (let count = 1; step !== null; count += 1) {
      const node = step.take();
      if (node === null) {
        this.leave(step);
        step = step === this.entry ? null : step.above;
      } else if (node.nodeType === 1) step = this.element(node, step) ?? step;
      else if (node.nodeType === 3) {
        if (!step.isMute) this.text(node.data, step, node);
      }
      if (count % NODES_PER_LOOK !== 0) continue;
      this.looks += 1;
      if (performance.now() > until) break;
    }
    this.position = step;
    return step === null;
  }

  /** Ends the walk early, at its current place. */
  giveUp() {
    for (let step = this.position; step !== null; step = step === this.entry ? null : step.above) this.leave(step);
    this.position = null;
  }

  /** Makes `step` give out the children of an element. @param {Element} element @param {string} tag @param {WalkStep} step */
  open(element, tag, step) {
    const root = rootOf(element, tag);
    this.entered(element, tag, root);
    if (root && !this.hasOwners) this.hasOwners = hasOwners(root);
    if (tag === "details" && !(/** @type {HTMLDetailsElement} */ (element).open)) step.list = closedContent(element);
    else if (this.hasOwners) step.list = ownedChildren(element);
    else if (tag === "slot") step.list = composedChildren(element);
    else step.next = (root ?? element).firstChild;
    return step;
  }

  /**
   * @param {Element} element
   * @param {WalkStep} above
   * @returns {WalkStep | null} the step into the element, when there is something to walk in it
   */
  element(element, above) {
    const tag = element.localName;
    if (SKIPPED.has(tag)) return null;
    if (tag === "br") {
      if (!above.isMute) this.text("\n", above);
      return null;
    }
    const isShown = element.checkVisibility(VISIBLE);
    this.looked(element, isShown);
    if (!isShown && !this.isShownWithoutBox(element)) return this.concealed(element, tag, above);
    const hasAttributes = element.hasAttributes();
    if (hasAttributes && this.isExcluded(element)) return null;
    if (tag === "svg" && !this.isWorthwhile(element, above)) return null;
    return this.visible(element, tag, hasAttributes, above);
  }

  /** Whether an element without a box of its own (options, display: contents) is shown. @param {Element} element */
  isShownWithoutBox(element) {
    return isRendered(element) && getComputedStyle(element).visibility === "visible";
  }

  /**
   * visibility: hidden may hold visible elements.
   * @param {Element} element
   * @param {string} tag
   * @param {WalkStep} above
   */
  concealed(element, tag, above) {
    if (element.firstChild || tag === "input") this.hidden();
    if (!isRendered(element)) return null;
    const step = this.mute(above, element);
    step.isMute = true;
    return this.open(element, tag, step);
  }

  /** aria-hidden is ignored around what can take focus. @param {Element} element */
  isExcluded(element) {
    if (!isMarkedHidden(element)) return false;
    if (!element.hasAttribute("inert") && (element.matches(FOCUSABLE) || element.querySelector(FOCUSABLE))) return false;
    this.hidden();
    return true;
  }

  /** @param {Element} svg @param {WalkStep} above */
  isWorthwhile(svg, above) {
    return NAMING.some((name) => svg.hasAttribute(name)) || svg.querySelector(`title,${SVG_CONTENT}`) !== null;
  }

  /** @param {WalkStep} above @param {Element} element @returns {WalkStep} a step into an element that is not shown itself */
  mute(above, element) {
    return new Step(above);
  }

  hidden() {}

  /** @param {Element} element @param {boolean} isShown */
  looked(element, isShown) {}

  /** @param {Element} element @param {string} tag @param {ShadowRoot | null} root */
  entered(element, tag, root) {}

  /** @param {WalkStep} step */
  leave(step) {}

  /** @param {string} data @param {WalkStep} step where it stands @param {Text} [text] the node, where it is one */
  text(data, step, text) {
    throw new Error(`nothing is done with "${data}"`);
  }

  /**
   * @param {Element} element
   * @param {string} tag
   * @param {boolean} hasAttributes
   * @param {WalkStep} above
   * @returns {WalkStep | null}
   */
  visible(element, tag, hasAttributes, above) {
    return this.open(element, tag, new Step(above));
  }
}

/** Closed details still tell that a text node of theirs is rendered; only the summary is. @param {Element} details */
function closedContent(details) {
  const summary = details.querySelector(":scope > summary");
  return summary ? [summary] : [];
}

export const TEXTLESS = new Set(["input", "textarea", "iframe", "frame"]);

/** Collects the text runs of an item; items inside it speak for themselves. */
class WordWalk extends Walk {
  /** @param {Element} root */
  constructor(root) {
    super();
    this.root = root;
    /** @type {string[]} */
    this.chunks = [];
  }

  /** @param {string} data */
  text(data) {
    this.chunks.push(data);
  }

  /** @param {Element} element @param {string} tag @param {boolean} hasAttributes @param {WalkStep} above */
  visible(element, tag, hasAttributes, above) {
    if (TEXTLESS.has(tag) || (element !== this.root && isItem(element))) return null;
    if (hasAttributes && skipsContent(element)) return null;
    return this.open(element, tag, new Step(above));
  }
}

/**
 * https://drafts.csswg.org/css-contain-2/#content-visibility: elements in it tell, text directly in it does not.
 * @param {Element} element
 */
const skipsContent = (element) =>
  element.firstChild?.nodeType === Node.TEXT_NODE && getComputedStyle(element).contentVisibility === "hidden";

/**
 * The text runs shown in an element.
 * @param {Element} element
 * @returns {string[]}
 */
export function chunksOf(element) {
  const walk = new WordWalk(element);
  walk.walk(element, new Step(null));
  return walk.chunks;
}
