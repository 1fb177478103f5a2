/*
 * Requests of a tab that are answered, changed or refused here: the debugger's Fetch domain pauses those that may match,
 * and each paused one is answered in the same turn, so that a worker's end leaves as good as none behind.
 */
import { continueAbandoned, forgetAnswered, noteAnswered } from "./abandoned-requests.js";
import { childrenOf, declareFollower, followChildren, inChildren, leaveChildren, senderOf } from "../debugger/child-sessions.js";
import { attachmentsKnown } from "../debugger/attachment.js";
import { declarePurpose, hold, isHeldFor, release } from "../debugger/holds.js";
import { invalid } from "../base/errors.js";
import { destinationsOf, isUnderWay } from "../base/navigation-events.js";
import { mayActOn, mayStandFor } from "../rules/addresses.js";
import { answerFor } from "./route-answers.js";
import { persisted, ready } from "../base/state.js";
import { requestPattern } from "./url-pattern.js";
import { withoutFragment } from "../base/url.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @import { EventParams, Send } from "../debugger/commands" */
/** @typedef {import("../debugger/child-sessions.js").Child} Child */
/** @typedef {import("./route-answers.js").Route} Route */

const PURPOSE = "route";
/** Routes are kept where all state that outlives the worker has 10 MB together. */
const MAX_CHARS = 1_000_000;
const MAX_ALL_CHARS = 3_000_000;
/** Most characters of a body in the list of routes. */
const SHOWN_CHARS = 500;
/** Requests that are still paused this long after a worker's start belong to the worker before. */
const ABANDONED_MS = 1_000;

/** Tab id → its routes, the latest last. */
const routes = persisted("routes", /** @type {Record<number, {next: number, list: Route[]}>} */ ({}));
/** Tab id → route id → how many requests it has handled. */
const hits = persisted("routes.hits", /** @type {Record<number, Record<string, number>>} */ ({}));

const listOf = (/** @type {number} */ tabId) => routes.get()[tabId]?.list ?? [];

/** Frames of other sites and service workers pause their own requests; those of other workers are paused by their page. */
const pausing = (/** @type {Child} */ child) => child.type === "iframe" || child.type === "service_worker";

declareFollower({
  wants: (tabId) => listOf(tabId).length > 0,
  prepare: async (send, child, tabId) => (pausing(child) ? send("Fetch.enable", patternsOf(tabId)) : undefined),
});

declarePurpose(PURPOSE, {
  isAct: true,
  async undo(tabId, send) {
    forget(tabId);
    await Promise.all([send("Fetch.disable"), inChildren(tabId, (sendToChild) => sendToChild("Fetch.disable"))]);
    await leaveChildren(tabId, send);
  },
  ended: forget,
});

/** @param {number} tabId */
function forget(tabId) {
  if (!routes.get()[tabId]) return;
  delete routes.get()[tabId];
  delete hits.get()[tabId];
  forgetAnswered(tabId);
  void routes.save();
  void hits.save();
}

/** Patterns of requests to pause: only those that may match a route; all others load as usual. @param {number} tabId */
function patternsOf(tabId) {
  const candidates = new Set(listOf(tabId).map(({ url_pattern }) => requestPattern(url_pattern).candidates));
  return { patterns: [...candidates].map((urlPattern) => ({ urlPattern })) };
}

/**
 * Adds a route; the latest one that matches decides.
 * @param {number} tabId
 * @param {Omit<Route, "id">} route
 * @param {CallContext} call
 * @returns {Promise<string>} its id
 */
export async function addRoute(tabId, route, call) {
  requestPattern(route.url_pattern);
  assertFits(route);
  return hold(tabId, PURPOSE, call, async (send) => {
    const own = (routes.get()[tabId] ??= { next: 1, list: [] });
    const id = `route-${own.next++}`;
    own.list.push({ ...route, id });
    try {
      await pause(tabId, send);
      if (own.list.length === 1) await followChildren(tabId, send);
      await routes.save();
    } catch (error) {
      await removeFrom(tabId, id);
      throw error;
    }
    return id;
  });
}

/** @param {object} route */
function assertFits(route) {
  const size = JSON.stringify(route).length;
  if (size > MAX_CHARS) {
    throw invalid(`the route has ${size} characters, over the limit of ${MAX_CHARS}; answer with less`);
  }
  if (JSON.stringify(routes.get()).length + size > MAX_ALL_CHARS) {
    throw invalid(`all routes together may have ${MAX_ALL_CHARS} characters; remove some first`);
  }
}

/** @param {number} tabId @param {Send} send */
async function pause(tabId, send) {
  await send("Fetch.enable", patternsOf(tabId));
  await inChildren(tabId, async (sendToChild, child) => pausing(child) && sendToChild("Fetch.enable", patternsOf(tabId)));
}

/** @param {number} tabId @param {string} id */
async function removeFrom(tabId, id) {
  const own = routes.get()[tabId];
  own.list = own.list.filter((route) => route.id !== id);
  delete hits.get()[tabId]?.[id];
  await routes.save();
}

/**
 * Removes one route; with the last one the debugger is let go.
 * @param {number} tabId
 * @param {string} id
 * @param {CallContext} call
 */
