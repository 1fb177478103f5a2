/*
 * Origins at which a call may act. The bridge of a client that only observes says at which origins it may act by now; what counts
 * is the page that is there when the act happens, which the bridge cannot know. A client that may act nowhere may still arrange
 * what it looks at, in tabs that it has opened itself.
 */
import { NO_ORIGIN, originOf } from "../base/url.js";
import { notPermitted } from "../base/errors.js";
import { METHODS } from "../base/protocol.js";

/** @typedef {import("../../types").CallContext} CallContext */

/** Addresses whose pages have the origin of the page around them, or none. */
const INHERITING = /^about:(blank|srcdoc)\b/;

/** Addresses that bring their page along: written by the client, it may do anything. */
const WITH_PAGE = /^\s*(blob|data|filesystem|javascript):/i;

/**
 * The error of an act that would happen where the client may not act.
 * @param {CallContext} call
 * @param {string} where what it would happen in, with its origin
 */
export function refusal({ onlyOrigins = [] }, where) {
  const way = onlyOrigins.length
    ? `You may act at ${onlyOrigins.join(", ")} only: escalate for this origin first`
    : "You only observe so far: escalate first, or open a tab of your own with tab_new";
  return notPermitted(`${where}; nothing was done there. ${way}`, {
    reason: "origin",
    only_origins: onlyOrigins,
  });
}

/**
 * Throws permission_denied where a call that may not act everywhere may not act.
 * @param {CallContext} call aimed already
 * @param {import("../../types").AnyHandler} handler its own
 */
export async function assertInReach(call, handler) {
  const { effect, intent, target } = METHODS[call.method];
  if (effect === "read") throw refusal(call, "a script that reads may act as well, in whatever page comes");
  if (intent !== "arrange") await assertReached(call, handler, target === "browser" && !call.acted.length);
  if (intent === "arrange" && WITH_PAGE.test(call.params.url ?? "")) throw refusal(call, "a page of your own making may act");
  const own = call.tab && intent !== "arrange" ? [call.tab.id] : [];
  const tabs = call.acted.length ? call.acted : own;
  const isFree = (/** @type {number} */ tabId) => intent === "arrange" && (call.client.launched || call.grants.hasOpened(tabId));
  for (const tabId of tabs) if (!isFree(tabId)) await assertTop(tabId, call);
}

/**
 * @param {CallContext} call
 * @param {import("../../types").AnyHandler} handler
 * @param {boolean} isNowhere whether it acts in no tab: then it has to say where
 */
async function assertReached(call, handler, isNowhere) {
  const reached = (await handler.reaches?.(call.params, call)) ?? [];
  if (reached.some(({ isWider }) => isWider) || (isNowhere && !reached.length))
    throw refusal(call, "this act is bound to no origin");
  for (const { address } of reached)
    if (!call.onlyOrigins?.includes(originOf(address))) throw refusal(call, `this would act at ${originOf(address)}`);
}

/** @param {number} tabId @param {CallContext} call */
async function assertTop(tabId, call) {
  const top = await chrome.webNavigation.getFrame({ tabId, frameId: 0 }).catch(() => null);
  const origin = originOf(top?.url ?? "");
  if (!call.onlyOrigins?.includes(origin))
    throw refusal(call, `tab ${tabId} shows a page of ${origin === NO_ORIGIN ? "no origin" : origin}`);
}

/**
 * Throws permission_denied where trusted input would go to a page it may not go to. Input that is not for one element may end up
 * in
 * any frame.
 * @param {CallContext} call
 */
export async function assertInputInReach(call) {
  const tabId = /** @type {number} */ (call.tab?.id);
  await assertTop(tabId, call);
  if (call.observation?.hasElement) return;
  for (const { url } of await chrome.webNavigation.getAllFrames({ tabId }) ?? []) {
    if (!INHERITING.test(url) && !call.onlyOrigins?.includes(originOf(url)))
      throw refusal(call, `a frame of tab ${tabId} is of ${originOf(url)}`);
  }
}

/**
 * A statement for scripts of the client that stops them in a page where they may not run; "" for calls that may act everywhere.
 * The page cannot change what it looks at.
 * @param {CallContext} call
 */
export function guardStatement({ onlyOrigins }) {
  if (!onlyOrigins) return "";
  const isElsewhere = onlyOrigins.map((origin) => `location.origin !== ${JSON.stringify(origin)}`).join(" && ") || "true";
  return `if (${isElsewhere}) throw ${JSON.stringify(STOPPED)}; `;
}

const STOPPED = `tabwire: not here (${crypto.randomUUID()})`;

/**
 * Throws permission_denied when that statement has stopped a script.
 * @param {{exception?: {value?: unknown}} | undefined} details Runtime.ExceptionDetails, or none
 * @param {CallContext} call
 */
export function assertNotStopped(details, call) {
  if (details?.exception?.value === STOPPED) throw refusal(call, "the page or the frame is of another origin");
}
