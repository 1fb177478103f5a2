/*
 * Whether a call may do what it wants where it wants to: decided by the real site, the effect and the owner's rules, never
 * by the name of a tool. The router asks before a call works in a tab; content-calls.js asks again in each document, at the
 * moment when its script runs there.
 */
import { KINDS, askOwner } from "./consent.js";
import { TabwireError } from "../base/errors.js";
import { destinationsOf } from "../base/navigation-events.js";
import { siteOfCreator, siteOfTab } from "./inherited-sites.js";
import { METHODS } from "../base/protocol.js";
import { UNKNOWN_SITE, assertScriptable, neverAllowed, siteName, siteOfAddress } from "./site-pattern.js";
import { WHOLE_BROWSER, answerFor, bridgePorts, levelOf, rulesGeneration, rulesReady, siteAnswer } from "./site-rules.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").AnyHandler} AnyHandler */
/** @typedef {import("../base/protocol-types").AnyParams} AnyParams */
/** @typedef {"read"|"act"} Need */
/**
 * @typedef {{reason: "never_list"|"site_barred"|"site_read_only", what?: string, isShown?: boolean} | {reason: "ask"}} Objection
 */
/** @typedef {{frameId: number, documentId: string}} Document */
/** @typedef {{origin: string, address: string, ancestors: string[]}} Chain  what a document says of itself and those around it */

const RANK = /** @type {Record<string, number>} */ ({ never: 0, read: 1, act: 2 });
const ELSEWHERE = "ask them to change it in the Tabwire panel, or go on elsewhere";

/**
 * What speaks against reading or acting on a site.
 * @param {string} site
 * @param {Need} need
 * @param {string} [address] of the site, where it is known in full
 * @returns {Objection|null}
 */
export function objection(site, need, address) {
  const nature = neverAllowed(site, { ports: bridgePorts, address });
  if (nature) return { reason: "never_list", ...nature };
  const { level } = levelOf(site);
  if (level === "ask") return askedObjection(site, need);
  if (RANK[level] >= RANK[need]) return null;
  return { reason: level === "never" ? "site_barred" : "site_read_only" };
}

/** What the owner has answered for good counts. @param {string} site @param {Need} need @returns {Objection|null} */
function askedObjection(site, need) {
  const answers = need === "act" ? [siteAnswer(site, "act")] : [siteAnswer(site, "read"), siteAnswer(site, "act")];
  if (answers.includes("allow")) return null;
  return { reason: answers[0] === "never" ? "site_barred" : "ask" };
}

/** @param {Objection} against @param {string} site @returns {string} */
function wording(against, site) {
  const name = siteName(site);
  if (against.reason === "never_list")
    return `${name} is ${against.what}: Tabwire never reads or acts there, whatever is allowed; go on elsewhere`;
  if (against.reason === "site_read_only")
    return `the user allows only reading on ${name}, no acts; nothing was done: ${ELSEWHERE}`;
  if (against.reason === "ask")
    return `the user is to be asked before anything is read or done on ${name}: act in its own tab, which asks them, or go on ` +
      `elsewhere`;
  return `the user does not allow Tabwire on ${name}; nothing was read or done there: ${ELSEWHERE}`;
}

/** @param {Objection} against @param {string} site */
const denied = (against, site) =>
  new TabwireError("permission_denied", wording(against, site), { reason: against.reason, site: siteName(site) });

/** @param {string} site @param {string} need or the kind of a sensitive act */
const onceKey = (site, need) => `${need} ${site}`;

/** @param {CallContext} call @param {string} site @param {Need} need */
const isAllowedOnce = ({ once }, site, need) => once.has(onceKey(site, need)) || once.has(onceKey(site, "act"));

/**
 * @param {CallContext} call
 * @param {string} site
 * @param {Need} need
 * @param {string} [address]
 * @returns {TabwireError|null} the refusal; of a site where the owner is to be asked, too
 */
function refusal(call, site, need, address) {
  const against = objection(site, need, address);
  return against && !(against.reason === "ask" && isAllowedOnce(call, site, need)) ? denied(against, site) : null;
}

/**
 * Like `refusal`, but asks where that may help.
 * @param {CallContext} call
 * @param {string} site
 * @param {Need} need
 * @param {string} [address]
 */
