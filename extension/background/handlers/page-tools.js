/** Tools that pages publish (WebMCP): which there are in the frames of a tab, and calls of them. */
import { unlessAborted, within } from "../base/deadline.js";
import { invalid, said, TabwireError, timedOut } from "../base/errors.js";
import { untilReplaced } from "../base/navigation-events.js";
import { MAX_VALUE_BYTES } from "../base/protocol.js";
import { count, cutValue, joinNotes } from "../base/text.js";
import { withoutOwnSecrets } from "../page/secret-fields.js";
import { framesNotToRead } from "../rules/permissions.js";
import { callToolIn, toolsIn } from "../webmcp/published-tools.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../webmcp/published-tools.js").Published & {origin: string}} Published */
/** @typedef {{frameId: number, published?: Published}} FrameAnswer */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

/** The list is the page's code, too: it may never end. */
const LIST_LIMIT_MS = 2_000;
const REPLY_MARGIN_MS = 100;
/** Chrome tells of the new document after the old one has let its script go. */
const REPLACED_LIMIT_MS = 1_000;
const SILENT = { origin: "", hasRegistry: true, tools: [], left_out: 0, thrown: `no answer within ${LIST_LIMIT_MS} ms` };
const LEFT = "the page was left before its tool had answered: nobody knows whether the tool has finished; " +
  "look at the page before you call it again";
const NONE = "this page publishes no tools";
const NO_REGISTRY = `${NONE}: its documents have no document.modelContext, which is off in this browser`;

/**
 * Asks the frames of a tab where the call may read.
 * @param {TabCall} call @param {number|undefined} wanted the one frame that is meant @param {string|null} only
 * @returns {Promise<{answers: FrameAnswer[], barred: number}>}
 */
async function ask(call, wanted, only) {
  const tabId = call.tab.id;
  if (wanted !== undefined) {
    const published = await publishedIn(call, wanted, only);
    return { answers: [{ frameId: wanted, published }], barred: 0 };
  }
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const closed = new Set((await framesNotToRead(tabId)).map(({ frameId }) => frameId));
  const open = frames.map(({ frameId }) => frameId).filter((frameId) => !closed.has(frameId)).sort((a, b) => a - b);
  const answers = await Promise.all(open.map(async (frameId) => {
    const answer = publishedIn(call, frameId, only);
    // A frame may go meanwhile, or be one that Chrome lets nobody into.
    return { frameId, published: await (frameId === 0 ? answer : answer.catch(() => undefined)) };
  }));
  call.signal.throwIfAborted();
  return { answers, barred: closed.size };
}

/** @param {TabCall} call @param {number} frameId @param {string|null} only @returns {Promise<Published|undefined>} */
const publishedIn = (call, frameId, only) =>
  unlessAborted(within(toolsIn(call, frameId, only), LIST_LIMIT_MS, () => SILENT), call.signal);

/** The first list that failed, in words, and how many gave none. @param {FrameAnswer[]} answers */
function failures(answers) {
  const failed = answers.find(({ published }) => published?.thrown !== undefined);
  const silent = answers.filter(({ published }) => !published).length;
  return {
    failed: failed && `the tools of frame ${failed.frameId} could not be read: ${said(failed.published?.thrown)}`,
    silent: silent ? `${count(silent, "frame")} gave no answer` : undefined,
  };
}

/** @param {Params<"page_tools.list">} params @param {TabCall} call */
async function list({ name, frameId }, call) {
  const { answers, barred } = await ask(call, frameId ?? undefined, name ?? null);
  const lists = answers.flatMap((answer) => (answer.published ? [{ frameId: answer.frameId, ...answer.published }] : []));
  const tools = lists.flatMap((one) => one.tools.map((tool) => ({ ...tool, frameId: one.frameId, origin: one.origin })));
  const left = lists.reduce((sum, one) => sum + one.left_out, 0);
  const { failed, silent } = failures(answers);
  const isNone = !failed && !tools.length && lists.length > 0;
  const none = isNone && (lists.some(({ hasRegistry }) => hasRegistry) ? NONE : NO_REGISTRY);
  const note = joinNotes(failed, none || undefined, silent);
  return {
    tabId: call.tab.id, tools, ...(left && { left_out: left }), ...(barred && { barred }), ...(note && { note }),
  };
}

