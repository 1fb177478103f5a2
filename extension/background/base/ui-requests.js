/*
 * Requests of the extension's own pages (popup, side panel, question window) to the worker. Each module registers what it
 * answers; web pages, their content scripts and other extensions get no answer at all.
 */
import { ready } from "./state.js";

/** @typedef {(message: any, sender: chrome.runtime.MessageSender) => unknown} Answer
 *   gives JSON or a promise of it; may throw. Each request of the pages has fields of its own */

/** Request → its answer. @type {Map<string, Answer>} */
const answers = new Map();
/** Name of a port → what is done for a page that connects. @type {Map<string, (port: chrome.runtime.Port) => void>} */
const talkers = new Map();

/**
 * Registers answers to `chrome.runtime.sendMessage({type, …})` of the extension's own pages. An answer that throws arrives as
 * `{error: string}`. To be called in the first turn of the worker, with `answerUi` at the top level of a module.
 * @param {Record<string, Answer>} table request (the message's `type`) → answer
 * @throws {Error} when a request has its answer already
 */
export function answerUi(table) {
  for (const [name, answer] of Object.entries(table)) enter(answers, name, answer);
}

/**
 * Registers what is pushed to the extension's own pages that call `chrome.runtime.connect({name})`.
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} current what a page is told as it connects, after the state is in memory
 * @param {(port: chrome.runtime.Port) => void} [talk] called for each page that connects
 * @returns {{pages: ReadonlySet<chrome.runtime.Port>, tell: (message: Partial<T> | object) => void}} pages: those that are
 * connected
 * @throws {Error} when the name is taken
 */
export function pushToUi(name, current, talk) {
  /** @type {Set<chrome.runtime.Port>} */
  const pages = new Set();
  enter(talkers, name, async (port) => {
    port.onDisconnect.addListener(() => pages.delete(port));
    pages.add(port);
    talk?.(port);
    const now = await current();
    if (pages.has(port)) port.postMessage(now);
  });
  return { pages, tell: (message) => pages.forEach((port) => port.postMessage(message)) };
}

/** @template T @param {Map<string, T>} registered @param {string} name @param {T} value */
function enter(registered, name, value) {
  if (registered.has(name)) throw new Error(`two modules answer the pages' ${name}`);
  registered.set(name, value);
}

/**
 * Whether one of the extension's own pages speaks. Chrome names the sender's origin and address; of a content script they are
 * those of the web page it runs in.
 * @param {chrome.runtime.MessageSender} [sender]
 */
function isOwnPage(sender) {
  return sender?.id === chrome.runtime.id && sender.origin === location.origin
    && Boolean(sender.url?.startsWith(chrome.runtime.getURL("extension/"))) && !sender.frameId;
}

chrome.runtime.onMessage.addListener((message, sender, sendResponse) => {
  const answer = isOwnPage(sender) && answers.get(message?.type);
  if (!answer) return false;
  ready.then(() => answer(message, sender)).then(sendResponse, (error) => sendResponse({ error: String(error) }));
  return true;
});

chrome.runtime.onConnect.addListener((port) => {
  const talk = isOwnPage(port.sender) && talkers.get(port.name);
  if (!talk) return;
  ready.then(() => talk(port));
});