async function assertSite(call, site, need, address) {
  const error = refusal(call, site, need, address);
  if (!error) return;
  if (error.data?.reason !== "ask") throw error;
  await askOwner(call, { kind: need === "act" ? "act" : "read", site });
  call.once.add(onceKey(site, need));
}

// ---- before a call works --------------------------------------------------------------------------------------------

/**
 * Throws permission_denied when a call may not work in its tab, in the tabs it acts in, or with the addresses it reaches.
 * Asks the owner of the browser where a rule, or the kind of the act, says so.
 * @param {CallContext} call
 * @param {AnyParams} params
 * @param {AnyHandler} handler
 */
export async function permit(call, params, handler) {
  await rulesReady;
  const need = (call.needs = call.acted.length && !handler.leaves ? "act" : "read");
  const others = call.acted.filter((tabId) => tabId !== call.tab?.id);
  if (call.tab) await permitTab(call, call.tab, need, handler);
  for (const tabId of others) {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (tab) await permitTab(call, tab, need, handler);
  }
  const reached = (await handler.reaches?.(params, call)) ?? [];
  for (const one of reached) await permitReached(call, one);
  await permitKinds(
    call,
    params,
    handler,
    reached.map(({ address }) => (address === WHOLE_BROWSER ? address : siteOfAddress(address))),
  );
}

/** The site of the page in a tab; whose page it is where its address does not say. @param {chrome.tabs.Tab} tab */
function siteShown(tab) {
  const site = siteOfAddress(tab.url ?? "");
  return site === UNKNOWN_SITE ? siteOfTab(tab) : site;
}

/** @param {CallContext} call @param {chrome.tabs.Tab} tab @param {Need} need @param {AnyHandler} handler */
async function permitTab(call, tab, need, { leaves }) {
  const site = siteShown(tab);
  const against = objection(site, need, tab.url);
  if (!against || site === UNKNOWN_SITE) return;
  // Pages of the browser are shown to everybody and read by nobody.
  if (against.reason === "never_list" && against.isShown)
    return METHODS[call.method].page === "none" ? undefined : assertScriptable(tab);
  // Who has come to a page by a redirection may go away again.
  if (leaves && call.holds(/** @type {number} */ (tab.id))) return;
  await assertSite(call, site, need, tab.url);
}

/** @param {CallContext} call @param {import("../../types").Reached} reached */
async function permitReached(call, { address, effect, isVisited = false }) {
  const site = siteOfAddress(address);
  if (address === WHOLE_BROWSER || site === UNKNOWN_SITE) return;
  const against = objection(site, effect, address);
  if (isVisited && against?.reason === "never_list" && against.isShown) return;
  await assertSite(call, site, effect, address);
}

/**
 * Sensitive acts are asked for once per site and kind.
 * @param {CallContext} call @param {AnyParams} params @param {AnyHandler} handler @param {string[]} reached
 */
async function permitKinds(call, params, handler, reached) {
  const kinds = handler.sensitive?.(params) ?? METHODS[call.method].sensitive ?? [];
  if (!kinds.length) return;
  const sites = reached.length ? new Set(reached) : [call.tab ? siteShown(call.tab) : WHOLE_BROWSER];
  for (const kind of kinds) for (const site of sites) await assertKind(call, kind, site, detailOf(params));
}

/** What of a call the owner should see before they answer: never a value that is entered. @param {AnyParams} params */
function detailOf({ expression, function: source, files, action, name, query, download, url }) {
  if (expression ?? source) return expression ?? source;
  if (files)
    return files
      .map((/** @type {string|{name?: string, path?: string, url?: string}} */ file) =>
        typeof file === "string" ? file : (file.name ?? file.path ?? file.url ?? "a file"),
      )
      .join("\n");
  if (query ?? download) return query ?? url ?? "";
  return [action, name].filter(Boolean).join(" ");
}

/**
 * Throws permission_denied unless the owner allows a kind of sensitive act on a site; asks where that is open.
 * @param {CallContext} call
 * @param {string} kind
 * @param {string} site or WHOLE_BROWSER
 * @param {string} [detail] of this act, for the owner
 */
