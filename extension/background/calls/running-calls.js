/*
 * The calls under way, and the ends that come from elsewhere: the client cancels one, the user stops them, the page crashes, the
 * client is gone.
 */
import { haltTabs } from "./stopped-calls.js";
import { onClientGone } from "../base/clients.js";
import { TabwireError } from "../base/errors.js";
import { METHODS } from "../base/protocol.js";
import { letAllRest } from "../debugger/attachment.js";
import { forgetLeft } from "../rules/secret-values.js";
import { noteEnded, noteEndedOf, onClientStop, onStop } from "../rules/stop.js";
import { onCrash } from "../tabs/crashes.js";
import { usedTabs } from "../tabs/keep-alive.js";
import { leases } from "../tabs/leases.js";
import { crashError } from "../tabs/targets.js";

/** @typedef {import("../../types").Client} Client */

/** Calls under way, by their keys. @type {Map<string, RunningCall>} */
const running = new Map();

/** Whether a method is an act. One that is not known here is none. @param {string} method */
const isActing = (method) => Object.hasOwn(METHODS, method) && METHODS[method].effect === "act";

/** Name of a call in this browser. @param {Client} client @param {number} id */
const keyOf = (client, id) => `${client.id}:${id}`;

/** A call from its request to its reply. */
export class RunningCall {
  /** Epoch ms. */
  began = Date.now();
  /** Whether it is in the record of acts. */
  hasStarted = false;
  /** Whether its handler was called, for an act. */
  hasRun = false;
  /** @type {import("../../types").CallContext|undefined} */
  call;
  #controller = new AbortController();
  /** @type {PromiseWithResolvers<void>} */
  #end = Promise.withResolvers();

  /** @param {import("../../types").Request} request @param {Client} client */
  constructor({ id, method }, client) {
    this.key = keyOf(client, id);
    this.isAct = isActing(method);
    this.client = client;
  }

  get signal() {
    return this.#controller.signal;
  }

  /** Resolves when the call was answered. */
  get ended() {
    return this.#end.promise;
  }

  /** Whether the user has stopped it. */
  get isStopped() {
    return this.signal.aborted && this.signal.reason?.code === "stopped_by_user";
  }

  /** Whether the same act is under way: it comes again after a reconnect, and its reply goes out on the new connection. */
  get isRepeated() {
    return this.isAct && running.has(this.key);
  }

  begin() {
    this.began = Date.now();
    running.set(this.key, this);
  }

  /** Ends it early; it is answered with the error. @param {unknown} error */
  abort(error) {
    this.#controller.abort(error);
  }

  /** Notes that its outcome is known. */
  leave() {
    if (running.get(this.key) === this) running.delete(this.key);
    forgetLeft(Math.min(...running.values().map(({ began }) => began)));
  }

  /** Notes that it was answered. */
  end() {
    this.#end.resolve();
  }
}

/**
 * Ends a call early; it is answered with `cancelled`.
 * @param {number} id
 * @param {Client} client
 */
export function cancel(id, client) {
  running.get(keyOf(client, id))?.abort(new TabwireError("cancelled", "the client cancelled this call"));
}

/**
 * Ends calls that the person has stopped.
 * @param {RunningCall[]} ending @param {TabwireError} stop @param {number[]} tabIds more tabs whose pages stop
 */
function endCalls(ending, stop, tabIds) {
  for (const one of ending) one.abort(stop);
  const heard = haltTabs([...ending.flatMap(({ call }) => call?.tab?.id ?? []), ...tabIds]);
  return Promise.all([heard, ...ending.map(({ ended }) => ended)]).then(letAllRest);
}

const canBeStopped = (/** @type {RunningCall} */ { call }) => !METHODS[call?.method ?? ""]?.always;

onStop((stop) => {
  const ending = [...running.values()].filter(canBeStopped);
  noteEnded(ending.map(({ client }) => client.label ?? client.name));
  // Pages hear of it even where no call is known: a page may have outlived the worker in which its act began.
  return endCalls(ending, stop, usedTabs());
});

onClientStop((clientId, stop) => {
  const ending = [...running.values()].filter((one) => one.client.id === clientId && canBeStopped(one));
  const tabIds = leases().filter((lease) => lease.clientId === clientId).map(({ tabId }) => tabId);
  noteEndedOf(clientId, ending.length, [...tabIds, ...ending.flatMap(({ call }) => call?.tab?.id ?? [])]);
  return endCalls(ending, stop, tabIds);
});

// The page no longer answers. The outcome has what the record says of an act, and where its tab is now.
onCrash((tabId) => {
  for (const one of running.values()) {
    const { call } = one;
    if (call?.tab?.id === tabId && METHODS[call.method].page !== "none") one.abort(crashError(tabId));
  }
});

// A lost client reads no answer: its reads end here. Its acts run to their end, for the record.
onClientGone((client) => {
  for (const one of running.values()) {
    if (one.client.id !== client.id || one.isAct) continue;
    one.abort(new TabwireError("cancelled", "the connection to the client was lost"));
  }
});
