/*
 * Texts without what a person has typed, or what fields for secrets hold, wherever it turns up again: on the page behind a form,
 * in an address, in a title.
 */

const STRUCK_OUT = "[typed by the user]";

/** Length below which typed texts are not struck out: such words and numbers are in any page. */
const MIN_WORD = 3;
/** Length below which typed texts are struck out only as whole words. */
const MIN_PART = 5;
/** A page may show no more than the beginning of a long one. */
const HEAD = 16;

/** Letter by letter: the one that becomes two stays, so that places agree. @param {string} text */
const lower = (text) => text.split("\u0130").map((part) => part.toLowerCase()).join("\u0130");

const collapse = (/** @type {string} */ text) => text.replace(/\s+/gu, " ").trim();

/** A value as text, as a quoted name in a snapshot, and as it stands in addresses. @param {string} value */
function formsOf(value) {
  const inForm = new URLSearchParams({ a: value }).toString().slice(2);
  return [
    value, value.replace(/["\\]/g, "\\$&"), inForm, inForm.replaceAll("+", "%20"), encodeURIComponent(value),
    encodeURI(value),
  ];
}

/** The digits of a code are often typed into a field each. @param {Array<{text: string|null}>} fields */
function joined(fields) {
  const single = fields.map(({ text }) => text ?? "").filter((text) => [...text].length === 1);
  return single.length > MIN_WORD ? [single.join("")] : [];
}

/** @param {string} text @param {number} at @param {number} length */
function isWhole(text, at, length) {
  const isPart = (/** @type {string|undefined} */ character) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return !isPart(text[at - 1]) && !isPart(text[at + length]);
}

/** Number of characters for which a text goes on like a value. @param {string} low @param {number} at @param {string} form */
function lengthOf(low, at, form) {
  let length = Math.min(HEAD, form.length);
  while (length < form.length && low[at + length] === form[length]) length += 1;
  return length;
}

/** @param {string} text @param {string} form lower case @param {string} mark in its place */
function strike(text, form, mark) {
  const low = lower(text);
  const head = form.slice(0, HEAD);
  let rest = 0;
  let kept = "";
  for (let at = low.indexOf(head); at >= 0; at = low.indexOf(head, at)) {
    const length = lengthOf(low, at, form);
    if (form.length < MIN_PART && !isWhole(low, at, length)) {
      at += 1;
      continue;
    }
    kept += text.slice(rest, at) + mark;
    at += length;
    rest = at;
  }
  return kept + text.slice(rest);
}

/**
 * A value as the browser writes it in HTML: in texts, and in attributes, of which later Chromes escape more.
 * @param {string} value
 */
function markupOf(value) {
  const text = value.replaceAll("&", "&amp;");
  const whole = text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return [whole, text.replaceAll('"', "&quot;"), whole.replaceAll('"', "&quot;")];
}

/**
 * Makes a function that strikes some values out of a text, each as a whole and in whatever case: a part that was recognised
 * would tell the rest of the value, character by character.
 * @param {string[]} values @param {string} mark in their place
 * @returns {(text: string) => string}
 */
export function wholeStrikerOf(values, mark) {
  const forms = new Set(values.flatMap((value) => [...formsOf(value), ...markupOf(value)]));
  const shortest = Math.min(...Array.from(forms, ({ length }) => length));
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const shape = new RegExp(longestFirst.map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|"), "giu");
  return (text) => (text.length < shortest ? text : text.replace(shape, () => mark));
}

/**
 * Makes a function that strikes out of a text everything that was typed into some fields.
 * @param {Array<{text: string|null}>} fields text: null where something was chosen
 * @param {string} [mark] in the place of what was typed
 * @returns {(text: string) => string}
 */
export function strikerOf(fields, mark = STRUCK_OUT) {
  const lines = fields.flatMap(({ text }) => (text ?? "").split(/[\r\n]+/)).concat(joined(fields));
  const values = lines.map(collapse).filter((text) => text.length >= MIN_WORD);
  const forms = [...new Set(values.flatMap(formsOf).map(lower))].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((left, form) => strike(left, form, mark), text);
}
