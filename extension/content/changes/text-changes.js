/*
 * Changes of a document in words: text that came and went, lists that grew, states that turned. What is drawn anew with the
 * same words is no change.
 */
import { joined } from "../dom/line-breaks.js";
import { cut, NOT_TEXT, printable, printableLines, quote } from "../dom/text.js";
import { isVisible } from "../dom/visibility.js";
import * as shownNames from "../find/shown-names.js";
import { hasSpinner, isAnnouncement, isSpinner, isSpinnerName } from "./announcements.js";
import { fresh, listed } from "./controls.js";
import { listedLines } from "./text-lines.js";

/** Limits beyond which a page is another one, and a snapshot tells it better. */
const MAX_ROOTS = 2_000;
const MAX_CHUNKS = 3_000;
const MAX_LOOKED_AT = 300;
/** Number of the last ones among these. */
const LAST = 20;
const MAX_TOLD = 3;
const MAX_TEXT = 100;
const MAX_SPINNERS = 50;
/** Names of one or two more are as short as their number. */
const LEAST_LEFT_OUT = 2;

const LISTS = "ul, ol, tbody, [role=list], [role=listbox], [role=grid], [role=table], [role=rowgroup], [role=tree], " +
  "[role=menu], [role=feed], [role=tablist]";
/** Attribute → its words where it stands for yes and for no. @type {Record<string, [string, string]>} */
const STATES = {
  "aria-expanded": ["expanded", "collapsed"], "aria-checked": ["checked", "unchecked"],
  "aria-pressed": ["pressed", "no longer pressed"], "aria-selected": ["selected", "no longer selected"],
  "aria-invalid": ["invalid", "valid"], "aria-busy": ["busy", "no longer busy"], "aria-disabled": ["disabled", "enabled"],
  disabled: ["disabled", "enabled"], open: ["open", "closed"],
};
const FIELDS = "input, select, textarea, [contenteditable], [role=textbox], [role=combobox]";
const OPENING = new Set(["open"]);
const SHOWING = new Set(["hidden", "style"]);
const HIDING = new Set([...SHOWING, ...OPENING]);
const HIDES = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** @param {string} attribute @param {string | null} value */
const isHiding = (attribute, value) =>
  (attribute === "style" ? HIDES.test(value ?? "") : attribute === "hidden" ? value !== null : value === null);

/** @param {string | null} value as attributes have it */
const isYes = (value) => value !== null && value !== "false";

/** @param {Node} node @param {Set<Node>} roots */
function isWithin(node, roots) {
  for (let at = /** @type {Node | null} */ (node); at; at = at.parentNode) if (roots.has(at)) return true;
  return false;
}

/** Runs of text below a node, with where they stand. @param {Node} root @param {(text: Text) => void} take */
function eachText(root, take) {
  if (root.nodeType === Node.TEXT_NODE) return take(/** @type {Text} */ (root));
  if (root.nodeType !== Node.ELEMENT_NODE || NOT_TEXT.has(/** @type {Element} */ (root).localName)) return undefined;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node.nodeType === Node.ELEMENT_NODE && NOT_TEXT.has(/** @type {Element} */ (node).localName)
      ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  for (let count = 0; count < MAX_CHUNKS && walker.nextNode(); count += 1) {
    if (walker.currentNode.nodeType === Node.TEXT_NODE) take(/** @type {Text} */ (walker.currentNode));
  }
  return undefined;
}

/** Sum of the mutation records of one act. */
export class TextChanges {
  /** Nodes that came, and nodes that had been there and went. @type {Set<Node>} */
  fresh = new Set();
  /** @type {Set<Node>} */
  old = new Set();
  /** Text that was rewritten → what it was. @type {Map<Text, string>} */
  rewritten = new Map();
  /** Element → its attributes as they were. @type {Map<Element, Map<string, string | null>>} */
  attributes = new Map();
  /** Node that went → where it was. @type {Map<Node, Node>} */
  places = new Map();
  /** Elements that hid what was in them before. @type {Set<Element>} */
  hidden = new Set();
  /** Animations that show and hide elements now. @type {import("../visibility/transitions.js").Transitions | null} */
  transitions = null;
  /** Text → how often it came. @type {Map<string, number>} */
  counts = new Map();
  /** Elements that may say that something is under way. @type {Set<Element>} */
  announcing = new Set();
  /** Whether something came that does more than to announce, and whether something did announce: known with the words. */
  hasCome = false;
  isAnnounced = false;
  /** Container → how many elements came and went. @type {Map<Node, number>} */
  growth = new Map();

