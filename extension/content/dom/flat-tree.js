/* The flat (composed) tree: shadow roots, slots, and the caches one traversal shares. */
import { look } from "./clobbered.js";

export const HTML_NS = "http://www.w3.org/1999/xhtml";
export const SVG_NS = "http://www.w3.org/2000/svg";
/** @type {never[]} */
const NONE = [];
// checkVisibility looks five names up in it, each time and in the prototype too.
export const VISIBLE = /** @type {CheckVisibilityOptions} */ ({ __proto__: null, visibilityProperty: true });

/** Options for a MutationObserver of all that is in a tree. */
export const ALL_CHANGES = { subtree: true, childList: true, attributes: true, characterData: true };

// https://dom.spec.whatwg.org/#valid-shadow-host-name
const SHADOW_HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
);

/** Frequent elements that cannot be one are left to the browser. */
const MAYBE_HOSTS = ":not(a,b,br,button,em,i,img,input,label,li,link,ol,option,path,script,strong,style,svg,td,th,tr,ul)";

/** @type {TraversalCache[]} */
const slots = [];
let depth = 0;

/**
 * Registers a cache that lives as long as the outermost `cached` call.
 * @returns {TraversalCache}
 */
export function cache() {
  /** @type {TraversalCache} */
  const slot = { map: null };
  slots.push(slot);
  return slot;
}

/** @param {boolean} isOpen */
function openCaches(isOpen) {
  for (const slot of slots) slot.map = isOpen ? new Map() : null;
  if (isOpen) look(document);
}

/**
 * Runs a synchronous function with the traversal caches open. Nested calls share the outer caches.
 * The DOM must not change inside `run`.
 * @template T
 * @param {() => T} run
 * @returns {T}
 */
export function cached(run) {
  if (depth++ === 0) openCaches(true);
  try {
    return run();
  } finally {
    if (--depth === 0) openCaches(false);
  }
}

/**
 * Makes a `cached` for work in several turns: each finds what those before it have looked up.
 * @returns {<T>(run: () => T) => T}
 */
export function cachedInTurns() {
  /** @type {Array<TraversalCache["map"]>} */
  let kept = [];
  return (run) => cached(() => {
    kept.forEach((map, index) => { slots[index].map = map; });
    try {
      return run();
    } finally {
      kept = slots.map(({ map }) => map);
    }
  });
}

/**
 * Looks `key` up in a cache, or computes it. Computes every time while no traversal is open.
 * @template Key, Value
 * @param {TraversalCache} slot
 * @param {Key} key
 * @param {(key: Key) => Value} compute
 * @returns {Value}
 */
export function memo(slot, key, compute) {
  const map = slot.map;
  if (!map) return compute(key);
  let value = /** @type {Value | undefined} */ (map.get(key));
  if (value === undefined) {
    value = compute(key);
    map.set(key, value);
  }
  return value;
}

/**
 * The element's local name. Elements outside HTML are prefixed ("svg:a", "math:mi").
 * @param {Element} element
 */
export function tagOf(element) {
  const namespace = element.namespaceURI;
  if (namespace === HTML_NS) return element.localName;
  return (namespace === SVG_NS ? "svg:" : "math:") + element.localName;
}

// Chrome has this function only in an extension's content scripts.
const openOrClosed =
  /** @type {((element: Element) => ShadowRoot | null) | null} */ (globalThis.chrome?.dom?.openOrClosedShadowRoot ?? null);

// Asking costs a microsecond and more, and every child asks for its parent.
const rootCache = cache();
const shadowsCache = cache();
const labelsCache = cache();

/** @param {Element} element */
function closedToo(element) {
  try {
    return openOrClosed?.(element);
  } catch {
    // An element of this name outside HTML; to ask every element what it is would cost more.
    return null;
  }
}

/** The extension's own element in the page, shown to people: it is no part of the page. @type {Element | null} */
let own = null;
const ownHosts = new WeakSet();

/** @param {Element | null} host beside the body */
export function setOwn(host) {
  own = host;
  if (host) ownHosts.add(host);
}

/** @param {Node | null | undefined} node */
export const isOwn = (node) => own !== null && node === own;

