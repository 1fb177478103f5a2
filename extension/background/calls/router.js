/*
 * Turns a request on the wire into a reply: finds the handler and gives it its context. Errors become replies only here.
 */
import { activityBegins, activityEnds, activityMoves } from "./activity.js";
import { causeInTab, unknownOutcome } from "./outcome-after-failure.js";
import { CallClock } from "./call-clock.js";
import { freshState, isAttachedClient, onClientGone, sendToClient } from "../base/clients.js";
import { pause, unlessAborted } from "../base/deadline.js";
import { assertAnsweringAgain, isSilent } from "../debugger/blocked-page.js";
import { knowingSecrets } from "../page/secret-fields.js";
import { onCrash } from "../tabs/crashes.js";
import { whileLeaving } from "../debugger/script-pauses.js";
import { letAllRest } from "../debugger/attachment.js";
import { beginEffects, reportEffects } from "./effects.js";
import { atDeadline } from "./outcome.js";
import { isWorkerEnding, noSuchTab, TabwireError, timedOut, toWire, unsupported } from "../base/errors.js";
import { handlers } from "../handlers/index.js";
import { foresee } from "../handlers/snapshot.js";
import { holdTab, usedTabs } from "../tabs/keep-alive.js";
import { assertFree, isOpenedBy, leaseOf, leases, noteUse, take } from "../tabs/leases.js";
import { onAsked } from "../rules/consent.js";
import { told } from "../rules/addresses.js";
import { permit } from "../rules/permissions.js";
import { assertScriptable, restriction } from "../rules/site-pattern.js";
import { METHODS } from "../base/protocol.js";
import { assertInReach } from "../rules/allowed-origins.js";
import { enterQueue, isBusy } from "../base/acts.js";
import { tabOfRef } from "../page/refs.js";
import { fitToFrame } from "./reply-size.js";
import { entryOf, lookUp, noteOutcome, noteStart } from "./act-record.js";
import { fitToTell } from "../rules/redaction.js";
import { forgetLeft, strikeOut, strikeOutcome } from "../rules/secret-values.js";
import { mayClientAnswer } from "../rules/site-rules.js";
import { ready } from "../base/state.js";
import { assertRunning, noteEnded, noteEndedOf, onClientStop, onStop, pauseKnown } from "../rules/stop.js";
import { endOfStopped, haltTabs } from "./stopped-calls.js";
import { assertSeen } from "../tabs/tab-sight.js";
import { crashError, currentTab, findTab, hasNoTab, resolveTab, setCurrentTab, withDocument } from "../tabs/targets.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../../types").Outcome} Outcome */
/** @typedef {import("../base/protocol-types").AnyParams} AnyParams */
/**
 * began: epoch ms; started: it is in the record of acts; hasRun: its handler was called
 * @typedef {{began: number, isAct: boolean, started: boolean, hasRun: boolean, client: Client, controller: AbortController,
 * ended: Promise<unknown>, call?: CallContext}} Running
 */

const DEFAULT_TIMEOUT_MS = 30_000;
/** Time for which a call waits for the person's answers where the bridge does not say. */
const DEFAULT_ASKING_MS = 45_000;
/** Time that a tab's queue waits for an act that was answered at its deadline but has not come to an end. */
const UNWIND_MS = 500;
/** A worker that Chrome is ending has less than this left. */
const LAST_MOMENT_MS = 1000;
const FORESEE_MS = 1000;

/** Calls under way, by client id and call id. @type {Map<string, Running>} */
const running = new Map();

const keyOf = (/** @type {Client} */ client, /** @type {number} */ id) => `${client.id}:${id}`;

onAsked(({ clientId, id, what, where }, { id: call, askingLeft }) => sendToClient(clientId, {
  type: "event", method: "permission.asked",
  params: { call, question: id, ...strikeOut({ what, where }).value, from_client: mayClientAnswer(), wait_ms: askingLeft() },
}));

/**
 * Runs a request and sends its reply. Never rejects.
 * @param {import("../../types").Request} request
 * @param {Client} client
 */
export async function dispatch(request, client) {
  const key = keyOf(client, request.id);
  const isAct = Object.hasOwn(METHODS, request.method) && METHODS[request.method].effect === "act";
  await Promise.all([ready, pauseKnown]);
  if (isAct) {
    // The same request comes again after a reconnect while it still runs: its reply goes out on the new connection.
    if (running.has(key)) return;
    const known = lookUp(key);
    if (known.state !== "new") return reply(client, request.id, strikeOutcome(await recorded(known), request));
  }
  await settle(request, client, key, isAct);
}

