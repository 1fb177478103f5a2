/*
 * The document as an outline of HTML: elements that say or hold something, with the attributes that matter, and a reference
 * on each that is worth one. What is worth one is what a snapshot gives one to, less what only holds others.
 */
import { cached, labelsOf } from "../dom/flat-tree.js";
import { FRAMES, slotOf, withPath } from "../dom/frames.js";
import { set as words } from "../dom/role-tables.js";
import { breaksText, collapse, cut } from "../dom/text.js";
import { Step, TEXTLESS, Walk } from "../find/item-context.js";
import * as listeners from "../find/listeners.js";
import * as refs from "../find/refs.js";
import * as lineText from "./line-text.js";
import * as outlineRefs from "./outline-refs.js";
import { Capture } from "./snapshot-pass.js";
import { countBehind, modals } from "./snapshot.js";

/** Elements kept for their meaning, even without a reference. */
const MEANINGFUL = words(
  "body header nav main footer article aside section search form fieldset legend label h1 h2 h3 h4 h5 h6 p pre blockquote " +
  "ul ol li dl dt dd table caption tr th td " +
    "figure figcaption details summary dialog video audio canvas iframe frame object embed input button select textarea " +
    "output meter progress",
);
/** Roles that get no reference for themselves. */
const PASSIVE = words("listitem row gridcell rowheader columnheader tabpanel");
const NAMING = ["id", "role", "aria-label"];
const VOID = words("area br embed hr img input");
/** Elements that stand on one line where nothing in them needs lines of its own. */
const SHORT = words("li tr p label dt dd td th");
const ATTRIBUTES = [
  "id",
  "role",
  "type",
  "name",
  "href",
  "alt",
  "title",
  "placeholder",
  "for",
  "aria-label",
  "aria-expanded",
  "aria-checked",
  "aria-selected",
  "aria-pressed",
  "aria-current",
  "aria-disabled",
  "aria-invalid",
  "aria-haspopup",
  "aria-modal",
  "aria-valuenow",
  "aria-valuetext",
  "data-testid",
  "contenteditable",
  "draggable",
  "colspan",
  "rowspan",
];
/** Attributes whose text a reader takes for the name of the element. */
const SAYING = ["aria-label", "alt", "title", "placeholder"];
const FLAGS = ["disabled", "readOnly", "required", "multiple", "open", "checked", "indeterminate", "selected"];
/** @type {Lookup<string>} */
const SOURCES = { iframe: "src", frame: "src", embed: "src", object: "data" };
/** Inputs whose value is a part of the page, not of what was written into it. */
const FIXED = /^(radio|checkbox|submit|button|reset)$/;
const MAX_ATTRIBUTE = 200;
const MAX_OPTIONS = 100;

/** @param {string} text */
const inText = (text) => collapse(text).replaceAll("<", "&lt;");
/** @param {string} name @param {string} text */
const attribute = (name, text) => ` ${name}="${cut(collapse(text), MAX_ATTRIBUTE).replaceAll('"', "&quot;")}"`;

/** @typedef {{local: number, name: string, mark: string}} Shown */

/** An element of the outline. */
class Part {
  /** @param {string} tag @param {string} attributes */
  constructor(tag, attributes) {
    this.tag = tag;
    this.attributes = attributes;
    this.label = "";
    this.ref = "";
    /** Frame slot where the outline of the frame's document belongs. @type {number | string | null} */
    this.slot = null;
    /** Texts and parts in order; null where a text ends. @type {Array<Part | string | null>} */
    this.content = [];
  }

  /** Joins the pieces of each text. @returns {Array<Part | string>} */
  items() {
    const items = [];
    let pending = "";
    for (const item of [...this.content, null]) {
      if (typeof item === "string") {
        pending += item;
        continue;
      }
      const text = inText(pending);
      pending = "";
      if (text) items.push(text);
      if (item) items.push(item);
    }
    return items;
  }

  /** @param {Array<Part | string>} items its own */
  start(items) {
    const label =
      this.label && !items.some((item) => typeof item === "string" || item.content.length)
        ? attribute("label", this.label)
        : "";
    // The worker puts the way to this document in the place of the mark.
    return `<${this.tag}${this.attributes}${label}${this.ref && ` ref="\uE006${this.ref}"`}`;
  }
}

