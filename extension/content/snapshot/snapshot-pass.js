/*
 * The snapshot of one document: one walk over the flat tree that writes one line per element worth a line. Refs are
 * printed as markers, frames as slots; the worker puts numbers and the texts of the child frames in.
 */
import * as turns from "../base/turns.js";
import { activeElementDeep, canHost, SVG_NS } from "../dom/flat-tree.js";
import { FRAMES, slotOf } from "../dom/frames.js";
import * as lineBreaks from "../dom/line-breaks.js";
import { set as words } from "../dom/role-tables.js";
import { transformed } from "../dom/text-transform.js";
import { collapse, cut, harmless, keptValue, MAX_QUOTED, printable, quote, smuggledIn, visibleText } from "../dom/text.js";
import { isChart, learnIds, markedFacts, NO_FACTS, StylePath } from "../visibility/clickable.js";
import * as frameProjection from "../visibility/frame-projection.js";
import { holdsControls } from "../visibility/box-edges.js";
import { isUnseenControl } from "../visibility/unseen-controls.js";
import { chunksOf, isItem, itemFrom, TEXTLESS, Walk } from "../find/item-context.js";
import * as listeners from "../find/listeners.js";
import * as shownNames from "../find/shown-names.js";
import * as editorLines from "./editor-lines.js";
import { factsOf, isPressed, isReferred, passesHand } from "./element-data.js";
import { hintOf } from "./element-descriptions.js";
import * as lineText from "./line-text.js";
import { NONE, RANGES } from "./line-text.js";
import * as listOptions from "./list-options.js";
import * as mergedLines from "./merged-lines.js";
import * as namedBoxes from "./named-boxes.js";
import * as nearbyText from "./nearby-text.js";
import { CONTAINERS, DISSOLVED, DRAWN, FOLDING, NAMED_BY_CONTENT, SET_ITEMS, roleOf } from "./quick-roles.js";
import * as snapshotLines from "./snapshot-lines.js";
import { holdsPlace, skippedBefore, spans } from "./table-cells.js";
import { DISSOLVING, LINE, MUTE, Place, Stretch } from "./tree-positions.js";
import { noteItem, rendered } from "./virtual-lists.js";

const FOLDED = /^(listitem|term)$/;
const TABLE_CELLS = words("td th");
/** Characters of one text that are shown. */
const MAX_TEXT = 1_000_000;
/** @type {Set<Element>} */
const NOTHING = new Set();
const BEYOND_LATIN = /[^\0-\u024F]/;

let captures = 0;
/** Number of the capture that has looked last at what is known of the page as a whole. */
let latest = 0;

export class Capture extends Walk {
  /**
   * @param {CaptureOptions} options
   * @param {Trace | null} [trace] records what the answer depends on
   * @param {Set<Element>} [covered] elements whose own text is known to be covered
   */
  constructor(options, trace = null, covered = NOTHING) {
    super();
    this.number = captures += 1;
    this.trace = trace;
    this.covered = covered;
    this.hasYielded = false;
    this.isPartial = false;
    /** Boxes that may hide text. @type {Element[]} */
    this.covers = [];
    this.learn();
    this.isInteractive = options.mode === "interactive";
    this.isCompact = Boolean(options.compact);
    this.withText = options.include_text !== false && !this.isInteractive;
    this.withBounds = Boolean(options.include_bounds);
    this.isWhole = !options.roots && options.mode !== "focused";
    this.maxDepth = options.depth ?? Infinity;
    this.hasOptionLines = Boolean(options.hasOptionLines);
    this.listeners = listeners.isEmpty() ? null : listeners.HEARD;
    // A frame keeps an active element of its own while the focus is elsewhere.
    this.active = window === window.top || document.hasFocus() ? activeElementDeep() : null;
    this.lines = new snapshotLines.Lines();
    this.pending = "";
    this.lastKind = "";
    /** Whether text on both sides of each box edge since the last text stands apart. */
    this.isApart = false;
    /** Text runs in order, and the stretches of them that are items: refs are compared by them later. @type {string[]} */
    this.chunks = [];
    /** @type {ItemRange[]} */
    this.items = [];
    /** @type {CaptureNotes} */
    this.notes = { hidden: 0, cut: 0, rows: [], canvases: 0, behind: 0, unseen: 0, smuggled: 0, long: 0, names: 0, left: 0 };
    /** Places that nothing refers to any more. @type {SnapshotPlace[]} */
    this.free = [];
    /** Whether something may be cut off: it depends on the layout. */
    this.hasClips = false;
    this.isUnseen = Boolean(options.isUnseen);
    /** Frames that no person can read: their documents cannot know it. @type {FrameSlot[]} */
    this.unseenFrames = [];
  }