/** @param {Params<"page_tools.call">} params @param {TabCall} call */
async function callTool({ name, arguments: args, frameId, timeout }, call) {
  const frame = await frameWith(name, frameId ?? undefined, call);
  const limit = Math.max(1, Math.min(timeout, call.remaining() - REPLY_MARGIN_MS));
  const late = () => {
    throw timedOut(`the page's tool gave no answer within ${limit} ms: it may go on; look at the page`);
  };
  const listening = new AbortController();
  // Chrome never gives the answer of a document that is kept for going back.
  const replaced = untilReplaced(call.tab.id, frame, listening.signal).then(() => null);
  try {
    const work = within(Promise.race([callToolIn(call, frame, name, args ?? {}, MAX_VALUE_BYTES), replaced]), limit, late);
    const ended = await unlessAborted(work, call.signal);
    if (ended?.answer) return valueOf(name, (await withoutOwnSecrets(ended.answer, frame, call)).value);
    const isLeft = !ended || await isOther(call.tab.id, frame, ended.documentId) ||
      await within(replaced, REPLACED_LIMIT_MS) === null;
    if (isLeft) return { value: null, note: LEFT };
  } finally {
    listening.abort();
  }
  throw new TabwireError("outcome_unknown",
    "the page's tool was called and the page gave no answer, so nobody knows what it did: look at the page before you try again");
}

/** @param {string} name @param {import("../webmcp/published-tools.js").Called} answer */
function valueOf(name, answer) {
  if (answer.missing) throw gone(name);
  if (answer.thrown !== undefined) throw new TabwireError("javascript_error",
    `the page's tool failed; correct its arguments, or do it without the tool: ${said(answer.thrown)}`);
  if (answer.unread) return { value: null, note: "the tool ran; its answer is no JSON" };
  const { value, cut } = cutValue(answer.answer ?? null, MAX_VALUE_BYTES);
  // Where the page has cut it, the length is the page's word.
  const length = answer.length ?? cut?.length;
  if (length === undefined) return { value };
  const note = `the tool ran; its answer of ${length} characters was too large for a reply: only its beginning is shown. ` +
    "Do not call it again for the rest: look at the page";
  return { value: `${value}…`, note };
}

/** Whether a frame is gone or has another document. @param {number} tabId @param {number} frameId @param {string} documentId */
async function isOther(tabId, frameId, documentId) {
  const shown = await chrome.webNavigation.getFrame({ tabId, frameId }).catch(() => null);
  return shown?.documentId !== documentId;
}

/**
 * The frame whose tool is meant.
 * @param {string} name @param {number|undefined} wanted @param {TabCall} call
 */
async function frameWith(name, wanted, call) {
  const { answers } = await ask(call, wanted, name);
  const having = answers.filter(({ published }) => published?.tools.length).map(({ frameId }) => frameId);
  if (having.length === 1) return having[0];
  const { failed, silent } = failures(answers);
  if (!having.length && failed) throw new TabwireError("javascript_error", joinNotes(failed, silent));
  if (!having.length) throw gone(name, silent);
  throw invalid(
    `${count(having.length, "frame")} publish a tool of this name (frameId ${having.join(", ")}); say which with frameId`);
}

/** @param {string} name @param {string} [but] what was not seen */
const gone = (name, but) => invalid(
  joinNotes(`the page publishes no tool ${JSON.stringify(name)} (any more); page_tools lists those it has`, but));

/** @type {import("../../types").Handlers<"page_tools">} */
export const handlers = {
  "page_tools.list": Object.assign(list, { hears: true }), "page_tools.call": Object.assign(callTool, { hears: true }),
};