/** Whether all that was observed is that our own element came or went. @param {MutationRecord} record */
export const isOwnChange = ({ type, addedNodes, removedNodes }) =>
  type === "childList" && addedNodes.length + removedNodes.length === 1 && ownHosts.has(addedNodes[0] ?? removedNodes[0]);

/** @param {Element} element */
function reveal(element) {
  if (own !== null && element === own) return null;
  const root = openOrClosed === null ? element.shadowRoot : closedToo(element);
  if (!root) return null;
  look(root);
  return root;
}

/** Whether elements with a local name may have a shadow root, by that name. @type {Map<string, boolean>} */
const hosting = new Map(Array.from(SHADOW_HOSTS, (tag) => [tag, true]));

/** @param {string} tag whether an element with this local name may have a shadow root */
export function canHost(tag) {
  let found = hosting.get(tag);
  if (found === undefined) hosting.set(tag, (found = tag.includes("-")));
  return found;
}

/**
 * The element's shadow root, closed ones included where the browser lets a content script see them.
 * @param {Element} element
 * @returns {ShadowRoot | null}
 */
export function shadowRootOf(element) {
  return canHost(element.localName) ? memo(rootCache, element, reveal) : null;
}

/**
 * The shadow root of an element that is asked only once (no cache is filled).
 * @param {Element} element
 * @param {string} tag its local name
 */
export const rootOf = (element, tag) => (canHost(tag) ? reveal(element) : null);

/** Whether an element that can have a shadow root has one by now. @param {Element} element */
export const isHost = (element) => reveal(element) !== null;

/** @param {Node} parent @returns {ArrayLike<Node> & Iterable<Node>} */
function flatChildren(parent) {
  const node = /** @type {FlatNode} */ (parent);
  if (node.nodeType === Node.ELEMENT_NODE) {
    const root = shadowRootOf(node);
    if (root) return root.childNodes;
    if (node.localName === "slot" && "assignedNodes" in node) {
      const assigned = /** @type {HTMLSlotElement} */ (node).assignedNodes();
      if (assigned.length) return assigned;
    }
  }
  if (own !== null && node === own.parentNode) return [...node.childNodes].filter((child) => child !== own);
  return node.childNodes ?? NONE;
}

/** Children in the flat tree: of a shadow host its root's, of a slot the nodes assigned to it. */
export const composedChildren = /** @type {(parent: Node) => FlatNodes} */ (flatChildren);

// `assignedSlot` is null for slots of a closed root.
/** @param {ShadowRoot} root @param {Node} child */
function slotIn(root, child) {
  const node = /** @type {FlatNode} */ (child);
  const name = node.nodeType === Node.ELEMENT_NODE ? node.getAttribute("slot") ?? "" : "";
  for (const slot of root.querySelectorAll("slot")) {
    if ((slot.getAttribute("name") ?? "") === name && slot.assignedNodes().includes(node)) return slot;
  }
  return null;
}

// Properties that reflect ID lists also reach through shadow roots; Chromium has none for aria-owns.
/** @type {Lookup<"ariaLabelledByElements" | "ariaDescribedByElements" | "ariaControlsElements" | "ariaOwnsElements">} */
const REFLECTED = {
  "aria-labelledby": "ariaLabelledByElements", "aria-describedby": "ariaDescribedByElements",
  "aria-controls": "ariaControlsElements", "aria-owns": "ariaOwnsElements",
};

/**
 * The element inside a shadow host that is meant where something refers to the host:
 * https://github.com/WICG/webcomponents/blob/gh-pages/proposals/reference-target-explainer.md
 * @param {Element} element
 * @returns {Element | null} the element itself where it names none; null: there is none of this name
 */
function referenceTargetOf(element) {
  const root = shadowRootOf(element);
  if (!root?.referenceTarget) return element;
  const inner = root.getElementById(root.referenceTarget);
  return inner && referenceTargetOf(inner);
}

/** The shadow host that an element is meant by, where references to the host mean it. @param {Element} element */
function referringHost(element) {
  const root = element.getRootNode();
  if (!(root instanceof ShadowRoot) || !root.referenceTarget) return null;
  return root.getElementById(root.referenceTarget) === element ? root.host : null;
}

