/*
 * Activity of clients in this browser, shown to the person: the last calls with client, act, place and outcome. Nothing that was
 * typed, read or answered is in it, and the names that a page gives its elements are kept without secrets.
 */
import { count, sentenceOf } from "../base/text.js";
import { METHODS } from "../base/protocol.js";
import { redact } from "../rules/redaction.js";
import { siteOfAddress, UNKNOWN_SITE } from "../rules/site-pattern.js";
import { Signal } from "../base/signal.js";
import { persisted, ready } from "../base/state.js";
import { answerUi, pushToUi } from "../base/ui-requests.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").Outcome} Outcome */
/** @typedef {import("../base/protocol-types").Effects} Effects */
/** @typedef {"running"|"done"|"refused"|"failed"|"stopped"} State */
/**
 * Entry of one call. `refused`: a rule, a lease or the pause kept it from beginning; `stopped`: the person ended it.
 * @typedef {object} Activity
 * @property {number} id rises from call to call
 * @property {string} client its name, with a number where two have one name
 * @property {string} clientId
 * @property {string} title of what was asked, such as "Click"
 * @property {string} method wire name
 * @property {"read"|"act"} effect
 * @property {number} at epoch ms of its beginning
 * @property {State} state
 * @property {number} [tabId] where
 * @property {string} [origin] of the page, or of the frame in it, that it is about
 * @property {string} [target] role and name of the element, such as: button "Save"
 * @property {string} [named] its name alone, or how the client described it
 * @property {string} [words] what was done, in a sentence; absent before it is
 * @property {string} [reason] why, as the client gave it
 * @property {number} [ended] epoch ms
 * @property {string} [error] the code it failed with
 * @property {string} [observed] what an act caused, in short
 */

const KEPT = 200;
const MAX_TEXT = 120;
/** Writing at every step of every call would cost more than it is worth. */
const SAVE_MS = 500;
const REFUSALS = new Set(["permission_denied", "tab_leased"]);
/** State of a call that the end of a worker cut off: the bridge asks again, or says that its outcome is not known. */
const LOST = { state: /** @type {const} */ ("failed"), error: "outcome_unknown" };

/** Entries of calls, the oldest first. */
const stored = persisted("activity", /** @type {Activity[]} */ ([]));
/** Entries of calls, by the object that all contexts of a call share. @type {WeakMap<object, Activity>} */
const written = new WeakMap();
/** @type {ReturnType<typeof setTimeout>|undefined} */
let saving;
/** @type {Signal<[entry: Activity]>} */
const moved = new Signal();
/** Calls a listener as a call begins, when more is known of it, and as it ends. */
export const onActivity = moved.add;

// Calls that an earlier worker left running are over.
const known = ready.then(() => {
  for (const entry of stored.get()) if (entry.state === "running") Object.assign(entry, LOST, { ended: Date.now() });
});

/** The extension's pages that look on. */
const viewers = pushToUi("activity", async () => {
  await known;
  return { entries: stored.get() };
});

/** Makes one line of text for people, without secrets and without control or format characters. @param {string} text */
const plain = (text) => redact(text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim().slice(0, MAX_TEXT)).value;

/** The origin of an address for people; the scheme where it has none. @param {string|undefined} url */
function placeOf(url) {
  const site = siteOfAddress(url ?? "");
  return site === UNKNOWN_SITE || site === "file://" ? /^[a-z][\w+.-]*:/i.exec(url ?? "")?.[0] : site;
}

/** @param {Activity} entry */
function tell(entry) {
  moved.emit(entry);
  if (viewers.pages.size) viewers.tell({ entry });
  saving ??= setTimeout(() => {
    saving = undefined;
    void stored.save();
  }, SAVE_MS);
}

/**
 * Adds the entry of a call that has come.
 * @param {CallContext} call
 */
