/*
 * Tabs in which the use of CSS rules is tracked. The domain CSS is on in them already, and then tells no style sheets; switching
 * it off ends the tracking. Whoever needs it anew takes what is known by then and has the tracking begin again.
 */

/** @import { Protocol, Send } from "./commands" */
/** @typedef {(session: string|undefined, used: Protocol.CSS.RuleUsage[]) => void} NoteUsed */

/** @type {Map<number, NoteUsed>} */
const notes = new Map();

/** @param {number} tabId @param {NoteUsed|null} note of rules that were used before an interruption; null: it is over */
export function trackStyles(tabId, note) {
  if (note) notes.set(tabId, note);
  else notes.delete(tabId);
}

/**
 * Switches the domain CSS on, so that it tells all style sheets.
 * @param {number} tabId @param {string|undefined} session @param {Send} send
 */
export async function enableStyles(tabId, session, send) {
  const note = notes.get(tabId);
  if (note) {
    const { ruleUsage } = await send("CSS.stopRuleUsageTracking").catch(() => ({ ruleUsage: [] }));
    note(session, ruleUsage);
    await send("CSS.disable");
  }
  await send("DOM.enable");
  await send("CSS.enable");
}

/** Switches it off, unless rules are tracked. @param {number} tabId @param {Send} send */
export async function releaseStyles(tabId, send) {
  if (notes.has(tabId)) await send("CSS.startRuleUsageTracking").catch(() => {});
  else await Promise.allSettled([send("CSS.disable"), send("DOM.disable")]);
}