  /** @param {Element} root @param {number} [most] looks */
  run(root, most = Infinity) {
    this.turns(root, { turnMs: Infinity, end: Infinity, most }).next();
  }

  /**
   * Walks over an element; yields where the page is to have its turn.
   * @param {Element} root
   * @param {Pace} pace
   * @returns {Generator<void, void>}
   */
  *turns(root, pace) {
    const top = this.isWhole && !this.isInteractive && window === window.top ? 1 : 0;
    if (top && !this.lines.length)
      this.lines.add(0, document.title ? `document ${quote(printable(document.title))}` : "document");
    const above = new Place(null);
    this.root = root;
    above.path = StylePath.of(root.parentElement ?? root);
    this.trace?.paths.push(above.path);
    above.depth = top;
    if (this.isUnseen) above.unseen = "faded";
    this.begin(root, above);
    while (!this.isPartial && !this.goOn(turns.untilOf(pace))) {
      this.isPartial = turns.isOver(pace, this.looks);
      if (this.isPartial) this.giveUp();
      if (this.isPartial || pace.turnMs === Infinity) continue;
      this.hasYielded = true;
      yield;
      this.learn();
    }
    this.flush(above.depth, "");
  }

  learn() {
    if (latest === this.number) return;
    for (const root of this.trace?.roots ?? [document]) [learnIds, editorLines.look].forEach((look) => look(root));
    latest = this.number;
  }

  /** @param {string} data @param {SnapshotPlace} place @param {Text} [text] */
  text(data, place, text) {
    this.chunks.push(data);
    if (BEYOND_LATIN.test(data)) this.notes.smuggled += smuggledIn(data);
    if (this.leavesOut(data, place)) return;
    // Text of neighbouring boxes stands apart even where no white space is written between them.
    if (this.isApart) {
      this.isApart = false;
      if (this.pending !== "") this.pending += " ";
    }
    const { path: { transform, kept }, element } = place;
    const isWritten = transform === "none" || element === null;
    this.pending += lineBreaks.marked(isWritten ? data : transformed(data, transform, element, text), kept);
  }

  /**
   * Words that nobody sees are counted, not told; where they are part of a name, its line says so.
   * @param {string} data
   * @param {SnapshotPlace} place
   */
  leavesOut(data, place) {
    const { element } = place;
    if (element === null || !/\S/.test(data)) return false;
    if (place.unseen === "" && place.path.inkOf(element) === "" && !this.covered.has(element)) return false;
    let at = place;
    while (at.line === null && at.above !== null) at = at.above;
    const { line } = at;
    if (line === null || !NAMED_BY_CONTENT.has(line.role)) this.notes.unseen += 1;
    else line.unseen = at.unseen === "" && at !== place ? " [partly unseen]" : " [unseen]";
    return true;
  }

  /** @param {number} depth @param {string} cover */
  flush(depth, cover) {
    if (this.pending === "") return;
    const text = this.takeText(cover);
    if (text) this.lines.addText(depth, text);
  }

  /** @param {string} cover */
  takeText(cover) {
    const isLong = this.withText && this.pending.length > MAX_TEXT;
    if (isLong) this.notes.long += 1;
    const text = this.withText ? lineBreaks.trimmed(collapse(isLong ? `${this.pending.slice(0, MAX_TEXT)}…` : this.pending)) : "";
    this.pending = "";
    this.isApart = false;
    return text && !(cover && cover.includes(lineBreaks.joined(text))) ? harmless(text) : "";
  }

  hidden() {
    this.notes.hidden += 1;
  }

  /** @param {Element} element @param {boolean} isShown */
  looked(element, isShown) {
    if (this.trace !== null) this.trace.looked(element, isShown);
  }

  /** @param {Element} element @param {string} tag @param {ShadowRoot | null} root */
  entered(element, tag, root) {
    if (root) [learnIds, editorLines.look].forEach((learn) => learn(root));
    if (this.trace !== null && (root || canHost(tag))) this.trace.hosted(element, root);
  }

  /** @param {SnapshotPlace} above @param {Element} element @param {StylePath} path */
  place(above, element, path) {
    return (this.free.pop() ?? new Place(null)).begin(above, element, path, this.chunks.length);
  }

  /** @param {SnapshotPlace} above @param {Element} element */
  mute(above, element) {
    const place = this.place(above, element, above.path);
    place.kind = MUTE;
    place.isItem = isItem(element);
    return place;
  }

