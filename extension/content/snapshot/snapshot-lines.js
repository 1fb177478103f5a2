/*
 * The lines of a snapshot while they are written. Refs are numbered at the end, in reading order: until then a line may
 * still be dropped or become part of another one.
 */
import { hasMarks } from "../dom/line-breaks.js";
import { quote } from "../dom/text.js";
import * as refs from "../find/refs.js";
import { INERT } from "./element-data.js";

const FOLDED_INTO = new Set(["link", "button"]);
/** Boxes whose words stand on their line, with lines below for what is among the words. */
const TELLING = new Set(["paragraph", "listitem", "term", "definition", "cell", "blockquote"]);
/** Boxes that are read with what is in them: where one has no words, the name of a box in it is read. */
const NAMED_IN = new Set(["listitem", "term", "definition", "cell", "gridcell", "columnheader", "rowheader"]);
const SEPARATOR = /^[\s|»›•·]+$/;
const indents = ["- "];

/** @param {SnapshotLine} line */
const isCellOfWords = ({ head, shown, tail, text }) => head === "cell" && shown === null && tail === "" && !text.includes("|");

/** @param {number} depth */
function indentOf(depth) {
  while (indents.length <= depth) indents.push(`  ${indents.at(-1)}`);
  return indents[depth];
}

/** @param {SnapshotLine} line @returns {string} */
const markerOf = ({ shown, role, name, item }) =>
  refs.marker(refs.refShown(/** @type {Element} */ (shown), role, name, item));

class Line {
  /** @param {number} depth @param {string} role @param {number} at */
  constructor(depth, role, at) {
    this.depth = depth;
    this.role = role;
    this.at = at;
    this.name = "";
    /** Role and name as printed. */
    this.head = role;
    this.tail = "";
    this.text = "";
    /** @type {Element | null} */
    this.element = null;
    /** Element that the ref of the line stands for; null: no ref. @type {Element | null} */
    this.shown = null;
    /** @type {Surroundings | null | undefined} */
    this.item = undefined;
    /** Whether the element is only a box around its content: no name, no state. */
    this.isPlain = false;
    this.value = "";
    this.slot = "";
    this.facts = INERT;
    this.hasAttributes = false;
    this.cutBefore = 0;
    /** Note on a name that is invisible, wholly or in part. */
    this.unseen = "";
    /** The box that has become one with the element. @type {Element | null} */
    this.around = null;
    /** @type {SnapshotLine["set"]} */
    this.set = null;
    this.rest = 0;
    /** Lines that say the same, whose refs stand on this one. @type {Line[]} */
    this.alike = [];
    /** Name of a box without words that has the line for its name alone. */
    this.box = "";
    /** Whether it only says that the lines below it belong together. */
    this.isLevel = false;
  }
}

export class Lines {
  /** @type {Line[]} */
  list = [];

  get length() {
    return this.list.length;
  }

  /** @param {number} length */
  cut(length) {
    this.list.length = length;
  }

  /** @param {(line: Line, at: number) => boolean} isKept */
  keep(isKept) {
    this.list = this.list.filter(isKept);
  }

  /** @param {number} depth @param {string} role @returns {Line} */
  add(depth, role) {
    const line = new Line(depth, role, this.list.length);
    this.list.push(line);
    return line;
  }

  /** Cells that stand for what spans their columns. @param {number} depth @param {number} count */
  addCells(depth, count) {
    for (let left = count; left > 0; left -= 1) this.add(depth, "cell");
  }

  /**
   * Adds a text. Two texts are joined when the lines between them were dropped. A mere separator between lines gets no line
   * of its own.
   * @param {number} depth @param {string} text
   */
  addText(depth, text) {
    const last = this.list.at(-1);
    if (last !== undefined && last.role !== "text" && last.depth >= depth && SEPARATOR.test(text)) return;
    if (last !== undefined && last.role === "text" && last.depth === depth) last.text += ` ${text}`;
    else this.add(depth, "text").text = `: ${text}`;
  }

  /** Takes the text back when it is all there is below the line at `index`; "" when there is more. @param {number} index */
  takeOnlyText(index) {
    if (this.list.length !== index + 2 || this.list[index + 1].role !== "text") return "";
    return /** @type {Line} */ (this.list.pop()).text.slice(2);
  }

  /** Takes back the named box that is all there is in a cell or an item: its name is read there. @param {number} index */
  takeOnlyBox(index) {
    const { list } = this;
    if (list.length !== index + 2 || list[index + 1].box === "" || !NAMED_IN.has(list[index].role)) return "";
    const { box, text } = /** @type {Line} */ (list.pop());
    return text === "" ? box : `${box} ${text.slice(2)}`;
  }