/** @param {Client} client @param {number} id @param {Outcome} outcome */
function reply(client, id, outcome) {
  sendToClient(client.id, { ...outcome, id });
}

/** @param {{state: string, outcome?: Outcome, entry?: import("./act-record.js").Entry}} known @returns {Promise<Outcome>} */
async function recorded({ outcome, entry }) {
  return outcome ?? failure(await unknownOutcome(entry, "the browser stopped the extension").catch((error) => error));
}

/** @param {unknown} thrown @returns {Outcome} */
const failure = (thrown) => ({ type: "error", ...toWire(thrown) });

/** @param {string} method @param {number} timeout @param {Running} entry */
function timeoutError(method, timeout, { isAct, hasRun }) {
  if (!isAct) return timedOut(`${method} did not end within ${timeout} ms; call it again with more time`);
  if (hasRun) {
    return new TabwireError("outcome_unknown",
      `${method} did not end within ${timeout} ms, so whether it happened is unknown; take a snapshot to see how far it came ` +
        "before you repeat it",
      { method, timeout_ms: timeout });
  }
  return timedOut(`${method} did not start within ${timeout} ms because its tab was busy; nothing was done: try again`);
}

/**
 * The error boundary: whatever happens becomes an outcome, which is sent.
 * @param {import("../../types").Request} request
 * @param {Client} client
 * @param {string} key
 * @param {boolean} isAct
 */
async function settle(request, client, key, isAct) {
  const controller = new AbortController();
  const { promise: ended, resolve: end } = Promise.withResolvers();
  /** @type {Running} */
  const entry = { began: Date.now(), isAct, started: false, hasRun: false, client, controller, ended };
  running.set(key, entry);
  const timeout = request.timeout_ms ?? DEFAULT_TIMEOUT_MS;
  const clock = new CallClock(timeout, request.asking_ms ?? DEFAULT_ASKING_MS,
    () => controller.abort(timeoutError(request.method, timeout, entry)));
  /** @type {Outcome} */
  let outcome;
  try {
    const call = entry.call = contextOf(request, client, controller.signal, clock);
    activityBegins(call);
    assertRunning(request.method, client.id);
    const work = isAct ? runAct(request, call, key, entry) : runRead(request, call);
    outcome = { type: "success", result: (await unlessAborted(work, controller.signal)) ?? {} };
  } catch (thrown) {
    const isStopped = hasStopped(controller.signal);
    // The worker sends no answer while it ends: the bridge asks the next worker, which knows what it may run again.
    if (isWorkerEnding(thrown)) await pause(LAST_MOMENT_MS);
    outcome = isStopped
      ? failure(await endOfStopped(request.method, entry))
      : await withoutPage(await inTheEnd(thrown, request.method, entry), request, entry, key).catch(failure);
  }
  clock.end();
  // Replies and what the log hears leave here, and nowhere else.
  const struck = strikeOutcome(Object.assign(outcome, { about: aboutOf(entry.call) }), request);
  outcome = fitToFrame(fitToTell(struck, request), request.method);
  if (running.get(key) === entry) running.delete(key);
  forgetLeft(Math.min(...running.values().map(({ began }) => began)));
  // The client waits for the reply, and not until all is written down.
  reply(client, request.id, outcome);
  if (entry.started) noteOutcome(key, outcome);
  activityEnds(entry.call, outcome);
  end(null);
}

/** @param {unknown} thrown @param {string} method @param {Running} entry */
const inTheEnd = (thrown, method, { controller, call }) =>
  thrown === controller.signal.reason ? atDeadline(thrown, method, call?.effects?.actStart) : thrown;

/**
 * Tab, address and subject of a call, for the log of the client that made it.
 * @param {CallContext} [call]
 * @returns {import("../../types").About}
 */
function aboutOf(call) {
  const { id, url } = call?.tab ?? {};
  return { ...(id !== undefined && { tabId: id, url: url && told({ url }, id).url }), ...call?.about };
}

