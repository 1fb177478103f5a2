/** Tools that pages publish (WebMCP): which there are in the frames of a tab, and calls of them. */
import { unlessAborted, within } from "../base/deadline.js";
import { said, TabwireError } from "../base/errors.js";
import { count } from "../base/text.js";
import { framesNotToRead } from "../rules/permissions.js";
import { callToolIn, toolsIn } from "../webmcp/published-tools.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../webmcp/published-tools.js").Published} Published */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

/** The list is the page's code, too: it may never end. */
const LIST_LIMIT_MS = 2_000;
const REPLY_MARGIN_MS = 100;
const DEFAULT_TIMEOUT_MS = 30_000;
/** @type {Published} */
const SILENT = { origin: "", hasRegistry: true, tools: [], left_out: 0, thrown: `no answer within ${LIST_LIMIT_MS} ms` };
const NONE = "this page publishes no tools";
const NO_REGISTRY = `${NONE}: its documents have no document.modelContext, which is off in this browser`;

/**
 * Asks the frames of a tab where the call may read.
 * @param {TabCall} call @param {number|undefined} wanted the one frame that is meant @param {string|null} only
 */
async function ask(call, wanted, only) {
  const tabId = call.tab.id;
  if (wanted !== undefined) return { answers: [{ frameId: wanted, ...await published(call, wanted, only) }], barred: 0 };
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const closed = new Set((await framesNotToRead(tabId)).map(({ frameId }) => frameId));
  const open = frames.map(({ frameId }) => frameId).filter((frameId) => !closed.has(frameId)).sort((a, b) => a - b);
  const answers = await Promise.all(open.map(async (frameId) => {
    const answer = published(call, frameId, only);
    // A frame may go meanwhile, or be one that Chrome lets nobody into.
    return { frameId, ...await (frameId === 0 ? answer : answer.catch(() => undefined)) };
  }));
  return { answers, barred: closed.size };
}

/** @param {TabCall} call @param {number} frameId @param {string|null} only */
const published = (call, frameId, only) =>
  unlessAborted(within(toolsIn(call, frameId, only), LIST_LIMIT_MS, () => SILENT), call.signal);

/** @param {Params<"page_tools.list">} params @param {TabCall} call */
async function list({ name, frameId }, call) {
  const { answers, barred } = await ask(call, frameId ?? undefined, name ?? null);
  const tools = answers.flatMap((answer) => (answer.tools ?? []).map((tool) =>
    ({ ...tool, frameId: answer.frameId, origin: answer.origin ?? "" })));
  const left = answers.reduce((sum, answer) => sum + (answer.left_out ?? 0), 0);
  const failed = answers.find((answer) => answer.thrown !== undefined);
  const note = failed ? `the list of frame ${failed.frameId} could not be read: ${said(String(failed.thrown))}`
    : tools.length ? undefined
    : answers.some((answer) => answer.hasRegistry) ? NONE : NO_REGISTRY;
  return {
    tabId: call.tab.id, tools, ...(left && { left_out: left }), ...(barred && { barred }), ...(note && { note }),
  };
}

/** @param {Params<"page_tools.call">} params @param {TabCall} call */
async function callTool({ name, arguments: args, frameId, timeout = DEFAULT_TIMEOUT_MS }, call) {
  const frame = await frameWith(name, frameId ?? undefined, call);
  const limit = Math.max(1, Math.min(timeout, call.remaining() - REPLY_MARGIN_MS));
  const late = () => {
    throw new TabwireError("timeout", `the page's tool gave no answer within ${timeout} ms: it may go on; look at the page`);
  };
  const answer = await unlessAborted(within(callToolIn(call, frame, name, args ?? {}), limit, late), call.signal);
  if (!answer) return { value: null, note: "the page was left before its tool had answered" };
  if (answer.missing) throw gone(name);
  if (answer.thrown !== undefined) throw new TabwireError("javascript_error", `the page's tool failed: ${said(answer.thrown)}`);
  return { value: answer.answer ?? null };
}

/**
 * The frame whose tool is meant.
 * @param {string} name @param {number|undefined} wanted @param {TabCall} call
 */
async function frameWith(name, wanted, call) {
  const { answers } = await ask(call, wanted, name);
  const having = answers.filter((answer) => answer.tools?.length).map(({ frameId }) => frameId);
  if (having.length === 1) return having[0];
  if (!having.length) throw gone(name);
  throw new TabwireError("invalid_argument",
    `${count(having.length, "frame")} publish a tool of this name (frameId ${having.join(", ")}); say which with frameId`);
}

const gone = (/** @type {string} */ name) => new TabwireError("invalid_argument",
  `the page publishes no tool ${JSON.stringify(name)} (any more); page_tools lists those it has`);

/** @type {import("../../types").Handlers<"page_tools">} */
export const handlers = { "page_tools.list": list, "page_tools.call": callTool };
