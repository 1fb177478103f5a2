/*
 * Values of the fields for secrets, as reported by the documents that hold them: what a field for a secret holds is struck out of
 * everything that leaves for a client. The values are in the worker's memory only, for as long as their document is there, and
 * the one that takes its place: what a form sends comes back on the page behind it.
 *
 * A short value, or a code, would turn the search into a way to find it: a page that lists ten thousand numbers shows which of
 * them is missing in the reply. Such values are therefore struck only where they are the whole result of a script that could
 * read the field itself.
 */
import { isAnyClientAttached, onClientGone } from "../base/clients.js";
import { onDocumentCommitted } from "../base/navigation-events.js";
import { Signal } from "../base/signal.js";
import { onTabClosed, TabMap } from "../base/tabs.js";
import { MASK, OWN_WORDS, UNSTRUCK } from "./secret-shapes.js";
import { wholeStrikerOf } from "./strike-out.js";

/** @typedef {import("../../types").Outcome} Outcome */
/** @typedef {{origin: string, values: string[][]}} Secrets values: each with the kind of its field */
/** @typedef {{tabId: number, frameId: number, documentId: string}} Where */
/**
 * Values of one document. followers: documents that have come into its frame since; leftAt: when it was left for good, epoch
 * ms
 * @typedef {Where & {origin: string, values: Map<string, string>, followers: number, leftAt: number}} Held
 */
/** Place of a script. origin: of its document @typedef {{tabId: number, frameId: number, origin?: string}} ScriptPlace */

/** Length from which values are searched for in texts. */
const MIN_SEARCHED = 8;
/** Shorter ones are in any result. */
const MIN_OWN = 3;
const MAX_VALUES = 200;
/** The name of an error, before its message. */
const THROWN = /^(?:Uncaught )?(?:\w*Error: |thrown: )?/;
/** A text as the debugger shows it. */
const QUOTED = /^"(.*)"$/s;

/** @type {Map<string, Held>} */
const documents = new Map();
/** @type {TabMap<number>} */
const arrivals = new TabMap();
/** @type {Signal<[]>} */
const forgetting = new Signal();
/** Calls a listener that keeps texts of pages before values are forgotten. */
export const onForgetting = forgetting.add;
/**
 * Strikes the values that are searched for; null: there are none; undefined: they have changed.
 * @type {((text: string) => string) | null | undefined}
 */
let search = null;

/**
 * The texts to search for, for a value; none where that would tell more than it hides. Names on cards are no secrets elsewhere.
 * @param {string} value @param {string} kind
 */
function searchedOf(value, kind) {
  const text = value.trim();
  if (kind === "one_time_code" || text.length < MIN_SEARCHED) return [];
  if (kind === "password") return [text];
  return text.replace(/\D/g, "").length < MIN_SEARCHED ? [] : [text, text.replace(/[\s-]/g, "")];
}

/**
 * Notes what a document says of its fields.
 * @param {Where} where @param {Secrets} secrets
 */
export function noteSecrets({ tabId, frameId, documentId }, { origin, values }) {
  const held = documents.get(documentId) ?? { tabId, frameId, documentId, origin, values: new Map(), followers: 0, leftAt: 0 };
  documents.set(documentId, held);
  for (const [value, kind] of values) {
    if (held.values.get(value) === kind) continue;
    held.values.set(value, kind);
    search = undefined;
  }
  for (const value of [...held.values.keys()].slice(0, Math.max(0, held.values.size - MAX_VALUES))) held.values.delete(value);
}

/** @returns {((text: string) => string) | null} null where there is nothing to search for */
function searching() {
  if (search !== undefined) return search;
  const texts = [...documents.values()].flatMap(({ values }) => [...values].flatMap(([value, kind]) => searchedOf(value, kind)));
  return (search = texts.length ? wholeStrikerOf(texts, MASK) : null);
}

/** Strikes the values out of a text. @param {string} text */
export const strikeText = (text) => searching()?.(text) ?? text;

/**
 * A body in base64, of which each byte is a character for `clean`: servers also give texts a type that Chrome takes for another.
 * @param {string} body @param {(text: string) => string} clean
 */
function withDecoded(body, clean) {
  let text;
  try {
    text = atob(body);
  } catch {
    return clean(body);
  }
  const left = clean(text);
  return left === text ? body : btoa(left);
}

/**
 * A copy of a JSON value in which each text is what `clean` makes of it.
 * @param {unknown} value @param {(text: string) => string} clean @param {(name: string) => string} named  the same for names
 * @returns {{value: unknown, redacted: number}} redacted: the number of texts that were changed
 */