  /** Icons say nothing, but those that can be clicked count. @param {Element} svg @param {SnapshotPlace} above */
  isWorthwhile(svg, above) {
    if (super.isWorthwhile(svg, above) || (!above.isInAction && isChart(svg))) return true;
    const { hand } = above.path.step(svg, "svg", true);
    return (
      (hand !== "" && hand !== above.path.hand && !above.isInAction) ||
      markedFacts(svg) !== NO_FACTS ||
      Boolean(this.listeners?.isInside(svg))
    );
  }

  /** @param {Element} element @param {string} tag @param {boolean} hasAttributes @param {SnapshotPlace} above */
  visible(element, tag, hasAttributes, above) {
    const path = above.path.step(element, tag, hasAttributes);
    let role = roleOf(element, tag, hasAttributes, above);
    const facts = factsOf(element, tag, role, hasAttributes, above, path, this.listeners);
    if (facts.isActionable && role === "generic") role = shownNames.roleOf(element);
    const place = this.place(above, element, path);
    this.hasClips ||= above.clip !== null;
    if (path.isCover && place.unseen === "") this.covers.push(element);
    place.passesHand = passesHand(element, above, path);
    place.isItem = isItem(element, hasAttributes);
    if (!this.hasLine(element, tag, role, facts)) this.dissolve(element, tag, place, hasAttributes);
    else if (above.depth < this.maxDepth) this.line(element, tag, role, facts, place, hasAttributes);
    else {
      this.notes.cut += 1;
      return this.left(place);
    }
    if (path.isSkipped) {
      this.hidden();
      place.next = place.list = null;
    }
    if (place.next !== null || place.list !== null) return place;
    this.leave(place);
    return null;
  }

  /** @param {SnapshotPlace} place */
  leave(place) {
    const { element, line } = place;
    if (line !== null && element !== null) this.finish(element, line, place);
    else if (place.kind === DISSOLVING) this.dissolved(place);
    return this.left(place);
  }

  /** Ends a place, also one that was cut. @param {SnapshotPlace} place @returns {null} */
  left(place) {
    const { surroundings, kind } = place;
    if (surroundings) surroundings.end = this.chunks.length;
    if (place.isItem && kind !== MUTE) this.items.push({ start: place.start, end: this.chunks.length, of: surroundings });
    this.free.push(place);
    return null;
  }

  /** @param {SnapshotPlace | null} place */
  itemAt(place) {
    const path = [];
    /** @type {Item | null} */
    let item = null;
    for (let at = place; at?.element && at.element.localName !== "body"; at = at.above) {
      if (at.found !== undefined) {
        item = at.found;
        break;
      }
      path.push(at);
    }
    for (let index = path.length - 1; index >= 0; index -= 1) {
      const { element, isItem: isOne } = path[index];
      item = path[index].found = itemFrom(/** @type {Element} */ (element), item, isOne);
    }
    return item;
  }

  /**
   * Surroundings of the element, as refs keep them; undefined where this walk does not see the whole item.
   * @param {Element} element
   * @param {SnapshotPlace} place
   */
  surroundings(element, place) {
    if (this.maxDepth !== Infinity || !this.isWhole) return undefined;
    const item = place.isItem ? { element, isSemantic: true } : this.itemAt(place.above);
    if (!item) return null;
    let at = place;
    while (at.element !== item.element) at = /** @type {SnapshotPlace} */ (at.above);
    at.surroundings ??= new Stretch(this, item, at.start);
    return at.surroundings;
  }

  /** @param {Element} element @param {string} tag @param {string} role @param {Facts} facts */
  hasLine(element, tag, role, { isActionable }) {
    if (isActionable) return true;
    if (this.isInteractive) return role === "heading" || isPressed(element, role, this.listeners);
    if (DISSOLVED.has(role)) return editorLines.isLine(element, tag);
    if (role === "graphics-symbol" || tag === "svg") return shownNames.nameOf(element, role) !== "";
    return !(this.isCompact && CONTAINERS.has(role) && !shownNames.nameOf(element, role));
  }

  /** @param {Element} element @param {string} tag @param {SnapshotPlace} place @param {boolean} hasAttributes */
  dissolve(element, tag, place, hasAttributes) {
    if (place.path.isApart) this.isApart = true;
    if (hasAttributes && this.withText) {
      if (!this.isCompact && place.depth < this.maxDepth && place.path.isBounded && holdsControls(element)) {
        this.flush(place.depth, place.cover);
        place.level = this.lines.addLevel(place.depth++);
      }
      place.box = namedBoxes.begin(element, tag, this);
    }
    const cover = lineText.coverOf(element, tag, place);
    if (cover) {
      this.flush(place.depth, place.cover);
      place.cover = cover;
      place.pictured += `\n${cover}`;
      place.hasCover = true;
    }
    this.open(element, tag, place);
  }

