/*
 * Functions of ours in the page's own world, put there by the scripting API without the debugger: watchers, and one that compiles
 * JavaScript written by the caller. A page whose policy forbids that compiles nothing.
 */
import { assertDocument } from "../rules/permissions.js";
import { readings } from "../debugger/evaluation.js";
import { guardStatement } from "../rules/allowed-origins.js";
import { isGone, said, TabwireError } from "../base/errors.js";
import { call as callPage } from "./content-calls.js";

/** @typedef {import("../../types").TabCall} TabCall */
/**
 * @typedef {object} Injected what the page made of a script
 * @property {string} [type] of its value
 * @property {string} [json] its value; absent for what JSON cannot say
 * @property {string} [thrown]
 * @property {unknown} [value] that was thrown, if it is no error
 * @property {string} [forbidden] why the page compiles nothing
 * @property {true} [isLate] the rest comes when it is asked for
 */

/** @type {Injected} */
const LEFT = { thrown: "the page was left" };

/**
 * Runs in the page. A reading that does not compile has run nothing, so the next one is tried.
 * @param {string[]} texts @param {string} guard @param {boolean} isAwaited
 * @param {string} name of the event that tells the outcome in a page that is loading
 * @returns {Promise<Injected>|Injected}
 */
const runTexts = (texts, guard, isAwaited, name) => {
  const nameOf = (/** @type {unknown} */ value) =>
    (value === null ? "null" : Array.isArray(value) ? "array" : value instanceof Promise ? "promise" : typeof value);
  const run = async () => {
    /** @type {Injected} */
    let failure = { thrown: "nothing was run" };
    for (const text of texts) {
      let hasBegun = false;
      const begin = () => { hasBegun = true; };
      try {
        // Outside of this function, whose names are not for the text.
        const evaluated = new Function("tabwireBegins", "return eval(arguments[1])");
        const made = evaluated(begin, `tabwireBegins(); ${guard}${text}`);
        const value = isAwaited ? await made : made;
        return { type: nameOf(value), json: JSON.stringify(value) };
      } catch (error) {
        if (!hasBegun && error instanceof EvalError) return { forbidden: error.message };
        failure = error instanceof Error ? { thrown: String(error) } : { thrown: `thrown: ${String(error)}`, value: error };
        if (hasBegun || !(error instanceof SyntaxError)) return failure;
      }
    }
    return failure;
  };
  const { dispatchEvent } = EventTarget.prototype;
  const Told = CustomEvent;
  const target = window;
  const textOf = (/** @type {Injected} */ outcome) => {
    try {
      return JSON.stringify(outcome);
    } catch {
      return JSON.stringify({ thrown: outcome.thrown });
    }
  };
  const running = run();
  if (document.readyState === "complete") return running;
  // Chrome keeps the load event back while a script lasts that was injected before it.
  target.addEventListener(`${name}?`, () => {
    void running.then((outcome) => dispatchEvent.call(target, new Told(name, { detail: textOf(outcome) })));
  }, { once: true });
  return { isLate: true };
};

/**
 * Runs a script of the caller in the page's own world.
 * @param {TabCall} call
 * @param {import("../debugger/evaluation.js").Script} script
 * @param {{frameId: number, isAwaited: boolean}} options
 * @returns {Promise<Injected>}
 */
export async function runInjected(call, script, { frameId, isAwaited }) {
  const name = `s${crypto.randomUUID()}`;
  const args = [[...readings(script)], guardStatement(call), isAwaited, name];
  const { documentId, answer = LEFT } = await inOwnWorld(call, frameId, runTexts, args);
  const { forbidden, ...injected } = answer.isLate ? await lateOutcome(call, documentId, name) : answer;
  if (forbidden)
    throw new TabwireError("unsupported_operation", `the page forbids scripts that come as text (${said(forbidden)})`);
  return injected;
}

/**
 * Runs a function of ours in the own world of a document where the call may work.
 * @template Answer
 * @param {TabCall} call
 * @param {number} frameId
 * @param {(...args: never[]) => Promise<Answer>|Answer} func uses nothing from outside itself
 * @param {unknown[]} args
 * @returns {Promise<{documentId: string, answer?: Answer}>} what it gave, as JSON; absent when the document was left meanwhile
 */
export async function inOwnWorld(call, frameId, func, args) {
  const documentId = await assertDocument(call.tab.id, frameId, call);
  call.signal.throwIfAborted();
  const [answer] = await chrome.scripting.executeScript({
    target: { tabId: call.tab.id, documentIds: [documentId] },
    world: "MAIN",
    injectImmediately: true,
    func: /** @type {never} */ (func),
    args,
  });
  return { documentId, answer: /** @type {Answer|undefined} */ (answer?.result ?? undefined) };
}

/** @param {TabCall} call @param {string} documentId @param {string} name @returns {Promise<Injected>} */
async function lateOutcome(call, documentId, name) {
  try {
    return JSON.parse(await callPage(call.tab.id, { documentId }, "scripts.outcome", { name }, call));
  } catch (error) {
    if (isGone(error)) return LEFT;
    throw error;
  }
}

/**
 * Puts a watcher into the own world of documents, one by one: a frame that is gone would spoil it for the others.
 * @param {number} tabId
 * @param {string[]} documentIds
 * @param {(name: string) => void} watcher uses nothing from outside itself
 * @param {string} name of its events
 */
export const placeWatchers = (tabId, documentIds, watcher, name) => Promise.allSettled(documentIds.map((documentId) =>
  chrome.scripting.executeScript({
    target: { tabId, documentIds: [documentId] },
    world: "MAIN",
    injectImmediately: true,
    func: /** @type {never} */ (watcher),
    args: [name],
  })));
