/*
 * Whether the page of a tab answers: a script is sent into it and must come back. It is only looked at, never loaded,
 * shown or waited for, and what could not be seen is not called well.
 */
import { within } from "../base/deadline.js";
import { PAUSED } from "../debugger/script-pauses.js";
import { pendingDialog } from "../debugger/attachment.js";
import { toTabwireError } from "../base/errors.js";
import { restriction } from "../rules/site-pattern.js";

/** @typedef {"ok" | "restricted" | "dialog" | "paused" | "frozen" | "discarded" | "loading" | "none"} Kind */
/**
 * @typedef {object} PageEcho
 * @property {Kind} kind
 * @property {boolean | null} ok null: the page was not tried, which is no fault
 * @property {string} detail
 * @property {string} [fix]
 * @property {number} [tabId]
 * @property {number} [ms] how long the script took there and back
 */

/** A page that says nothing for so long does not work now. */
const LIMIT_MS = 750;
const SHOWN_LENGTH = 120;

/** Kind → whether that is well, what is the matter, and what to do. */
const VERDICTS = /** @type {Record<Kind, {ok: boolean | null, says: string, fix?: string}>} */ ({
  ok: { ok: true, says: "" },
  restricted: { ok: null, says: "the browser lets no extension into this page", fix: "Open an ordinary web page" },
  paused: { ok: false, says: "a breakpoint has paused the page", fix: "Call paused with action resume" },
  dialog: { ok: false, says: "a dialog holds the page", fix: "Answer it with the dialog tool, or in the browser" },
  frozen: {
    ok: false, says: "the page does not answer: a dialog holds it, a script keeps it busy, or it has crashed",
    fix: "Look at that tab and answer its dialog, or close it",
  },
  discarded: { ok: null, says: "the browser has unloaded this tab; it is loaded again when a tool uses it" },
  loading: { ok: null, says: "the tab has no document yet", fix: "Wait for it, or navigate elsewhere" },
  none: { ok: null, says: "there is no tab to work in", fix: "Open one with tab_new, or choose one with tab_switch" },
});

/** @param {Kind} kind @param {string} [more] @returns {PageEcho} */
function verdict(kind, more) {
  const { ok, says, fix } = VERDICTS[kind];
  return { kind, ok, detail: [says, more].filter(Boolean).join(": "), ...(fix ? { fix } : {}) };
}

/**
 * Sends a script into the page and times its way back.
 * @param {chrome.tabs.Tab | null} tab
 * @returns {Promise<PageEcho>} never rejects, and resolves soon
 */
export async function echoPage(tab) {
  if (!tab) return verdict("none");
  const tabId = /** @type {number} */ (tab.id);
  const address = (tab.url || tab.pendingUrl || "").slice(0, SHOWN_LENGTH);
  const started = performance.now();
  const { kind, more } = standing(tab) ?? await ask(tabId, tab.url ?? "");
  const ms = kind === "ok" ? { ms: Math.round((performance.now() - started) * 10) / 10 } : {};
  return { ...verdict(kind, more ?? address), tabId, ...ms };
}

/**
 * State of a tab as far as it is known without asking its page.
 * @param {chrome.tabs.Tab} tab
 * @returns {{kind: Kind, more?: string} | null}
 */
function standing(tab) {
  if (tab.discarded) return { kind: "discarded" };
  if (!tab.url && tab.pendingUrl) return { kind: "loading" };
  if (restriction(tab.url ?? "")) return { kind: "restricted" };
  return knownDialog(/** @type {number} */ (tab.id));
}

/** @param {number} tabId @returns {{kind: Kind, more: string} | null} */
function knownDialog(tabId) {
  const dialog = pendingDialog(tabId);
  if (dialog?.type === PAUSED) return { kind: "paused", more: `at ${dialog.message.slice(0, SHOWN_LENGTH)}` };
  return dialog ? { kind: "dialog", more: `${dialog.type} ${JSON.stringify(dialog.message).slice(0, SHOWN_LENGTH)}` } : null;
}

/**
 * A document that is still loading answers as well, and so does the old one while another is awaited.
 * @param {number} tabId
 * @param {string} url
 * @returns {Promise<{kind: Kind, more?: string}>}
 */
async function ask(tabId, url) {
  const mark = crypto.randomUUID();
  const func = /** @type {never} */ ((/** @type {string} */ text) => text);
  const answer = chrome.scripting.executeScript({
    target: { tabId, frameIds: [0] }, injectImmediately: true, func, args: [mark],
  }).then(([first]) => first?.result === mark ? "ok" : "silent", (error) => toTabwireError(error));
  const outcome = await within(answer, LIMIT_MS, () => /** @type {const} */ ("silent"));
  if (outcome === "ok") return { kind: "ok" };
  if (outcome === "silent") return knownDialog(tabId) ?? { kind: "frozen" };
  if (outcome.code === "no_such_tab") return { kind: "none" };
  return await hasCrashed(outcome, url) ? { kind: "frozen" } : { kind: "restricted", more: outcome.message };
}

/**
 * Chrome speaks of a missing permission also where a renderer has crashed: there is no page to which the permission applies.
 * @param {Error} refusal
 * @param {string} url
 */
async function hasCrashed({ message }, url) {
  if (!/Cannot access contents of/.test(message) || !URL.canParse(url)) return false;
  return chrome.permissions.contains({ origins: [`${new URL(url).protocol}//${new URL(url).hostname}/*`] }).catch(() => false);
}
