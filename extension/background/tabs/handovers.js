/*
 * Tabs that their person has: a client has asked them something, or to do something there, and until they have answered no
 * client acts in that tab or in those it opens. What is asked outlives the worker, navigations, and the call that asked.
 */
import { isAttachedClient, onClientGone, releaseForAbsent } from "../base/clients.js";
import { Signal } from "../base/signal.js";
import { onTabClosed, onTabReplaced } from "../base/tabs.js";
import { clientName, visibleText } from "../base/text.js";
import { TabwireError } from "../base/errors.js";
import { persistedEntries, ready } from "../base/state.js";
import { declareQuestions, noteView, showQuestionWindow, tidyQuestions } from "../rules/question-window.js";
import { keepForPerson } from "./leases.js";
import { onPageMessage } from "./keep-alive.js";
import { onClientStop, onStop } from "../rules/stop.js";
import { answerUi, pushToUi } from "../base/ui-requests.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {"answered"|"chosen"|"done"|"declined"} Outcome */
/** @typedef {{question: string, choices?: string[], please_do: boolean}} Asked */
/**
 * @typedef {object} Handover
 * @property {string} id
 * @property {number} tabId
 * @property {number[]} opened tabs that were opened from it meanwhile
 * @property {Client} client who asks
 * @property {Asked} asked
 * @property {number} since epoch ms
 * @property {{url: string, title: string}} from
 * @property {number} documents how many the tab has shown since
 * @property {{outcome: Outcome, answer?: string}} [answer] from the person; it waits for the client's next call if none waits
 */
/**
 * @typedef {Asked & {id: string, tabId: number, client: string, since: number, windowId?: number}} Shown a question as pages show
 * it
 */

/** A question that no call waits for any more, or an answer that none fetches, is kept for so long. */
const KEPT_MS = 10 * 60_000;
/** A client that is not back by then is gone. */
const RETURN_MS = 8_000;
const ALARM = "handover ";
const MAX_ANSWER = 4_000;

/** Tab → what its person is asked. @type {ReturnType<typeof persistedEntries<Handover>>} */
const handovers = persistedEntries("handover.");
/** Tab → its snapshot when it was handed over: apart, because it is large. @type {ReturnType<typeof persistedEntries<string>>} */
const snapshots = persistedEntries("handed over: ");
/**
 * Tab → field → what was typed: kept to strike it out of what is answered.
 * @type {ReturnType<typeof persistedEntries<Record<string, Filled>>>}
 */
const filled = persistedEntries("filled in: ");
/** @typedef {{name: string, secret: boolean, text: string|null}} Filled text: null where something was chosen */

/** @typedef {{resolve: (ending: Ending) => void, clientId: string}} Waiting */
/** @typedef {{state: "answered"|"closed"|"withdrawn"|"lost"}} Ending */
/** Handover → the calls that wait for its answer. @type {Map<string, Set<Waiting>>} */
const waiting = new Map();
/** @type {Signal<[open: Shown[]]>} */
const changed = new Signal();
/** Calls a listener whenever what the person is asked has changed. */
export const onHandovers = changed.add;
/** @type {Signal<[handover: Handover, tabId: number]>} */
const documentCommitted = new Signal();
/** Calls a listener for each document that comes into a tab that its person has. */
export const onDocumentOfPerson = documentCommitted.add;

const all = () => handovers.entries().map(([, handover]) => handover);
const open = () => all().filter(({ answer }) => !answer);
const holds = (/** @type {Handover} */ { tabId, opened }, /** @type {number} */ id) => tabId === id || opened.includes(id);

/** @param {Handover} handover @returns {Shown} */
const shown = ({ id, tabId, client, asked, since }) => ({
  id, tabId, since, client: clientName(client), please_do: asked.please_do,
  question: visibleText(asked.question), ...(asked.choices && { choices: asked.choices.map((choice) => visibleText(choice)) }),
});

/** Questions that the person is asked now, the oldest first. @returns {Shown[]} */
export const openHandovers = () => open().map(shown);

declareQuestions(() => openHandovers().map(({ id, tabId, client, question }) => ({
  id, tabId, title: `${client} asks you`, message: question,
})));

function tell() {
  keepTabs();
  const handovers = openHandovers();
  views.tell({ handovers });
  changed.emit(handovers);
  tidyQuestions();
}

/** @param {Handover} handover @param {number} tabId one that its person has */
const refusal = ({ client, asked, since }, tabId) =>
  new TabwireError(
    "tab_leased",
    `the person at the browser has tab ${tabId}: ${client.name} asked them ${JSON.stringify(asked.question.slice(0, 200))}, ` +
    `and they have not answered; nothing was done. ` +
      "Wait for them with ask_user and the same question, or go on in another tab",
    { tabId, holder: "the person at the browser", since },
  );