  /** @param {SnapshotPlace} place */
  dissolved(place) {
    if (place.level !== null) {
      this.flush(place.depth, place.cover);
      this.lines.endLevel(place.level);
    }
    if (place.box !== null) namedBoxes.end(/** @type {Element} */ (place.element), place, place.box, this);
    if (place.hasCover) this.flush(place.depth, place.cover);
    if (place.path.isApart) this.isApart = true;
  }

  /**
   * @param {Element} element
   * @param {string} tag
   * @param {string} role
   * @param {Facts} facts
   * @param {SnapshotPlace} place
   * @param {boolean} hasAttributes
   */
  line(element, tag, role, facts, place, hasAttributes) {
    const { depth, cover, pictured } = place;
    place.kind = MUTE;
    this.flush(depth, cover);
    const name = shownNames.nameOf(element, role);
    if ((DRAWN.has(role) || tag === "g") && name && pictured.includes(name)) return;
    const hasRef = facts.isActionable || DISSOLVED.has(role) || isReferred(element, role, name, this.listeners) ||
      editorLines.isBlock(element, role);
    const { words: stateWords, states } = hasRef || RANGES.has(role) ? lineText.statesOf(element, tag, role, name) : NONE;
    if (this.withText && TABLE_CELLS.has(tag)) this.lines.addCells(depth, skippedBefore(element));
    const line = this.lines.add(depth, role);
    if (role === "none") line.head = "generic";
    line.name = name;
    line.element = element;
    if (hasRef) {
      line.shown = element;
      line.item = this.surroundings(element, place);
    }
    const reason = this.isInteractive ? lineText.reasonOf(element, stateWords) : "";
    line.tail = stateWords + reason + (hasAttributes ? spans(element, role) : "") + facts.mark;
    line.isPlain = !hasRef && name === "" && line.tail === "";
    line.value = lineText.valueOf(element, tag, role, states);
    line.facts = facts;
    line.hasAttributes = hasAttributes;
    line.cutBefore = this.notes.cut;
    place.kind = LINE;
    place.line = line;
    place.name = name;
    place.depth = this.isInteractive ? 0 : depth + 1;
    if (role !== "paragraph") place.cover = NAMED_BY_CONTENT.has(role) ? name : "";
    place.pictured += NAMED_BY_CONTENT.has(role) && name ? `\n${name}` : "";
    place.isInAction ||= facts.isAction;
    if (hasAttributes && SET_ITEMS.has(role)) noteItem(element, place);
    this.inside(element, tag, line, place);
  }

  /** @param {Element} element @param {string} tag @param {SnapshotLine} line @param {SnapshotPlace} place */
  inside(element, tag, line, place) {
    if (FRAMES.has(tag)) line.slot = this.frame(element, tag, line, place);
    else if (tag === "select") listOptions.ofList(/** @type {HTMLSelectElement} */ (element), line, place, this);
    else if (line.value && RANGES.has(line.role)) for (const chunk of chunksOf(element)) this.chunks.push(chunk);
    else if (!TEXTLESS.has(tag)) this.open(element, tag, place);
    if (tag === "canvas") this.notes.canvases += 1;
    if (this.withText && line.role === "textbox") editorLines.write(element, tag, this.lines, place.depth);
  }

  /** @param {Element} element @param {string} tag @param {SnapshotLine} line @param {SnapshotPlace} place */
  frame(element, tag, line, place) {
    const slot = slotOf(element);
    if (slot === null) {
      this.open(element, tag, place);
      return "";
    }
    const unseen = place.path.frameAt(element);
    this.trace?.frames.push({ frame: element, path: place.path, unseen });
    if (place.unseen || unseen) {
      this.unseenFrames.push(slot);
      line.unseen = " [unseen]";
    }
    if (!this.withBounds) return `\uE004${slot}\uE005`;
    return `\uE004${slot}|${frameProjection.of(element).join(",")}\uE005`;
  }

