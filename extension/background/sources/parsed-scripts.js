/*
 * Scripts of a tab as the JavaScript engine has them, with the address of the source map of each: from its last comment or from
 * the header that it came with. The Debugger domain is on only while they are asked for, and pauses nowhere; where breakpoints
 * are set it is on anyway, and stays as it is.
 */
import { getOrMake } from "../base/maps.js";
import { ifInTime } from "../base/deadline.js";
import { makeQueue } from "../base/turns.js";
import { TabMap } from "../base/tabs.js";
import { childrenOf, senderOf } from "../debugger/child-sessions.js";
import { onEvent } from "../debugger/attachment.js";
import { withDocuments } from "../documents/document-look.js";
import { keeperOf } from "../debugger/script-pauses.js";

/** @import { EventParams, Send } from "../debugger/commands" */
/** @typedef {EventParams<"Debugger.scriptParsed">} Parsed */
/** @typedef {import("../debugger/script-pauses.js").KnownDocuments} KnownDocuments */
/**
 * A script, or a style sheet as one: what is needed to find a place in its sources.
 * @typedef {Pick<Parsed, "scriptId"|"url"|"startLine"|"startColumn"|"endLine"|"endColumn"|"hash"|"sourceMapURL"> &
 *   Partial<Pick<Parsed, "executionContextId"|"executionContextAuxData"|"scriptLanguage"|"length">> &
 *   {session: string|undefined}} Script
 */

const LIMIT_MS = 3_000;
/** Scripts of a tab that are looked at; a page may make new ones without end. */
const MAX_SCRIPTS = 5_000;

/** Tab → its looks, in turn: a domain that is on already tells nothing. @type {TabMap<ReturnType<typeof makeQueue>>} */
const queues = new TabMap();

/**
 * Runs `work` when no other look at the scripts of a tab is under way.
 * @template T
 * @param {number} tabId @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const inTurn = (tabId, work) => getOrMake(queues, tabId, makeQueue)(work);

/**
 * Runs `work` with the scripts of a tab, and of its children that are attached now, while the engine can be asked for their text.
 * @template T
 * @param {number} tabId
 * @param {Send} send commands of the tab's own session
 * @param {(scripts: Script[], documents: KnownDocuments) => Promise<T>} work
 * @param {KnownDocuments} [known] the documents, where they are known already
 * @returns {Promise<T>}
 */
export function withScripts(tabId, send, work, known) {
  return inTurn(tabId, async () => {
    const keeper = keeperOf(tabId);
    if (keeper) {
      await keeper.documents.learned(LIMIT_MS);
      return work([...keeper.scripts], keeper.documents);
    }
    const look = (/** @type {KnownDocuments} */ documents) => lookAt(tabId, send, documents, work);
    return known ? look(known) : withDocuments(tabId, send, look);
  });
}

/**
 * @template T
 * @param {number} tabId @param {Send} send @param {KnownDocuments} documents
 * @param {(scripts: Script[], documents: KnownDocuments) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function lookAt(tabId, send, documents, work) {
  /** @type {Script[]} */
  const scripts = [];
  const stop = onEvent(tabId, (method, params, session) => {
    if (method === "Debugger.scriptParsed" && scripts.length < MAX_SCRIPTS) scripts.push({ ...params, session });
    // A pause that came in between would hold the page.
    if (method === "Debugger.paused" && !keeperOf(tabId)) senderOf(tabId, session)("Debugger.resume").catch(() => {});
  });
  const senders = [send, ...childrenOf(tabId).map(([session]) => senderOf(tabId, session))];
  try {
    // A frame whose document is not known yet would be taken for a barred one.
    await Promise.all([documents.learned(LIMIT_MS), ...senders.map((one) => ifInTime(enable(one), LIMIT_MS))]);
    return await work(scripts, documents);
  } finally {
    if (!keeperOf(tabId)) await Promise.all(senders.map((one) => ifInTime(one("Debugger.disable"), LIMIT_MS)));
    stop();
  }
}

/** The text of a script, while `withScripts` lasts. @param {number} tabId @param {Pick<Script, "scriptId"|"session">} script */
export async function scriptText(tabId, { scriptId, session }) {
  const { scriptSource = "" } = await senderOf(tabId, session)("Debugger.getScriptSource", { scriptId });
  return scriptSource;
}

/** @param {Send} send */
async function enable(send) {
  // The domain may be on for a script of a client that runs long; then it would not tell of the scripts that it told of before.
  await send("Debugger.disable");
  void send("Debugger.setSkipAllPauses", { skip: true }).catch(() => {});
  await send("Debugger.enable");
}
