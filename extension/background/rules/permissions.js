/*
 * Whether a call may do what it wants where it wants to: decided by the real site, the effect and the owner's rules, never
 * by the name of a tool. The router asks before a call works in a tab; content-calls.js asks again in each document, at the
 * moment when its script runs there.
 */
import { ELSEWHERE, RANK, denied, isOnlyShown, objection } from "./addresses.js";
import { refusal as outOfReach } from "./allowed-origins.js";
import { askOwner } from "./consent.js";
import { KINDS } from "./consent-words.js";
import { notPermitted, TabwireError } from "../base/errors.js";
import { NO_ORIGIN, originOf } from "../base/url.js";
import { destinationsOf } from "../base/navigation-events.js";
import { addressOfCreator, addressOfTab, frameMakersIn } from "./inherited-sites.js";
import { METHODS } from "../base/protocol.js";
import { FILES, UNKNOWN_SITE, assertScriptable, siteName, siteOfAddress } from "./site-pattern.js";
import { WHOLE_BROWSER, answerFor, rulesGeneration, rulesReady } from "./site-rules.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").AnyHandler} AnyHandler */
/** @typedef {import("../base/protocol-types").AnyParams} AnyParams */
/** @typedef {import("./addresses.js").Need} Need */
/** @typedef {{frameId: number, documentId: string}} Document */
/** @typedef {{origin: string, address: string, ancestors: string[]}} Chain  what a document says of itself and those around it */

/**
 * Grant for once of work that the person has begun themselves: they are asked nothing, and what they bar stays barred. As it
 * is for once, no document keeps a permit of it.
 */
export const BY_PERSON = "by the person";

/** @param {string} site @param {string} need or the kind of a sensitive act */
const onceKey = (site, need) => `${need} ${site}`;

/** @param {CallContext} call @param {string} site @param {Need} need */
const isAllowedOnce = ({ grants }, site, need) =>
  grants.hasOnce(BY_PERSON) || grants.hasOnce(onceKey(site, need)) || grants.hasOnce(onceKey(site, "act"));

/**
 * @param {CallContext} call
 * @param {string} address or a site, where no more is known
 * @param {Need} need
 * @returns {TabwireError|null} the refusal; of a site where the owner is to be asked, too
 */
function refusal(call, address, need) {
  const against = objection(address, need);
  const isAnswered = against?.reason === "ask" && isAllowedOnce(call, siteOfAddress(address), need);
  return against && !isAnswered ? denied(against, address) : null;
}

/**
 * Throws the refusal of an address, but asks the person first where that may help.
 * @param {CallContext} call
 * @param {string} address
 * @param {Need} need
 */
async function assertAddress(call, address, need) {
  const error = refusal(call, address, need);
  if (!error) return;
  if (error.data?.reason !== "ask") throw error;
  const site = siteOfAddress(address);
  await askOwner(call, { kind: need === "act" ? "act" : "read", site });
  call.grants.allowOnce(onceKey(site, need));
}

/**
 * Throws permission_denied when a call may not work in its tab, in the tabs it acts in, or with the addresses it reaches.
 * Asks the owner of the browser where a rule, or the kind of the act, says so.
 * @param {CallContext} call
 * @param {AnyParams} params
 * @param {AnyHandler} handler
 */
export async function permit(call, params, handler) {
  await rulesReady;
  const need = call.acted.length && !handler.leaves ? "act" : "read";
  call.grants.demand(need);
  const others = call.acted.filter((tabId) => tabId !== call.tab?.id);
  const leaves = Boolean(handler.leaves) && !handler.comesBack?.(params);
  if (call.tab) await permitTab(call, call.tab, need, leaves);
  for (const tabId of others) {
    const tab = await chrome.tabs.get(tabId).catch(() => null);
    if (tab) await permitTab(call, tab, need, leaves);
  }
  const reached = (await handler.reaches?.(params, call)) ?? [];
  for (const one of reached) await permitReached(call, one);
  const dealtWith = reached.filter(({ isBeside }) => !isBeside);
  await permitKinds(
    call,
    params,
    handler,
    dealtWith.map(({ address }) => (address === WHOLE_BROWSER ? address : siteOfAddress(address))),
  );
}

