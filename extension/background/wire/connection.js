/*
 * The connections to the bridges of this computer. Every MCP client runs a bridge of its own on one port of a small
 * window; this finds the live ones and joins them all. A launched browser may belong to one bridge elsewhere instead.
 */
import { Signal } from "../base/signal.js";
import { BridgeSocket } from "./socket.js";
import { AFTER_LOSS_MS, lookEverywhere, looked, noteLoss } from "./port-search.js";
import { readIdentity, renewIdentity, saveName } from "./browser-identity.js";
import { isHeld } from "../tabs/keep-alive.js";
import { OTHER_COPY, PAIR_STEP, isOtherCopy, onPairing, readPairing } from "./pairing.js";
import { bridgePorts, takeGrants } from "../rules/site-rules.js";
import { persisted, ready } from "../base/state.js";

/** @typedef {import("../../types").BridgeAddress} BridgeAddress */
/** @typedef {import("../../types").Pairing} Pairing */

/** Pauses after failed handshakes, from the first to the last. */
const RETRY_MS = [500, 1000, 2000, 5000, 15_000];
/** Time that the search goes on between the alarms after an event, or after the last connection while a tab is in use. */
const AFTER_EVENT_MS = 2 * 60_000;
/** A client that is restarted, or that starts a second bridge, has one within this. */
const SOON_MS = 20_000;
const PACE_MS = { lost: 300, awaited: 1000, quiet: 2000, joined: 2000, unpaired: 3000 };

/** Port → its socket, from dialling on. @type {Map<number, BridgeSocket>} */
const sockets = new Map();
/** @typedef {{until: number, attempts: number, reason: string, isCopy: boolean, isForeign: boolean}} Refused */
/** Port → why it is left alone. @type {Map<number, Refused>} */
const refusals = new Map();
/** Epoch ms of the last time a client was connected. */
const lastConnected = persisted("connection.last", 0);
/** Changes when the record of acts is lost: with the browser or with the extension, not with the worker. */
const session = persisted("connection.session", "");

/** @type {Signal<[]>} */
const changed = new Signal();
/** Calls a listener when a client has joined or left, or was not joined; also at other changes. */
export const onConnections = changed.add;
let lostAt = 0;
let joinedAt = 0;
let wokenAt = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {Promise<void> | null} */
let searching = null;

/** Resolves when this browser can say who it is. An event may start the search before the stored state is read. */
const restored = ready.then(async () => {
  if (!session.get()) await session.set(crypto.randomUUID());
});

const isSession = (/** @type {string} */ name) => session.get() === name;

/** Starts the search with the worker. */
export async function start() {
  await restored;
  // A worker that was killed while it had connections: its bridges wait for it.
  if (Date.now() - lastConnected.get() < AFTER_LOSS_MS) lostAt = Date.now();
  wake();
}

/** Something happened that makes a client likely: searches now and for a while. */
export function wake() {
  wokenAt = Date.now();
  if (isConnected()) return;
  lookEverywhere();
  discover();
}

/** Another bridge of this computer listens now, perhaps on the port of a program that was refused. */
function onNews() {
  // Two copies of a profile would take each other's place again and again.
  for (const refused of refusals.values()) if (!refused.isCopy) refused.until = 0;
  lookEverywhere();
  isAskedAgain = searching !== null;
  discover();
}

/**
 * Looks once for live bridges and joins them.
 * @returns {Promise<void>}
 */
export function discover() {
  searching ??= search()
    .catch((error) => console.error("tabwire: the search for bridges failed", error))
    .finally(() => {
      searching = null;
      clearTimeout(timer);
      const pace = isAskedAgain ? 1 : nextPace();
      isAskedAgain = false;
      if (pace) timer = setTimeout(discover, pace);
    });
  return searching;
}

/** @returns {number} ms to the next search; 0: leave it to the alarm */
function nextPace() {
  const now = Date.now();
  const isLikely = now - wokenAt < AFTER_EVENT_MS || isHeld();
  if (!isPaired) return isLikely ? PACE_MS.unpaired : 0;
  // A launched browser has one bridge; its end starts the next search.
  if (!isAnyFree) return 0;
  if (now - lostAt < SOON_MS) return PACE_MS.lost;
  // Bridges that are there say when another one has come, but not before they are joined: some clients start two at once.
  if (isConnected()) return refusals.size || now - joinedAt < SOON_MS ? PACE_MS.joined : 0;
  return isLikely || now - lostAt < AFTER_LOSS_MS ? PACE_MS[stateAt(now)] : 0;
}

/** @param {number} now @returns {"awaited"|"quiet"} a client is awaited most at what makes one likely, and right after */
const stateAt = (now) => now - Math.max(wokenAt, lostAt) < SOON_MS ? "awaited" : "quiet";

let isPaired = true;
let isAnyFree = true;
/** Whether something has happened that the search under way may have missed. */
let isAskedAgain = false;

async function search() {
  await restored;
  const pairing = isOtherCopy ? null : await readPairing({ again: refusals.size > 0 });
  if (isPaired && !pairing) console.info(`tabwire: ${isOtherCopy ? OTHER_COPY : `this browser is not paired; ${PAIR_STEP}`}`);
  isPaired = Boolean(pairing);
  if (!pairing) return;
  forgiveFor(pairing);
  for (const { port } of pairing.addresses) bridgePorts.add(port);
  const free = pairing.addresses.filter(({ port }) => !sockets.has(port));
  isAnyFree = free.length > 0;
  await looked(free, isConnected() ? "connected" : stateAt(Date.now()), async (bridge) => {
    const answer = await look(bridge);
    // The program that was refused at this port has left: the next one there is tried at once.
    if (answer === "nobody") refusals.delete(bridge.port);
    else if (answer === "somebody" && !((refusals.get(bridge.port)?.until ?? 0) > Date.now())) dial(bridge, pairing);
    return answer;
  });
}