class Place extends Step {
  /** @param {Place | null} above @param {Part} part what is found here goes into */
  constructor(above, part) {
    super(above);
    this.part = part;
    this.isApart = false;
  }
}

/** Elements that a snapshot would give references to. @param {Element[]} roots */
function worthy(roots) {
  const work = new Capture({ hasOptionLines: true });
  for (const root of roots) work.run(root);
  /** @type {Map<Element, Shown>} */
  const shown = new Map();
  for (const { shown: element, role, name, item, facts } of work.lines.list) {
    if (!element || (PASSIVE.has(role) && !facts.isActionable)) continue;
    shown.set(element, { local: refs.refShown(element, role, name, item), name, mark: facts.mark });
  }
  return { shown, notes: work.notes };
}

class Outline extends Walk {
  /** @param {Map<Element, Shown>} shown */
  constructor(shown) {
    super();
    this.shown = shown;
    this.giver = new outlineRefs.Giver();
    this.whole = new Part("html", "");
    /** Position of the walk. @type {Place} */
    this.at = new Place(null, this.whole);
  }

  /** @param {Element} element @param {Place} above */
  element(element, above) {
    this.at = /** @type {Place} */ (super.element(element, above) ?? above);
    return this.at === above ? null : this.at;
  }

  /** @param {string} data */
  text(data) {
    this.at.part.content.push(data);
  }

  /** @param {Place} place */
  leave(place) {
    if (place.isApart) place.part.content.push(null);
    this.at = /** @type {Place} */ (place.above);
  }

  /** @param {Place} above */
  mute(above) {
    return new Place(above, above.part);
  }

  /** @param {Element} svg @param {Place} above */
  isWorthwhile(svg, above) {
    return super.isWorthwhile(svg, above) || this.shown.has(svg);
  }

  /** @param {Element} element @param {string} tag @param {boolean} hasAttributes @param {Place} above */
  visible(element, tag, hasAttributes, above) {
    const shown = this.shown.get(element);
    if (!shown && !MEANINGFUL.has(tag) && !(hasAttributes && NAMING.some((name) => element.getAttribute(name))))
      return this.pass(element, tag, above);
    const part = this.partOf(element, tag, shown, hasAttributes);
    above.part.content.push(part);
    return this.inside(element, tag, part, above);
  }

  /**
   * Dissolves a box that says nothing: its content moves up.
   * @param {Element} element
   * @param {string} tag
   * @param {Place} above
   */
  pass(element, tag, above) {
    const place = new Place(above, above.part);
    place.isApart = breaksText(element);
    if (place.isApart) place.part.content.push(null);
    return this.open(element, tag, place);
  }

  /** @param {Element} element @param {string} tag @param {Part} part @param {Place} above */
  inside(element, tag, part, above) {
    if (tag === "select") this.options(/** @type {HTMLSelectElement} */ (element), part);
    else if (tag === "textarea") part.content.push(/** @type {HTMLTextAreaElement} */ (element).value);
    else if (part.slot === null && !TEXTLESS.has(tag) && !VOID.has(tag)) return this.open(element, tag, new Place(above, part));
    return null;
  }

  /** @param {HTMLSelectElement} select @param {Part} part */
  options(select, part) {
    const { options } = select;
    for (const option of Array.from(options).slice(0, MAX_OPTIONS)) {
      const row = this.partOf(option, "option", this.shown.get(option), true);
      row.content.push(option.label);
      part.content.push(row);
    }
    if (options.length > MAX_OPTIONS) part.content.push(`… ${options.length - MAX_OPTIONS} more options`);
  }

  /** @param {Element} element @param {string} tag @param {Shown | undefined} shown @param {boolean} hasAttributes */
  partOf(element, tag, shown, hasAttributes) {
    const part = new Part(tag, hasAttributes ? attributesOf(element, tag) : "");
    const names = /^(div|span)$/.test(tag) ? element.getAttribute("class") : null;
    if (names && !NAMING.some((name) => element.getAttribute(name))) part.attributes += attribute("class", names);
    if (FRAMES.has(tag)) part.slot = slotOf(element);
    if (shown) {
      part.attributes += marksOf(shown);
      const isSaid = SAYING.some((name) => element.getAttribute(name)) || labelsOf(element).length > 0;
      if (!isSaid && !isFixed(element, tag)) part.label = shown.name;
    }
    if (shown || part.slot !== null) part.ref = this.giver.give(element, shown?.local ?? refs.refFor(element));
    return part;
  }
}

