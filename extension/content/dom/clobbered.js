/*
 * Forms whose fields hide their own properties: `<input name="firstChild">` makes `form.firstChild` the field. Nothing
 * defined on a form or its prototype comes before its fields, so such a form gets a stand-in that answers with the
 * form's own members. From the first one on, the DOM of this isolated world gives out stand-ins and takes them; pages
 * without such forms pay nothing, and no other file knows. The page's own world is not touched.
 * https://html.spec.whatwg.org/multipage/forms.html#the-form-element:legacy-override-built-ins
 */
/** Properties that content scripts read of possible forms. Fields called "title" or "action" hide nothing they need. */
const READ = (
  "localName tagName nodeName nodeType nodeValue namespaceURI textContent innerText firstChild lastChild nextSibling " +
  "previousSibling parentNode " +
  "parentElement children childNodes childElementCount firstElementChild lastElementChild nextElementSibling " +
  "previousElementSibling attributes " +
  "hasAttributes hasAttribute getAttribute getAttributeNS getAttributeNames hasChildNodes matches closest contains " +
  "compareDocumentPosition " +
  "querySelector querySelectorAll getElementsByTagName getRootNode isConnected ownerDocument shadowRoot assignedSlot " +
  "checkVisibility " +
  "getBoundingClientRect getClientRects getAnimations addEventListener removeEventListener dispatchEvent tabIndex " +
  "isContentEditable style dataset " +
  "offsetParent offsetWidth offsetHeight clientTop clientLeft clientWidth clientHeight scrollTop scrollLeft scrollWidth " +
  "scrollHeight scrollBy scrollTo " +
  "scrollIntoView focus blur click elements requestSubmit popover hidePopover ariaLabelledByElements " +
  "ariaDescribedByElements ariaControlsElements " +
  "ariaOwnsElements"
).split(" ");

/** Interfaces besides nodes and events that give out or take elements. */
const OTHERS = [
  "EventTarget",
  "Range",
  "AbstractRange",
  "Selection",
  "MutationObserver",
  "MutationRecord",
  "IntersectionObserver",
  "ResizeObserver",
  "KeyframeEffect",
  "TreeWalker",
  "NodeIterator",
  "XPathEvaluator",
  "XPathResult",
  "ElementInternals",
];

const formPrototype = HTMLFormElement.prototype;
const { get } = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(Document.prototype, "forms"));
const listForms = /** @type {() => HTMLCollectionOf<HTMLFormElement>} */ (get);
const findAll = /** @type {(css: "form") => NodeListOf<HTMLFormElement>} */ (DocumentFragment.prototype.querySelectorAll);
const PARTS = /** @type {const} */ (["get", "set", "value"]);

/** @type {WeakMap<object, HTMLFormElement>} */
const standIns = new WeakMap();
/** @type {WeakMap<object, HTMLFormElement>} the forms of the stand-ins */
const forms = new WeakMap();
let isInstalled = false;

/** @type {ProxyHandler<HTMLFormElement>} */
const handler = {
  get: (form, key) => Reflect.get(typeof key === "string" ? formPrototype : form, key, form),
  set: (form, key, value) => Reflect.set(typeof key === "string" ? formPrototype : form, key, value, form),
};

const bare = (/** @type {unknown} */ value) => forms.get(/** @type {object} */ (value)) ?? value;

/** @template T @param {T} value a node, a list of nodes or anything else @returns {T} */
export function readable(value) {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof HTMLFormElement) return /** @type {T} */ (standIns.get(value) ?? value);
  const isList = value instanceof NodeList || value instanceof HTMLCollection || Array.isArray(value);
  if (!isList || !Array.prototype.some.call(value, (item) => standIns.has(item))) return value;
  return /** @type {T} */ (/** @type {unknown} */ (Array.from(value, readable)));
}

/** @param {Function} native */
const bridged = (native) => /** @this {unknown} @param {unknown[]} args */ function (...args) {
  return readable(Reflect.apply(native, bare(this), args.map(bare)));
};

/** @param {object} prototype */
function bridge(prototype) {
  for (const [key, own] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (!own.configurable || key === "constructor") continue;
    for (const part of PARTS) if (typeof own[part] === "function") own[part] = bridged(own[part]);
    Object.defineProperty(prototype, key, own);
  }
}

function install() {
  if (isInstalled) return;
  isInstalled = true;
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    const prototype = typeof value === "function" ? value.prototype : null;
    const isBelow = (/** @type {object} */ base) => Object.prototype.isPrototypeOf.call(base, prototype);
    if (prototype && ([Node.prototype, Event.prototype].some(isBelow) || OTHERS.includes(name))) bridge(prototype);
  }
  for (const prototype of [Node.prototype, Event.prototype]) bridge(prototype);
  globalThis.getComputedStyle = bridged(globalThis.getComputedStyle);
}

/** Fields are seen as own properties of their form. */
const isClobbered = (/** @type {HTMLFormElement} */ form) => READ.some((name) => Object.hasOwn(form, name));

/** Looks for such forms; a shadow tree's are not among the document's. @param {Document | ShadowRoot} root */
export function look(root) {
  const found = root === document ? listForms.call(root) : findAll.call(root, "form");
  for (const form of found) {
    if (standIns.has(form) || !isClobbered(form)) continue;
    const standIn = new Proxy(form, handler);
    standIns.set(form, standIn);
    forms.set(standIn, form);
    install();
  }
}