/**
 * Ends a failed call whose page went away during it: an act that began is never repeated, a read asks the next page.
 * @param {unknown} thrown
 * @param {import("../../types").Request} request
 * @param {Running} entry
 * @param {string} key
 * @returns {Promise<Outcome>}
 */
async function withoutPage(thrown, request, { isAct, started, call }, key) {
  const tab = call?.tab;
  const cause = call && METHODS[request.method]?.page !== "none" ? await causeInTab(thrown, tab) : null;
  if (!call || !tab || !cause) throw thrown;
  if (cause === "closed")
    throw noSuchTab(`the tab was closed while ${request.method} was at work; call tab_list to see the open tabs`);
  if (started)
    throw await unknownOutcome(entryOf(key), cause === "crashed" ? "the page crashed" : "the browser discarded the page");
  if (cause === "crashed") throw crashError(tab.id);
  if (isAct || call.signal.aborted) throw thrown;
  return { type: "success", result: (await unlessAborted(runRead(request, call), call.signal)) ?? {} };
}

/**
 * @param {import("../../types").Request} request
 * @param {Client} client
 * @param {AbortSignal} signal
 * @param {CallClock} clock
 * @returns {CallContext}
 */
function contextOf({ id, method, params = {}, only_origins: onlyOrigins, reason, described, secrets }, client, signal, clock) {
  // The bridge measures the time of the call, too, and must hear of the answer.
  const answered = () => sendToClient(client.id, { type: "event", method: "permission.settled", params: { call: id } });
  return {
    id,
    method,
    params,
    client,
    onlyOrigins,
    reason,
    described,
    secrets,
    signal,
    remaining: clock.remaining,
    askingLeft: clock.askingLeft,
    whileAsking: (ask) => clock.whileAsking(ask, answered),
    ...freshState(),
    holds: (tabId) => leaseOf(tabId)?.clientId === client.id,
    hasOpened: (tabId) => isOpenedBy(tabId, client),
    noteTarget(target) {
      this.about.target = target;
      activityMoves(this);
    },
    dispatch(inner, params) {
      return /** @type {Promise<never>} */ (runInside(this, inner, params));
    },
  };
}

/** @param {string} method */
function handlerOf(method) {
  const handler = Object.hasOwn(METHODS, method) && handlers[method];
  if (!handler) {
    throw new TabwireError("unknown_command",
      `this extension does not know ${method}; nothing was done. If Tabwire was updated, the user has to press the reload ` +
      "button on its card in chrome://extensions");
  }
  return handler;
}

/** @param {import("../../types").Request} request @param {CallContext} call */
async function runRead({ method, params = {} }, call) {
  const handler = handlerOf(method);
  const ahead = handler.ahead?.(params, call);
  if (METHODS[method].target === "tab") await aim(call, await namingTab(params, call.client));
  else await permit(call, params, handler);
  if (call.onlyOrigins) await assertInReach(call, handler);
  return knowingSecrets(handler, call, () => handler(params, call, ahead));
}

/**
 * Resolves the target of a call.
 * @param {CallContext} call
 * @param {AnyParams} params
 */
async function aim(call, params) {
  const { method, client, signal } = call;
  const { effect, page } = METHODS[method];
  const onNote = (/** @type {string} */ note) => { call.about.note = note; };
  const tab = await resolveTab(/** @type {{tabId?: number}} */ (params), client, { act: effect === "act", page, onNote });
  call.tab = tab;
  activityMoves(call);
  if (effect === "act") await aimActs(call, params);
  await permit(call, params, handlerOf(method));
  if (page !== "none") call.tab = await withDocument(tab, signal);
  // The tab was loaded just now, and may have led elsewhere.
  if (call.tab !== tab) await permit(call, params, handlerOf(method));
  if (page === "scripts") assertScriptable(call.tab);
  const tabId = call.tab.id;
  if (page !== "none" && (page !== "document" || isSilent(tabId))) await assertAnsweringAgain(tabId);
  holdTab(call.tab);
  noteUse(tabId, client);
}

/**
 * The parameters with the tab that a ref alone names, for a client that works in no tab yet: its bridge may have been restarted.
 * @template {AnyParams} P
 * @param {P} params
 * @param {Client} client
 * @returns {Promise<P>}
 */
async function namingTab(params, client) {
  const { tabId, selector } = /** @type {{tabId?: unknown, selector?: unknown}} */ (params);
  if (tabId !== undefined || typeof selector !== "string" || !hasNoTab(client)) return params;
  return { ...params, tabId: await tabOfRef(selector) };
}

