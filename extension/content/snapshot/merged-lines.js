/*
 * Lines that say the same twice: a box around one control is that control, where a press on the one is a press on the other;
 * a row is pressed in one of its cells.
 */
import { printable, quote, visibleText } from "../dom/text.js";

const CLICKABLE = " [clickable]";
const ONLY_CLICKABLE = /^(?: \[disabled\])? \[clickable\](?: \[box=[^\]]*\])?$/;
/** Share of its box that a control takes up where both are one for people. */
const LARGE_SHARE = 0.5;
/** Roles of boxes: what people press in one is what is in it. */
const BOXES = new Set(["generic", "none", "presentation", "listitem", "cell", "group", "strong", "emphasis", "label", "text"]);

/**
 * Whether a press in the middle of the box hits the control, or the box around it that has become one with it.
 * @param {Element} box @param {Element} control @param {boolean} isAlike  both have the same name
 */
function isHitThrough(box, control, isAlike) {
  if (getComputedStyle(control).pointerEvents === "none") return false;
  const outer = box.getBoundingClientRect();
  const { left, right, top, bottom, width, height } = control.getBoundingClientRect();
  const [x, y] = [outer.x + outer.width / 2, outer.y + outer.height / 2];
  // A large box around a small control leaves room for a press of its own, unless both have the same name.
  const isLarge = isAlike || width * height >= LARGE_SHARE * outer.width * outer.height;
  return width * height > 0 && isLarge && left <= x && x <= right && top <= y && y <= bottom;
}

/** Whether a line is that of a box of which only clicks are known. @param {SnapshotLine} line */
const isBox = ({ role, facts, tail, text, value, shown, unseen }) =>
  shown !== null && BOXES.has(role) && facts.mark === CLICKABLE && ONLY_CLICKABLE.test(tail) && !text && !value &&
  !unseen;

/** @param {SnapshotLine} line */
const isControl = ({ shown, facts, slot, unseen }) =>
  shown !== null && facts.isActionable && (facts.mark === "" || facts.mark === CLICKABLE) && !slot && !unseen;

/** @param {SnapshotLine} line */
const isDisabled = ({ tail }) => tail.includes("[disabled]");

/** @param {SnapshotLine} box @param {SnapshotLine} control @param {boolean} withText  of the box, on lines of its own */
function isSame(box, control, withText) {
  const [outer, inner] = [/** @type {Element} */ (box.element), control.around ?? /** @type {Element} */ (control.element)];
  const isNamedAlike = !box.name || !control.name || control.name.includes(box.name);
  const isAlike = box.name !== "" && box.name === control.name;
  if (!isNamedAlike || isDisabled(box) !== isDisabled(control)) return false;
  return isHitThrough(outer, inner, isAlike) && (withText || visibleText(outer) === visibleText(inner));
}

/**
 * The control in the place of the box around it, where they are one for people; a cell keeps its place in its row.
 * @param {SnapshotLines} lines @param {SnapshotLine} box its line @param {boolean} withText
 * @returns {boolean} whether they were one
 */
export function merge(lines, box, withText) {
  const control = isBox(box) ? lines.onlyChild(box.at) : null;
  if (!control || !isControl(control) || !isSame(box, control, withText)) return false;
  control.around = box.element;
  if (box.name && !control.name) control.tail += ` [near ${quote(printable(box.name))}]`;
  if (withText && box.role === "cell") [box.shown, box.tail] = [null, ""];
  else lines.unwrap(box.at);
  return true;
}

/** A row whose cells have references needs none. @param {SnapshotLines} lines @param {SnapshotLine} row */
export function settle({ list }, row) {
  if (row.role !== "row" || row.shown === null || row.facts.isActionable) return;
  for (let at = row.at + 1; at < list.length; at += 1) {
    const { depth, role, shown } = list[at];
    if (depth === row.depth + 1 && role === "gridcell" && shown !== null) row.shown = null;
  }
}

/** Words that a line and those below it say. @param {SnapshotLine} line */
const keyOf = ({ role, name, head }) => `${role} ${name || head}`;

/**
 * Headings that tell no controls apart are left out of a list of controls: those whose section has none that another one
 * has as well.
 * @param {SnapshotLines} lines
 */
export function leaveIdleHeadings(lines) {
  /** @type {Map<string, Set<number>>} */
  const sections = new Map();
  const isHeading = (/** @type {SnapshotLine} */ { role, facts }) => role === "heading" && !facts.isActionable;
  let section = -1;
  lines.list.forEach((line, at) => {
    if (isHeading(line)) section = at;
    else sections.set(keyOf(line), (sections.get(keyOf(line)) ?? new Set()).add(section));
  });
  const telling = new Set([...sections.values()].flatMap((where) => (where.size > 1 ? [...where] : [])));
  lines.keep((line, at) => !isHeading(line) || telling.has(at));
}

/** Least number of shapes that share a line. */
const MIN_SHAPES = 3;
const OWN_PART = / at=-?\d+,-?\d+| \[class="[^"]*"\]/g;

/** Marks of a shape without a name, but for its place; "" of other lines. @param {SnapshotLine} line */
const shapeKey = ({ role, head, shown, text, slot, tail, depth }) =>
  role === "graphics-symbol" && head === role && shown !== null && !text && !slot ? depth + tail.replace(OWN_PART, "") : "";

/**
 * Shapes of a drawing that follow each other and of which the same is known have one line with the references of all.
 * @param {SnapshotLines} lines
 */
export function gatherShapes(lines) {
  const { list } = lines;
  const gathered = new Set();
  for (let at = 0; at < list.length; at += 1) {
    const key = shapeKey(list[at]);
    let end = at + 1;
    while (key && end < list.length && shapeKey(list[end]) === key) end += 1;
    // The last one may have lines below it.
    if (end < list.length && list[end].depth > list[at].depth) end -= 1;
    if (end - at < MIN_SHAPES) continue;
    list[at].alike = list.slice(at + 1, end);
    list[at].alike.forEach((line) => gathered.add(line));
    at = end - 1;
  }
  if (gathered.size) lines.keep((line) => !gathered.has(line));
}
