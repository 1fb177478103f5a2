/*
 * Whether the page still is as it was when a snapshot was taken, so that the snapshot can be given again. Everything a
 * snapshot depends on is either watched (DOM changes, events) or compared at use (values, styles, visibility). In doubt
 * the answer is no.
 */
import * as cssContent from "../dom/css-content.js";
import { activeElementDeep, ALL_CHANGES, cached, isHost, isOwnChange, VISIBLE } from "../dom/flat-tree.js";
import { replacements } from "../find/refs.js";

const MAX_KEPT = 3;
/**
 * Events that change a page without changing its DOM. Mouse and keys are here because style sheets react to them. Whatever has
 * begun to move is not kept until it has ended.
 */
const EVENTS = [
  "input",
  "change",
  "reset",
  "invalid",
  "toggle",
  "beforetoggle",
  "slotchange",
  "focusin",
  "focusout",
  "focus",
  "blur",
  "resize",
  "load",
  "error",
  "transitionrun",
  "transitioncancel",
  "animationstart",
  "animationcancel",
  "fullscreenchange",
  "visibilitychange",
  "mouseover",
  "mouseout",
  "mousedown",
  "mouseup",
  "pointerdown",
  "pointerup",
  "keydown",
  "keyup",
  "dragstart",
  "dragend",
  "hashchange",
  "popstate",
];
/**
 * Events that stay in a shadow tree and tell what is not compared at use. They are few, because the debugger lists those on
 * shadow roots together with the page's listeners.
 */
const TREE_EVENTS = ["slotchange", "load", "transitionrun", "animationstart"];
const CONTROLS = "input,textarea,select";

/**
 * Rule counts tell of insertRule and deleteRule; a sheet of another origin cannot be changed by script either.
 * @param {CSSStyleSheet} sheet
 */
function sheetState(sheet) {
  try {
    return `${sheet.disabled}${sheet.media.mediaText}${sheet.cssRules.length}`;
  } catch {
    return "";
  }
}

/** @param {Document | ShadowRoot} root */
const sheetStates = (root) => [...root.styleSheets, ...root.adoptedStyleSheets].map(sheetState).join();

/** @param {Element} control */
function controlState(control) {
  if (control.localName === "select") {
    const { multiple, selectedOptions, selectedIndex } = /** @type {HTMLSelectElement} */ (control);
    return multiple ? Array.from(selectedOptions, ({ index }) => index).join() : String(selectedIndex);
  }
  const input = /** @type {HTMLInputElement} */ (control);
  if (control.localName === "textarea") return input.value;
  const value = input.type === "file" ? Array.from(input.files ?? [], ({ name }) => name).join() : input.value;
  return `${input.checked}${input.indeterminate}${value}`;
}

/** @param {Element} control */
const stateOf = (control) => `${control.matches(":user-invalid")}${controlState(control)}`;

/**
 * The innermost element under the pointer in a shadow tree: that the pointer moves within it nobody outside hears.
 * @param {Document | ShadowRoot} root
 */
const hoveredIn = (root) =>
  ("host" in root && root.host.matches(":hover") ? [...root.querySelectorAll(":hover")].at(-1) : undefined);

/** @param {Document | ShadowRoot} root */
const isMoving = (root) => root.getAnimations().some(({ playState }) => playState === "running" || playState === "paused");

/** Rules of a tree, and the selectors of all its elements that may have generated text. @param {Document | ShadowRoot} root */
const rulesOf = (root) => `${sheetStates(root)}\n${cssContent.generatingSelector(root)}`;

/** Cheap facts that need no list. */
function pageState() {
  return [
    location.href,
    document.title,
    document.hasFocus(),
    window.innerWidth,
    window.innerHeight,
    window.devicePixelRatio,
    window.length,
    document.readyState,
    document.designMode,
    document.fullscreenElement !== null,
  ].join("\n");
}

/** Records what one capture looked at. */
export class Trace {
  /** Rendered elements without element children: where these are rendered, what is around them is. @type {Element[]} */
  leaves = [];
  /** @type {Element[]} */
  hidden = [];
  /** Elements that could get a shadow root at any time. @type {Element[]} */
  hosts = [];
  /** @type {Array<Document | ShadowRoot>} */
  roots = [document];
  /** @type {StylePath[]} */
  paths = [];
  /** @type {FrameLook[]} */
  frames = [];
  /** @type {GeneratedText[]} */
  looks = [];
  /** Rules of each root, and the element under the pointer. @type {Array<{rules: string, hovered: Element | undefined}>} */
  states = [];
  /** Control → its state. @type {Map<Element, string>} */
  controls = new Map();

