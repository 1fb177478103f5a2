/*
 * Tabs that are recorded, as the browser tells of them: steps of their documents, addresses that the person types, tabs that are
 * opened, dialogs that are answered. Each new document is asked to tell its steps.
 */
import { ready } from "../base/state.js";
import { onDialogClosed } from "../debugger/attachment.js";
import { declarePurpose, hold, release } from "../debugger/holds.js";
import { callAll } from "../page/content-calls.js";
import { onPageMessage } from "../tabs/keep-alive.js";
import {
  add, addTab, begin, end, forget, isTold, observe, onRecordingEnd, recordingIn, tabsOf, workFor,
} from "./step-recordings.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./step-recordings.js").Recording} Recording */

const REACH_MS = 5_000;
/** A page that hangs keeps nobody waiting longer who ends a recording. */
const LAST_MS = 1_000;
const PURPOSE = "steps";
/** Ways to a page that are the person's own and no page's: the address bar, a bookmark, the start page. */
const TYPED = new Set(["typed", "auto_bookmark", "generated", "keyword", "keyword_generated", "start_page"]);

declarePurpose(PURPOSE, { undo: async () => {} });

/** @param {Recording} recording @returns {CallContext} */
const passing = ({ client }) => workFor(client, REACH_MS);

/**
 * Has the documents of a tab tell what the person does there, as far as the owner's rules allow that.
 * @param {Recording} recording @param {number} tabId @param {CallContext} [call]
 */
const watch = (recording, tabId, call = passing(recording)) => callAll(tabId, "steps.watch", { hasMark: true }, call);

/** Ends that for a while, or for good. @param {Recording} recording @param {number} tabId @param {CallContext} [call] */
const rest = (recording, tabId, call = passing(recording)) => callAll(tabId, "steps.rest", {}, call).catch(() => []);

/**
 * Ends a recording when its pages have told what they had seen: a step may still be on its way.
 * @param {Recording} recording @param {string} why
 */
export async function finish(recording, why) {
  const call = workFor(recording.client, LAST_MS);
  if (!recording.ended) await Promise.all(tabsOf(recording).map((tabId) => rest(recording, tabId, call)));
  await end(recording, why);
}

/**
 * Has Chrome tell of a tab's dialogs, which no script sees.
 * @param {number} tabId @param {CallContext} call
 * @returns {Promise<boolean>} false where another debugger has the tab
 */
const watchDialogs = (tabId, call) => hold(tabId, PURPOSE, call, async () => {}).then(() => true, () => false);

/**
 * Begins a recording in a tab that is not recorded yet.
 * @param {chrome.tabs.Tab & {id: number}} tab
 * @param {CallContext} call whose client the recording is for
 * @returns {Promise<{recording: Recording, hasDialogs: boolean}>} rejects where the page may not be recorded
 */
export async function record(tab, call) {
  const recording = await begin(call.client, tab.id, tab.url ?? "");
  try {
    const [top] = await watch(recording, tab.id, call);
    if (top?.error) throw top.error;
  } catch (error) {
    await forget(call.client);
    throw error;
  }
  return { recording, hasDialogs: await watchDialogs(tab.id, call) };
}

onRecordingEnd((recording) => Promise.all(tabsOf(recording).flatMap((tabId) => [
  rest(recording, tabId), release(tabId, PURPOSE, passing(recording)).catch(() => false),
])));

onPageMessage("tabwireStep", async (told, sender) => {
  const tabId = sender.tab?.id;
  await ready;
  const recording = recordingIn(tabId);
  if (!recording || tabId === undefined || !isTold(sender.url, tabId)) return;
  await add(recording, tabId, told, sender.documentId);
});

/** @param {{tabId: number, frameId: number, url: string}} details */
async function onDocument({ tabId }) {
  await ready;
  const recording = recordingIn(tabId);
  if (recording) await watch(recording, tabId).catch(() => []);
}

/**
 * @param {{tabId: number, frameId: number, url: string, transitionType: string, transitionQualifiers: string[]}} details
 */
async function onCommitted({ tabId, frameId, url, transitionType, transitionQualifiers }) {
  await ready;
  const recording = recordingIn(tabId);
  if (!recording || frameId !== 0 || !isTold(url, tabId)) return;
  const isGone = transitionQualifiers.includes("forward_back");
  const isTyped = TYPED.has(transitionType) || transitionQualifiers.includes("from_address_bar");
  if (transitionType === "reload" && !isGone) {
    await add(recording, tabId, { key: `reload ${Date.now()}`, method: "navigation.reload", params: {} });
  } else if (isTyped || isGone) {
    // The way back may lead elsewhere in another session: its address is what was meant.
    await add(recording, tabId, { key: `go ${Date.now()}`, method: "navigation.navigate", params: { url } });
  } else {
    await observe(recording, tabId, { url: { from: "", to: url } });
  }
}

chrome.webNavigation.onCommitted.addListener((details) => {
  void onDocument(details);
  void onCommitted(details);
});
// Frames without an address of their own are there only now.
chrome.webNavigation.onCompleted.addListener((details) => void onDocument(details));

/** @param {number|undefined} opener @param {number|undefined} tabId */
async function noteOpened(opener, tabId) {
  await ready;
  const recording = recordingIn(opener);
  if (!recording || opener === undefined || tabId === undefined) return;
  await addTab(recording, opener, tabId);
  void watchDialogs(tabId, passing(recording));
}

chrome.tabs.onCreated.addListener(({ id, openerTabId }) => void noteOpened(openerTabId, id));
// Chrome names no opener of what a background tab has opened.
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => void noteOpened(sourceTabId, tabId));

onDialogClosed(async (tabId, { type, url, isAccepted, text }) => {
  await ready;
  const recording = recordingIn(tabId);
  if (!recording || !isTold(url, tabId)) return;
  const params = { action: isAccepted ? "accept" : "dismiss", ...(type === "prompt" && isAccepted && { prompt_text: text }) };
  await add(recording, tabId, { key: `dialog ${Date.now()}`, method: "dialog.handle", params });
});