export async function removeRoute(tabId, id, call) {
  const ids = listOf(tabId).map((route) => route.id);
  if (!ids.includes(id)) {
    const there = ids.length ? `use one of its routes, ${ids.join(", ")}` : "it has none; go on without removing one";
    throw invalid(`tab ${tabId} has no route ${id}; ${there}`);
  }
  if (ids.length === 1) return clearRoutes(tabId, call);
  await removeFrom(tabId, id);
  return hold(tabId, PURPOSE, call, (send) => pause(tabId, send));
}

/**
 * Removes all routes of a tab.
 * @param {number} tabId
 * @param {CallContext} call
 * @returns {Promise<number>} how many there were
 */
export async function clearRoutes(tabId, call) {
  const count = listOf(tabId).length;
  await release(tabId, PURPOSE, call);
  return count;
}

/**
 * The routes of a tab, in the order in which they are asked.
 * @param {number} tabId
 */
export function listRoutes(tabId) {
  return listOf(tabId).toReversed().map(({ id, response, ...route }) => ({
    route_id: id,
    ...route,
    ...(response && { response: inShort(response) }),
    hits: hits.get()[tabId]?.[id] ?? 0,
  }));
}

/** Short form of an answer that helps to tell routes apart. @param {NonNullable<Route["response"]>} response */
function inShort({ body, json, ...response }) {
  const text = json === undefined ? body : JSON.stringify(json);
  if (text === undefined || text.length <= SHOWN_CHARS) {
    return { ...response, ...(body !== undefined && { body }), ...(json !== undefined && { json }) };
  }
  return { ...response, body: `${text.slice(0, SHOWN_CHARS)}… [${text.length} characters]` };
}

chrome.debugger.onEvent.addListener(async ({ tabId, sessionId }, method, params) => {
  if (tabId === undefined || method !== "Fetch.requestPaused") return;
  await ready;
  const send = senderOf(tabId, sessionId);
  const paused = /** @type {EventParams<"Fetch.requestPaused">} */ (params);
  const url = withoutFragment(paused.request.url);
  const matching = mayChange(tabId, paused)
    ? listOf(tabId).findLast(({ url_pattern }) => requestPattern(url_pattern).matches(url))
    : undefined;
  const route = matching && mayLeadOn(matching, paused.request) ? matching : undefined;
  const [command, answer, isHit] = answerFor(route, paused);
  // Chrome takes the calls of a worker in their order: the count is kept before the page has an answer, whenever the worker ends.
  if (route && isHit) noteHit(tabId, route.id);
  const sent = send(command, answer);
  noteAnswered(tabId, sessionId, paused.requestId);
  // Chrome refuses an answer it cannot take; the request must not hang for that. One that is gone cannot be answered at all.
  await sent.catch((error) => refuse(send, paused.requestId, error));
});

/**
 * Whether a request may be changed: not if it goes to, or comes into, a page of a site where no act is allowed.
 * @param {number} tabId @param {EventParams<"Fetch.requestPaused">} paused
 */
function mayChange(tabId, { request: { url, headers = {} }, resourceType }) {
  // The page that is left has no say in what the next one is.
  if (resourceType === "Document" && isUnderWay(tabId, withoutFragment(url))) return mayActOn(url);
  const from = Object.entries(headers).filter(([name]) => /^(referer|origin)$/i.test(name)).map(([, value]) => value);
  return [url, ...from, ...destinationsOf(tabId)].every((address) => mayActOn(address));
}

/**
 * A request goes elsewhere only where it might have been sent by a call. An address that was named in full was asked for then.
 * @param {Route} route @param {{url: string, method: string}} request
 */
function mayLeadOn({ handler, modify = {} }, { url, method }) {
  if (handler !== "continue" || modify.url === undefined) return true;
  const to = URL.canParse(modify.url, url) ? new URL(modify.url, url).href : "";
  return mayStandFor(to, modify.method ?? method, URL.canParse(modify.url));
}

/** @param {Send} send @param {string} requestId @param {Error} error */
function refuse(send, requestId, error) {
  if (!/Invalid InterceptionId/i.test(error.message)) console.warn("tabwire: a route could not be applied:", error.message);
  return send("Fetch.failRequest", { requestId, errorReason: "Failed" }).catch(() => {});
}

/** @param {number} tabId @param {string} id */
function noteHit(tabId, id) {
  const counts = (hits.get()[tabId] ??= {});
  counts[id] = (counts[id] ?? 0) + 1;
  void hits.save();
}

/** An event that went down with the worker it was meant for leaves its request paused. */
attachmentsKnown.then(() => {
  const routed = Object.keys(routes.get()).map(Number).filter((tabId) => isHeldFor(tabId, PURPOSE));
  if (routed.length) setTimeout(() => routed.forEach(letGo), ABANDONED_MS);
});

/** @param {number} tabId */
function letGo(tabId) {
  for (const sessionId of [undefined, ...childrenOf(tabId).filter(([, child]) => pausing(child)).map(([id]) => id)])
    void continueAbandoned(tabId, sessionId).then((isDone) => isDone || pauseAnew(tabId, senderOf(tabId, sessionId)));
}

/** Lets go all that is paused, and what comes meanwhile. @param {number} tabId @param {Send} send */
function pauseAnew(tabId, send) {
  void send("Fetch.disable").catch(() => {});
  if (listOf(tabId).length) void send("Fetch.enable", patternsOf(tabId)).catch(() => {});
}
