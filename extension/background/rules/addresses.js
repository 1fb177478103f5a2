/*
 * Decision about an address, the same for every caller: whether its page may be read or acted on, by its scheme, the never-list,
 * this computer's bridges and the owner's rules; and what of it is told. The person is not asked here: permissions.js does that.
 */
import { notPermitted } from "../base/errors.js";
import { SCHEMES } from "../base/known-addresses.js";
import { addressOfCreator } from "./inherited-sites.js";
import { UNKNOWN_SITE, neverAllowed, siteName, siteOfAddress } from "./site-pattern.js";
import { bridgePorts, levelOf, siteAnswer } from "./site-rules.js";

/** @typedef {import("../base/errors.js").TabwireError} TabwireError */
/** @typedef {"read"|"act"} Need */
/**
 * @typedef {{reason: "never_list"|"site_barred"|"site_read_only"|"rules_unreadable", what?: string, isShown?: boolean} |
 *   {reason: "ask"}} Objection
 */

export const RANK = /** @type {Record<string, number>} */ ({ never: 0, read: 1, act: 2 });
export const ELSEWHERE = "ask them to change it in the Tabwire panel, or go on elsewhere";
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** Need of a request at its address, by its method. @param {string} method @returns {Need} */
export const needOf = (method) => (SAFE_METHODS.includes(method.toUpperCase()) ? "read" : "act");

/**
 * Objection to reading or acting at an address. There is none where the address does not say whose page it is.
 * @param {string} address or a site, where no more is known
 * @param {Need} need
 * @returns {Objection|null}
 */
export function objection(address, need) {
  const site = siteOfAddress(address);
  if (site === UNKNOWN_SITE) return null;
  const nature = neverAllowed(site, { ports: bridgePorts, address });
  if (nature) return { reason: "never_list", ...nature };
  const { level, unread } = levelOf(site, address);
  if (unread) return { reason: "rules_unreadable", what: unread.join(", ") };
  if (level === "ask") return askedObjection(site, need);
  if (RANK[level] >= RANK[need]) return null;
  return { reason: level === "never" ? "site_barred" : "site_read_only" };
}

/**
 * Objection on a site that asks first: lasting answers of the owner count.
 * @param {string} site @param {Need} need @returns {Objection|null}
 */
function askedObjection(site, need) {
  const answers = need === "act" ? [siteAnswer(site, "act")] : [siteAnswer(site, "read"), siteAnswer(site, "act")];
  if (answers.includes("allow")) return null;
  return { reason: answers[0] === "never" ? "site_barred" : "ask" };
}

/** @type {Record<Objection["reason"], (name: string, what?: string) => string>} */
const WORDING = {
  never_list: (name, what) => `${name} is ${what}: Tabwire never reads or acts there, whatever is allowed; go on elsewhere`,
  site_read_only: (name) => `the user allows only reading on ${name}, no acts; nothing was done: ${ELSEWHERE}`,
  ask: (name) =>
    `the user is to be asked before anything is read or done on ${name}: act in its own tab, which asks them, or go on elsewhere`,
  site_barred: (name) => `the user does not allow Tabwire on ${name}; nothing was read or done there: ${ELSEWHERE}`,
  rules_unreadable: (name, what) =>
    `nothing is allowed anywhere, as pairing.json of the extension has a rule that cannot be read (${what}); ask the user to ` +
    "correct it and to reload the extension",
};

/** @param {Objection} against @param {string} address @returns {TabwireError} */
export function denied(against, address) {
  const name = siteName(siteOfAddress(address));
  const words = WORDING[against.reason](name, "what" in against ? against.what : "");
  return notPermitted(words, { reason: against.reason, site: name });
}

/** Whether nobody looks into what is there, but the user may be shown it. @param {Objection|null} against */
export const isOnlyShown = (against) => Boolean(against?.reason === "never_list" && against.isShown);

