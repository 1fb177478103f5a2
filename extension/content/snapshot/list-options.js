/* The options of a closed list: on its line, or one line each where the list itself was asked for. */
import { cut, quote } from "../dom/text.js";
import { isCovered } from "../visibility/hit-testing.js";
import { chunksOf } from "../find/item-context.js";
import * as shownNames from "../find/shown-names.js";

/** Options of short lists can be clicked by ref as well; `select` takes those of any list by their label. */
const MAX_WITH_REFS = 20;
/** Options on the line of their list: how many, in how many characters, each in how many. */
const [MAX_ON_LINE, MAX_CHARS, MAX_NAME] = [30, 400, 100];
/** Elements of a list that are looked at for its line, hidden ones as well. */
const MAX_LOOKED_AT = 530;
/** Options that have lines. */
const MAX_LINES = 500;

/** @param {Element} element */
const isOut = (element) => getComputedStyle(element).display === "none";

/** The text runs of an option, as a walk over it gives them. @param {HTMLOptionElement} option */
function chunksIn(option) {
  const only = option.firstChild;
  const isPlain =
    only?.nodeType === Node.TEXT_NODE && only.nextSibling === null && getComputedStyle(option).visibility === "visible";
  return isPlain ? [/** @type {Text} */ (only).data] : chunksOf(option);
}

/** @param {HTMLOptionElement} option @param {SnapshotLines} lines @param {number} depth @param {boolean} hasRef */
function writeOption(option, lines, depth, hasRef) {
  const line = lines.add(depth, "option");
  line.name = shownNames.nameOf(option, "option");
  line.head = `option ${quote(line.name)}`;
  if (hasRef) {
    line.shown = option;
    // An option is an item of its own.
    const chunks = chunksIn(option);
    line.item = { isSemantic: true, element: option, words: () => chunks };
  }
  if (option.matches(":disabled")) line.tail += " [disabled]";
  if (option.selected) line.tail += " [selected]";
}

/**
 * The shown options and groups of a list, in order.
 * @param {Element} parent @param {{left: number}} looks at elements; less than 0 when there were more
 * @returns {Generator<Element>}
 */
function* shownIn(parent, looks) {
  for (const child of parent.children) {
    if ((looks.left -= 1) < 0) return;
    const { localName } = child;
    if ((localName === "option" || localName === "optgroup") && isOut(child)) continue;
    if (localName === "option" || localName === "optgroup") yield child;
    if (localName !== "option") yield* shownIn(child, looks);
  }
}

/** @param {Element} element @param {boolean} isMultiple  the value of the list does not say what is selected */
function stateOf(element, isMultiple) {
  if (element.localName === "optgroup") return ":";
  const { selected } = /** @type {HTMLOptionElement} */ (element);
  return (element.matches(":disabled") ? " disabled" : "") + (isMultiple && selected ? " selected" : "");
}

/**
 * The options as a mark on the line of their list, as far as there is room for them.
 * @param {HTMLSelectElement} select
 */
function markOf(select) {
  if (select.options.length < 2 && select.selectedOptions.length === select.options.length && !select.multiple) return "";
  let [text, count, more] = ["", 0, 0];
  const looks = { left: MAX_LOOKED_AT };
  for (const element of shownIn(select, looks)) {
    const { localName } = element;
    if (count === MAX_ON_LINE || text.length > MAX_CHARS) {
      more += localName === "option" ? 1 : 0;
      continue;
    }
    const name = quote(cut(shownNames.nameOf(element, localName === "option" ? "option" : "group"), MAX_NAME));
    text += `${text === "" ? "" : text.endsWith(":") ? " " : ", "}${name}${stateOf(element, select.multiple)}`;
    if (localName === "option") count += 1;
  }
  const number = `${more || ""}${more && looks.left < 0 ? " or" : ""} more`.trim();
  const rest = more || looks.left < 0 ? `… ${number}: snapshot of this ref` : "";
  const told = [text, rest].filter(Boolean).join(", ");
  return told && ` [options: ${told}]`;
}

/**
 * @param {HTMLSelectElement} select
 * @param {SnapshotLines} lines
 * @param {number} depth
 * @param {number} limit options
 */
function write(select, lines, depth, limit) {
  let left = limit;
  const hasRefs = select.options.length <= MAX_WITH_REFS;
  const visit = (/** @type {Element} */ parent, /** @type {number} */ at) => {
    for (const child of parent.children) {
      if (left <= 0) return;
      if (child.localName === "option") {
        if (isOut(child)) continue;
        left -= 1;
        writeOption(/** @type {HTMLOptionElement} */ (child), lines, at, hasRefs);
      } else if (child.localName === "optgroup" && !isOut(child)) {
        const group = lines.add(at, "group");
        group.head = `group ${quote(shownNames.nameOf(child, "group"))}`;
        if (/** @type {HTMLOptGroupElement} */ (child).disabled) group.tail = " [disabled]";
        visit(child, at + 1);
      } else if (child.firstElementChild) visit(child, at);
    }
  };
  visit(select, depth);
}

/**
 * A list that is closed, or that no one sees, is chosen from by label or value: its options need no lines.
 * @param {HTMLSelectElement} select
 * @param {SnapshotLine} line
 * @param {SnapshotPlace} place
 * @param {SnapshotCapture} capture
 */
export function ofList(select, line, place, capture) {
  if (place.unseen !== "" && isCovered(select)) line.unseen = " [unseen]";
  const isClosed = place.unseen !== "" || (!select.multiple && select.size <= 1);
  if (isClosed && !capture.hasOptionLines && select !== capture.root) line.tail += markOf(select);
  else if (place.depth < capture.maxDepth) optionLines(select, line, place, isClosed, capture);
}

/**
 * @param {HTMLSelectElement} select @param {SnapshotLine} line @param {SnapshotPlace} place @param {boolean} isClosed
 * @param {SnapshotCapture} capture
 */
function optionLines(select, line, place, isClosed, capture) {
  const { length } = select.options;
  line.rest = Math.max(0, length - MAX_LINES);
  if (isClosed) write(select, capture.lines, place.depth + (capture.isInteractive ? 1 : 0), MAX_LINES);
  else if (length > MAX_LINES) place.list = Array.from(select.options).slice(0, MAX_LINES);
  else place.next = select.firstChild;
}
