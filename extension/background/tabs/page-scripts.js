/*
 * Two ways for a function of ours into documents: a script that Chrome injects, and the Port of a top document, in which such a
 * script has left the function before. The Port costs less than half, and keeps the order of what is asked.
 */
import { documentsBelow } from "../base/navigation-events.js";
import { TabMap } from "../base/tabs.js";
import { noteSecrets } from "../rules/secret-values.js";
import { documentOnPort, onPageMessage, runOverPort } from "./keep-alive.js";

/** @typedef {{frameId: number, documentId: string, result?: any}} ScriptAnswer */

/** Name of an answer on its way → the answer, by a Port of that name. @type {Map<string, PromiseWithResolvers<any>>} */
const late = new Map();
const LATE = /^tabwire-late /;

/** Answer by its name; its Port may come before its name does. @param {string} name */
function lateAnswer(name) {
  const answer = late.get(name) ?? Promise.withResolvers();
  answer.promise.catch(() => {});
  late.set(name, answer);
  return answer;
}

/** Chrome's own words for a frame that went away under a script. @param {number} [frameId] */
const removed = (frameId) => new Error(`Frame with ID ${frameId} was removed.`);

chrome.runtime.onConnect.addListener((port) => {
  if (!LATE.test(port.name) || port.sender?.id !== chrome.runtime.id) return;
  const { resolve, reject } = lateAnswer(port.name);
  port.onMessage.addListener((outcome) => {
    resolve(outcome);
    port.disconnect();
  });
  port.onDisconnect.addListener(() => reject(removed(port.sender?.frameId)));
});

/** The answer itself where a document that was loading has only told its name. @param {ScriptAnswer} answer */
async function withOutcome(answer) {
  const name = answer.result?.late;
  if (name === undefined) return answer;
  return { ...answer, result: await lateAnswer(name).promise.finally(() => late.delete(name)) };
}

/**
 * Tab → its top document, and whether it has frames below. Known from the last script that went into all frames; come: documents
 * that had come into frames of the tab by then.
 * @type {TabMap<{documentId: string, isAlone: boolean, come: number}>}
 */
const tops = new TabMap();

/**
 * Whether a document is all that a target names, as far as is known.
 * @param {chrome.scripting.InjectionTarget} target @param {string} documentId
 */
function isAll({ tabId, documentIds, frameIds }, documentId) {
  if (documentIds) return documentIds.length === 1 && documentIds[0] === documentId;
  if (frameIds) return frameIds.length === 1 && frameIds[0] === 0;
  const top = tops.get(tabId);
  return top?.documentId === documentId && top.isAlone && top.come === documentsBelow(tabId);
}

/**
 * Whether what is asked of all frames of a tab is run in the order in which it is asked.
 * @param {number} tabId
 */
export function keepsOrder(tabId) {
  const documentId = documentOnPort(tabId);
  return documentId !== undefined && isAll({ tabId, allFrames: true }, documentId);
}

/**
 * Answers of the documents that were asked over a Port, and the targets that are to be asked yet.
 * @typedef {{answers: ScriptAnswer[], left: chrome.scripting.InjectionTarget[]}} PortAnswer
 */
/**
 * The one document that was asked went away, or into the cache for going back. It may have run the function.
 * @type {PortAnswer}
 */
const GONE = { answers: [], left: [] };

/**
 * Runs a function over the Port of the top document, which counts its frames: Chrome tells nothing of frames without an address.
 * Frames in shadow trees, which the document does not count, Chrome has reported when their documents came.
 * @param {chrome.scripting.InjectionTarget} target @param {unknown[]} args
 * @returns {Promise<PortAnswer | null>} null: nothing was run, or another document may be asked
 */
async function overPort(target, args) {
  const { tabId, allFrames, documentIds } = target;
  const documentId = documentOnPort(tabId);
  if (documentId === undefined || !isAll(target, documentId)) return null;
  const come = documentsBelow(tabId);
  const told = await runOverPort(tabId, args, Boolean(allFrames));
  if (!told && documentIds) return GONE;
  const isMore = Boolean(allFrames && (told?.frames || documentsBelow(tabId) !== come));
  if (isMore) tops.set(tabId, { documentId, isAlone: false, come: 0 });
  if (!told?.hasRun) return null;
  const frames = isMore ? await chrome.webNavigation.getAllFrames({ tabId }).catch(() => null) : [];
  // A script for each: Chrome sends one for several frames into none of them when one has gone.
  const left = frames?.filter(({ frameId }) => frameId !== 0).map(({ frameId }) => ({ tabId, frameIds: [frameId] }));
  return { answers: [{ frameId: 0, documentId, result: told.outcome }], left: left ?? [target] };
}

/**
 * Notes what documents say, with their answers, of their fields for secrets.
 * @param {number} tabId @param {ScriptAnswer[]} answers
 */
function noteSaid(tabId, answers) {
  for (const { frameId, documentId, result } of answers)
    if (result?.secrets) noteSecrets({ tabId, frameId, documentId }, result.secrets);
}

onPageMessage("tabwireSecrets", (secrets, { tab, frameId, documentId }) => {
  if (tab?.id !== undefined && frameId !== undefined && documentId) noteSecrets({ tabId: tab.id, frameId, documentId }, secrets);
});

/**
 * Runs a function in documents.
 * @param {chrome.scripting.InjectionTarget} target
 * @param {(...args: any[]) => unknown} func uses nothing from outside itself
 * @param {unknown[]} args JSON
 * @param {boolean} mayUsePort
 * @returns {Promise<ScriptAnswer[]>} none: the document went away meanwhile
 */
export async function runInDocuments(target, func, args, mayUsePort) {
  const script = { injectImmediately: true, func: /** @type {never} */ (func), args };
  /** @param {chrome.scripting.InjectionTarget} where */
  const runIn = async (where) => {
    const answers = await Promise.all((await chrome.scripting.executeScript({ ...script, target: where })).map(withOutcome));
    noteSaid(target.tabId, answers);
    return answers;
  };
  const direct = mayUsePort ? await overPort(target, args) : null;
  if (direct) {
    noteSaid(target.tabId, direct.answers);
    // A frame that has gone meanwhile has no answer.
    const others = await Promise.all(direct.left.map((where) => runIn(where).catch(() => [])));
    return [...direct.answers, ...others.flat().filter(({ frameId }) => frameId !== 0)];
  }
  const come = documentsBelow(target.tabId);
  const answers = await runIn(target);
  if (target.allFrames) noteTop(target.tabId, answers, come);
  return answers;
}

/**
 * A document that was found to have frames once may get them again.
 * @param {number} tabId @param {ScriptAnswer[]} answers
 * @param {number} come  documents that had come into frames of the tab before they were asked
 */
function noteTop(tabId, answers, come) {
  const { documentId } = answers.find(({ frameId }) => frameId === 0) ?? {};
  const known = tops.get(tabId);
  if (documentId && known?.documentId !== documentId) tops.set(tabId, { documentId, isAlone: answers.length === 1, come });
  else if (known && answers.length > 1) known.isAlone = false;
}
