/* Dialogs, menus and the like that an act opens or closes, or acts under. */
import { isOwn } from "../dom/flat-tree.js";
import { nameOf } from "../dom/names.js";
import { collapse, cut, quote } from "../dom/text.js";
import { isVisible } from "../dom/visibility.js";
import { CONTROLS } from "../visibility/clickable.js";
import * as shownNames from "../find/shown-names.js";
import { listed } from "./controls.js";

/** Candidates; the fewer kinds a selector has, the faster it is. */
const MAYBE = "dialog, [popover], [role]";
const POPUPS = new Set(["dialog", "alertdialog", "menu", "listbox", "tooltip", "alert"]);
const MODAL = /^(alert)?dialog$/;
/** Popups beyond these are not looked at. */
const MAX_POPUPS = 200;
const MAX_NAME = 60;

/** @param {Element} element */
const isPopup = (element) => POPUPS.has(element.getAttribute("role") ?? "dialog");

/**
 * Popups that are shown now, or on their way to be.
 * @param {import("../visibility/transitions.js").Transitions} transitions those of now
 * @param {Iterable<ParentNode>} [roots] shadow trees to look into as well
 */
export function shown(transitions, roots = []) {
  const found = [document, ...roots].flatMap((root) => [...root.querySelectorAll(MAYBE)]).filter(isPopup).slice(0, MAX_POPUPS);
  return new Set(found.filter((popup) => transitions.isSeen(popup) && !isOwn(popup)));
}

/** @param {Element} popup @returns {string} */
function named(popup) {
  const role = popup.localName === "dialog" ? "dialog" : shownNames.roleOf(popup);
  const name = cut(collapse(nameOf(popup)), MAX_NAME);
  return `${role === "generic" ? "popover" : role}${name ? ` ${quote(name)}` : ""}`;
}

/** @param {Element} popup */
function controlsOf(popup) {
  const controls = [...popup.querySelectorAll(CONTROLS)];
  return listed(controls.filter((control) => isVisible(control)));
}

/** @param {Element} popup */
function opened(popup) {
  const controls = controlsOf(popup);
  const text = MODAL.test(shownNames.roleOf(popup)) && controls ? "" : cut(collapse(popup.textContent ?? ""), MAX_NAME);
  return `${named(popup)} opened${controls ? `: ${controls}` : text ? `: ${quote(text)}` : ""}`;
}

/** Popups that lie in no other one. @param {Element[]} popups */
const outermost = (popups) => popups.filter((popup) => !popups.some((other) => other !== popup && other.contains(popup)));

/**
 * Popups that came, went or stayed, in words.
 * @param {Set<Element>} before @param {Set<Element>} now @param {boolean} isUnder whether keys went to what is open
 * @returns {{words: string[], told: Set<Element>}} told: those of which is told what is in them
 */
export function changes(before, now, isUnder) {
  const came = outermost([...now].filter((popup) => !before.has(popup)));
  const went = outermost([...before].filter((popup) => !now.has(popup)));
  const stays = isUnder ? [...now].filter((popup) => before.has(popup) && MODAL.test(shownNames.roleOf(popup))) : [];
  const words = [
    ...came.map(opened), ...went.map((popup) => `${named(popup)} closed`), ...stays.map((popup) => `${named(popup)} is open`),
  ];
  return { words, told: new Set(came) };
}