async function assertKind(call, kind, site, detail = "") {
  const answer = answerFor(site, kind);
  if (answer === "allow" || call.once.has(onceKey(site, kind))) return;
  if (answer === "never") {
    const where = site === WHOLE_BROWSER ? "in this browser" : `on ${siteName(site)}`;
    throw new TabwireError(
      "permission_denied",
      `the user does not allow it (${KINDS[kind] ?? kind} ${where}), and has said so for good; nothing was done: ${ELSEWHERE}`,
      { reason: "refused", kind, site: site === WHOLE_BROWSER ? "this whole browser" : siteName(site) },
    );
  }
  await askOwner(call, { kind, site, detail });
  call.once.add(onceKey(site, kind));
}

/**
 * Throws permission_denied unless the owner allows it to put text into a field. What the text is, is not told.
 * @param {CallContext} call
 * @param {{kind: string, origin: string, address: string, field: string}} field as content/act/sensitive-fields.js gives it
 */
export async function assertField(call, { kind, origin, address, field }) {
  const own = siteOfAddress(origin) === UNKNOWN_SITE ? siteOfAddress(address) : siteOfAddress(origin);
  const site = own === UNKNOWN_SITE && call.tab ? siteShown(call.tab) : own;
  await assertKind(call, kind, site, `${METHODS[call.method].title}: ${field}`);
}

// ---- in each document -----------------------------------------------------------------------------------------------

/**
 * What a script takes along into a document: a document that was found to be allowed keeps it, and the next script of no
 * greater need runs there without a question.
 * @param {CallContext} call
 * @returns {{generation: string, rank: number}}
 */
export const permitOf = (call) => ({ generation: rulesGeneration(), rank: RANK[call.needs ?? "read"] });

/**
 * Decides on a document that has no permit: by its own site, and those of all documents around it.
 * @param {number} tabId
 * @param {Document} document
 * @param {Chain} chain
 * @param {CallContext} call
 * @param {boolean} [mayAsk] whether it is what the call is about
 * @returns {Promise<TabwireError|null>} why not
 */
export async function refusalIn(tabId, { frameId, documentId }, { origin, address, ancestors }, call, mayAsk = false) {
  await rulesReady;
  const need = call.needs ?? "read";
  const known = [origin === UNKNOWN_SITE ? siteOfAddress(address) : siteOfAddress(origin), ...ancestors.map(siteOfAddress)];
  const sites = known.includes(UNKNOWN_SITE) ? [...known, ...await sitesAround(tabId, frameId, documentId)] : known;
  for (const site of new Set(sites)) {
    if (site === UNKNOWN_SITE) continue;
    const error = refusal(call, site, need, site === known[0] ? address : undefined);
    if (!error) continue;
    if (error.data?.reason !== "ask" || !mayAsk) return error;
    try {
      await assertSite(call, site, need);
    } catch (thrown) {
      return /** @type {TabwireError} */ (thrown);
    }
  }
  return null;
}

/**
 * The frames of a tab below its top one that must not be read: of sites that are not allowed, and what is inside of such.
 * @param {number} tabId
 * @returns {Promise<Array<{frameId: number, documentId: string, site: string}>>}
 */
export async function framesNotToRead(tabId) {
  await rulesReady;
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const byId = new Map(frames.map((frame) => [frame.frameId, frame]));
  return frames.flatMap(({ frameId, documentId }) => {
    for (let frame = byId.get(frameId); frame?.frameId; frame = byId.get(frame.parentFrameId)) {
      const site = siteOfAddress(frame.url);
      if (site !== UNKNOWN_SITE && objection(site, "read", frame.url)) return [{ frameId, documentId, site: siteName(site) }];
    }
    return [];
  });
}

/**
 * Runs in the document, in a world of its own: whoever has to find it again leaves a mark.
 * @param {string|null} mark
 * @returns {Chain}
 */
const tellChain = (mark) => {
  if (mark) globalThis.__tabwireMark = mark;
  return { origin: self.origin, address: location.href, ancestors: [...location.ancestorOrigins] };
};