/**
 * The elements an ID-list attribute refers to, in its order. Chrome moves the host itself for aria-owns.
 * @param {Element} element
 * @param {string} attribute
 * @returns {readonly Element[]}
 */
export function referencedElements(element, attribute) {
  const found = namedElements(element, attribute);
  if (attribute === "aria-owns" || !found.some(({ localName }) => canHost(localName))) return found;
  return found.map(referenceTargetOf).filter((target) => target !== null);
}

/** @param {Element} element @param {string} attribute @returns {readonly Element[]} */
function namedElements(element, attribute) {
  const ids = element.getAttribute(attribute);
  if (ids === null) return NONE;
  const property = REFLECTED[attribute];
  const reflected = property && element[property];
  if (reflected) return reflected;
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const found = ids.split(/\s+/).map((id) => (id && root.getElementById ? root.getElementById(id) : null));
  return [...new Set(found.filter((one) => one !== null))];
}

/**
 * Labels by their control; those without one under null.
 * @param {ParentNode} root @returns {Map<Element | null, HTMLLabelElement[]>}
 */
const labelsIn = (root) => Map.groupBy(root.querySelectorAll("label"), (label) => label.control);

/** Labels of an element, or of the host that stands for it. @param {Element} element @returns {HTMLLabelElement[]} */
export function labelsOf(element) {
  const host = referringHost(element);
  return memo(labelsCache, element.getRootNode(), labelsIn).get(element) ?? (host ? labelsOf(host) : []);
}

/**
 * Parent element in the flat tree; null at the top and for light children that no slot takes.
 * @param {Node} node
 * @returns {Element | null}
 */
export function composedParent(node) {
  const slot = /** @type {Element | Text} */ (node).assignedSlot;
  if (slot) return slot;
  const parent = /** @type {(Element & {nodeType: 1}) | (ShadowRoot & {nodeType: 9 | 11}) | null} */ (node.parentNode);
  if (!parent) return null;
  if (parent.nodeType !== Node.ELEMENT_NODE) return parent.host ?? null;
  const root = shadowRootOf(parent);
  return root ? slotIn(root, node) : parent;
}

/** An element, then those around it in the flat tree. @param {Element | null} element @returns {Generator<Element>} */
export function* lineage(element) {
  for (let current = element; current; current = composedParent(current)) yield current;
}

/**
 * The nearest ancestor in the flat tree (or the element itself) that satisfies `test`.
 * @param {Element | null} element
 * @param {(element: Element) => boolean} test
 */
export function composedClosest(element, test) {
  for (let current = element; current; current = composedParent(current)) if (test(current)) return current;
  return null;
}

/**
 * Whether `ancestor` is `node` or contains it, across shadow boundaries.
 * @param {Node} ancestor
 * @param {Node | null} node
 */
export function composedContains(ancestor, node) {
  for (let current = node; current; current = current.parentNode ?? /** @type {ShadowRoot} */ (current).host) {
    if (current === ancestor) return true;
  }
  return composedClosest(/** @type {Element | null} */ (node), (element) => element === ancestor) !== null;
}

/**
 * Element nodes of the flat tree under `root`, in order, `root` itself left out.
 * @param {Node} root
 * @returns {Generator<Element>}
 */