/** The key of the last search: a new one is worth a new try everywhere. */
let triedKey = "";

/** @param {Pairing} pairing */
function forgiveFor({ key_id }) {
  if (key_id !== triedKey) {
    refusals.clear();
    lookEverywhere();
  }
  triedKey = key_id;
}

/**
 * A refused WebSocket makes Chrome slow down the next ones; a refused fetch does not.
 * @param {BridgeAddress} bridge
 * @returns {Promise<"somebody"|"nobody"|"silence">} silence: no answer within the time for one, which a busy machine needs, too
 */
async function look({ probe, probe_ms }) {
  try {
    await fetch(probe, {
      mode: "no-cors", cache: "no-store", credentials: "omit", redirect: "manual", signal: AbortSignal.timeout(probe_ms),
    });
    return "somebody";
  } catch (error) {
    return error.name === "TimeoutError" ? "silence" : "nobody";
  }
}

/** @param {BridgeAddress} bridge @param {Pairing} pairing */
function dial(bridge, pairing) {
  if (sockets.has(bridge.port)) return;
  sockets.set(bridge.port, new BridgeSocket(bridge, pairing, { identity, isSession, onReady: joined, onEnd: ended, onNews }));
}

/**
 * Joins one bridge with a key that was just agreed on with it.
 * @param {BridgeAddress} bridge
 * @param {Pairing} pairing
 * @returns {Promise<void>} when both have proved that they have it; rejects with the reason when they have not
 */
export function joinWith(bridge, pairing) {
  sockets.get(bridge.port)?.close("this browser gets another key");
  /** @type {PromiseWithResolvers<void>} */
  const { promise, resolve, reject } = Promise.withResolvers();
  const onReady = (/** @type {BridgeSocket} */ socket) => {
    joined(socket);
    resolve();
  };
  const onEnd = (/** @type {BridgeSocket} */ socket, /** @type {import("./socket.js").End} */ end) => {
    reject(new Error(end.reason));
    ended(socket, end);
  };
  sockets.set(bridge.port, new BridgeSocket(bridge, pairing, { identity, isSession, onReady, onEnd, onNews }));
  return promise;
}

/** @param {BridgeSocket} socket */
function joined(socket) {
  refusals.delete(socket.port);
  joinedAt = Date.now();
  lastConnected.set(joinedAt);
  tellName();
  changed.emit();
  discover();
}

/** @param {BridgeSocket} socket @param {import("./socket.js").End} end */
function ended(socket, end) {
  if (sockets.get(socket.port) === socket) sockets.delete(socket.port);
  if (socket.client) {
    lostAt = Date.now();
    noteLoss(socket.port);
    lastConnected.set(lostAt);
  }
  if (!socket.client || end.pause_ms) refuse(socket, end);
  isAnyFree = true;
  changed.emit();
  discover();
}

/** @param {BridgeSocket} socket @param {import("./socket.js").End} end */
function refuse({ port, pairing }, { reason, pause_ms, is_copy, is_foreign }) {
  const attempts = (refusals.get(port)?.attempts ?? 0) + 1;
  const pause = pause_ms ?? RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1];
  const isCopy = is_copy && !pairing.browser;
  refusals.set(port, { until: Date.now() + pause, attempts, reason, isCopy, isForeign: is_foreign });
  console.info(`tabwire: port ${port} not joined: ${reason}`);
}

const isConnected = () => [...sockets.values()].some(({ client }) => client);

/** The clients joined now, and the ports that answered but were not joined. */
export function connections() {
  const clients = [...sockets.values()]
    .filter(({ client }) => client)
    .map(({ port, client }) => ({
      port, id: client?.id, name: client?.name, version: client?.version, launched: client?.launched,
    }));
  const refused = [...refusals].map(([port, { reason, isCopy, isForeign }]) => ({
    port, reason, is_copy: isCopy, is_foreign: isForeign,
  }));
  return { clients, refused };
}

/**
 * Asks every joined bridge to answer.
 * @returns {Promise<Map<number, {ms?: number, silent_s?: number}>>} by port: how long it took, or since when nothing came
 */
export async function probeClients() {
  const joined = [...sockets.values()].filter(({ client }) => client);
  const answers = await Promise.all(joined.map((socket) => socket.probe().then(
    (ms) => ({ ms }),
    () => ({ silent_s: Math.round((Date.now() - socket.heardAt) / 1000) }),
  )));
  return new Map(joined.map(({ port }, at) => [port, answers[at]]));
}

onPairing(({ permissions }) => takeGrants(permissions));
void readPairing().then((pairing) => { if (!pairing) takeGrants(); });

/**
 * Identity of this browser for the bridges: an id that stays, a name for people.
 * @returns {Promise<{id: string, name: string, user_agent: string, session: string}>}
 */
export async function identity() {
  return { ...await readIdentity(), user_agent: navigator.userAgent, session: session.get() };
}

/**
 * Gives this browser another name; the bridges learn it at once.
 * @param {string} name one line of at most 60 characters is kept of it; empty for the default
 */
export async function rename(name) {
  await saveName(name);
  await tellName();
  return identity();
}

/** A bridge that read the name just before it changed is told, too. */
async function tellName() {
  const { name } = await readIdentity();
  for (const socket of sockets.values()) socket.tellName(name);
}

/**
 * Makes this browser another one for the bridges, with the default name: for a profile that was copied together with
 * the identity of its original. What runs for clients ends as when the connection is lost.
 */
export async function newIdentity() {
  await renewIdentity();
  refusals.clear();
  for (const socket of [...sockets.values()]) socket.close("this browser has a new identity");
  refusals.clear();
  discover();
  return identity();
}