/** Keeps clients from acting in the tabs that their person has now, and in no others. */
function keepTabs() {
  const kept = open()
    .reverse()
    .flatMap((handover) => [handover.tabId, ...handover.opened].map((tabId) => /** @type {const} */ ([tabId, handover])));
  keepForPerson(new Map(kept.map(([tabId, handover]) => [tabId, () => refusal(handover, tabId)])));
}

void ready.then(keepTabs);

/** @param {Asked} asked */
const wordsOf = ({ question, choices, please_do }) => JSON.stringify([question, choices ?? [], please_do]);

/**
 * Finds a handover that the client has asked for in a tab in these words and that is unanswered, or whose answer nobody has
 * fetched. Any other handover it has asked for there is ended.
 * @param {number} tabId
 * @param {Client} client
 * @param {Asked} asked
 * @returns {Promise<Handover | undefined>}
 */
export async function askedBefore(tabId, client, asked) {
  const known = handovers.get(String(tabId));
  if (known?.client.id !== client.id) return undefined;
  if (wordsOf(known.asked) === wordsOf(asked)) return known;
  await end(known, "withdrawn");
  return undefined;
}

/**
 * Gives a tab to its person.
 * @param {chrome.tabs.Tab} tab
 * @param {Client} client
 * @param {Asked} asked
 * @returns {Promise<Handover>} resolves when it would survive the worker; the tab is theirs from this turn on
 */
export async function handOver({ id, url = "", title = "" }, client, asked) {
  const tabId = /** @type {number} */ (id);
  const handover = {
    id: crypto.randomUUID(), tabId, opened: [], client, asked, since: Date.now(), from: { url, title }, documents: 0,
  };
  // An answer to another client that nobody fetched is over.
  const stored = [handovers.set(String(tabId), handover), snapshots.remove([String(tabId)]), filled.remove([String(tabId)])];
  keepTabs();
  await Promise.all(stored);
  return handover;
}

/** Shows a question to the person. @param {Handover} handover @param {string|undefined} snapshot of its tab */
export async function putQuestion(handover, snapshot) {
  if (snapshot !== undefined) await snapshots.set(String(handover.tabId), snapshot);
  tell();
  // The window opens once: after it was closed, or could not open, the question is found behind the extension's button.
  showQuestionWindow().catch((error) => console.warn("tabwire: no window for a question", error));
}

/**
 * Waits until the person has answered, or it has ended otherwise.
 * @param {Handover} handover
 * @param {number} limit_ms
 * @param {AbortSignal} signal of the call; cancelled by its client it withdraws the question
 * @returns {Promise<Ending["state"]|"waiting">} waiting: not yet
 */
export function answerOf({ id, tabId, client }, limit_ms, signal) {
  const handover = handovers.get(String(tabId));
  if (handover?.id !== id) return Promise.resolve("withdrawn");
  if (handover.answer) return Promise.resolve("answered");
  void chrome.alarms.clear(ALARM + tabId);
  return new Promise((resolve) => {
    const settle = (/** @type {Ending["state"]|"waiting"} */ state) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      waiting.get(id)?.delete(mine);
      if (state === "waiting" || state === "lost") void forgetLater(tabId);
      resolve(state);
    };
    const mine = { clientId: client.id, resolve: (/** @type {Ending} */ { state }) => settle(state) };
    const abort = () => {
      settle("withdrawn");
      void end(handover, "withdrawn");
    };
    const timer = setTimeout(settle, limit_ms, "waiting");
    waiting.set(id, (waiting.get(id) ?? new Set()).add(mine));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
  });
}

const forgetLater = (/** @type {number} */ tabId) => chrome.alarms.create(ALARM + tabId, { when: Date.now() + KEPT_MS });

/** @param {Handover} handover @param {Ending["state"]} state */
async function end(handover, state) {
  const key = String(handover.tabId);
  if (handovers.get(key)?.id !== handover.id) return;
  const gone = [handovers.remove([key]), snapshots.remove([key]), filled.remove([key]), chrome.alarms.clear(ALARM + key)];
  settleAll(handover, state);
  tell();
  await Promise.all(gone);
}

/** @param {Handover} handover @param {Ending["state"]} state */
function settleAll({ id }, state) {
  for (const each of [...waiting.get(id) ?? []]) each.resolve({ state });
  waiting.delete(id);
}

/**
 * Takes what is known at the end of a handover; afterwards it is forgotten.
 * @param {Handover} handover
 * @returns {Promise<{before: string|undefined, fields: Filled[], handover: Handover}>}
 */
