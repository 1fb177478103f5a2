/*
 * Boxes that show no words, and whose author says in words what they show: states as a colour or an icon of a font, stars,
 * meters. People see the picture, or read the title under the pointer.
 */
import { HTML_NS } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import { printable, quote } from "../dom/text.js";
import { hasSize } from "../visibility/unseen-controls.js";
import { titleMark } from "./element-descriptions.js";
import { DISSOLVED, DRAWN, NAMED_BY_CONTENT } from "./quick-roles.js";

const WORD = /[\p{L}\p{N}]/u;
const FADED = 0.05;

/** @param {Element} element */
function authorsName(element) {
  const label = element.getAttribute("aria-label");
  const title = element.getAttribute("title");
  const name = label || element.hasAttribute("aria-labelledby") ? nameOf(element) || label : "";
  return name || title || "";
}

/**
 * Notes at the beginning of a box that it has a name, and what was written before it.
 * @param {Element} element @param {string} tag @param {SnapshotCapture} capture
 * @returns {NamedBox | null}
 */
export function begin(element, tag, { lines, pending }) {
  if (tag === "label" || tag === "body" || element.namespaceURI !== HTML_NS) return null;
  const name = authorsName(element);
  return name && WORD.test(name) ? { name: printable(name), lines: lines.length, text: pending.length } : null;
}

/** Whether a person sees something of a box. @param {Element} element @param {SnapshotPlace} place */
function isSeen(element, { unseen, path }) {
  if (unseen !== "" || path.fade < FADED) return false;
  return hasSize(element);
}

/**
 * The line of the control that a box is a part of, where the box needs none.
 * @param {SnapshotPlace} place @param {SnapshotLines} lines
 */
function controlAround({ above }, lines) {
  let at = above;
  while (at !== null && at.line === null) at = at.above;
  const line = at?.line;
  if (!line || !(line.facts.isAction || line.facts.mark.includes("[clickable]"))) return null;
  return NAMED_BY_CONTENT.has(line.role) || (DISSOLVED.has(line.role) && lines.length === line.at + 1) ? line : null;
}

/**
 * Says the name of a box at its end, where nothing in it says anything.
 * @param {Element} element @param {SnapshotPlace} place @param {NamedBox} box @param {SnapshotCapture} capture
 */
export function end(element, place, { name, lines: before, text }, capture) {
  const { lines } = capture;
  if (place.pictured.includes(name) || place.cover.includes(name)) return;
  if (lines.length === before + 1) lines.nameDrawing(before, titleMark(name), DRAWN);
  const within = lines.length === before ? capture.pending.slice(text) : name;
  if (WORD.test(within)) return;
  if (!isSeen(element, place)) {
    capture.notes.unseen += 1;
    return;
  }
  const control = controlAround(place, lines);
  if (control !== null) {
    if (!control.name.includes(name)) control.tail += titleMark(name);
    return;
  }
  capture.pending = capture.pending.slice(0, text);
  capture.flush(place.depth, place.cover);
  const line = lines.add(place.depth, "generic");
  line.head = `generic ${quote(name)}`;
  line.box = name;
  line.name = nameOf(element);
  line.element = line.shown = element;
  line.item = capture.surroundings(element, place);
  line.text = within.trim() ? `: ${printable(within)}` : "";
}