/**
 * Finds out in which tabs a call acts. Rejects when they are not the client's to act in, before anything is done there.
 * @param {CallContext} call
 * @param {AnyParams} params
 */
async function aimActs(call, params) {
  const own = call.tab ? [call.tab.id] : [];
  call.acted = await (handlerOf(call.method).acts?.(params, call) ?? own);
  for (const tabId of call.acted.filter((id) => !own.includes(id))) {
    const tab = await findTab(tabId);
    if (tab) await assertSeen(tab, call.client);
  }
  assertFree(call.acted, call.client);
}

/**
 * @param {import("../../types").Request} request
 * @param {CallContext} call
 * @param {string} key
 * @param {Running} entry
 */
async function runAct({ method, params = {} }, call, key, entry) {
  const handler = handlerOf(method);
  /** Throws where the act may not begin; returns what writes it into the record. */
  const start = () => {
    call.signal.throwIfAborted();
    // The person may have paused or stopped everything while the act waited for its turn.
    assertRunning(call.method, call.client.id);
    if (!isAttachedClient(call.client.id)) throw new TabwireError("cancelled", "the client left before this action started");
    const leased = take(call.acted, call.client, { isShown: !handler.closes });
    entry.started = true;
    return () => Promise.all([noteStart(key, { method, tabId: call.tab?.id, described: call.described }), leased]);
  };
  const place = await handler.place?.(params, call);
  if (METHODS[method].target === "browser" || place === null) {
    await aimActs(call, params);
    if (call.onlyOrigins) await assertInReach(call, handler);
    await permit(call, params, handler);
    await start()();
    const result = await runHandler(params, call, entry);
    foreseeOpened(call, result);
    await holdCurrent(call.client);
    return result;
  }
  const named = await namingTab(params, call.client);
  await aim(call, { ...named, ...place });
  const inTab = /** @type {TabCall} */ (call);
  const tabId = inTab.tab.id;
  const isBehind = isBusy(tabId);
  const turn = handlerOf(method).waits?.(params) ? (/** @type {() => Promise<unknown>} */ act) => act()
    : (/** @type {() => Promise<unknown>} */ act) => inTurn(tabId, call, act);
  return turn(async () => {
    // The acts before may have navigated or closed the tab.
    if (isBehind) await aim(call, { ...named, tabId });
    if (call.onlyOrigins) await assertInReach(call, handler);
    return observed(inTab, named, start(), entry);
  });
}

/** @param {AnyParams} params @param {CallContext} call @param {Running} entry */
async function runHandler(params, call, entry) {
  call.signal.throwIfAborted();
  entry.hasRun = true;
  const handler = handlerOf(call.method);
  const leaves = handler.closes || (handler.leaves && METHODS[call.method].silence === "load");
  const run = () => knowingSecrets(handler, call, () => handler(params, call));
  return leaves ? whileLeaving(call.acted, run) : run();
}

/**
 * Gets a page that a client has just opened ready to be looked at.
 * @param {CallContext} call
 * @param {{tabId?: number, url?: string}} [page]
 */
function foreseeOpened({ method, client }, { tabId, url } = {}) {
  const { effect, page } = METHODS[method];
  if (effect !== "act" || page !== "none" || tabId === undefined || !url || restriction(url)) return;
  const ends = new AbortController();
  // The person is not asked for this snapshot: its limit for questions is 0.
  const clock = new CallClock(FORESEE_MS, 0, () => ends.abort(new DOMException("not in time", "TimeoutError")));
  foresee(tabId, contextOf({ id: 0, method: "snapshot.capture" }, client, ends.signal, clock));
}

/** The tab a client just opened or switched to is in use. @param {Client} client */
function holdCurrent(client) {
  const tabId = currentTab(client);
  return tabId === null ? null : chrome.tabs.get(tabId).then(holdTab, () => {});
}

