/** Dialogs: alert, confirm, prompt and the question whether to leave a page. */
import { within } from "../base/deadline.js";
import { answers, silenceError } from "../debugger/blocked-page.js";
import {
  attachmentsKnown, dialogAddress, handleDialog, isAttached, onDialogOpening, openDialog,
} from "../debugger/attachment.js";
import { answerAll, answerNone, ruleOf } from "../debugger/dialog-rules.js";
import { invalid, said, TabwireError } from "../base/errors.js";
import { whileHidden } from "../tabs/windows.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"dialog.handle">} Params */
/** @typedef {import("../base/protocol-types").Handled<"dialog.handle">} Told */

/** Time that the page may take to run on after an answer. */
const RUN_ON_LIMIT_MS = 2_000;

/** @type {Record<Params["action"], (params: Params, call: TabCall) => Promise<Told>>} */
const ACTIONS = {
  accept: (params, call) => answer(true, params, call),
  dismiss: (params, call) => answer(false, params, call),
  get_message: read,
};

/** @param {Params} params @param {TabCall} call @returns {Promise<Told>} */
async function handle(params, call) {
  await attachmentsKnown;
  const { auto_handle: auto, action, prompt_text: text } = params;
  const open = openDialog(call.tab.id);
  if (open && text !== undefined && open.type !== "prompt") {
    throw invalid(`the open dialog is a ${quoted(open)} and takes no text; leave prompt_text out`, { dialog: open });
  }
  if (!auto) return ACTIONS[action](params, call);
  // The rule is set before the answer: the page may go on to the next dialog at once.
  const rule = await setRule(auto, action, call);
  if (!open) return { ...rule, open: false };
  const result = await ACTIONS[action](params, call);
  return { ...result, ...rule, done: `${result.done}; ${rule.done}` };
}

/** @param {NonNullable<Params["auto_handle"]>} auto @param {Params["action"]} action @param {TabCall} call */
async function setRule({ enabled, default_action, prompt_default_text: text }, action, call) {
  const tabId = call.tab.id;
  if (!enabled) {
    const wasOn = await answerNone(tabId, call);
    return { done: wasOn ? "auto_handle is off" : "auto_handle was off already", auto_handle: { enabled: false } };
  }
  const accept = (default_action ?? action) === "accept";
  await answerAll(tabId, { accept, text }, call);
  const how = accept ? "accepted" : "dismissed";
  return { done: `auto_handle is on: each dialog of tab ${tabId} is ${how} as soon as it opens`, auto_handle: stateOf(tabId) };
}

/** @param {number} tabId @returns {Told["auto_handle"]} */
function stateOf(tabId) {
  const rule = ruleOf(tabId);
  if (!rule) return { enabled: false };
  const { accept, text, count, latest } = rule;
  return {
    enabled: true,
    default_action: accept ? "accept" : "dismiss",
    ...(text === undefined ? {} : { prompt_default_text: text }),
    ...(count ? { answered: count, latest } : {}),
  };
}

/** @param {{type: string, message: string}} dialog */
const quoted = ({ type, message }) => `${type} ${said(JSON.stringify(message))}`;

/** @param {boolean} accept @param {Params} params @param {TabCall} call @returns {Promise<Told>} */
async function answer(accept, { prompt_text: text }, call) {
  const { id: tabId } = call.tab;
  const dialog = openDialog(tabId);
  if (!dialog && !accept && !isAttached(tabId) && !(await answers(tabId))) return dismissUnseen(call);
  if (!dialog) throw await nothingToAnswer(tabId);
  const runsOn = untilRunsOn(tabId, call);
  try {
    await handleDialog(tabId, accept, text, call);
    call.observation?.noteAnswer();
    await runsOn.begin();
  } finally {
    runsOn.end();
  }
  const typed = accept && dialog.type === "prompt" ? ` with ${said(JSON.stringify(text ?? dialog.default_prompt))}` : "";
  const done = `${accept ? "Accepted" : "Dismissed"} the ${quoted(dialog)}${typed}`;
  const next = openDialog(tabId);
  return { done, answered: { type: dialog.type, message: dialog.message }, open: next ?? false };
}

