/** Rules of a style sheet with their places in its text. Chrome names only those that were used. */

/** @typedef {{selector: string, start: number, end: number}} Rule */

/** Rules that hold other rules. What stands in other at-rules matches no elements. */
const GROUPS = /^@(?:media|supports|layer|container|scope|starting-style|document)\b/i;
const MAX_SELECTOR = 160;
const CLOSING = /** @type {Record<string, string>} */ ({ "(": ")", "[": "]", "{": "}" });

/** End of a comment or string that begins at `at`; undefined where none does. @param {string} text @param {number} at */
function skipped(text, at) {
  const char = text[at];
  if (char === "\\") return at + 2;
  if (char === "/" && text[at + 1] === "*") {
    const end = text.indexOf("*/", at + 2);
    return end < 0 ? text.length : end + 2;
  }
  if (char !== '"' && char !== "'") return undefined;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === char || text[end] === "\n") return end + 1;
  }
  return text.length;
}

/** End of a block whose bracket stands at `at`. @param {string} text @param {number} at */
function blockEnd(text, at) {
  const open = [CLOSING[text[at]]];
  for (let next = at + 1; next < text.length;) {
    const beyond = skipped(text, next);
    if (beyond !== undefined) {
      next = beyond;
      continue;
    }
    if (CLOSING[text[next]]) open.push(CLOSING[text[next]]);
    else if (text[next] === open.at(-1)) open.pop();
    next += 1;
    if (!open.length) return next;
  }
  return text.length;
}

/**
 * Start of what is written from `at` on, behind white space and comments.
 * @param {string} text @param {number} at @param {number} end
 */
function contentStart(text, at, end) {
  for (let start = at; start < end;) {
    if (/\s/.test(text[start])) start += 1;
    else if (text.startsWith("/*", start)) start = /** @type {number} */ (skipped(text, start));
    else return start;
  }
  return end;
}

/**
 * The rules of a text, not those within other rules.
 * @param {string} text @param {number} [from] @param {number} [to]
 * @returns {Rule[]}
 */
export function rulesOf(text, from = 0, to = text.length) {
  /** @type {Rule[]} */
  const rules = [];
  let start = contentStart(text, from, to);
  for (let at = start; at < to;) {
    const beyond = skipped(text, at);
    if (beyond !== undefined) at = beyond;
    else if (text[at] === "{") {
      const end = Math.min(to, blockEnd(text, at));
      const prelude = text.slice(start, at).trim();
      if (GROUPS.test(prelude)) rules.push(...rulesOf(text, at + 1, end - 1));
      else if (!prelude.startsWith("@")) rules.push({ selector: prelude.replace(/\s+/g, " ").slice(0, MAX_SELECTOR), start, end });
      start = at = contentStart(text, end, to);
    } else if (text[at] === ";") start = at = contentStart(text, at + 1, to);
    else at = CLOSING[text[at]] ? blockEnd(text, at) : at + 1;
  }
  return rules;
}
