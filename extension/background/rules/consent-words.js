/*
 * Questions to the person, and what becomes of them, in words: for people as for clients.
 */
import { TabwireError } from "../base/errors.js";
import { SENSITIVE_KINDS } from "./kinds.js";
import { siteName } from "./site-pattern.js";
import { WHOLE_BROWSER } from "./site-rules.js";

/** @typedef {{kind: string, site: string, fields: readonly string[]}} Subject fields: names of the fields it is about */

/** Kind → what is wanted, for people. */
export const KINDS = /** @type {Record<string, string>} */ ({
  read: "read this site",
  act: "act on this site",
  ...SENSITIVE_KINDS,
});

/** @param {string} site */
export const whereOf = (site) => (site === WHOLE_BROWSER ? "this whole browser" : siteName(site));

const quoted = (/** @type {readonly string[]} */ names) => names.map((name) => `“${name}”`).join(", ");

/**
 * The question in one line.
 * @param {string} client
 * @param {Subject} subject
 */
export function titleOf(client, { kind, site, fields }) {
  const where = whereOf(site);
  if (kind === "read" || kind === "act") return `Allow ${client} to ${kind} on ${where}?`;
  const what = fields.length ? `fill in ${quoted(fields)}` : KINDS[kind] ?? kind;
  return `Allow ${client} to ${what} ${site === WHOLE_BROWSER ? "in" : "on"} ${where}?`;
}

/** @param {Subject} subject */
function asked({ kind, site }) {
  const where = whereOf(site);
  return kind === "read" || kind === "act" ? `${kind} on ${where}` : `${KINDS[kind] ?? kind} on ${where}`;
}

/** @param {Subject} subject @param {string} reason @param {string} message */
const denied = ({ kind, site }, reason, message) =>
  new TabwireError("permission_denied", message, { reason, kind, site: whereOf(site) });

/** @param {Subject} subject @param {number} waited_ms */
export const unanswered = (subject, waited_ms) =>
  denied(
    subject,
    "not_answered",
    `the user is asked, in Tabwire in their browser, whether you may ${asked(subject)}, and has not answered after ` +
    `${Math.round(waited_ms / 1000)} s; nothing was done. Still waiting for them: call again to go on waiting, or tell them in ` +
    "your own words that Tabwire's button in the toolbar has the question",
  );

/** @param {Subject} subject @param {string} why */
export const notAsked = (subject, why) =>
  denied(
    subject,
    "not_asked",
    `the user could not be asked whether you may ${asked(subject)}: ${why}; nothing was done. Tell them, and try again`,
  );

const REFUSALS = {
  later: { reason: "not_now", says: "said not now; go on without it, or ask them before you try again" },
  never: { reason: "refused", says: "said never: do not try again; they can change it in the Tabwire panel" },
};

/** @param {Subject} subject @param {keyof typeof REFUSALS} answer @param {string} by who has answered */
export const refused = (subject, answer, by) =>
  denied(subject, REFUSALS[answer].reason,
    `you may not ${asked(subject)}: ${by} was asked and ${REFUSALS[answer].says}. Nothing was done`);