  /** @param {MutationRecord} record */
  note(record) {
    if (record.type === "attributes") return this.noteAttribute(record);
    if (record.type === "characterData") return this.noteText(record);
    if (this.fresh.size + this.old.size > MAX_ROOTS || isWithin(record.target, this.fresh)) return undefined;
    for (const node of record.addedNodes) if (!this.old.has(node)) this.fresh.add(node);
    for (const node of record.removedNodes) if (!this.fresh.delete(node)) this.noteGone(node, record.target);
    return this.noteGrowth(record);
  }

  /** @param {Node} node @param {Node} place */
  noteGone(node, place) {
    this.old.add(node);
    this.places.set(node, place);
  }

  /** Whether a text was none that is seen before it went: code, or within something hidden. @param {Node} text */
  wasUnseen(text) {
    for (let at = /** @type {Node | null | undefined} */ (text); at; at = at.parentNode ?? this.places.get(at)) {
      if (at instanceof Element && (NOT_TEXT.has(at.localName) || this.hidden.has(at))) return true;
    }
    return false;
  }

  /** @param {MutationRecord} record */
  noteGrowth({ target, addedNodes, removedNodes }) {
    if (!(target instanceof Element) || !target.matches(LISTS)) return;
    const elements = (/** @type {NodeList} */ nodes) => [...nodes].filter((node) => node instanceof Element).length;
    this.growth.set(target, (this.growth.get(target) ?? 0) + elements(addedNodes) - elements(removedNodes));
  }

  /** @param {MutationRecord} record */
  noteAttribute({ target, attributeName, oldValue }) {
    const name = /** @type {string} */ (attributeName);
    const element = /** @type {Element} */ (target);
    if (name === "class" && isSpinner(element) && !isSpinnerName(oldValue ?? "")) this.announcing.add(element);
    if (this.attributes.size > MAX_ROOTS || !(Object.hasOwn(STATES, name) || HIDING.has(name))) return;
    const known = this.attributes.get(element) ?? new Map();
    if (!known.has(name)) known.set(name, oldValue);
    this.attributes.set(element, known);
  }

  /** @param {MutationRecord} record */
  noteText({ target, oldValue }) {
    const text = /** @type {Text} */ (target);
    if (text.nodeType === Node.TEXT_NODE && !this.rewritten.has(text)) this.rewritten.set(text, oldValue ?? "");
  }

  /**
   * @param {Array<[Element, boolean]>} turned elements that styles have shown or hidden
   * @returns {{came: Map<string, Element>, went: string[]}} text that is there now and was not, and the reverse
   */
  texts(turned) {
    /** @type {Map<string, {count: number, at: Text | null}>} */
    const balance = new Map();
    const add = (/** @type {string} */ data, /** @type {number} */ sign, /** @type {Text | null} */ at) => {
      const text = printable(data);
      if (!text || balance.size > MAX_CHUNKS) return;
      const known = balance.get(text) ?? { count: 0, at: null };
      balance.set(text, { count: known.count + sign, at: sign > 0 ? known.at ?? at : known.at });
    };
    const gain = (/** @type {Text} */ text) => add(text.data, 1, text);
    const lose = (/** @type {Text} */ text) => this.wasUnseen(text) || add(this.rewritten.get(text) ?? text.data, -1, null);
    for (const node of this.fresh) if (node.isConnected && !isWithin(node.parentNode ?? node, this.fresh)) eachText(node, gain);
    for (const node of this.old) if (!node.isConnected) eachText(node, lose);
    for (const [text, was] of this.rewritten) {
      if (!text.isConnected || isWithin(text, this.fresh) || NOT_TEXT.has(text.parentElement?.localName ?? "")) continue;
      if (!this.wasUnseen(text)) add(was, -1, null);
      gain(text);
    }
    const all = new Map([...this.turned(), ...turned.filter(([element]) => !isWithin(element, this.fresh))]);
    for (const [element, shown] of all) eachText(element, shown ? gain : lose);
    return this.settled(balance);
  }