/**
 * Throws permission_denied unless a call may work in the document a frame has now.
 * @param {number} tabId @param {number} frameId @param {CallContext} call
 * @param {string} [mark] left in that document, as `__tabwireMark` of the isolated world
 * @returns {Promise<void>}
 */
export async function assertDocument(tabId, frameId, call, mark) {
  const [answer] = await chrome.scripting.executeScript({
    target: { tabId, frameIds: [frameId] }, injectImmediately: true, func: /** @type {never} */ (tellChain),
    args: [mark ?? null],
  });
  const error = await refusalIn(tabId, answer, /** @type {Chain} */ (answer.result), call, true);
  if (error) throw error;
}

/**
 * Like assertDocument, for a top document that is known by its origin.
 * @param {CallContext} call @param {number} tabId @param {string} origin as `location` gives it
 */
export async function assertTop(call, tabId, origin) {
  const plain = siteOfAddress(origin);
  const site = plain === UNKNOWN_SITE ? siteOfCreator(tabId) : plain;
  const against = objection(site, call.needs, undefined);
  if (site !== UNKNOWN_SITE && against && !(against.reason === "never_list" && against.isShown))
    await assertSite(call, site, call.needs);
}

/**
 * Throws permission_denied when a tab shows, or is about to show, a site where a call may not act. At once, from what is
 * known: nothing comes between this and the input that follows.
 * @param {CallContext} call @param {number} tabId
 */
export function assertDestination(call, tabId) {
  for (const address of destinationsOf(tabId)) {
    const site = siteOfAddress(address);
    const error = site === UNKNOWN_SITE ? null : refusal(call, site, "act", address);
    if (error) throw error;
  }
}

/**
 * By the frames' addresses, where documents do not say: a sandboxed one has no origin, but still a host.
 * @param {number} tabId @param {number} frameId @param {string} documentId
 */
async function sitesAround(tabId, frameId, documentId) {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId }).catch(() => null)) ?? [];
  const byId = new Map(frames.map((frame) => [frame.frameId, frame]));
  const own = byId.get(frameId);
  // Chrome does not list every frame: then every listed one counts.
  if (!own || own.documentId !== documentId) return [...frames.map(({ url }) => siteOfAddress(url)), siteOfCreator(tabId)];
  const sites = [siteOfCreator(tabId)];
  for (let frame = byId.get(frameId); frame; frame = byId.get(frame.parentFrameId)) sites.push(siteOfAddress(frame.url));
  return sites;
}

// ---- what is told ---------------------------------------------------------------------------------------------------

/**
 * Whether an address may be told to clients together with what is on its page.
 * @param {string} address
 * @param {number} [tabId] the tab it is shown in
 * @returns {boolean}
 */
export function mayTell(address, tabId) {
  const plain = siteOfAddress(address);
  const site = plain === UNKNOWN_SITE && tabId !== undefined ? siteOfCreator(tabId) : plain;
  const against = site === UNKNOWN_SITE ? null : objection(site, "read", address);
  return !against || against.reason === "ask" || Boolean(against.reason === "never_list" && against.isShown);
}

/** Whether the rules allow acts on the site of an address without a question. @param {string} address */
export function mayActOn(address) {
  const site = siteOfAddress(address);
  const against = site === UNKNOWN_SITE ? null : objection(site, "act", address);
  return !against || Boolean(against.reason === "never_list" && against.isShown);
}

/**
 * Why a page is not told of, in words.
 * @param {string} address @param {number} [tabId]
 */
export function objectionTo(address, tabId) {
  const plain = siteOfAddress(address);
  const site = plain === UNKNOWN_SITE && tabId !== undefined ? siteOfCreator(tabId) : plain;
  const against = objection(site, "read", address);
  return against ? `a page that cannot be read: ${wording(against, site)}` : "another page";
}

/** Throws when what came from an address must not be read, such as after a redirection. @param {string} address */
export function assertReadable(address) {
  const site = siteOfAddress(address);
  const against = site === UNKNOWN_SITE ? null : objection(site, "read", address);
  if (against && against.reason !== "ask") throw denied(against, site);
}

/** Stands for an address that is not told. */
export const UNTOLD = "(a site that is not allowed)";

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
    barred: "a site that is not allowed: its address and title are not told",
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