/**
 * Runs an act when the earlier ones in its tab have ended. A stuck act gives up its turn soon after its deadline.
 * @template T
 * @param {number} tabId
 * @param {CallContext} call
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
async function inTurn(tabId, call, act) {
  const leave = await enterQueue(tabId, call.signal);
  const work = act();
  const unwound = () => leave();
  work.then(unwound, unwound);
  call.signal.addEventListener("abort", () => setTimeout(unwound, UNWIND_MS), { once: true });
  return work;
}

/**
 * Runs an act in a tab and adds which tab it was and what was observed.
 * @param {TabCall} call
 * @param {AnyParams} params
 * @param {() => Promise<unknown>} note writes the act into the record
 * @param {Running} entry
 */
async function observed(call, params, note, entry) {
  const { acting, looks, hears, startsLate = false } = handlerOf(call.method);
  call.acting = acting?.(params);
  call.isLook = looks?.(params);
  call.hears = hears;
  const recorder = await beginEffects(call, note, startsLate);
  const running = runHandler(params, call, entry);
  const { result, effects } = await reportEffects(recorder, Promise.all([running, recorder.starts]).then(([value]) => value));
  // The tab becomes current only now: a refused act must not move the client there. A tab that the act opened stays current.
  const tabId = call.tab.id;
  if (params.tabId !== undefined && (result.tabId ?? tabId) === tabId) setCurrentTab(call.client, tabId);
  foreseeOpened(call, result);
  return { tabId, ...result, effects };
}

/**
 * Runs another method as part of a call: its effects belong to the outer act, which also holds the turn.
 * @param {CallContext} outer
 * @param {string} method
 * @param {AnyParams} params
 */
async function runInside(outer, method, params) {
  const handler = handlerOf(method);
  outer.signal.throwIfAborted();
  const isAct = METHODS[method].effect === "act";
  if (isAct && METHODS[outer.method].effect !== "act") {
    throw unsupported(`${outer.method} only reads; it cannot run ${method}`);
  }
  /** @type {CallContext} */
  const call = { ...outer, method, params, secrets: undefined };
  const isOuterTab = params.tabId === undefined || params.tabId === outer.tab?.id;
  if (METHODS[method].target !== "tab" || (outer.tab && isOuterTab)) await permit(call, params, handler);
  else await aim(call, params);
  return handler(params, call);
}

/**
 * Ends a call early; it is answered with `cancelled`.
 * @param {number} id
 * @param {Client} client
 */
export function cancel(id, client) {
  running.get(keyOf(client, id))?.controller.abort(new TabwireError("cancelled", "the client cancelled this call"));
}

/** @param {AbortSignal} signal */
const hasStopped = ({ aborted, reason }) => aborted && reason?.code === "stopped_by_user";

/**
 * Ends calls that the person has stopped.
 * @param {Running[]} ending @param {TabwireError} stop @param {number[]} tabIds more tabs whose pages are told
 */
function endCalls(ending, stop, tabIds) {
  for (const { controller } of ending) controller.abort(stop);
  const heard = haltTabs([...ending.flatMap(({ call }) => call?.tab?.id ?? []), ...tabIds]);
  return Promise.all([heard, ...ending.map(({ ended }) => ended)]).then(letAllRest);
}

const canBeStopped = (/** @type {Running} */ { call }) => !METHODS[call?.method ?? ""]?.always;

onStop((stop) => {
  const ending = [...running.values()].filter(canBeStopped);
  noteEnded(ending.map(({ client }) => client.label ?? client.name));
  // Pages are told even where no call is known any more: a page may have outlived the worker in which its act began.
  return endCalls(ending, stop, usedTabs());
});

onClientStop((clientId, stop) => {
  const ending = [...running.values()].filter((entry) => entry.client.id === clientId && canBeStopped(entry));
  const tabIds = leases().filter((lease) => lease.clientId === clientId).map(({ tabId }) => tabId);
  noteEndedOf(clientId, ending.length, [...tabIds, ...ending.flatMap(({ call }) => call?.tab?.id ?? [])]);
  return endCalls(ending, stop, tabIds);
});

// The page answers nobody any more. What the record says of an act is told with where its tab is now.
onCrash((tabId) => {
  for (const { call, controller } of running.values()) {
    if (call?.tab?.id === tabId && METHODS[call.method].page !== "none") controller.abort(crashError(tabId));
  }
});

// A lost client reads no answer: its reads end here. Its acts run to their end, for the record.
onClientGone((client) => {
  for (const entry of running.values()) {
    if (entry.client.id !== client.id || entry.isAct) continue;
    entry.controller.abort(new TabwireError("cancelled", "the connection to the client was lost"));
  }
});