  constructor() {
    this.active = activeElementDeep();
    this.page = pageState();
    this.replacements = 0;
    this.note();
  }

  /** @param {Element} element @param {boolean} isShown */
  looked(element, isShown) {
    if (!isShown) this.hidden.push(element);
    else if (element.firstElementChild === null) this.leaves.push(element);
  }

  /** @param {Element} element @param {ShadowRoot | null} root */
  hosted(element, root) {
    if (root) this.roots.push(root);
    else this.hosts.push(element);
  }

  /**
   * Notes what nothing tells of in the roots that were found last, while it still is as the capture sees it: scripts of the
   * page may change it in their next turn.
   */
  note() {
    for (const root of this.roots.slice(this.states.length)) {
      this.states.push({ rules: rulesOf(root), hovered: hoveredIn(root) });
      for (const control of root.querySelectorAll(CONTROLS)) this.controls.set(control, stateOf(control));
    }
  }

  /** References that the capture itself has given are no change. */
  finish() {
    this.note();
    this.replacements = replacements();
    return this;
  }

  holds() {
    return this.page === pageState() && this.active === activeElementDeep() && !this.roots.some(isMoving) &&
      this.replacements === replacements() &&
      this.roots.every((root, index) => hoveredIn(root) === this.states[index].hovered) &&
      [...this.controls].every(([control, state]) => stateOf(control) === state) &&
      this.leaves.every((element) => element.checkVisibility(VISIBLE)) &&
      !this.hidden.some((element) => element.checkVisibility(VISIBLE)) &&
      !this.hosts.some(isHost) &&
      this.paths.every((path) => path.holds()) &&
      this.frames.every(({ frame, path, unseen }) => path.frameAt(frame) === unseen) &&
      this.roots.every((root, index) => rulesOf(root) === this.states[index].rules) &&
      cached(() => this.looks.every(cssContent.holds));
  }
}

/** @type {Map<string, {answer: {stamp: string}, trace: Trace}>} */
const kept = new Map();
const observer = new MutationObserver((records) => {
  if (hasChanged(records)) forget();
});
/** @param {MutationRecord[]} records */
const hasChanged = (records) => records.some((record) => !isOwnChange(record));
/** Roots whose events are listened to; document.open() takes the listeners away with the content. */
const heard = new WeakSet();

/** Number of times that something has changed. */
let changes = 0;

function forget() {
  changes += 1;
  kept.clear();
  observer.disconnect();
}

/** @param {Array<Document | ShadowRoot>} roots */
export function watch(roots) {
  for (const root of roots) {
    observer.observe(root, ALL_CHANGES);
    const content = root === document ? document.documentElement : root;
    if (heard.has(content)) continue;
    heard.add(content);
    const [target, types] = root === document ? [window, EVENTS] : [root, TREE_EVENTS];
    for (const type of types) target.addEventListener(type, forget, { capture: true, passive: true });
  }
}

/** @returns {boolean} whether something has changed that nobody has heard of yet */
function hearsNow() {
  const hasNews = hasChanged(observer.takeRecords());
  if (hasNews) forget();
  return hasNews;
}

/**
 * Watches the page during a capture that lets it have its turns.
 * @param {Trace} trace
 * @returns {() => boolean} ask it at the beginning of each turn: whether nothing has changed so far
 */
export function watchDuring(trace) {
  const before = changes;
  watch(trace.roots);
  return () => !hearsNow() && changes === before;
}

/**
 * Keeps an answer; the page must not have changed since the trace was begun.
 * @param {string} key
 * @param {{stamp: string}} answer
 * @param {Trace} trace
 */
export function keep(key, answer, trace) {
  if (document.readyState !== "complete" || trace.roots.some(isMoving)) return;
  hearsNow();
  watch(trace.roots);
  kept.delete(key);
  kept.set(key, { answer, trace: trace.finish() });
  if (kept.size > MAX_KEPT) kept.delete([...kept.keys()][0]);
}

/** @param {string} key @returns {{stamp: string} | null} the answer kept under the key when a new one would be the same */
export function recall(key) {
  if (!kept.size || hearsNow()) return null;
  const found = kept.get(key);
  if (!found) return null;
  if (found.trace.holds()) return found.answer;
  kept.delete(key);
  return null;
}