  /** @param {Element} element @param {SnapshotLine} line @param {SnapshotPlace} place */
  finish(element, line, { cover, depth, start, unseen }) {
    const { at, name, role, value, facts, slot } = line;
    const { lines } = this;
    if (line.rest) lines.addText(depth, `… ${line.rest} more options`);
    let text = "";
    if (lines.length === at + 1) text = this.takeText(cover);
    else {
      this.flush(depth, cover);
      if (!line.rest) text = lines.takeOnlyText(at) || lines.takeOnlyBox(at) || lines.takeFirstText(at) || lines.takeCells(at);
    }
    const hasLines = lines.length > at + 1;
    if (hasLines) mergedLines.settle(lines, line);
    if (!hasLines && !text && !value && !name && !line.shown && this.notes.cut === line.cutBefore) {
      const picture = this.withText ? lineText.pictureOf(element, role) : "";
      line.tail += picture;
      return picture || (this.withText && holdsPlace(element, role)) ? undefined : lines.cut(at);
    }
    let [shown, limit] = [name, MAX_QUOTED];
    if (!shown && DISSOLVED.has(role) && !hasLines && facts.mark !== " [scrollable]")
      [shown, text, limit] = [this.boxText(element, text), "", MAX_TEXT];
    else if (!shown && this.isInteractive && !value && (facts.mark.includes("click") || !facts.isActionable)) {
      shown = this.ownWords(element, at);
      if (!shown && !facts.isActionable) return lines.leave(at);
    }
    if (shown) line.head += ` ${this.quoted(shown, limit)}`;
    const near = nearbyText.markOf(element, line, this.withText);
    if (near) line.tail += near;
    else if (!shown && !text && !value && !hasLines && facts.isActionable) {
      if (facts.mark === " [clickable]" && lineText.isBoxless(element)) return lines.cut(at);
      if (!line.tail.includes("[title=")) line.tail += this.hint(element);
    }
    if (!text && line.hasAttributes && name && NAMED_BY_CONTENT.has(role))
      text = lineText.otherwise(element, name, this.withText);
    if (facts.isActionable && line.unseen === "" && !text && !hasLines && !slot && this.chunks.length === start &&
      isUnseenControl(element, unseen)) line.unseen = " [unseen]";
    this.describe(element, line, text);
    if (hasLines && !mergedLines.merge(lines, line, this.withText) && FOLDING.has(role)) this.fold(at, line);
    return undefined;
  }

  /**
   * The words of a box in a list of controls, unless they are those of a control in it.
   * @param {Element} element @param {number} at
   */
  ownWords(element, at) {
    const words = this.boxText(element, "");
    return this.lines.list.slice(at + 1).some(({ name }) => name === words) ? "" : words;
  }

  /** The shapes of a drawing are of one class, mostly: it is said once. @param {Element} element */
  hint(element) {
    const hint = hintOf(element, element.localName);
    const kind = / \[class="[^"]*"\]/.exec(hint)?.[0];
    if (!kind || element.namespaceURI !== SVG_NS) return hint;
    const isSaid = kind === this.lastKind;
    this.lastKind = kind;
    return isSaid ? hint.replace(kind, "") : hint;
  }

  /** @param {Element} element @param {SnapshotLine} line @param {string} text */
  describe(element, line, text) {
    const { slot, value, role, name, facts } = line;
    if (element === this.active && element !== document.body) {
      line.tail += " [active]";
      line.isPlain = false;
    }
    if (line.unseen !== "") line.tail += line.unseen;
    if (this.withBounds && line.shown) line.tail += lineText.boxOf(element);
    if (slot) line.tail += `${lineText.frameUrl(element)}${slot}`;
    if (value) line.text = `: ${this.quoted(element.localName === "textarea" ? keptValue(value) : printable(value), MAX_TEXT)}`;
    else if (text) line.text = role === "paragraph" ? `: ${quote(text, Infinity)}` : `: ${text}`;
    const rows = line.set || line.hasAttributes || facts.mark !== "" ? rendered(element, line) : "";
    if (rows) this.notes.rows.push(`more of ${role}${name ? ` ${quote(name)}` : ""}, which holds ${rows} (scroll it)`);
  }

  /** @param {number} at @param {SnapshotLine} line */
  fold(at, line) {
    this.lines.dissolveParagraph(at);
    if (FOLDED.test(line.head) && line.tail === "" && line.text === "" && this.lines.length > at + 1) this.lines.fold(at);
  }

  /** A text in quotation marks, counted where its end is cut off. @param {string} text @param {number} limit */
  quoted(text, limit) {
    if (text.length > limit) this.notes[limit === MAX_TEXT ? "long" : "names"] += 1;
    return quote(text, limit);
  }

  /** Text on a clickable box, which serves as its name. @param {Element} element @param {string} text */
  boxText(element, text) {
    return text || this.withText ? text : cut(printable(visibleText(element)), 80);
  }
}
