/*
 * Elements that the page listens on. Content scripts cannot see listeners. A watcher in the page's own world (put there by
 * the worker) is asked what frameworks have noted on elements, and answers at once with one event per element that names
 * the types; where there is a debugger, the worker tells all listeners with events of the same kind. The events have a
 * name only the worker knows, and nothing is left on the elements.
 */
import { set as words } from "../dom/role-tables.js";
import { isRendered } from "../dom/visibility.js";
import { itemFrom } from "./item-context.js";

const CLICK = words("click mousedown mouseup pointerdown pointerup touchstart touchend");
const DROP = words("dragover drop");
const HOVER = words("mouseenter mouseover pointerenter pointerover");

const CONTROLS =
  "a[href],area[href],button,summary,select,textarea,input:not([type=hidden]),[role=button],[role=link],[role=checkbox]," +
  "[role=radio],[role=switch],[role=slider],[role=spinbutton],[role=option]," +
  "[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio]";
/** Controls whose inner listeners belong to the way they work. */
const WIDGET = `${CONTROLS},label`;
/** Boxes of many things: a listener on one is there for what is in it. */
const MANY =
  "ul,ol,dl,table,tbody,thead,tfoot,form,fieldset,main,nav,header,footer,aside,[role=list],[role=listbox],[role=grid]," +
  "[role=treegrid],[role=rowgroup],[role=table],[role=tree],[role=menu],[role=menubar],[role=tablist],[role=toolbar]," +
  "[role=radiogroup],[role=dialog]";
const MAX_TEXT = 300;
/** An entry of a list may hold a few controls and still be a thing to click. */
const MAX_ENTRY = { text: 1000, controls: 4 };
const MAX_SHARE = 0.6;
/** @type {Readonly<ListenerMarks>} */
export const NOTHING = Object.freeze({ clickable: false, draggable: false, mark: "" });

class Heard {
  /** @type {WeakMap<Element, string>} */
  types = new WeakMap();
  /** Number of elements inside an element that are listened on for clicks. @type {WeakMap<Element, number>} */
  inside = new WeakMap();
  /** @type {WeakSet<Element>} */
  drawings = new WeakSet();
  /** @type {Element[]} */
  list = [];
  /** Number of elements that are listened on; set by `close`. */
  size = 0;

  /** @param {Element} element @param {string} types */
  add(element, types) {
    const before = this.types.get(element);
    if (before === undefined) this.list.push(element);
    this.types.set(element, before === undefined || before === types ? types : `${before} ${types}`);
  }

  /** The elements themselves are not held from here on. */
  close() {
    for (const element of this.list) {
      let svg = /** @type {SVGElement} */ (element).ownerSVGElement;
      for (; svg; svg = svg.ownerSVGElement) this.drawings.add(svg);
      if (!has(this.types.get(element) ?? "", CLICK)) continue;
      for (let above = parentOf(element); above; above = parentOf(above)) this.inside.set(above, this.countIn(above) + 1);
    }
    this.size = this.list.length;
    this.list = [];
  }

  /** @param {Element} element */
  countIn(element) {
    return this.inside.get(element) ?? 0;
  }

  /** @param {Heard} other not closed yet */
  equals(other) {
    return (
      this.size === other.list.length && other.list.every((element) => this.types.get(element) === other.types.get(element))
    );
  }
}

/** @param {Element} element */
const parentOf = (element) => element.parentElement ?? /** @type {ShadowRoot | null} */ (element.parentNode)?.host ?? null;
/** @param {string} types @param {Set<string>} wanted */
const has = (types, wanted) => types.split(" ").some((type) => wanted.has(type));

/** A record without listeners. */
function nothingHeard() {
  const none = new Heard();
  none.close();
  return none;
}

let known = nothingHeard();
let version = 0;
/** The event names of the watcher of this document. */
let source = "";
/** Whether no watcher could be placed in this document; it is then not tried again. */
let isGivenUp = false;
/** Types of the listeners that the worker told, by element. @type {Map<WeakRef<Element>, string>} */
const told = new Map();
/** @type {WeakMap<Element, WeakRef<Element>>} */
const toldRefs = new WeakMap();
const obeyed = new Set();
let tellings = 0;

/** @param {string} name @param {(element: Element, types: string) => void} note @param {() => boolean} [run] */
function listening(name, note, run) {
  const listener = (/** @type {Event} */ event) => {
    event.stopImmediatePropagation();
    event.preventDefault();
    const element = event.composedPath()[0];
    const { detail } = /** @type {CustomEvent} */ (event);
    if (element instanceof Element && typeof detail === "string") note(element, detail);
  };
  window.addEventListener(name, listener, true);
  if (!run) return undefined;
  const answer = run();
  window.removeEventListener(name, listener, true);
  return answer;
}