export function activityBegins(call) {
  const { method, client, reason } = call;
  const facts = METHODS[method];
  if (!facts || facts.always) return;
  const all = stored.get();
  const entry = /** @type {Activity} */ ({
    // Ids rise even after the list was cleared, and in the next worker.
    id: Math.max((all.at(-1)?.id ?? 0) + 1, Date.now()),
    client: client.label ?? client.name.slice(0, MAX_TEXT),
    clientId: client.id,
    title: facts.title,
    method,
    effect: facts.effect,
    at: Date.now(),
    state: "running",
    ...(typeof reason === "string" && { reason: plain(reason) }),
  });
  all.push(entry);
  if (all.length > KEPT) all.splice(0, all.length - KEPT);
  written.set(call.subject, entry);
  tell(entry);
}

/**
 * Notes where a call works, or the element it is about, once that is known.
 * @param {CallContext} call
 */
export function activityMoves(call) {
  const entry = written.get(call.subject);
  if (!entry) return;
  locate(entry, call);
  tell(entry);
}

/** @param {Activity} entry @param {CallContext} call */
function locate(entry, { tab, subject, described }) {
  const target = subject.element;
  const origin = placeOf(target?.frame ?? tab?.url);
  const named = target ? plain(target.name) : typeof described === "string" ? plain(described) : "";
  const element = target ? `${target.role} ${JSON.stringify(named)}` : named;
  Object.assign(entry, tab && { tabId: tab.id }, origin && { origin }, element && { target: element }, named && { named });
}

/** Sentence on an act for people. @param {Activity} entry @returns {string|undefined} */
function wordsOf({ method, named, target, origin }) {
  /** @type {Record<string, string|undefined>} */
  const values = { target: named || target, address: origin?.replace(/^https?:\/\//, "") };
  const { past } = METHODS[method];
  return past && sentenceOf(past, (name) => values[name] ?? "");
}

/** @param {Outcome} outcome @returns {Pick<Activity, "state"|"error">} */
function endOf(outcome) {
  if (outcome.type === "success") return { state: "done" };
  const { error, data } = outcome;
  const isRefused = REFUSALS.has(error) || (error === "stopped_by_user" && data?.cause === "paused");
  return { state: isRefused ? "refused" : error === "stopped_by_user" ? "stopped" : "failed", error };
}

/**
 * Effect → in words; nothing that the page says.
 * @type {{[Name in keyof Effects]: (value: NonNullable<Effects[Name]>) => string}}
 */
const OBSERVED = {
  none: () => "nothing observable",
  url: ({ to }) => `went to ${placeOf(to) ?? "another page"}`,
  new_tabs: (tabs) => `opened ${count(tabs.length, "tab")}`,
  closed: () => "closed the tab",
  dialog: ({ type }) => `a dialog opened (${type})`,
  downloads: (files) => count(files.length, "download"),
  navigation_error: () => "a page did not load",
  mutations: (changes) => `${count(changes, "change")} in the page`,
};

/** @param {Effects} effects */
function observedIn(effects) {
  const seen = Object.entries(OBSERVED).filter(([name]) => effects[/** @type {keyof Effects} */ (name)] !== undefined);
  return seen.map(([name, words]) => words(/** @type {never} */ (effects[/** @type {keyof Effects} */ (name)]))).join(", ");
}

/**
 * Completes the entry of a call that has ended.
 * @param {CallContext|undefined} call
 * @param {Outcome} outcome
 */
export function activityEnds(call, outcome) {
  const entry = call && written.get(call.subject);
  if (!entry) return;
  locate(entry, call);
  const observed = outcome.type === "success" ? observedIn(outcome.result.effects ?? {}) : "";
  const words = outcome.type === "success" && wordsOf(entry);
  Object.assign(entry, endOf(outcome), { ended: Date.now() }, observed && { observed }, words && { words });
  tell(entry);
}

/*
 * Requests of the extension's own pages:
 * - {type: "activity"} → {entries: Activity[]}, oldest first, at most 200.
 * - {type: "clearActivity"} → {entries: Activity[]}: forgets what has ended.
 * - chrome.runtime.connect({name: "activity"}) is told {entries} at first and after it was cleared, then {entry} whenever one
 *   begins or changes: it replaces the one of the same id.
 */
answerUi({
  async activity() {
    await known;
    return { entries: stored.get() };
  },
  async clearActivity() {
    await stored.set(stored.get().filter(({ state }) => state === "running"));
    viewers.tell({ entries: stored.get() });
    return { entries: stored.get() };
  },
});