/** The site of the page in a tab; whose page it is where its address does not say. @param {chrome.tabs.Tab} tab */
const siteShown = (tab) => siteOfAddress(addressShown(tab));

/** @param {chrome.tabs.Tab} tab */
const addressShown = (tab) => (siteOfAddress(tab.url ?? "") === UNKNOWN_SITE ? addressOfTab(tab) : tab.url ?? "");

/**
 * @param {CallContext} call @param {chrome.tabs.Tab} tab @param {Need} need
 * @param {boolean} leaves whether nothing is done to the page but to leave it
 */
async function permitTab(call, tab, need, leaves) {
  const address = addressShown(tab);
  const against = objection(address, need);
  const { page } = METHODS[call.method];
  if (page !== "none" && siteOfAddress(address) === FILES) await assertFilesOpen();
  if (!against) return;
  // Pages of the browser are shown to everybody and read by nobody.
  if (isOnlyShown(against)) return page === "none" ? undefined : assertScriptable(tab);
  // A client that a redirection has brought to a page may leave it again, and to leave a page nothing of it is read.
  if (leaves && (against.reason === "ask" || call.grants.holds(/** @type {number} */ (tab.id)))) return;
  await assertAddress(call, address, need);
}

/** Whether Chrome lets the extension open and read local files. */
export const areFilesOpen = () => chrome.extension.isAllowedFileSchemeAccess();
export const FILES_CLOSED =
  '"Allow access to file URLs" is off for Tabwire in chrome://extensions, and only the user can switch it on';

/** Throws permission_denied where Chrome does not let the extension open and read local files. */
export async function assertFilesOpen() {
  if (await areFilesOpen()) return;
  const words = `local files cannot be opened or read: ${FILES_CLOSED}; ask them, or go on elsewhere`;
  throw notPermitted(words, { reason: "files_closed" });
}

/** @param {CallContext} call @param {import("../../types").Reached} reached */
async function permitReached(call, { address, effect, isVisited = false }) {
  if (address === WHOLE_BROWSER || (isVisited && isOnlyShown(objection(address, effect)))) return;
  await assertAddress(call, address, effect);
}

/**
 * Sensitive acts are asked for once per site and kind.
 * @param {CallContext} call @param {AnyParams} params @param {AnyHandler} handler @param {string[]} reached
 */
async function permitKinds(call, params, handler, reached) {
  const kinds = handler.sensitive?.(params) ?? METHODS[call.method].sensitive ?? [];
  if (!kinds.length) return;
  const sites = reached.length ? new Set(reached) : [call.tab ? siteShown(call.tab) : WHOLE_BROWSER];
  for (const kind of kinds) for (const site of sites) await assertKind(call, kind, site, { detail: detailOf(params) });
}

/** @param {import("../base/protocol-types").WantedField[]} [fields] of a form */
const filesOf = (fields) => fields?.some(({ files }) => files) && fields.flatMap(({ files = [] }) => files) || undefined;

/** Detail of a call that the owner should see before they answer: never a value that is entered. @param {AnyParams} params */
function detailOf(params) {
  const { expression, function: source, condition, log, fields, files = filesOf(fields), action, name, query, download } = params;
  const { url, key } = params;
  // All that would run is shown.
  const scripts = [expression, source, condition, log].filter(Boolean);
  if (scripts.length) return scripts.join("\n");
  if (files)
    return files
      .map((/** @type {string|{name?: string, path?: string, url?: string}} */ file) =>
        typeof file === "string" ? file : (file.name ?? file.path ?? file.url ?? "a file"),
      )
      .join("\n");
  if (query ?? download) return query ?? url ?? "";
  return [action, name, key].filter(Boolean).join(" ");
}

