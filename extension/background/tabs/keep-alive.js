/*
 * Ways back to life. Chrome ends an idle worker after 30 s and may end it at any time. An alarm always brings it back;
 * a tab in use does so in a tenth of a second: its top frame holds a Port that it opens again when the worker dies.
 */
import { ifInTime } from "../base/deadline.js";
import { checkCrash } from "./crashes.js";
import { tidyGroups } from "./lease-groups.js";
import { endUnused } from "./leases.js";
import { persistedByTab, ready } from "../base/state.js";
import { restriction } from "../rules/site-pattern.js";

const ALARM = "tabwire-discover";
const LIFELINE = "tabwire-lifeline";
const LIFELINE_FILE = "extension/injected/lifeline.js";
/** Chrome raises this to its minimum of 0.5 for packed extensions. */
const ALARM_MINUTES = 0.1;
/** The longest time until the alarm starts a worker that Chrome has ended. The store names itself in the manifest. */
export const WAKE_S = chrome.runtime.getManifest().update_url ? 30 : 60 * ALARM_MINUTES;
/** A tab that no client used for so long lets go. */
const USE_MS = 30 * 60_000;
/** A page that is asked over its Port and says nothing for so long is frozen. */
const ANSWER_MS = 1000;
/** Writing the time of use on every call would cost more than it is worth. */
const USE_STEP_MS = 60_000;

/** Tab id → when a client last used it, epoch ms. @type {import("../base/state.js").Persisted<Record<number, number>>} */
const used = persistedByTab("keepalive.used");
/** Tab id → the Port of its page, once that has answered. @type {Map<number, chrome.runtime.Port>} */
const ports = new Map();

/** Makes sure that the alarm exists. */
export async function keepAlarm() {
  const alarm = await chrome.alarms.get(ALARM);
  if (alarm?.periodInMinutes !== ALARM_MINUTES) await chrome.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
}

/**
 * Notes that a client uses a tab: its page is to bring the worker back when Chrome ends it.
 * @param {chrome.tabs.Tab} tab
 * @returns {Promise<void>} resolves when the page has been told; never rejects
 */
export async function holdTab(tab) {
  const tabId = /** @type {number} */ (tab.id);
  const now = Date.now();
  if (!(now - used.get()[tabId] < USE_STEP_MS)) used.put(tabId, now);
  if (!ports.has(tabId) && tab.url && !restriction(tab.url)) await placeLifeline(tabId);
}

/** Kind of message → its listener. @type {Map<string, (value: any, sender: chrome.runtime.MessageSender) => void>} */
const hearers = new Map();

/**
 * Says who hears of a kind of message that content scripts send: over the Port of a top frame, or by themselves from the others.
 * @param {string} kind the only key of the message
 * @param {(value: any, sender: chrome.runtime.MessageSender) => void} hearer
 */
export const onPageMessage = (kind, hearer) => void hearers.set(kind, hearer);

/** @param {any} message @param {chrome.runtime.MessageSender} sender */
function hear(message, sender) {
  const [kind] = Object.keys(message ?? {});
  if (sender.id === chrome.runtime.id) hearers.get(kind)?.(message[kind], sender);
}

/** @typedef {{title: string, url: string}} Address */
/**
 * Answer of a document that ran a content function. hasRun: false, when it knew none; frames: how many it has in its light tree
 * @typedef {{hasRun: boolean, outcome: any, frames: number}} RunAnswer
 */
/**
 * Questions on their way, by number.
 * @type {Map<number, {port: chrome.runtime.Port, resolve: (answer: any) => void}>}
 */
const asked = new Map();
let questions = 0;

/**
 * Sends a message to a page.
 * @param {chrome.runtime.Port} port @param {object} message
 * @returns {boolean} false when the Port has broken, of which its event may be still to come
 */
function post(port, message) {
  try {
    port.postMessage(message);
    return true;
  } catch {
    return false;
  }
}

/**
 * Id of the top document of a tab, when content functions can be run there over its Port.
 * @param {number} tabId
 */
export function documentOnPort(tabId) {
  return ports.get(tabId)?.sender?.documentId;
}

/**
 * Runs a content function in that document, in less than half the time of a script that is injected. What is asked is run in the
 * order in which it was asked.
 * @param {number} tabId
 * @param {unknown[]} run arguments of `runInPage`
 * @param {boolean} mustBeAlone only where the document has no frames
 * @returns {Promise<RunAnswer | null>} null when the document went away first
 */
