/*
 * Lines and blocks of editors in a snapshot, so that a caret can be put into each. Code editors draw theirs apart from the hidden
 * field that takes the keys, and hide the drawing from assistive technology: they are written under that field.
 */
import { isEditingHost } from "../dom/roles.js";
import { cut, printable, quote } from "../dom/text.js";

const HOSTS = "[contenteditable]";
const BLOCKS = new Set(["paragraph", "listitem", "blockquote", "code"]);
const INNER = "div, p, pre, ul, ol, li, table, blockquote, h1, h2, h3, h4, h5, h6";
const LINE_TAGS = new Set(["div", "pre"]);
const CODE_EDITOR = ".monaco-editor, .CodeMirror, .ace_editor";
const CODE_LINES = ".view-line, .CodeMirror-line, .ace_line";
const NUMBERED = ".margin-view-overlays > div";
const MAX_LINES = 200;
const MAX_TEXT = 300;
const MAX_INDENT = 40;

let hasHosts = false;

/** Notes whether a tree has anything to edit. @param {Document | ShadowRoot} root */
export function look(root) {
  if (root === document) hasHosts = document.designMode === "on";
  hasHosts ||= root.querySelector(HOSTS) !== null;
}

/** @param {Element} element */
const isEdited = (element) => hasHosts && /** @type {HTMLElement} */ (element).isContentEditable === true;

/** Whether an element is a block of a text that is edited. @param {Element} element @param {string} role */
export const isBlock = (element, role) => BLOCKS.has(role) && isEdited(element);

/** Whether a box without a role is a line of a text that is edited. @param {Element} element @param {string} tag */
export const isLine = (element, tag) =>
  LINE_TAGS.has(tag) && isEdited(element) && !isEditingHost(element) && element.querySelector(INNER) === null;

/** The editor whose keys a field takes. @param {Element} field @param {string} tag */
function codeEditor(field, tag) {
  if (tag !== "textarea" && !field.classList.contains("native-edit-context")) return null;
  const editor = field.closest(CODE_EDITOR);
  // An editor's find box is a field of its own, and another one of its fields takes no keys.
  const first = editor?.querySelector(".native-edit-context, textarea");
  return first === field ? editor ?? null : null;
}

/** @param {Element} element @returns {number} its place, as the editor has written it */
const topOf = (element) => parseFloat(/** @type {HTMLElement} */ (element).style.top) || 0;

/** Place → the number that the editor shows there. @param {Element} editor */
const numbersOf = (editor) =>
  new Map(Array.from(editor.querySelectorAll(NUMBERED), (row) => [topOf(row), (row.textContent ?? "").trim()]));

/** @param {string} text */
const indentOf = (text) => " ".repeat(Math.min(MAX_INDENT, text.length - text.trimStart().length));

/**
 * Writes the lines that a code editor shows.
 * @param {Element} field @param {string} tag @param {SnapshotLines} lines @param {number} depth
 */
export function write(field, tag, lines, depth) {
  const editor = codeEditor(field, tag);
  if (!editor) return;
  const numbers = numbersOf(editor);
  const drawn = [...editor.querySelectorAll(CODE_LINES)].sort((one, other) => topOf(one) - topOf(other));
  for (const element of drawn.slice(0, MAX_LINES)) {
    const text = element.textContent ?? "";
    const line = lines.add(depth, "generic");
    const number = numbers.get(topOf(element));
    line.element = element;
    line.shown = element;
    line.item = { isSemantic: true, element, words: () => [text] };
    line.head = number ? `generic ${quote(`line ${number}`)}` : "generic";
    line.text = `: ${quote(indentOf(text) + cut(printable(text), MAX_TEXT))}`;
  }
  if (drawn.length > MAX_LINES) lines.addText(depth, `… ${drawn.length - MAX_LINES} more lines`);
}