/**
 * Address to judge a page by: its creator's, where its own does not say whose page it is.
 * @param {string} address @param {number} [tabId]
 */
const knownAddress = (address, tabId) =>
  siteOfAddress(address) === UNKNOWN_SITE && tabId !== undefined ? addressOfCreator(tabId) : address;

/**
 * Whether an address may be told to clients together with what is on its page.
 * @param {string} address
 * @param {number} [tabId] the tab it is shown in
 * @returns {boolean}
 */
export function mayTell(address, tabId) {
  const against = objection(knownAddress(address, tabId), "read");
  return !against || against.reason === "ask" || isOnlyShown(against);
}

/** Whether the rules allow acts on the site of an address without a question. @param {string} address */
export function mayActOn(address) {
  const against = objection(address, "act");
  return !against || isOnlyShown(against);
}

/**
 * Whether a page's request may be sent to another address in place of its own.
 * @param {string} address
 * @param {string} method
 * @param {boolean} isPermitted whether the call was asked about that address when it named it
 */
export function mayStandFor(address, method, isPermitted) {
  const { protocol = "" } = URL.canParse(address) ? new URL(address) : {};
  if (SCHEMES[protocol]?.access !== "web") return false;
  const against = objection(address, needOf(method));
  return !against || (isPermitted && against.reason === "ask");
}

/**
 * Reason in words why a page is not reported.
 * @param {string} address @param {number} [tabId]
 */
export function objectionTo(address, tabId) {
  const known = knownAddress(address, tabId);
  const against = objection(known, "read");
  return against ? `a page that cannot be read: ${denied(against, known).message}` : "another page";
}

/** Whether nobody can allow what is refused at an address. @param {string} address @param {number} [tabId] */
export const isNeverAllowed = (address, tabId) => objection(knownAddress(address, tabId), "read")?.reason === "never_list";

/** Throws when what came from an address must not be read, such as after a redirection. @param {string} address */
export function assertReadable(address) {
  const against = objection(address, "read");
  if (against && against.reason !== "ask") throw denied(against, address);
}

/** Stands for an address that is not told. */
export const UNTOLD = "(a site that is not allowed)";

/** An address in what is told of another one. @param {string} address */
export const orUntold = (address) => (mayTell(address) ? address : UNTOLD);

/**
 * The page that a tab shows, as an error may tell it.
 * @param {chrome.tabs.Tab} tab
 * @returns {{tabId: number, url: string, title: string}}
 */
export function shownIn({ id, url = "", title = "" }) {
  const tabId = /** @type {number} */ (id);
  return mayTell(url, tabId) ? { tabId, url, title } : { tabId, url: UNTOLD, title: "" };
}

/** Kind of a page that is not told of, for people and models. @param {string} address @param {number} [tabId] */
function untoldKind(address, tabId) {
  const against = objection(knownAddress(address, tabId), "read");
  return against?.reason === "never_list" && "what" in against ? against.what : "a site that is not allowed";
}

/**
 * An address and a title as they may be told.
 * @template {{url: string, title?: string}} T
 * @param {T} page
 * @param {number} [tabId]
 * @returns {T & {barred?: string}} barred: why they are not told
 */
export function told(page, tabId) {
  if (mayTell(page.url, tabId)) return page;
  return {
    ...page, url: "", ...("title" in page ? { title: "" } : {}),
    barred: `${untoldKind(page.url, tabId)}: its address and title are not told`,
  };
}

/**
 * Entries about addresses without those of sites that are not allowed.
 * @template T
 * @param {T[]} entries
 * @param {(entry: T) => string|string[]} addressOf all of several must be allowed
 * @returns {{kept: T[], note: {barred?: number}}} barred: how many were left out
 */
export function leaveOut(entries, addressOf) {
  const kept = entries.filter((entry) => [addressOf(entry)].flat().every((address) => mayTell(address)));
  return { kept, note: kept.length < entries.length ? { barred: entries.length - kept.length } : {} };
}
