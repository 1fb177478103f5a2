/*
 * ask_user: the person at the browser is asked, or does something in the tab themselves, and what changed meanwhile is told.
 */
import { ownCall } from "../rules/call-parts.js";
import { noSuchTab, TabwireError } from "../base/errors.js";
import { answerOf, askedBefore, handOver, onDocumentOfPerson, putQuestion, takeBack } from "../tabs/handovers.js";
import { assertFree } from "../tabs/leases.js";
import { callAll } from "../page/content-calls.js";
import { objectionTo, told } from "../rules/addresses.js";
import { enterQueue } from "../base/acts.js";
import { strikerOf } from "../rules/strike-out.js";
import { restriction } from "../rules/site-pattern.js";
import { USUAL } from "./snapshot.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../tabs/handovers.js").Handover} Handover */

/** Time kept at the end of a call to let the page load and to look at it. */
const LOOK_MS = 7_000;
const LOAD_MS = 4_000;
const REACH_MS = 3_000;
/** A larger page is not kept to compare it with. */
const MAX_SNAPSHOT = 400_000;
const MAX_FIELDS = 40;

/**
 * @param {import("../base/protocol-types").Params<"handover.ask">} params
 * @param {CallContext} call
 */
async function ask(params, call) {
  const tabId = /** @type {number} */ (call.tab?.id);
  const { question, choices, please_do } = params;
  const asked = { question, please_do, ...(choices && { choices }) };
  const began = Date.now();
  const handover = (await askedBefore(tabId, call.client, asked)) ?? (await begin(asked, call));
  const limit = Math.max(0, Math.min(params.timeout, call.remaining() - LOOK_MS));
  const state = await answerOf(handover, limit, call.signal);
  if (state === "waiting") return stillOpen(tabId, Date.now() - began);
  if (state !== "answered") throw endError(state, tabId, call);
  return report(handover, call);
}

/** @param {import("../tabs/handovers.js").Asked} asked @param {CallContext} call */
async function begin(asked, call) {
  const tab = /** @type {chrome.tabs.Tab} */ (call.tab);
  const tabId = /** @type {number} */ (tab.id);
  assertFree([tabId], call.client);
  const handover = await handOver(tab, call.client, asked);
  try {
    // No act begins from here on; the earlier ones of the tab end first.
    (await enterQueue(tabId, call.signal))();
    handover.from = await addressOf(tabId);
    await watch(tabId, call.client, false);
    await putQuestion(handover, await look(tab, call));
  } catch (error) {
    await takeBack(handover);
    throw error;
  }
  return handover;
}

/** @param {number} tabId */
async function addressOf(tabId) {
  const { url = "", title = "" } = await chrome.tabs.get(tabId);
  return { url, title };
}

/** Pages that nobody may read are handed over all the same. @param {chrome.tabs.Tab} tab @param {CallContext} call */
async function look({ id, url = "" }, call) {
  if (restriction(url)) return undefined;
  const { snapshot } = await call.dispatch("snapshot.capture", { ...USUAL, tabId: id }).catch(() => ({ snapshot: "" }));
  call.signal.throwIfAborted();
  return snapshot && snapshot.length <= MAX_SNAPSHOT ? snapshot : undefined;
}

/** Reaches all frames of a tab, whoever asks. @param {Handover["client"]} client */
const passing = (client) => /** @type {any} */ ({ ...ownCall(client.id, REACH_MS), method: "handover.ask", client });

/**
 * Has the pages of a tab tell which fields are filled in from now on.
 * @param {number} tabId
 * @param {Handover["client"]} client
 * @param {boolean} isFresh whether the person has had the page from its beginning: what is in its fields by now is theirs, too
 */
const watch = (tabId, client, isFresh) => callAll(tabId, "person.watch", { isFresh }, passing(client)).catch(() => {});

onDocumentOfPerson(({ client }, tabId) => void watch(tabId, client, true));

/** @param {number} tabId @param {number} waited_ms @returns {import("../base/protocol-types").Result<"handover.ask">} */
const stillOpen = (tabId, waited_ms) => ({
  tabId, outcome: "waiting", done: `No answer yet after ${Math.round(waited_ms / 1000)} s`,
  note: "the question stays open in the browser: call ask_user again with the same question to go on waiting, " +
    "or tell the person in your own words that Tabwire's button in the toolbar has it",
});

/** @param {"closed"|"withdrawn"|"lost"} state @param {number} tabId @param {CallContext} call */
function endError(state, tabId, { signal }) {
  if (state === "closed") {
    return noSuchTab(
      `tab ${tabId} was closed while its person was asked, and they have not answered; ask them what they want, in another tab`);
  }
  if (signal.aborted) return signal.reason;
  return new TabwireError("cancelled", state === "lost"
    ? "the connection to the client was lost"
    : "the question was withdrawn: the same client asked something else in this tab, or is gone");
}

const DONE = {
  answered: "The user answered", chosen: "The user chose", done: "The user says that it is done", declined: "The user declined",
};

/** @param {Handover} asked @param {CallContext} call */
async function report(asked, call) {
  const { tabId } = asked;
  await loaded(tabId, call);
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  const after = tab ? await look(tab, call) : undefined;
  const { before, fields, handover } = await takeBack(asked);
  if (!tab) throw endError("closed", tabId, call);
  void callAll(tabId, "person.rest", {}, passing(call.client)).catch(() => {});
  const strike = strikerOf(fields);
  const { outcome, answer } = /** @type {NonNullable<Handover["answer"]>} */ (handover.answer);
  const names = [...new Set(fields.map(({ name }) => strike(name)))].slice(0, MAX_FIELDS);
  const effects = await effectsOf(handover, tab, strike);
  const isTold = before !== undefined && after !== undefined;
  return {
    tabId, outcome, done: DONE[outcome], ...(answer !== undefined && { answer }), effects,
    ...(names.length && { filled: names, note: "what they typed is withheld" }),
    ...(isTold && { before: strike(before) }), ...(after !== undefined && { after: strike(after) }),
  };
}

/**
 * Waits for the page to load: the person may have pressed Done while the page behind their last click is on its way.
 * @param {number} tabId @param {CallContext} call
 */
async function loaded(tabId, call) {
  const limit = Math.max(0, Math.min(LOAD_MS, call.remaining() - LOOK_MS + LOAD_MS));
  /** @type {import("../base/protocol-types").Params<"wait.until">} */
  const load = { for: "load_state", load_state: "load", state: "visible", polling: 100, timeout: limit, tabId };
  await call.dispatch("wait.until", load).catch(() => {});
}

/** @param {Handover} handover @param {chrome.tabs.Tab} tab @param {(text: string) => string} strike */
async function effectsOf({ tabId, from, opened, documents }, { url: address = "", title: name = "" }, strike) {
  const tabs = await Promise.all(opened.map((id) => chrome.tabs.get(id).catch(() => null)));
  const kept = tabs.flatMap((tab, index) => {
    const tabId = opened[index];
    return tab ? [{ tabId, ...told({ url: strike(tab.url || tab.pendingUrl || "") }, tabId) }] : [];
  });
  const { url, title, barred } = told({ url: address, title: name }, tabId);
  return {
    ...(barred && { barred: `it led to ${objectionTo(address, tabId)}` }),
    ...(url !== from.url && { url: { from: strike(from.url), to: strike(url) } }),
    ...(title !== from.title && { title: { from: strike(from.title), to: strike(title) } }),
    ...(documents && { navigated: true }),
    ...(kept.length && { new_tabs: kept }),
  };
}

/** @type {import("../../types").Handlers<"handover">} */
export const handlers = { "handover.ask": ask };