/** Notes listeners that the worker tells; no types: none any more. @param {Element} element @param {string} types */
function tell(element, types) {
  const ref = toldRefs.get(element) ?? new WeakRef(element);
  toldRefs.set(element, ref);
  if (types) told.set(ref, types);
  else told.delete(ref);
  tellings += 1;
}

/** Asks a watcher; false when there is none. @param {string} name @param {Heard} heard */
function ask(name, heard) {
  const question = new CustomEvent(`${name}?`, { cancelable: true });
  return listening(name, (element, types) => heard.add(element, types), () => !window.dispatchEvent(question));
}

/** @param {Heard} heard */
function take(heard) {
  for (const [ref, types] of told) {
    const element = ref.deref();
    if (!element) told.delete(ref);
    else if (element.isConnected) heard.add(element, types);
  }
  if (known.equals(heard)) return;
  heard.close();
  known = heard;
  version += 1;
}

/**
 * Whether the watcher answers; listens for the worker from here on.
 * @param {{name: string, isLast?: boolean}} listen
 * @returns {boolean} false: place a watcher and ask again
 */
export function isPlaced({ name, isLast }) {
  if (!obeyed.has(name)) listening(`${name}!`, tell);
  obeyed.add(name);
  if (source || isGivenUp) return true;
  if (ask(name, new Heard())) source = name;
  else isGivenUp = Boolean(isLast);
  return source !== "" || isGivenUp;
}

/** Finds out what is listened on now. */
export function refresh() {
  const heard = new Heard();
  if (source) ask(source, heard);
  take(heard);
}

/** @param {Element} element @param {string} tag */
function marksOf(element, tag) {
  const types = known.types.get(element);
  if (types === undefined || tag === "body" || tag === "html" || isPartOfWidget(element)) return NOTHING;
  const isAlone = holdsNothing(element);
  const clickable = has(types, CLICK) && isTarget(element);
  const draggable = has(types, new Set(["dragstart"])) && isAlone;
  let mark = "";
  if (!clickable && isAlone && !element.matches(MANY) && has(types, new Set(["dblclick"]))) mark += " [double-clickable]";
  if (!clickable && isAlone && !element.matches(MANY) && has(types, new Set(["contextmenu"]))) mark += " [right-clickable]";
  if (has(types, DROP) && share(element) < MAX_SHARE) mark += " [drop zone]";
  if (!clickable && !draggable && !mark && isAlone && has(types, HOVER)) mark += " [hoverable]";
  return clickable || draggable || mark ? { clickable, draggable, mark } : NOTHING;
}

/** @param {Element} element */
function isPartOfWidget(element) {
  const widget = element.closest(WIDGET);
  if (!widget) return false;
  if (widget !== element || widget.localName !== "label") return true;
  const { control } = /** @type {HTMLLabelElement} */ (widget);
  return control !== null && isRendered(control);
}

/** @param {Element} element */
function controlsIn(element) {
  let count = known.countIn(element);
  for (const control of element.querySelectorAll(CONTROLS)) if (control.checkVisibility()) count += 1;
  return count;
}

/** @param {Element} element */
const holdsNothing = (element) => !element.firstElementChild || (controlsIn(element) === 0 && !isTooLarge(element, MAX_TEXT));

/** Whether a listener for clicks is meant for the element itself, not for what it holds. @param {Element} element */
function isTarget(element) {
  if (!element.firstElementChild) return true;
  if (element.matches(MANY)) return false;
  const isEntry = itemFrom(element, null) !== null;
  return controlsIn(element) <= (isEntry ? MAX_ENTRY.controls : 0) && !isTooLarge(element, isEntry ? MAX_ENTRY.text : MAX_TEXT);
}

/** @param {Element} element @param {number} maxText */
const isTooLarge = (element, maxText) => element.textContent.trim().length > maxText || share(element) > MAX_SHARE;

/** Share of the viewport that the element covers. @param {Element} element */
function share(element) {
  const { width, height } = element.getBoundingClientRect();
  return (width * height) / (window.innerWidth * window.innerHeight || 1);
}

/** Whether something in a drawing is listened on, or the drawing. @param {Element} svg */
const isInside = (svg) => known.types.has(svg) || known.drawings.has(svg);

const ACTED = new Set([...CLICK, "dblclick", "contextmenu"]);
/** Steps from a cell to the box around its table, or from an item to the box around the list that is around its list. */
const MAX_AROUND = 4;

/** Whether a box close around an element is listened on, which may be for the sake of the element. @param {Element} element */
function isHeardAround(element) {
  let above = parentOf(element);
  for (let left = MAX_AROUND; left > 0 && above && above !== document.body; left -= 1, above = parentOf(above))
    if (has(known.types.get(above) ?? "", ACTED)) return true;
  return false;
}

/** Version of the known listeners; differs when other elements are known to be listened on. */
export const versionNow = () => `${version}.${tellings}`;
export const isEmpty = () => known.size === 0;

/** Answers about single elements, for the walk of a snapshot. */
export const HEARD = Object.freeze({ isHeardAround, isInside, marksOf });
