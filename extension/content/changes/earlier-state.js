/*
 * State of a document before an act that no event and no mutation tells of: elements that styles hide, what fields hold. Scripts
 * set fields without an event, and a class or a pseudo-class shows and hides anything.
 */
import { composedClosest, shadowRootOf } from "../dom/flat-tree.js";
import { NOT_TEXT } from "../dom/text.js";
import { Transitions } from "../visibility/transitions.js";

/** Time that a look at all elements may take. What comes later in a larger page is not looked at. */
const LOOK_MS = 4;
const LOOKS_PER_CLOCK = 200;
const MAX_FIELDS = 300;
const MAX_ROOTS = 50;
const FIELDS = "input, select, textarea";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** State of a field, to be compared only. @param {Field} field */
function stateOf(field) {
  if (field.localName === "select") {
    return [.../** @type {HTMLSelectElement} */ (field).selectedOptions].map(({ index }) => index).join();
  }
  const { value, checked } = /** @type {HTMLInputElement} */ (field);
  return `${checked} ${value}`;
}

/**
 * The elements that hide what is in them, and the shadow trees, as far as there is time.
 * @param {Document | ShadowRoot} root
 * @param {{hidden: Set<Element>, roots: Set<ShadowRoot>, end: number, transitions: Transitions}} found
 * @returns {boolean} whether all was looked at
 */
function look(root, found) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  const start = root === document ? document.body : walker.nextNode();
  walker.currentNode = start ?? root;
  let count = 0;
  for (let node = /** @type {Node | null} */ (start); node; ) {
    if ((count += 1) % LOOKS_PER_CLOCK === 0 && performance.now() > found.end) return false;
    const element = /** @type {Element} */ (node);
    const isSeen = !NOT_TEXT.has(element.localName) && found.transitions.isSeen(element);
    if (!isSeen && !NOT_TEXT.has(element.localName)) found.hidden.add(element);
    const inner = isSeen && found.roots.size < MAX_ROOTS ? shadowRootOf(element) : null;
    if (inner) {
      found.roots.add(inner);
      if (!look(inner, found)) return false;
    }
    node = isSeen ? walker.nextNode() : nextOutside(walker);
  }
  return true;
}

/** @param {TreeWalker} walker @returns {Node | null} the next node that is not within the current one */
function nextOutside(walker) {
  do {
    const sibling = walker.nextSibling();
    if (sibling) return sibling;
  } while (walker.parentNode());
  return null;
}

const lookAtAll = (/** @type {Transitions} */ transitions) => {
  const found = { hidden: new Set(), roots: new Set(), end: performance.now() + LOOK_MS, transitions };
  return { ...found, isWhole: document.body !== null && look(document, found) };
};

export class EarlierState {
  constructor() {
    this.transitions = new Transitions([]);
    const { hidden, roots, isWhole } = lookAtAll(this.transitions);
    /** @type {Set<Element>} */
    this.hidden = hidden;
    /** @type {Set<ShadowRoot>} */
    this.roots = roots;
    this.isWhole = isWhole;
    /** @type {Map<Field, string>} */
    this.fields = new Map();
    for (const root of [document, ...roots]) this.keepFields(root);
  }

  /** @param {Document | ShadowRoot} root */
  keepFields(root) {
    for (const field of /** @type {NodeListOf<Field>} */ (root.querySelectorAll(FIELDS))) {
      if (this.fields.size >= MAX_FIELDS) return;
      this.fields.set(field, stateOf(field));
    }
  }

  /** @returns {Field[]} those that hold something else now */
  changedFields() {
    return [...this.fields].filter(([field, before]) => field.isConnected && stateOf(field) !== before).map(([field]) => field);
  }

  /**
   * Elements that are seen now and were not, or the reverse.
   * @param {boolean} hasSeenAll whether it is known which elements have come since
   * @param {Transitions} transitions those of now
   * @returns {Array<[Element, boolean]>}
   */
  turned(hasSeenAll, transitions) {
    const isNew = (/** @type {Element} */ element) => !this.transitions.fromUnseen.has(element) && !this.isHidden(element);
    const maySee = [...this.hidden, ...[...transitions.fromUnseen].filter(isNew)];
    const seen = maySee.filter((element) => element.isConnected && transitions.isSeen(element));
    const now = hasSeenAll && this.isWhole ? lookAtAll(transitions) : null;
    const gone = now?.isWhole ? [...now.hidden].filter((element) => !this.isHidden(element)) : [];
    return [...seen.map((element) => /** @type {[Element, boolean]} */ ([element, true])),
      ...gone.map((element) => /** @type {[Element, boolean]} */ ([element, false]))];
  }

  /** Whether an element, or one around it, was hidden before. @param {Element} element */
  isHidden(element) {
    return composedClosest(element, (node) => this.hidden.has(node)) !== null;
  }
}