export async function takeBack({ tabId, id }) {
  const key = String(tabId);
  const handover = /** @type {Handover} */ (handovers.get(key));
  const known = { before: snapshots.get(key), fields: Object.values(filled.get(key) ?? {}), handover };
  if (handover?.id === id) await end(handover, "answered");
  return known;
}

/**
 * The person answers.
 * @param {{id: string, outcome: Outcome, answer?: string}} given
 * @throws {Error} when there is no such question, or no such answer to it
 */
async function answer({ id, outcome, answer: text = "" }) {
  const handover = open().find((each) => each.id === id);
  if (!handover) throw new Error("this question is not open any more");
  const { choices, please_do } = handover.asked;
  const isFitting = {
    answered: !choices && !please_do && text.trim() !== "",
    chosen: Boolean(choices?.includes(text)),
    done: please_do,
    declined: true,
  }[outcome];
  if (typeof text !== "string" || !isFitting) throw new Error("this is no answer to the question");
  handover.answer = { outcome, ...(text.trim() && { answer: text.trim().slice(0, MAX_ANSWER) }) };
  keepTabs();
  await handovers.set(String(handover.tabId), handover);
  const isFetched = waiting.get(id)?.size;
  settleAll(handover, "answered");
  if (!isFetched) await forgetLater(handover.tabId);
  tell();
  return { handovers: openHandovers() };
}

// A client that only lost its connection asks again in its next one.
onClientGone(({ id }) => {
  for (const calls of waiting.values()) for (const each of [...calls]) if (each.clientId === id) each.resolve({ state: "lost" });
});
releaseForAbsent(RETURN_MS, () => {
  for (const handover of all()) if (!isAttachedClient(handover.client.id)) void end(handover, "withdrawn");
});

const withdrawAll = (/** @type {Handover[]} */ handovers) =>
  Promise.all(handovers.map((handover) => end(handover, "withdrawn")));
onStop(() => ready.then(() => withdrawAll(all())));
onClientStop((clientId) => withdrawAll(all().filter(({ client }) => client.id === clientId)));

chrome.alarms.onAlarm.addListener(async ({ name }) => {
  if (!name.startsWith(ALARM)) return;
  await ready;
  const handover = handovers.get(name.slice(ALARM.length));
  if (handover && !waiting.get(handover.id)?.size) await end(handover, "withdrawn");
});

/** @param {number} tabId */
async function endIn(tabId) {
  await ready;
  const handover = handovers.get(String(tabId));
  if (handover) await end(handover, "closed");
}

onTabClosed(endIn);
// Chrome has discarded the tab's page, and with it what was typed there.
onTabReplaced(endIn);

/** @param {number|undefined} opener @param {number|undefined} tabId */
async function noteOpened(opener, tabId) {
  await ready;
  const handover = opener !== undefined && open().find((each) => holds(each, opener));
  if (!handover || tabId === undefined || holds(handover, tabId)) return;
  handover.opened.push(tabId);
  keepTabs();
  await handovers.set(String(handover.tabId), handover);
}

chrome.tabs.onCreated.addListener(({ id, openerTabId }) => void noteOpened(openerTabId, id));
// Chrome names no opener of what a background tab has opened.
chrome.webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => void noteOpened(sourceTabId, tabId));

chrome.webNavigation.onCommitted.addListener(async ({ tabId, frameId }) => {
  await ready;
  const handover = open().find((each) => holds(each, tabId));
  if (!handover) return;
  if (handover.tabId === tabId && frameId === 0) {
    handover.documents += 1;
    void handovers.set(String(tabId), handover);
  }
  documentCommitted.emit(handover, tabId);
});

onPageMessage("tabwireFilled", async (field, sender) => {
  const tabId = sender.tab?.id;
  if (tabId === undefined) return;
  await ready;
  const handover = open().find((each) => holds(each, tabId));
  if (!handover) return;
  const key = String(handover.tabId);
  const { name, secret, text } = field;
  await filled.set(key, { ...filled.get(key), [`${sender.documentId} ${field.field}`]: { name, secret, text } });
});

/*
 * Messages of the extension's pages:
 * - {type: "handovers"} → {handovers: Shown[]}, the oldest first.
 * - {type: "answerHandover", id, outcome: "answered"|"chosen"|"done"|"declined", answer?} → {handovers}: `answer` is the text,
 * the
 *   choice, or a remark to a refusal or to what was done.
 * - chrome.runtime.connect({name: "handovers"}) is told {handovers} at first and after each change; a side panel tells
 * {besideWindow:
 *   id of its window}.
 */
answerUi({
  handovers: () => ({ handovers: openHandovers() }),
  answerHandover: answer,
});

const views = pushToUi("handovers", () => ({ handovers: openHandovers() }), (port) => {
  port.onMessage.addListener(({ besideWindow }) => noteView(port, besideWindow));
});