  /** @param {Map<string, {count: number, at: Text | null}>} balance */
  settled(balance) {
    const went = [...balance].filter(([, { count }]) => count < 0).map(([text]) => text);
    this.counts = new Map([...balance].map(([text, { count }]) => [text, count]));
    const gained = [...balance.values()].flatMap(({ count, at }) => (count > 0 && at?.parentElement ? [at] : []));
    // The last line of a log says the most.
    const looked = gained.length > MAX_LOOKED_AT ? [...gained.slice(0, MAX_LOOKED_AT - LAST), ...gained.slice(-LAST)] : gained;
    const came = looked.map((at) => /** @type {const} */ ([at, /** @type {Element} */ (at.parentElement)]));
    const seen = came.filter(([, parent]) => !this.transitions?.isLeaving(parent) &&
      (isVisible(parent) || this.transitions?.isArriving(parent)));
    return { came: new Map(seen.map(([at, parent]) => [printableLines(at, parent), parent])), went };
  }

  /** Elements that an attribute has shown or hidden. @returns {Array<[Element, boolean]>} */
  turned() {
    return this.turnedBy(HIDING).filter(([element]) => !isWithin(element, this.fresh));
  }

  /**
   * Elements that one of these attributes has shown or hidden.
   * @param {Set<string>} names
   * @returns {Array<[Element, boolean]>}
   */
  turnedBy(names) {
    /** @type {Array<[Element, boolean]>} */
    const turned = [];
    for (const [element, before] of this.attributes) {
      if (!element.isConnected) continue;
      for (const [name, value] of before) {
        if (!names.has(name) || (name === "open" && element.localName !== "details")) continue;
        const [was, is] = [isHiding(name, value), isHiding(name, element.getAttribute(name))];
        if (was !== is) turned.push([element, !is]);
      }
    }
    return turned;
  }

  /**
   * @param {Set<Element>} told elements of which is told what is in them
   * @param {Set<Element>} editors those, too: a line of theirs takes the place of what it was
   * @param {Array<[Element, boolean]>} turned as for `texts`
   */
  words(told, editors, turned) {
    const controls = this.controls(told, turned);
    const known = new Set([...told, ...controls]);
    const { came, went } = this.texts(turned);
    const lists = [...this.growth].filter(([list, by]) => by && list.isConnected).slice(0, MAX_TOLD);
    this.hasCome = known.size + lists.length > 0 || [...came.keys()].some((text) => !isAnnouncement(text));
    this.isAnnounced = came.size > 0 || this.hasSpinner(turned);
    for (const [text, at] of came) {
      const isEdited = isWithin(at, /** @type {Set<Node>} */ (editors));
      if (isEdited) went.shift();
      if (isEdited || isWithin(at, /** @type {Set<Node>} */ (known))) came.delete(text);
    }
    const shown = controls.length ? [`controls appeared: ${listed(controls)}`] : [];
    const sizes = lists.map(([list, by]) => grown(/** @type {Element} */ (list), by));
    const hasForm = controls.some((control) => control.matches(FIELDS));
    return [...textWords(came, went, hasForm, this.counts), ...shown, ...sizes, ...this.states()];
  }

  /** Controls that came. @param {Set<Element>} told @param {Array<[Element, boolean]>} turned as for `words` */
  controls(told, turned) {
    const isOutermost = (/** @type {Node} */ node) => !isWithin(node.parentNode ?? node, this.fresh);
    const all = new Map([...this.turned(), ...turned]);
    const came = [...this.fresh].filter((node) => node.isConnected && isOutermost(node));
    const shown = [...all].filter(([element, yes]) => yes && !isWithin(element, this.fresh)).map(([element]) => element);
    const went = [...this.old].filter((node) => !node.isConnected);
    const wasSeen = this.earlierSight(turned);
    const isKnown = (/** @type {Element} */ control) => isWithin(control, /** @type {Set<Node>} */ (told)) || wasSeen(control);
    return fresh([...came, ...shown], went, isKnown);
  }

