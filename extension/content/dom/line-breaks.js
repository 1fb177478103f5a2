/*
 * Line breaks and indentation where the page keeps them: code, logs, poems. While a text is put together, marks represent them,
 * which outlive the collapsing of other white space. In a quoted text they are written `\n`, `\t` and as blanks.
 */
const [BREAK, BLANK, TAB] = ["\u0001", "\u0002", "\u0003"];
const MARK = /[\u0001-\u0003]/;
const KEEPS = /^(pre|break)/;
const BREAKS_ONLY = /^(pre-line|preserve-breaks)/;
const SPACED = /[\r\n\t\u0001-\u0003]| {2}|^ /;

/** Whether white space is kept by a value of `white-space`: "" not, "breaks" line breaks alone, "all". @param {string} value */
export const keptBy = (value) => (!KEEPS.test(value) ? "" : BREAKS_ONLY.test(value) ? "breaks" : "all");

/** Whether a text has white space that may be kept. @param {string} data */
export const isSpaced = (data) => SPACED.test(data);

/** A text with marks where its white space is kept, and no others. @param {string} data @param {string} kept as `keptBy` says */
export function marked(data, kept) {
  if (!isSpaced(data)) return data;
  const text = MARK.test(data) ? data.replace(/[\u0001-\u0003]/g, "") : data;
  if (kept === "") return text;
  const lines = text.replace(/\r\n?|\n/g, BREAK);
  if (kept === "breaks") return lines;
  return lines.replaceAll("\t", TAB).replace(/^ +| {2,}|(?<=\u0001) +/g, (blanks) => BLANK.repeat(blanks.length));
}

/** A text with marks, without blanks at the ends of lines and empty lines at its ends. @param {string} text collapsed */
export const trimmed = (text) => (MARK.test(text)
  ? text.replace(/[ \u0002\u0003]*\u0001 */g, BREAK).replace(/^\u0001+|[ \u0001-\u0003]+$/g, "") : text);

/** Whether a text has more than one line or is indented. @param {string} text */
export const hasMarks = (text) => MARK.test(text);

/** Makes one line of a text with marks. @param {string} text */
export const joined = (text) => (MARK.test(text) ? text.replace(/[ \u0001-\u0003]+/g, " ").trim() : text);

/** Puts white space in the place of marks. @param {string} text */
export const plain = (text) =>
  (MARK.test(text) ? text.replaceAll(BREAK, "\n").replaceAll(BLANK, " ").replaceAll(TAB, "\t") : text);

/** Writes white space of a text as a quoted text has it. @param {string} text whose backslashes are escaped already */
export const escaped = (text) => plain(text).replace(/\r\n?|\n/g, "\\n").replaceAll("\t", "\\t");
