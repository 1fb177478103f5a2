/* Controls that came with an act, by name and reference: the next act needs no snapshot to reach them. */
import { cut, printable } from "../dom/text.js";
import { isVisible } from "../dom/visibility.js";
import { CONTROLS } from "../visibility/clickable.js";
import { descriptions } from "../find/descriptions.js";
import * as refs from "../find/refs.js";
import * as shownNames from "../find/shown-names.js";

/** Roles that need no word: what is between brackets is pressed. */
const PRESSED = new Set(["button", "link", "menuitem", "option", "tab"]);
const MAX_TOLD = 8;
const MAX_NAME = 60;
const BRACKETS = /[[\]]|@(?=e\d)/g;
/** Names of one or two more are as short as their number. */
const LEAST_LEFT_OUT = 2;
/** Controls beyond these are not looked at: a snapshot tells such a page better. */
const MAX_LOOKED_AT = 300;

/** A control with its reference. No name can look like one. @param {Element} control */
function told(control) {
  const role = shownNames.roleOf(control);
  const name = cut(shownNames.nameOf(control, role), MAX_NAME).replace(BRACKETS, "");
  const mark = name ? "" : descriptions.hintOf(control, control.localName).replace(BRACKETS, "").trim();
  const words = PRESSED.has(role) && name ? name : [role, name || mark].filter(Boolean).join(" ");
  return `[${words} ${refs.marker(refs.refFor(control))}]`;
}

/** @param {Element[]} controls those that are seen */
export function listed(controls) {
  const most = controls.length > MAX_TOLD + LEAST_LEFT_OUT ? MAX_TOLD : controls.length;
  const more = controls.length > most ? ` and ${controls.length - most} more` : "";
  return controls.slice(0, most).map(told).join(" ") + more;
}

/** Controls at and below a node. @param {Node} node @returns {Element[]} */
function within(node) {
  if (!(node instanceof Element)) return [];
  const below = [...node.querySelectorAll(CONTROLS)];
  return node.matches(CONTROLS) ? [node, ...below] : below;
}

/** Likeness by which a control that is drawn anew is known, cheap enough for those that are gone. @param {Element} control */
const likeness = (control) => [
  control.localName, control.getAttribute("role"), control.getAttribute("aria-label"), control.getAttribute("name"),
  control.getAttribute("type"), printable(control.textContent ?? "").slice(0, MAX_NAME),
].join("\n");

/**
 * Controls that are there now and were not; none that is drawn anew with the same words.
 * @param {Iterable<Node>} came @param {Iterable<Node>} went nodes that came and went, outermost ones
 * @param {(control: Element) => boolean} isKnown whether it was there before, or something else tells it
 * @returns {Element[]}
 */
export function fresh(came, went, isKnown) {
  const candidates = [...new Set([...came].flatMap(within))].slice(0, MAX_LOOKED_AT);
  if (!candidates.length) return [];
  /** @type {Map<string, number>} */
  const gone = new Map();
  for (const control of [...went].flatMap(within).slice(0, MAX_LOOKED_AT)) {
    const like = likeness(control);
    gone.set(like, (gone.get(like) ?? 0) + 1);
  }
  return candidates.filter((control) => {
    // A known control replaces none that has gone.
    if (isKnown(control)) return false;
    const like = gone.size ? likeness(control) : "";
    const left = gone.get(like) ?? 0;
    if (left) gone.set(like, left - 1);
    return !left && isVisible(control);
  });
}