function mapTexts(value, clean, named) {
  let redacted = 0;
  const counted = (/** @type {string} */ text) => {
    const left = clean(text);
    redacted += Number(left !== text);
    return left;
  };
  /** @param {unknown} one @returns {unknown} */
  const map = (one) => {
    if (typeof one === "string") return counted(one);
    if (Array.isArray(one)) return one.map(map);
    if (one === null || typeof one !== "object") return one;
    const isEncoded = /** @type {{base64?: unknown}} */ (one).base64 === true;
    return Object.fromEntries(Object.entries(one).map(([name, member]) =>
      [named(name), isEncoded && name === "body" ? withDecoded(String(member), counted) : map(member)]));
  };
  return { value: map(value), redacted };
}

/**
 * A reply, or a part of one, without what is searched for. The names of its members are ours, as some of its words.
 * @template T
 * @param {T} value
 * @returns {{value: T, redacted: number}} redacted: the number of texts that were changed
 */
export function strikeOut(value) {
  const clean = searching();
  if (!clean) return { value, redacted: 0 };
  const struck = mapTexts(value, (text) => (OWN_WORDS.has(text) ? text : clean(text)), (name) => name);
  return { value: struck.redacted ? /** @type {T} */ (struck.value) : value, redacted: struck.redacted };
}

/**
 * An outcome as it may leave: without what fields for secrets hold, unless it was asked for as it is. The log never gets it.
 * @param {Outcome} outcome
 * @param {import("../../types").Request} request
 * @returns {Outcome}
 */
export function strikeOutcome({ about, ...outcome }, { method, secrets, params }) {
  const isSuccess = outcome.type === "success";
  const isShown = secrets === "shown" || params?.sanitize === false || (isSuccess && UNSTRUCK.has(method));
  const struckAbout = about && { about: strikeOut(about).value };
  if (isShown) return { ...outcome, ...struckAbout };
  if (outcome.type === "error") {
    const { message, data } = outcome;
    return { ...outcome, ...strikeOut({ message, ...(data && { data }) }).value, ...struckAbout };
  }
  const { value: result, redacted } = strikeOut(outcome.result);
  if (redacted) result.redacted = redacted + (result.redacted ?? 0);
  return { ...outcome, result, ...struckAbout };
}

/** Values of the fields that a script could read itself. @param {ScriptPlace} place @returns {Set<string>} */
function ownValues({ tabId, frameId, origin = "null" }) {
  const isNear = (/** @type {Held} */ held) =>
    held.tabId === tabId && (held.frameId === frameId || (held.origin === origin && origin !== "null"));
  const near = [...documents.values()].filter(isNear).flatMap(({ values }) => [...values.keys()]);
  return new Set(near.map((value) => value.trim()).filter((value) => value.length >= MIN_OWN));
}

/**
 * A value that a script has returned or thrown, without the values of fields: also short ones that are all of a text in it.
 * @template T
 * @param {T} value @param {ScriptPlace} place
 * @returns {{value: T, redacted: number}}
 */
export function strikeResult(value, place) {
  const own = ownValues(place);
  const clean = searching();
  if (!own.size && !clean) return { value, redacted: 0 };
  const struckText = (/** @type {string} */ text) => {
    const [name] = THROWN.exec(text) ?? [""];
    const bare = text.slice(name.length).trim();
    if (own.has(bare)) return name + MASK;
    return own.has(QUOTED.exec(bare)?.[1] ?? "") ? `${name}"${MASK}"` : clean?.(text) ?? text;
  };
  if (typeof value === "number" && own.has(String(value))) return { value: /** @type {T} */ (MASK), redacted: 1 };
  const struck = mapTexts(value, struckText, struckText);
  return { value: /** @type {T} */ (struck.value), redacted: struck.redacted };
}

/**
 * Forgets the values of documents that were left for good before the calls that still run began.
 * @param {number} since epoch ms at which the oldest of them began
 */
export function forgetLeft(since) {
  const left = [...documents.values()].filter(({ leftAt }) => leftAt && leftAt < since);
  if (!left.length) return;
  forgetting.emit();
  for (const { documentId } of left) documents.delete(documentId);
  search = undefined;
}

/** @param {(held: Held) => boolean} isLeft */
function leave(isLeft) {
  for (const held of documents.values()) if (isLeft(held)) held.leftAt ||= Date.now();
}

/** Number of documents that have come into the frames of a tab. @param {number} tabId */
export const arrivalsIn = (tabId) => arrivals.get(tabId) ?? 0;

onDocumentCommitted((tabId, frameId, documentId) => {
  arrivals.set(tabId, arrivalsIn(tabId) + 1);
  for (const held of documents.values()) {
    if (held.tabId !== tabId || (frameId !== 0 && held.frameId !== frameId)) continue;
    if (held.documentId === documentId) Object.assign(held, { followers: 0, leftAt: 0 });
    else if ((held.followers += 1) > 1) held.leftAt ||= Date.now();
  }
});
// The reply of a call that is still running may hold what its tab has had.
onTabClosed((tabId) => leave((held) => held.tabId === tabId));
onClientGone(() => {
  if (!isAnyClientAttached()) leave(() => true);
});
