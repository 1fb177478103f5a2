/*
 * Signs that something is still to come: a spinner, "Loading …", a control that is disabled until the answer has come, an address
 * of which the page is not there yet. They are waited on until the page changes again.
 */
const SPINNER = /(?:^|[\s_-])(?:spinner|loader|loading|skeleton|busy|progress)(?:$|[\s_-])/i;
const BUSY = "progress:not([value]), [role=progressbar]:not([aria-valuenow]), [aria-busy=true]";
const WORDS = new RegExp("^(?:(?:please wait|loading|saving|sending|searching|submitting|uploading|processing)\\b.{0,30}|" +
  ".{0,40}(?:…|\\.{3}))$", "i");
const BUSY_STATES = new Set(["aria-busy"]);
const DISABLED = new Set(["disabled", "aria-disabled"]);
const PRESSED = "button, a, input[type=submit], input[type=image], input[type=button], [role=button]";
/** Elements below one that came which are looked at. */
const MAX_BELOW = 50;

/** @param {string} name an element's class */
export const isSpinnerName = (name) => SPINNER.test(name);

/** @param {Element} element */
export const isSpinner = (element) => element.matches(BUSY) || SPINNER.test(element.getAttribute("class") ?? "");

/** Whether an element that came is a spinner, or has one in it. @param {Element} element */
export const hasSpinner = (element) => [element, ...[...element.querySelectorAll("*")].slice(0, MAX_BELOW)].some(isSpinner);

/** Whether words only say that something is under way. @param {string} text */
export const isAnnouncement = (text) => WORDS.test(text.trim());

/**
 * Whether a control is disabled by the press of a button that waits for an answer: that one, what it is in, or its form.
 * @param {Element} disabled @param {Element | null} pressed
 */
function isHeldUp(disabled, pressed) {
  const form = pressed?.closest("form");
  return pressed !== null && (disabled.contains(pressed) || Boolean(form?.contains(disabled)));
}

/** Whether an address is the one of another view, and no place in the page. @param {string} before */
function isElsewhere(before) {
  if (before === location.href) return false;
  const was = new URL(before);
  if (was.pathname !== location.pathname || was.search !== location.search) return true;
  return location.hash.length > 1 && !document.querySelector(":target");
}

/** @typedef {{hasCome: boolean, isAnnounced: boolean, turnedOn: (names: Set<string>) => Element[]}} Texts */

/**
 * Whether all that has come with an act only announces something.
 * @param {{texts: Texts, pressed: Element | null, url: string}} act after its words are known
 */
export function announces({ texts, pressed, url }) {
  if (texts.hasCome) return false;
  const button = pressed?.closest(PRESSED) ?? (pressed?.matches("input") ? pressed : null);
  return texts.isAnnounced || isElsewhere(url) || texts.turnedOn(BUSY_STATES).length > 0 ||
    texts.turnedOn(DISABLED).some((element) => isHeldUp(element, button));
}