/** [clickable] [drop zone] → clickable drop-zone; marks with a value are said by attributes. @param {Shown} shown */
const marksOf = ({ mark }) =>
  Array.from(mark.matchAll(/\[([^\]=]+)\]/g), ([, said]) => ` ${said.replaceAll(" ", "-")}`).join("");

/** @param {Element} element @param {string} tag */
const isFixed = (element, tag) => tag === "input" && FIXED.test(/** @type {HTMLInputElement} */ (element).type);

/** @param {Element} element @param {string} tag */
function attributesOf(element, tag) {
  let text = "";
  for (const name of [...ATTRIBUTES, SOURCES[tag]]) {
    const value = name && element.getAttribute(name);
    if (value && !/^(data|javascript|blob):/.test(value)) text += attribute(name, value);
  }
  for (const name of FLAGS) if (Reflect.get(element, name) === true) text += ` ${name.toLowerCase()}`;
  const value = valueOf(element, tag);
  return value ? text + attribute("value", value) : text;
}

/** Value that an element holds or stands for; never that of a password field. @param {Element} element @param {string} tag */
function valueOf(element, tag) {
  if (tag === "option" || isFixed(element, tag)) return element.getAttribute("value");
  if (tag === "input") return lineText.valueOf(element, tag, "textbox", {});
  return tag === "progress" || tag === "meter" ? String(/** @type {HTMLProgressElement} */ (element).value) : "";
}

/** @param {Part} whole @returns {string} */
function written(whole) {
  const lines = [];
  // The loop keeps its own stack, because pages nest deeper than calls can.
  /** @type {Array<{indent: string, end: string, items: Iterator<Part | string>}>} */
  const stack = [{ indent: "", end: "", items: [whole].values() }];
  for (let level = stack.at(-1); level; level = stack.at(-1)) {
    const { value: item, done } = level.items.next();
    if (done) {
      if (level.end) lines.push(level.end);
      stack.pop();
    } else if (typeof item === "string") lines.push(level.indent + item);
    else {
      const below = openPart(item, level.indent, lines);
      if (below) stack.push(below);
    }
  }
  return lines.join("\n");
}

/** Part on one line, if it fits. @param {Part} part @param {Array<Part | string>} items its own @returns {string | null} */
function onLine(part, items) {
  if (part.slot !== null) return null;
  const start = part.start(items);
  if (VOID.has(part.tag)) return `${start}/>`;
  const inside = [];
  for (const item of items) {
    const own = typeof item === "string" || !SHORT.has(part.tag) ? item : onLine(item, item.items());
    if (typeof own !== "string") return null;
    inside.push(own);
  }
  return `${start}>${inside.join(" ")}</${part.tag}>`;
}

/** @param {Part} part @param {string} indent @param {string[]} lines */
function openPart(part, indent, lines) {
  const items = part.items();
  const line = onLine(part, items);
  if (line !== null) {
    lines.push(indent + line);
    return null;
  }
  const end = `${indent}</${part.tag}>`;
  lines.push(`${indent}${part.start(items)}>`);
  if (part.slot === null) return { indent: `${indent}  `, end, items: items.values() };
  lines.push(`${indent}  \uE004${part.slot}|${part.ref}\uE005`, end);
  return null;
}

function print() {
  const dialogs = modals();
  const roots = dialogs.length ? dialogs : [document.body ?? document.documentElement];
  listeners.refresh();
  const { shown, notes } = worthy(roots);
  if (dialogs.length) notes.behind = countBehind(dialogs);
  const outline = new Outline(shown);
  for (const root of roots) outline.walk(root, outline.at);
  return { text: written(outline.whole), title: collapse(document.title), url: location.href, notes };
}

/**
 * The outline of this document.
 * @param {{nonce: string}} args
 * @returns {object} text: with \uE006 before each reference and \uE004slot|reference\uE005 where a frame's outline belongs
 */
export const printOutline = ({ nonce }) => withPath(cached(print), nonce);