export function* walkElements(root) {
  // The walk keeps its own stack, because pages nest deeper than calls can.
  const stack = [{ list: composedChildren(root), index: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const child = top.list[top.index++];
    if (child === undefined) stack.pop();
    else if (child.nodeType === Node.ELEMENT_NODE) {
      yield child;
      stack.push({ list: composedChildren(child), index: 0 });
    }
  }
}

/** @param {ParentNode} root */
function findShadows(root) {
  // A slot in a shadow tree has children from outside.
  if (root.getRootNode() !== document) return true;
  if (root.nodeType === Node.ELEMENT_NODE && shadowRootOf(/** @type {Element} */ (root))) return true;
  for (const element of root.querySelectorAll(MAYBE_HOSTS)) if (canHost(element.localName) && isHost(element)) return true;
  return false;
}

/**
 * The shadow roots under a document or shadow root.
 * @param {Document | ShadowRoot} root @param {ShadowRoot[]} [found]
 */
export function rootsUnder(root, found = []) {
  for (const element of root.querySelectorAll(MAYBE_HOSTS)) {
    const inner = rootOf(element, element.localName);
    if (!inner) continue;
    found.push(inner);
    rootsUnder(inner, found);
  }
  return found;
}

/** Whether a node is in a shadow tree, or there is one under it. @param {ParentNode} root */
export const hasShadows = (root) => memo(shadowsCache, root, findShadows);

/**
 * Elements of the flat tree under `root` that match a selector, in order. The browser finds them where there are no shadow
 * roots, which takes a fraction of the time of a walk.
 * @param {ParentNode} root @param {string} css
 * @returns {Element[]}
 */
export const elementsMatching = (root, css) => (hasShadows(root)
  ? [...walkElements(root)].filter((element) => element.matches(css))
  : [...root.querySelectorAll(css)].filter((element) => !isOwn(element)));

/** Whether an element is the body of the document, or its root. @param {Element | null} el */
export const isPage = (el) => el !== null && (el === document.body || el === document.documentElement);

/**
 * The focused element, looked up through shadow roots.
 * @returns {Element | null}
 */
export function activeElementDeep() {
  let active = document.activeElement;
  for (;;) {
    const inner = active && shadowRootOf(active)?.activeElement;
    if (!inner) return active;
    active = inner;
  }
}

/**
 * @param {Element | null} of @param {string} plain @param {string} bubbling types of events @param {Element | null} relatedTarget
 */
function fireFocus(of, plain, bubbling, relatedTarget) {
  of?.dispatchEvent(new FocusEvent(plain, { composed: true, relatedTarget }));
  of?.dispatchEvent(new FocusEvent(bubbling, { bubbles: true, composed: true, relatedTarget }));
}

/**
 * Moves the focus. Without a focused window the browser moves it but fires nothing: the events of a focused one are fired
 * here.
 * @param {() => void} move
 */
function withFocusEvents(move) {
  const had = activeElementDeep();
  move();
  const has = activeElementDeep();
  if (has === had || document.hasFocus()) return;
  const [left, entered] = [had, has].map((el) => (isPage(el) ? null : el));
  fireFocus(left, "blur", "focusout", entered);
  fireFocus(entered, "focus", "focusin", left);
}

/**
 * Gives an element the focus.
 * @param {HTMLElement} el
 * @param {FocusOptions} [options]
 */
export function giveFocus(el, options) {
  // A frame keeps its active element while another frame has the focus.
  if (activeElementDeep() === el && document.hasFocus()) return;
  withFocusEvents(() => el.focus(options));
}

/** Takes the focus from the element that has it, if one does. */
export function dropFocus() {
  const active = /** @type {HTMLElement | null} */ (activeElementDeep());
  if (active && !isPage(active)) withFocusEvents(() => active.blur());
}

/** Style sheets of a document or a shadow tree; no other tree has any. @param {ParentNode} root @returns {CSSStyleSheet[]} */
export function sheetsOf(root) {
  const { styleSheets, adoptedStyleSheets } = /** @type {ParentNode & Partial<DocumentOrShadowRoot>} */ (root);
  return [...(styleSheets ?? []), ...(adoptedStyleSheets ?? [])];
}

/** Rules inside a rule: those of a nested one, or of a sheet that it imports. @param {AnyCssRule} rule */
export function innerRules({ styleSheet, cssRules }) {
  const inner = styleSheet ? styleSheet.cssRules : cssRules;
  return inner?.length ? inner : NONE;
}

/**
 * Makes a reader of style sheets, which reads a sheet again when its number of rules has changed.
 * @template T
 * @param {(rules: CSSRuleList) => T} read
 * @param {T} unread the answer for a sheet of another origin, which cannot be read, nor can one that imports it
 * @returns {(sheet: CSSStyleSheet) => T}
 */
export function sheetReader(read, unread) {
  /** @type {WeakMap<CSSStyleSheet, {length: number, value: T}>} */
  const readSheets = new WeakMap();
  return (sheet) => {
    try {
      const { length } = sheet.cssRules;
      const known = readSheets.get(sheet);
      if (known?.length === length) return known.value;
      const value = read(sheet.cssRules);
      readSheets.set(sheet, { length, value });
      return value;
    } catch {
      return unread;
    }
  };
}