/**
 * Waits until the answered page has run on from where the dialog held it, opens another dialog, or is left.
 * @param {number} tabId @param {TabCall} call
 */
function untilRunsOn(tabId, call) {
  const ended = new AbortController();
  const { signal } = ended;
  const next = new Promise((resolve) => { onDialogOpening(tabId, resolve, signal); });
  const { watch } = call.observation ?? {};
  const left = watch?.until(({ pending, commits, removed }) => pending || commits || removed, signal).catch(() => {});
  // Every frame answers when its turn has come: a frame of another site may have asked.
  const target = { tabId, allFrames: true };
  const inFrames = () => chrome.scripting.executeScript({ target, injectImmediately: true, func: () => true });
  // Pages that no script is let into have a main frame all the same.
  const inMain = () => chrome.debugger.sendCommand({ tabId }, "Runtime.evaluate", { expression: "0" });
  const runsOn = () => Promise.race([Promise.allSettled([inFrames(), inMain()]), next, ...(left ? [left] : [])]);
  return {
    begin: () => within(runsOn(), Math.min(RUN_ON_LIMIT_MS, call.remaining())),
    end: () => ended.abort(),
  };
}

/**
 * Ends a dialog that opened before the debugger came: Chrome takes it away, as dismissed, when its tab is hidden.
 * @param {TabCall} call
 * @returns {Promise<Told>}
 */
async function dismissUnseen({ tab, observation }) {
  await whileHidden(tab, async () => { if (!(await answers(tab.id))) throw silenceError(); });
  observation?.noteAnswer();
  return { done: "Dismissed a dialog that had opened unseen: its kind and its text are not known", open: false };
}

/** @param {number} tabId */
async function nothingToAnswer(tabId) {
  if (!isAttached(tabId) && !(await answers(tabId))) return silenceError();
  const rule = ruleOf(tabId) ? "; auto_handle has answered those that opened (get_message tells them)" : "";
  return new TabwireError("no_such_alert", `no dialog is open in tab ${tabId}${rule}; nothing was answered`);
}

/** @param {Params} params @param {TabCall} call @returns {Promise<Told>} */
async function read(params, { tab: { id: tabId } }) {
  const dialog = openDialog(tabId);
  const auto = { auto_handle: stateOf(tabId) };
  if (dialog) {
    const preset = dialog.type === "prompt" ? `, preset ${said(JSON.stringify(dialog.default_prompt))}` : "";
    return { done: `Open: ${quoted(dialog)}${preset}`, open: dialog, ...auto };
  }
  if (!isAttached(tabId) && !(await answers(tabId))) {
    return { done: "Not known", open: "unknown", note: silenceError().message, ...auto };
  }
  const { count, latest } = ruleOf(tabId) ?? { count: 0, latest: [] };
  const before = count ? `; auto_handle has answered ${count}: ${latest.map(toText).join(", ")}` : "";
  return { done: `No dialog is open${before}`, open: false, ...auto };
}

/** @param {import("../debugger/dialog-rules.js").Answered} answered */
function toText({ answer: given, text, ...dialog }) {
  const typed = text === undefined ? "" : ` with ${JSON.stringify(text)}`;
  return `${quoted(dialog)} ${given === "accept" ? "accepted" : "dismissed"}${typed}`;
}

/** Whether the call only reads the dialog, which is no act. @param {Params} params */
const isRead = ({ action, auto_handle: auto }) => action === "get_message" && !auto;
/** @param {Params} params @param {TabCall} call */
const acts = (params, call) => (isRead(params) ? [] : [call.tab.id]);

/** Address of the dialog, which a frame may have opened. @type {import("../../types").Handler<"dialog.handle">["reaches"]} */
const reaches = (params, call) =>
  [{ address: dialogAddress(call.tab.id) || call.tab.url || "about:blank", effect: isRead(params) ? "read" : "act" }];

/** @type {import("../../types").Handlers<"dialog">} */
export const handlers = { "dialog.handle": Object.assign(handle, { acts, reaches }) };
