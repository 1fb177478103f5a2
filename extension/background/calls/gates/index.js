/*
 * The gates of a call, in the order in which it passes them: one gate a file.
 */
import { innerContextOf } from "../call-context.js";
import { answeringPage } from "./answering-page.js";
import { freeTabs } from "./free-tabs.js";
import { handler } from "./handler.js";
import { landing } from "./landing.js";
import { loadedDocument } from "./loaded-document.js";
import { notStopped } from "./not-stopped.js";
import { observe } from "./observe.js";
import { Passage, handlerOf } from "./passage.js";
import { permission } from "./permission.js";
import { placement } from "./placement.js";
import { queue } from "./queue.js";
import { reach } from "./reach.js";
import { record } from "./record.js";
import { start } from "./start.js";
import { targetTab } from "./target-tab.js";
import { usedTab } from "./used-tab.js";
import { unsupported } from "../../base/errors.js";
import { METHODS } from "../../base/protocol.js";

/** @typedef {import("./passage.js").CallContext} CallContext */
/** @typedef {import("./passage.js").AnyParams} AnyParams */
/** @typedef {import("./passage.js").AnyResult} AnyResult */
/** @typedef {import("./passage.js").RunningCall} RunningCall */
/** @typedef {[gate: import("./passage.js").Gate, applies: (passage: Passage) => boolean]} Stay */

const always = () => true;
const inTab = (/** @type {Passage} */ { isInTab }) => isInTab;
const needsDocument = (/** @type {Passage} */ { isInTab, facts }) => isInTab && facts.page !== "none";
const actsInTab = (/** @type {Passage} */ { isAct, isInTab }) => isAct && isInTab;
const actsInBrowser = (/** @type {Passage} */ { isAct, isInTab }) => isAct && !isInTab;
const acts = (/** @type {Passage} */ { isAct }) => isAct;
const isBound = (/** @type {Passage} */ { call }) => Boolean(call.onlyOrigins);

/** @type {Stay[]} */
const AIM = [
  // All that follow ask about the tab.
  [targetTab, inTab],
  // Before the user is asked: a tab of another client is refused in any case.
  [freeTabs, actsInTab],
  // Before the queue: a question must not hold up the acts of others in this tab.
  [permission, always],
  // Behind the permission: a page is loaded only where the client may be.
  [loadedDocument, needsDocument],
  // Again: the tab was loaded just now, and may have led elsewhere.
  [permission, ({ hasNewDocument }) => hasNewDocument],
  // Behind the permission: its errors describe the page.
  [answeringPage, inTab],
  // Last: a call that was refused does not use the tab.
  [usedTab, inTab],
];

/** @type {Stay[]} */
const GATES = [
  // First: while everything is stopped nothing begins. A read that has lost its page is under way already.
  [notStopped, ({ isAgain }) => !isAgain],
  // The tab is found by what the handler says and by the ref.
  [placement, always],
  // Before the user is asked, as in a tab.
  [freeTabs, actsInBrowser],
  // Before the user is asked: such an act waits for no queue, so that its reach is known now.
  [reach, (passage) => actsInBrowser(passage) && isBound(passage)],
  ...AIM,
  // Per tab, so that it follows the target.
  [queue, actsInTab],
  // Again: the acts before it may have navigated or closed the tab.
  ...behindOthers(AIM),
  // Behind the queue: the page that counts is the one that is there when the act happens.
  [reach, (passage) => !actsInBrowser(passage) && isBound(passage)],
  // Asks for a stop again: the user may have pressed it while the act waited. From here on the tabs are leased.
  [start, acts],
  // Around the act: where it has led is known when it has ended.
  [landing, acts],
  // In tabs the record is written side by side with the question that begins the observation.
  [observe, actsInTab],
  // Before the act: it must not run twice, even if the worker ends.
  [record, actsInBrowser],
  // The last one: it lets nothing on.
  [handler, always],
];

/** @param {Stay[]} stays @returns {Stay[]} the same for calls that have waited for others */
function behindOthers(stays) {
  return stays.map(([gate, applies]) => [gate, (passage) => passage.isBehind && applies(passage)]);
}

/**
 * Sends a call through gates.
 * @param {Stay[]} stays
 * @param {Passage} passage
 * @param {() => Promise<AnyResult>} [last] what the last gate lets on to
 * @returns {Promise<AnyResult>}
 */
function passThrough(stays, passage, last = () => Promise.resolve({})) {
  /** @type {(index: number) => Promise<AnyResult>} */
  const step = async (index) => {
    const at = stays.findIndex(([, applies], position) => position >= index && applies(passage));
    return at < 0 ? last() : stays[at][0](passage, () => step(at + 1));
  };
  return step(0);
}

/**
 * Runs a call.
 * @param {CallContext} call
 * @param {RunningCall} running
 * @param {boolean} isAgain whether it is run once more, in the page that is there now
 * @returns {Promise<AnyResult>} what its handler returns
 */
export const runCall = (call, running, isAgain) => passThrough(GATES, new Passage(call, running, isAgain));

/**
 * Runs another method as part of a call: its effects belong to the outer act, which also holds the turn.
 * @param {CallContext} outer
 * @param {RunningCall} running
 * @param {string} method
 * @param {AnyParams} params
 */
export async function runInside(outer, running, method, params) {
  const handle = handlerOf(method);
  outer.signal.throwIfAborted();
  const { effect, target } = METHODS[method];
  if (effect === "act" && METHODS[outer.method].effect !== "act") {
    throw unsupported(`${outer.method} only reads; it cannot run ${method}`);
  }
  const call = innerContextOf(outer, method, params);
  const passage = new Passage(call, running);
  const isOuterTab = params.tabId === undefined || params.tabId === outer.tab?.id;
  passage.isInTab = target === "tab" && !(outer.tab && isOuterTab);
  return passThrough(AIM, passage, async () => handle(params, call));
}
