/** Places that are told as the number of a character (Long Animation Frames), as lines and columns of the script that runs. */
import { scriptText } from "./parsed-scripts.js";

/** @typedef {import("./positions.js").Positions} Positions */
/** @typedef {{url: string, position: number, name: string}} Character */

/** Characters between the name of a function and what Chrome counts as its beginning (`= async function (`). */
const AROUND = 40;

/**
 * The place of a character; undefined where several scripts of the address could have it, as those within a document.
 * @param {Positions} positions @param {Character} character
 */
export async function positionIn(positions, { url, position, name }) {
  const ofAddress = positions.scripts.filter((script) => script.url === url);
  const texts = await Promise.all(ofAddress.map((script) => scriptText(positions.call.tab.id, script)));
  const found = ofAddress.map((script, at) => ({ script, text: texts[at] })).filter(({ text }) => holds(text, position, name));
  if (found.length !== 1) return undefined;
  const [{ script, text }] = found;
  const above = text.slice(0, position).split("\n");
  const column = /** @type {string} */ (above.at(-1)).length;
  const line = script.startLine + above.length - 1;
  const { scriptId, session } = script;
  return { url, line, column: above.length === 1 ? script.startColumn + column : column, scriptId, session };
}

/**
 * Whether a function of that name can begin there: its name stands close by.
 * @param {string} text @param {number} position @param {string} name
 */
function holds(text, position, name) {
  const own = name.split(".").at(-1) ?? "";
  if (position > text.length) return false;
  return !/^[\w$]+$/.test(own) || text.slice(Math.max(0, position - own.length - AROUND), position + own.length + AROUND).includes(own);
}
