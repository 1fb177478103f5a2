/*
 * The clients that are connected now, and what is held for those that are not.
 */
import { ready } from "./state.js";
import { Signal } from "./signal.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {(message: object) => void} Send */

/**
 * The person at the browser, as the owner of what they begin themselves in the extension's pages. They never leave.
 * @type {Client}
 */
export const PERSON = { id: "person", name: "the person", version: "", input: "auto", launched: false };

/** Client id → sends over the connection the client has now; absent while it has none. @type {Map<string, Send>} */
const senders = new Map();
/** @type {Signal<[client: Client]>} */
const gone = new Signal();
/** @type {Signal<[client: Client]>} */
const came = new Signal();

/** Calls a listener when a client has a (new) connection. */
export const onClientCame = came.add;

/** Calls a listener when a client's connection is lost: release what is held for it. */
export const onClientGone = gone.add;

/** @param {Client} client @param {Send} send over its (new) connection */
export function attachClient(client, send) {
  senders.set(client.id, send);
  came.emit(client);
}

/**
 * Forgets a lost connection of a client, unless a newer one took its place.
 * @param {Client} client
 * @param {Send} send the one given to attachClient
 */
export function detachClient(client, send) {
  if (senders.get(client.id) !== send) return;
  senders.delete(client.id);
  gone.emit(client);
}

/** @param {string} clientId */
export const isAttachedClient = (clientId) => clientId === PERSON.id || senders.has(clientId);

/** Ids of the clients that are connected now, longest connected first. */
export const attachedClients = () => [...senders.keys()];

/** Whether any client is connected now. */
export const isAnyClientAttached = () => senders.size > 0;

/** Sends a message to a client, if it is connected. @param {string} clientId @param {object} message */
export const sendToClient = (clientId, message) => senders.get(clientId)?.(message);

/**
 * Has what is held for absent clients released when it is clear that they do not come back: some time after a connection was
 * lost, or after the worker has started, because the worker before may have ended with its connections.
 * @param {number} return_ms how long a client may take to come back
 * @param {() => unknown} release
 */
export function releaseForAbsent(return_ms, release) {
  const later = () => void setTimeout(release, return_ms);
  void ready.then(later);
  onClientGone(later);
}