/**
 * Throws permission_denied unless the owner allows a kind of sensitive act on a site; asks where that is open.
 * @param {CallContext} call
 * @param {string} kind
 * @param {string} site or WHOLE_BROWSER
 * @param {{detail?: string, field?: string}} [of] what of this act is for the owner to see
 * @returns {Promise<boolean>} whether they were asked just now
 */
async function assertKind(call, kind, site, of) {
  const answer = answerFor(site, kind);
  if (answer === "allow" || call.grants.hasOnce(onceKey(site, kind))) return false;
  if (answer === "never") throw neverAnswered(kind, site);
  const isAsked = await askOwner(call, { kind, site, ...of });
  call.grants.allowOnce(onceKey(site, kind));
  return isAsked;
}

const NOTHING = /nothing was done/i;
const FOCUSED = "it was given the focus, which made it such a field; no text was entered";

/**
 * Throws permission_denied unless the owner allows it to put text into a field. What the text is, is not told.
 * @param {CallContext} call
 * @param {{kind: string, origin: string, address: string, name: string, has_focus?: boolean}} field as
 * content/act/sensitive-fields.js gives it
 */
export async function assertField(call, { has_focus: hasFocus, ...field }) {
  await assertFieldKind(call, field).catch((error) => {
    throw hasFocus ? new TabwireError(error.code, error.message.replace(NOTHING, FOCUSED), error.data) : error;
  });
}

/** @param {CallContext} call @param {{kind: string, origin: string, address: string, name: string}} field */
async function assertFieldKind(call, { kind, origin, address, name }) {
  const own = siteOfAddress(origin) === UNKNOWN_SITE ? siteOfAddress(address) : siteOfAddress(origin);
  const site = own === UNKNOWN_SITE && call.tab ? siteShown(call.tab) : own;
  if (await assertKind(call, kind, site, { field: name })) await call.observation?.beginAgain();
}

/**
 * Permit that a script takes along into a document: a document that was found to be allowed keeps it, and the next script of no
 * greater need runs there without a question.
 * @param {CallContext} call
 * @returns {{generation: string, rank: number}}
 */
export const permitOf = (call) => ({ generation: rulesGeneration(), rank: RANK[call.grants.needs] });

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
  const need = call.grants.needs;
  const own = siteOfAddress(address) === siteOfAddress(origin) || isVague(origin) ? address : origin;
  const known = [own, ...ancestors];
  const isWhole = siteOfAddress(own) !== UNKNOWN_SITE && !ancestors.some(isVague);
  const clear = known.filter((one) => one === own || !isVague(one));
  const all = isWhole ? known : [...clear, ...await around(tabId, frameId, documentId)];
  for (const one of new Set(all)) {
    const error = refusal(call, one, need);
    if (!error) continue;
    if (error.data?.reason !== "ask" || !mayAsk) return error;
    try {
      await assertAddress(call, one, need);
    } catch (thrown) {
      return /** @type {TabwireError} */ (thrown);
    }
  }
  return null;
}

const UNKNOWN_DOCUMENT = "it is not known whose document this is, so nothing was read or done there; " +
  "use a page or a frame that snapshot shows, or go on elsewhere";

/**
 * Decides at once on a document that the debugger shows, without a question.
 * @param {string[]|null} addresses of the document, its own first, and of all documents around it; null: not known
 * @param {Need} need
 * @param {CallContext} call
 * @returns {TabwireError|null} why not
 */
export function refusalOf(addresses, need, call) {
  if (!addresses) return notPermitted(UNKNOWN_DOCUMENT, { reason: "unknown_document" });
  for (const one of addresses) {
    const error = refusal(call, one, need);
    if (error) return error;
  }
  const origin = originOf(addresses[0]);
  if (need === "read" || !call.onlyOrigins || call.onlyOrigins.includes(origin)) return null;
  return outOfReach(call, `the document is of ${origin === NO_ORIGIN ? "no origin" : origin}`);
}

/**
 * Decides as `refusalOf` whether a script of the client may run in a document. What the owner has said for good about scripts on
 * its site counts, too.
 * @param {string[]|null} addresses @param {CallContext} call
 */