export function runOverPort(tabId, run, mustBeAlone) {
  const port = /** @type {chrome.runtime.Port} */ (ports.get(tabId));
  const ask = ++questions;
  return new Promise((resolve) => {
    asked.set(ask, { port, resolve });
    if (!post(port, { ask, run, mustBeAlone })) settle(ask, null, port);
  });
}

/**
 * Title and address as the page has them now, over its Port: a third faster than a script, and the most frequent question.
 * @param {number} tabId
 * @returns {Promise<Address | null>} null when the page holds no Port, left, or does not answer
 */
export function askPage(tabId) {
  const port = ports.get(tabId);
  if (!port) return Promise.resolve(null);
  const ask = ++questions;
  return new Promise((resolve) => {
    // A dialog nobody knows of may hold the page.
    const timer = setTimeout(() => settle(ask, null, port), ANSWER_MS);
    asked.set(ask, { port, resolve: (answer) => { clearTimeout(timer); resolve(answer); } });
    if (!post(port, { ask })) settle(ask, null, port);
  });
}

/**
 * A question is answered by the document that was asked, and by no other one.
 * @param {number} ask @param {Address | RunAnswer | null} answer @param {chrome.runtime.Port} from
 */
function settle(ask, answer, from) {
  const question = asked.get(ask);
  if (question?.port !== from) return;
  asked.delete(ask);
  question.resolve(answer);
}

/** The tabs that clients have used lately, by id. */
export const usedTabs = () => Object.keys(used.get()).map(Number);

/** @returns {boolean} whether some page holds a Port, so that the worker comes back at once */
export const isHeld = () => ports.size > 0;

/** @param {number} tabId @returns {Promise<void>} */
function placeLifeline(tabId) {
  // A page that refuses scripts has no lifeline; the alarm is left. One that is busy is not waited for.
  const placed = chrome.scripting
    .executeScript({ target: { tabId }, files: [LIFELINE_FILE], injectImmediately: true })
    .then(() => {});
  return ifInTime(placed, ANSWER_MS);
}

/** @param {chrome.runtime.Port} port @param {() => void} wake */
function acceptPort(port, wake) {
  const tabId = port.sender?.tab?.id;
  const isOurs = port.sender?.id === chrome.runtime.id && port.sender.frameId === 0;
  if (port.name !== LIFELINE || !isOurs || tabId === undefined) return;
  port.onMessage.addListener((message) => {
    if (message.isThere) ports.set(tabId, port);
    else if (message.ask === undefined) hear(message, /** @type {chrome.runtime.MessageSender} */ (port.sender));
    else settle(message.ask, message, port);
  });
  port.onDisconnect.addListener(() => {
    // Reading it tells Chrome that the reason (a page gone to the back/forward cache) is known.
    void chrome.runtime.lastError;
    if (ports.get(tabId) === port) ports.delete(tabId);
    for (const ask of asked.keys()) settle(ask, null, port);
    void checkCrash(tabId);
  });
  // A script that its extension was reloaded under opens a Port to the new worker and is then cut off: that Port says nothing.
  post(port, { isThere: true });
  wake();
}

/** @param {{tabId: number, frameId: number, url: string}} details */
async function followNavigation({ tabId, frameId, url }) {
  if (frameId !== 0) return;
  await ready;
  if (used.get()[tabId] !== undefined && !restriction(url)) placeLifeline(tabId);
}

/** Lets go of the tabs that no client used for a long time. */
async function releaseIdle() {
  await ready;
  const oldest = Date.now() - USE_MS;
  endUnused(oldest);
  tidyGroups();
  for (const [tabId, port] of ports) {
    if (used.get()[tabId] > oldest) continue;
    ports.delete(tabId);
    post(port, { release: true });
    used.drop(tabId);
  }
}

/**
 * Registers the listeners; call it while the worker starts, in its first turn.
 * @param {{wake: () => void, tick: () => void}} actions wake: something happened that makes a client likely; tick: the alarm
 */
export function listen({ wake, tick }) {
  chrome.alarms.onAlarm.addListener((alarm) => {
    if (alarm.name !== ALARM) return;
    tick();
    releaseIdle();
  });
  chrome.runtime.onConnect.addListener((port) => acceptPort(port, wake));
  chrome.runtime.onMessage.addListener((message, sender) => {
    hear(message, sender);
    return false;
  });
  chrome.runtime.onInstalled.addListener(() => { keepAlarm(); wake(); });
  chrome.runtime.onStartup.addListener(() => { keepAlarm(); wake(); });
  chrome.tabs.onActivated.addListener(wake);
  chrome.tabs.onCreated.addListener(wake);
  chrome.webNavigation.onCommitted.addListener(followNavigation);
}