  /**
   * The summary of a details element was visible before; so was a control that was moved, unless it was hidden until then.
   * @param {Array<[Element, boolean]>} turned as for `words`
   * @returns {(control: Element) => boolean}
   */
  earlierSight(turned) {
    /** @type {(found: Array<[Element, boolean]>) => Set<Node>} */
    const shown = (found) => new Set(found.filter(([, yes]) => yes).map(([element]) => element));
    const opened = shown(this.turnedBy(OPENING));
    const appeared = shown([...this.turnedBy(SHOWING), ...turned]);
    return (control) => {
      const box = control.parentNode;
      if (control.localName === "summary" && box && opened.has(box)) return !isWithin(box, appeared);
      for (let at = /** @type {Node | null} */ (control); at && !appeared.has(at) && !opened.has(at); at = at.parentNode) {
        if (this.old.has(at)) return true;
      }
      return false;
    };
  }

  /** Whether a spinner came, or a class made one of an element. @param {Array<[Element, boolean]>} turned as for `texts` */
  hasSpinner(turned) {
    const came = [...this.fresh].filter((node) => node instanceof Element && node.isConnected);
    const shown = turned.flatMap(([element, yes]) => (yes ? [element] : []));
    return [...this.announcing].some((element) => element.isConnected && isSpinner(element)) ||
      [.../** @type {Element[]} */ (came), ...shown].slice(0, MAX_SPINNERS).some(hasSpinner);
  }

  /** Elements of which one of these states has begun. @param {Set<string>} names attributes @returns {Element[]} */
  turnedOn(names) {
    const isOn = (/** @type {Element} */ element, /** @type {Map<string, string | null>} */ before) =>
      [...before].some(([name, value]) => names.has(name) && !isYes(value) && isYes(element.getAttribute(name)));
    const all = [...this.attributes].filter(([element, before]) => element.isConnected && isOn(element, before));
    return all.map(([element]) => element);
  }

  states() {
    const words = [];
    for (const [element, before] of this.attributes) {
      if (!element.isConnected || isWithin(element, this.fresh)) continue;
      for (const [name, value] of before) {
        const now = element.getAttribute(name);
        if (!Object.hasOwn(STATES, name) || isYes(now) === isYes(value)) continue;
        // Dialogs that open and close are reported as popups.
        if (name === "open" && element.localName === "dialog") continue;
        words.push(`${described(element)} ${STATES[name][isYes(now) ? 0 : 1]}`);
      }
      if (words.length >= MAX_TOLD) break;
    }
    return [...new Set(words)];
  }
}

/** An element as snapshots name it. @param {Element} element */
export function described(element) {
  const role = shownNames.roleOf(element);
  const name = shownNames.nameOf(element, role);
  return name ? `${role} ${quote(cut(name, MAX_TEXT))}` : role;
}

/** @param {Element} list @param {number} by */
function grown(list, by) {
  const now = list.childElementCount;
  return `${described(list)} ${by > 0 ? "grew" : "shrank"} ${Math.max(0, now - by)} → ${now}`;
}

/** @param {string[]} texts */
function quoted(texts) {
  const most = texts.length > MAX_TOLD + LEAST_LEFT_OUT ? MAX_TOLD : texts.length;
  const more = texts.length > most ? ` and ${texts.length - most} more` : "";
  return `${texts.slice(0, most).map((text) => quote(cut(text, MAX_TEXT))).join(", ")}${more}`;
}

/**
 * @param {Map<string, Element>} came @param {string[]} went @param {boolean} hasForm whether fields came along
 * @param {Map<string, number>} counts text → how often it came
 */
function textWords(came, went, hasForm, counts) {
  const [text, at] = [...came][0] ?? [];
  if (came.size === 1 && went.length === 1 && text && at) {
    const whole = printable(at.closest("p, li, td, h1, h2, h3, h4, label, button, div, span")?.textContent ?? "");
    const where = whole !== joined(text) && whole.length <= MAX_TEXT ? ` in ${quote(whole)}` : "";
    return [`text ${quote(cut(went[0], MAX_TEXT))} → ${quote(cut(text, MAX_TEXT))}${where}`];
  }
  return [
    ...(came.size ? [`text appeared: ${listedLines(came, hasForm, counts)}`] : []),
    ...(went.length ? [`text disappeared: ${quoted(went)}`] : []),
  ];
}