export function scriptRefusalOf(addresses, call) {
  const error = refusalOf(addresses, "act", call);
  if (error || !addresses) return error;
  const barred = addresses.map(siteOfAddress).find((site) => answerFor(site, "evaluate") === "never");
  return barred === undefined ? null : neverAnswered("evaluate", barred);
}

/** @param {string} kind @param {string} site or WHOLE_BROWSER */
function neverAnswered(kind, site) {
  const where = site === WHOLE_BROWSER ? "in this browser" : `on ${siteName(site)}`;
  return notPermitted(
    `the user does not allow it (${KINDS[kind] ?? kind} ${where}) and has ruled so permanently; nothing was done: ${ELSEWHERE}`,
    { reason: "refused", kind, site: site === WHOLE_BROWSER ? "this whole browser" : siteName(site) },
  );
}

/** Whether an origin does not say enough: of an opaque one whose page it is, of local files which. @param {string} origin */
const isVague = (origin) => [UNKNOWN_SITE, FILES].includes(siteOfAddress(origin));

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
      if (objection(frame.url, "read")) return [{ frameId, documentId, site: siteName(siteOfAddress(frame.url)) }];
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
 * @returns {Promise<string>} its id
 */
export const assertDocument = async (tabId, frameId, call, mark) =>
  (await allowedDocument(tabId, frameId, call, mark)).documentId;

/**
 * Checks a document as assertDocument does; gives the origin, too, which in that world no page can forge.
 * @param {number} tabId @param {number} frameId @param {CallContext} call @param {string} [mark]
 * @returns {Promise<{documentId: string, origin: string}>}
 */
export async function allowedDocument(tabId, frameId, call, mark) {
  const [answer] = await chrome.scripting.executeScript({
    target: { tabId, frameIds: [frameId] }, injectImmediately: true, func: /** @type {never} */ (tellChain),
    args: [mark ?? null],
  });
  const chain = /** @type {Chain} */ (answer.result);
  const error = await refusalIn(tabId, answer, chain, call, true);
  if (error) throw error;
  return { documentId: answer.documentId, origin: chain.origin };
}

/**
 * Checks as assertDocument does, for a top document that is known by its origin, or by its address.
 * @param {CallContext} call @param {number} tabId @param {string} address as `location` gives it
 */
export async function assertTop(call, tabId, address) {
  const known = siteOfAddress(address) === UNKNOWN_SITE ? addressOfCreator(tabId) : address;
  if (!isOnlyShown(objection(known, call.grants.needs))) await assertAddress(call, known, call.grants.needs);
}

/**
 * Throws permission_denied when a tab shows, or is about to show, a site where a call may not act. At once, from what is
 * known: nothing comes between this and the input that follows.
 * @param {CallContext} call @param {number} tabId
 */
export function assertDestination(call, tabId) {
  for (const address of destinationsOf(tabId)) {
    const error = refusal(call, address, "act");
    if (error) throw error;
  }
}

/** Addresses of those who have made pages of the tab that do not say whose they are. @param {number} tabId */
export const makersIn = (tabId) => [addressOfCreator(tabId), ...frameMakersIn(tabId)];

/**
 * Addresses of a frame and of those around it, where documents do not say: a sandboxed one has no origin, but still a host.
 * @param {number} tabId @param {number} frameId @param {string} documentId
 */
async function around(tabId, frameId, documentId) {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId }).catch(() => null)) ?? [];
  const byId = new Map(frames.map((frame) => [frame.frameId, frame]));
  const own = byId.get(frameId);
  // Chrome does not list every frame: then every listed one counts.
  if (!own || own.documentId !== documentId) return [...frames.map(({ url }) => url), ...makersIn(tabId)];
  const addresses = own.url.startsWith("data:") ? makersIn(tabId) : [addressOfCreator(tabId)];
  for (let frame = byId.get(frameId); frame; frame = byId.get(frame.parentFrameId)) addresses.push(frame.url);
  return addresses;
}
