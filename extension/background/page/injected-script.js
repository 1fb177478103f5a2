/*
 * Functions of ours in the page's own world, put there by the scripting API without the debugger: watchers, and one that compiles
 * JavaScript written by the caller. A page whose policy forbids that compiles nothing.
 */
import { allowedDocument } from "../rules/permissions.js";
import { readings } from "../debugger/evaluation.js";
import { guardStatement, refusal } from "../rules/allowed-origins.js";
import { isGone, said, unsupported } from "../base/errors.js";
import { call as callPage } from "./content-calls.js";

/** @typedef {import("../../types").TabCall} TabCall */
/**
 * @typedef {object} Injected what the page made of a script
 * @property {string} [type] of its value
 * @property {string} [json] its value; absent for what JSON cannot say
 * @property {string} [thrown]
 * @property {unknown} [value] that was thrown, if it is no error
 * @property {string} [forbidden] why the page compiles nothing
 */
/** @template Answer @typedef {Promise<Answer>|Answer|{isLate: true}} MaybeLate */

/** @type {Injected} */
const LEFT = { thrown: "the page was left" };
/** @type {Injected} */
const UNREADABLE = { thrown: "the page gave no readable outcome" };

/**
 * Runs in the page. A reading that does not compile has run nothing, so the next one is tried.
 * @param {string[]} texts @param {string} guard @param {boolean} isAwaited
 * @param {string} name of the event that tells the outcome in a page that is loading
 * @returns {MaybeLate<Injected>}
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
        // Names of this function are not for the text, which is therefore evaluated outside.
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
  const args = [[...readings(script)], guardStatement(call), isAwaited];
  const { answer: { forbidden, ...injected } = LEFT } = await inOwnWorld(call, frameId, runTexts, args);
  if (forbidden) {
    const why = typeof forbidden === "string" ? said(forbidden) : "it does not say why";
    throw unsupported(`the page forbids scripts that come as text (${why}); use other tools there`);
  }
  return injected;
}

/**
 * Runs a function of ours in the own world of a document where the call may work. Chrome keeps the load event back while a script
 * lasts that was injected before it: in a document that is loading the function only says that it is late, and tells its outcome
 * as the JSON of an event, `name`, when it is asked by the event `${name}?`. Functions go there as text and a page's policy may
 * forbid compiling one, so each of them ends with these same lines.
 * @template Answer
 * @param {TabCall} call
 * @param {number} frameId
 * @param {(...args: never[]) => MaybeLate<Answer>} func uses nothing from outside itself; its last argument is that name
 * @param {unknown[]} args those before it
 * @returns {Promise<{documentId: string, origin: string, answer?: Answer}>} what it gave, as JSON; absent when it gave none, for
 * instance because the document was left meanwhile
 */
export async function inOwnWorld(call, frameId, func, args) {
  const name = `s${crypto.randomUUID()}`;
  const { documentId, origin } = await allowedDocument(call.tab.id, frameId, call);
  call.signal.throwIfAborted();
  const [injection] = await runInWorldOf(call.tab.id, documentId, func, [...args, name]);
  /** @type {any} */
  const result = injection?.result;
  const answer = result?.isLate ? await lateOutcome(call, documentId, name) : result;
  if (answer?.foreign) throw refusal(call, "the page or the frame is of another origin");
  return { documentId, origin, answer: answer && typeof answer === "object" ? answer : undefined };
}

/** @param {number} tabId @param {string} documentId @param {Function} func @param {unknown[]} args */
const runInWorldOf = (tabId, documentId, func, args) => chrome.scripting.executeScript({
  target: { tabId, documentIds: [documentId] }, world: "MAIN", injectImmediately: true, func: /** @type {never} */ (func), args,
});

/**
 * The outcome as the page tells it, in whatever words.
 * @param {TabCall} call @param {string} documentId @param {string} name @returns {Promise<any>} undefined when it was left
 */
async function lateOutcome(call, documentId, name) {
  let text;
  try {
    text = await callPage(call.tab.id, { documentId }, "scripts.outcome", { name }, call);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) ?? UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

/**
 * Puts a watcher into the own world of documents, one by one: a frame that is gone would spoil it for the others.
 * @param {number} tabId
 * @param {string[]} documentIds
 * @param {(name: string) => void} watcher uses nothing from outside itself
 * @param {string} name of its events
 */
export const placeWatchers = (tabId, documentIds, watcher, name) => Promise.allSettled(
  documentIds.map((documentId) => runInWorldOf(tabId, documentId, watcher, [name])));
