/*
 * The fields for secrets of a tab that is paused. Its content scripts give no answers then, so the debugger looks, in each of the
 * tab's sessions: a search of the debugger also finds what is in closed shadow trees and in frames. Nothing is changed: a getter
 * of the page that would change something is stopped by the engine.
 */
import { ifInTime } from "../base/deadline.js";
import { TabMap } from "../base/tabs.js";
import { childrenOf, senderOf } from "../debugger/child-sessions.js";
import { noteSecrets } from "../rules/secret-values.js";

/** @import { Send } from "../debugger/commands" */
/** @typedef {[origin: string, value: string, kind: string]} Field */

const LOOK_MS = 3_000;
const MAX_FIELDS = 50;
const GROUP = "tabwire.secrets";
/** Stands for all documents of a paused page: which of them is whose the debugger does not say. */
const PAUSED_FRAME = -1;
/** Tab → when its pages may be searched again, ms. @type {TabMap<number>} */
const rests = new TabMap();
/** Time without a search of a page that is paused often, in times that the last one took. */
const REST = 10;
/** Elements of a page from which on it is searched only where it stays paused: a search takes the longer the more there are. */
const MAX_ELEMENTS = 5_000;
const FIELDS = "input[type=password],[autocomplete*=password],[autocomplete*=cc-],[autocomplete*=one-time-code]";

/**
 * Runs in the page: origin, content and kind of a field. An attribute may also mention the selector.
 * @this {any}
 */
function fieldInPage() {
  const said = String(this.getAttribute?.("autocomplete") ?? "");
  if (typeof this.value !== "string" || !(this.type === "password" || /password|cc-|one-time-code/.test(said))) return null;
  const kind = said.includes("cc-") ? "payment" : said.includes("one-time-code") ? "one_time_code" : "password";
  return [origin, this.value, kind];
}

/** @param {Send} send @returns {Promise<number[]>} ids of nodes; 0 where the document itself has none */
async function search(send) {
  const { searchId, resultCount } = await send("DOM.performSearch", { query: FIELDS });
  if (!resultCount) return [];
  const range = { fromIndex: 0, toIndex: Math.min(resultCount, MAX_FIELDS) };
  const { nodeIds } = await send("DOM.getSearchResults", { searchId, ...range });
  void send("DOM.discardSearchResults", { searchId }).catch(() => {});
  return nodeIds;
}

/** @param {Send} send */
async function found(send) {
  await send("DOM.enable");
  const nodeIds = await search(send);
  if (nodeIds.every(Boolean)) return nodeIds;
  // Each time that the document is asked for, all nodes lose their ids: also those that others have asked for.
  await send("DOM.getDocument", { depth: 0 });
  return search(send);
}

/** @param {Field|null} field */
const isFilled = (field) => Array.isArray(field) && field[1] !== "";

/** @param {Send} send @returns {Promise<Field[]>} */
async function fieldsOf(send) {
  const fields = await Promise.all((await found(send)).map(async (nodeId) => {
    const { object } = await send("DOM.resolveNode", { nodeId, objectGroup: GROUP });
    const { result } = await send("Runtime.callFunctionOn", {
      objectId: object.objectId, functionDeclaration: `${fieldInPage}`, returnByValue: true, silent: true,
      throwOnSideEffect: true,
    });
    return result.value;
  }).map((field) => field.catch(() => null)));
  void send("Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
  return fields.filter(isFilled);
}

/**
 * Fields of the document of a call frame, for which the browser needs no search: shadow trees are left out.
 * @param {Send} send @param {string} callFrameId
 * @returns {Promise<{origin?: string, elements: number, fields: Field[]}>}
 */
async function ownFieldsOf(send, callFrameId) {
  const inputs = "[...document.querySelectorAll('input[type=password]'), ...document.querySelectorAll('input[autocomplete]')]";
  const fields = `${inputs}.map((field) => (${fieldInPage}).call(field)).filter(Boolean)`;
  const { result } = await send("Debugger.evaluateOnCallFrame", {
    callFrameId, expression: `({ origin, elements: document.getElementsByTagName("*").length, fields: ${fields} })`,
    returnByValue: true, silent: true, throwOnSideEffect: true,
  });
  const { origin, elements, fields: own } = result.value;
  return { origin, elements, fields: own.filter(isFilled) };
}

/** @param {number} tabId @returns {Promise<Array<Field[]|undefined>>} */
async function searchAll(tabId) {
  const began = performance.now();
  const frames = childrenOf(tabId).filter(([, { type }]) => type === "iframe");
  const sessions = [undefined, ...frames.map(([session]) => session)];
  const found = await Promise.all(sessions.map((session) => ifInTime(fieldsOf(senderOf(tabId, session)), LOOK_MS)));
  const ended = performance.now();
  rests.set(tabId, ended + REST * (ended - began));
  return found;
}

/**
 * Notes what the fields hold, before anything else is asked of the page.
 * @param {number} tabId
 * @param {Send} send of the session that is paused @param {string} callFrameId
 * @param {boolean} [isOften] the page is let go at once: a search, which takes longer in large pages, is made from time to time
 * @returns {Promise<import("../rules/secret-values.js").ScriptPlace>} for what scripts of the call frame tell
 */
export async function lookWhilePaused(tabId, send, callFrameId, isOften = false) {
  const { origin, elements, fields } = await ownFieldsOf(send, callFrameId)
    .catch(() => ({ origin: undefined, elements: Infinity, fields: [] }));
  const isSearched = !isOften || (elements < MAX_ELEMENTS && performance.now() >= (rests.get(tabId) ?? 0));
  const found = isSearched ? await searchAll(tabId) : [];
  for (const [of, value, kind] of [...fields, ...found.flatMap((one) => one ?? [])]) {
    const documentId = `paused ${tabId} ${of}`;
    noteSecrets({ tabId, frameId: PAUSED_FRAME, documentId }, { origin: of, values: [[value, kind]] });
  }
  return { tabId, frameId: PAUSED_FRAME, origin };
}