  /**
   * Gives the drawing at the end, which has no name, that of the box around it.
   * @param {number} index @param {string} mark @param {Set<string>} drawn
   */
  nameDrawing(index, mark, drawn) {
    const { role, head, text, tail } = this.list[index];
    if (drawn.has(role) && head === role && text === "" && !tail.includes(mark)) this.list[index].tail += mark;
  }

  /**
   * Takes back the text with which a box of words begins: it stands on the line of the box.
   * @param {number} index
   */
  takeFirstText(index) {
    const { list } = this;
    const [box, first] = [list[index], list[index + 1]];
    if (!TELLING.has(box.role) || first?.role !== "text" || first.depth !== box.depth + 1) return "";
    list.splice(index + 1, 1);
    return first.text.slice(2);
  }

  /**
   * Takes back the cells of a row in which there is nothing but words: they stand on the line of the row, with a bar between
   * two of them.
   * @param {number} index
   */
  takeCells(index) {
    const cells = this.list.slice(index + 1);
    if (this.list[index].role !== "row" || cells.length < 2 || !cells.every(isCellOfWords)) return "";
    this.cut(index + 1);
    return cells.map(({ text }) => text.slice(2)).join(" | ").trim();
  }

  /** The one line directly below the line at `index`, when there is exactly one. @param {number} index */
  onlyChild(index) {
    const { list } = this;
    const child = list[index + 1];
    for (let at = index + 2; at < list.length; at += 1) if (list[at].depth <= child.depth) return null;
    return child;
  }

  /** @param {number} from @param {number} [levels] */
  raise(from, levels = 1) {
    for (let at = from; at < this.list.length; at += 1) this.list[at].depth -= levels;
  }

  /** Begins the level of a box. @param {number} depth @returns {Line} */
  addLevel(depth) {
    const line = this.add(depth, "generic");
    line.isLevel = true;
    return line;
  }

  /**
   * Ends the level of a box: it stays where it holds more than one control, and takes the text with which the box begins.
   * @param {Line} level
   */
  endLevel(level) {
    const { list } = this;
    const at = list.indexOf(level);
    if (list.slice(at + 1).filter(({ facts }) => facts.isActionable).length < 2) return this.leaveLevel(at, list.length);
    const first = list[at + 1];
    if (first.role !== "text" || first.depth !== level.depth + 1) return;
    level.text = first.text;
    list.splice(at + 1, 1);
  }

  /** Leaves out the levels that have nothing beside them: they separate nothing. */
  leaveIdleLevels() {
    const { list } = this;
    for (let at = 0; at < list.length; at += 1) {
      const { isLevel, depth, text } = list[at];
      if (!isLevel || text || (at > 0 && (list[at - 1].depth >= depth || list[at - 1].text))) continue;
      let end = at + 1;
      while (end < list.length && list[end].depth > depth) end += 1;
      if (end === list.length || list[end].depth < depth) this.leaveLevel(at--, end);
    }
  }

  /** @param {number} at @param {number} end of the lines below it */
  leaveLevel(at, end) {
    for (let below = at + 1; below < end; below += 1) this.list[below].depth -= 1;
    this.list.splice(at, 1);
  }

  /** Leaves out a line, not those below it. @param {number} index */
  leave(index) {
    this.list.splice(index, 1);
  }

  /** Leaves a box with one line below it out. @param {number} index */
  unwrap(index) {
    const [{ depth }] = this.list.splice(index, 1);
    this.raise(index, this.list[index].depth - depth);
  }

  /** An item or term around nothing but a link or a button is that link or button. @param {number} index */
  fold(index) {
    const child = this.onlyChild(index);
    if (child && FOLDED_INTO.has(child.role)) this.unwrap(index);
  }

  /** A paragraph that is the only thing in a box is the text of the box. @param {number} index */
  dissolveParagraph(index) {
    const child = this.onlyChild(index);
    if (child?.role !== "paragraph" || !child.isPlain || this.list[index].text) return;
    this.list[index].text = child.text;
    this.list.splice(index + 1, 1);
    this.raise(index + 1);
  }

  /** @returns {{text: string, refs: number}} */
  print() {
    const parts = [];
    let refs = 0;
    for (const line of this.list) {
      const { depth, head, shown, tail, alike } = line;
      const text = hasMarks(line.text) ? `: ${quote(line.text.slice(2), Infinity)}` : line.text;
      const start = indentOf(depth) + head;
      if (shown === null) parts.push(start + tail + text);
      else {
        refs += 1 + alike.length;
        const ref = markerOf(line);
        const others = alike.length ? ` [${alike.length} more: ${alike.map(markerOf).join(" ")}]` : "";
        parts.push(`${start} [ref=${ref}]${tail}${others}${text}`);
      }
    }
    return { text: parts.join("\n"), refs };
  }
}
