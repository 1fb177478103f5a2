/*
 * Tabs in which every dialog is answered as soon as it opens. The debugger stays attached there: only what opens while it
 * is can be answered. A rule outlives navigations and the worker, and ends with its clients.
 */
import { answerDialogs } from "./attachment.js";
import { declarePurpose, hold, isHeldFor, release } from "./holds.js";
import { mayActOn } from "../rules/addresses.js";
import { persisted } from "../base/state.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {{type: string, message: string, answer: "accept"|"dismiss", text?: string}} Answered */
/** @typedef {{accept: boolean, text?: string, count: number, latest: Answered[]}} Rule  latest: oldest first */

const PURPOSE = "dialog.rule";
const KEPT = 10;
const KEPT_TEXT = 500;

/** Tab id → how its dialogs are answered. */
const rules = persisted("dialog.rules", /** @type {Record<number, Rule>} */ ({}));

declarePurpose(PURPOSE, {
  isAct: true,
  undo: async () => {},
  ended: (tabId) => void rules.drop(tabId),
});

answerDialogs((tabId, dialog) => {
  const rule = rules.get()[tabId];
  if (!rule || !isHeldFor(tabId, PURPOSE) || !mayActOn(dialog.url ?? "")) return null;
  const { type, message } = dialog;
  const { accept, text } = rule;
  const answer = { accept, ...(accept && type === "prompt" && text !== undefined ? { text } : {}) };
  rule.count += 1;
  rule.latest = [...rule.latest, toAnswered({ type, message: message.slice(0, KEPT_TEXT) }, answer)].slice(-KEPT);
  void rules.save();
  return answer;
});

/** @param {{type: string, message: string}} dialog @param {import("./attachment.js").Answer} answer @returns {Answered} */
const toAnswered = ({ type, message }, { accept, text }) =>
  ({ type, message, answer: accept ? "accept" : "dismiss", ...(text === undefined ? {} : { text }) });

/**
 * Rule by which the dialogs of a tab are answered.
 * @param {number} tabId
 * @returns {Rule|null}
 */
export const ruleOf = (tabId) => rules.get()[tabId] ?? null;

/**
 * Answers every dialog of a tab from now on.
 * @param {number} tabId
 * @param {{accept: boolean, text?: string}} answer
 * @param {CallContext} call
 */
export async function answerAll(tabId, { accept, text }, call) {
  await hold(tabId, PURPOSE, call, async () => {
    const { count = 0, latest = [] } = ruleOf(tabId) ?? {};
    await rules.put(tabId, { accept, ...(text === undefined ? {} : { text }), count, latest });
  });
}

/**
 * Leaves the dialogs of a tab open again.
 * @param {number} tabId
 * @param {CallContext} call
 * @returns {Promise<boolean>} false when they were left open anyway
 */
export const answerNone = (tabId, call) => release(tabId, PURPOSE, call);
