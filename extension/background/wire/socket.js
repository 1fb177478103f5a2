/*
 * Connection to one bridge: the handshake in which both sides prove that they have the key, then calls.
 * Nothing else is understood before the handshake ended.
 */
import { parse } from "./frames.js";
import { attachClient, detachClient } from "../base/clients.js";
import { within } from "../base/deadline.js";
import { answeredByClient } from "../rules/consent.js";
import { handlers } from "../handlers/index.js";
import { WAKE_S } from "../tabs/keep-alive.js";
import { rename } from "../tabs/lease-holders.js";
import { isProof, makeNonce, prove } from "./pairing.js";
import { PRODUCTS } from "./product-names.js";
import { CLOSE_CODES, PROTOCOL_VERSION } from "../base/protocol.js";
import { dispatch } from "../calls/router.js";
import { cancel } from "../calls/running-calls.js";
import { testWritten } from "../steps/person-recording.js";
import { leaveOldSession } from "../tabs/targets.js";

/** @typedef {import("../../types").BridgeAddress} BridgeAddress */
/** @typedef {import("../../types").Pairing} Pairing */
/** @typedef {import("../../types").Client} Client */
/**
 * @typedef {{reason: string, pause_ms?: number, is_copy: boolean, is_foreign: boolean}} End pause_ms: leave the port alone for so
 * long; is_copy: another browser has our identity; is_foreign: it does not know our key, or we do not know its
 */
/**
 * @typedef {object} Owner
 * @property {(session: string) => boolean} isSession whether this is the session that goes on now
 * @property {() => Promise<{name: string}>} identity
 * @property {(socket: BridgeSocket) => void} onReady  also when its client says another name
 * @property {(socket: BridgeSocket, end: End) => void} onEnd
 * @property {() => void} onNews  another bridge has begun to listen
 */

const HANDSHAKE_MS = 5000;
/** A connection may go dead without an end. Whoever waits for an answer over it waits for this and PONG_MS at most. */
const PING_MS = 5000;
const PONG_MS = 5000;
/**
 * A timer that is so late tells that nothing ran meanwhile, here or anywhere: the computer slept. What is overdue then says
 * nothing.
 */
const LATE_MS = 2000;
const AWAKE_PONG_MS = 2000;
/** Ample time for the answer of a bridge that works. */
const PROBE_MS = 900;
/** The holder of the port proved that it lacks our key. It may leave, and one of ours take the port. */
const FOREIGN_MS = 30_000;
/** Another browser has our id (a copied profile): taking turns in quick succession serves nobody. */
const REPLACED_MS = 30_000;
const COPIED = "it has probably a copied profile: give one of the two a new identity";
const FOREIGN = "it belongs to another user or home folder of this computer, or this browser's key was taken back";
/**
 * Meanings of a bridge's close codes that need more words than the bridge's own.
 * @type {Record<number, {reason: string, pause_ms?: number, is_copy?: true, is_foreign?: true}>}
 */
const CLOSED = {
  [CLOSE_CODES.unknown_key]: { reason: FOREIGN, is_foreign: true },
  [CLOSE_CODES.replaced]:
    { reason: `another browser with the same identity took its place; ${COPIED}`, pause_ms: REPLACED_MS, is_copy: true },
  [CLOSE_CODES.duplicate]: { reason: `another browser with the same identity is connected; ${COPIED}`, is_copy: true },
};

/** The name by which people know a client. @param {string|undefined} name as it calls itself */
const productName = (name) => (name && Object.hasOwn(PRODUCTS, name) ? PRODUCTS[name] : name) || "an MCP client";

export class BridgeSocket {
  /** The bridge behind it once the handshake ended. @type {Client | null} */
  client = null;
  /** The name of this browser that the bridge knows. */
  #toldName = "";
  /** Type of the next frame in the handshake, then "open" or "ended". @type {"challenge" | "ready" | "open" | "ended"} */
  #stage = "challenge";
  #nonce = makeNonce();
  #pings = 0;
  /** Round trips somebody waits for, by number of the ping. @type {Map<number, () => void>} */
  #probes = new Map();
  /** Epoch ms of the last frame that came. */
  heardAt = Date.now();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #deadline;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pinging;
  /** Time when the last ping was due, epoch ms: the one clock that goes on while a computer sleeps. */
  #pingedAt = 0;

  /** @param {BridgeAddress} bridge @param {Pairing} pairing @param {Owner} owner */
  constructor(bridge, pairing, owner) {
    this.port = bridge.port;
    this.pairing = pairing;
    this.owner = owner;
    this.ws = new WebSocket(bridge.socket, [...bridge.protocols]);
    this.ws.onopen = () => this.#hello();
    this.ws.onmessage = ({ data }) => this.#receive(data);
    this.ws.onclose = ({ code, reason }) => {
      const { reason: why, ...known } = CLOSED[code] ?? { reason: reason || `the connection closed (${code})` };
      this.#end(why, known);
    };
    this.#expectWithin(HANDSHAKE_MS, "the handshake took too long");
  }

  /** Sends a frame on this connection. */
  send = (/** @type {object} */ frame) => {
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(JSON.stringify(frame));
  };

  /** Tells the bridge what its owner calls this browser, if that is news. @param {string} name */
  tellName(name) {
    if (this.#stage !== "open" || this.#toldName === name) return;
    this.#toldName = name;
    this.send({ type: "event", method: "session.browser", params: { name } });
  }

  /** @param {string} reason */
  close(reason) {
    this.#end(reason);
  }

  #hello() {
    this.send({
      type: "hello", version: PROTOCOL_VERSION, key_id: this.pairing.key_id,
      extension_id: chrome.runtime.id, nonce: this.#nonce,
    });
  }

  /** @param {string} data */
  #receive(data) {
    this.heardAt = Date.now();
    const frame = parse(data);
    if (!frame) return this.#end("it sent something that is not a frame");
    if (this.#stage === "open") return this.#obey(frame);
    if (frame.type !== this.#stage) return this.#end(`it said ${frame.type} instead of ${this.#stage}`);
    const step = this.#stage === "challenge" ? this.#answer(frame) : this.#open(frame);
    step.catch((error) => this.#end(`the handshake failed: ${error}`));
  }

  /** @param {{server_id: string, nonce: string, mac: string}} challenge */
  async #answer({ server_id, nonce, mac }) {
    const { pairing, port } = this;
    const exchange = {
      key_id: pairing.key_id, extension_id: chrome.runtime.id, port, server_id, extension_nonce: this.#nonce, server_nonce: nonce,
    };
    if (!await isProof(pairing, exchange, mac).catch(() => false)) {
      return this.#end("its holder does not have this browser's key",
        { code: CLOSE_CODES.wrong_mac, pause_ms: FOREIGN_MS, is_foreign: true });
    }
    this.serverId = server_id;
    const [proof, browser] = await Promise.all([prove(pairing, exchange), this.owner.identity()]);
    this.#stage = "ready";
    this.#toldName = browser.name;
    this.send({
      type: "auth", mac: proof, browser, extension_version: chrome.runtime.getManifest().version,
      protocol: PROTOCOL_VERSION, wake_s: WAKE_S,
      capabilities: [...new Set(Object.keys(handlers).map((method) => method.split(".")[0]))],
    });
  }

  /** @param {{client: {name: string, version: string}, input: Client["input"], launched: boolean}} greeting */
  async #open({ client, input, launched }) {
    this.#expectNothing();
    this.#stage = "open";
    this.client = {
      id: /** @type {string} */ (this.serverId), name: productName(client?.name), version: client?.version ?? "",
      input, launched,
    };
    attachClient(this.client, this.send);
    void rename(this.client);
    this.#pingedAt = Date.now();
    this.#pinging = setInterval(() => this.#tick(), PING_MS);
    this.owner.onReady(this);
  }

  /** @param {any} frame a call, a cancel, or a frame with a type */
  #obey(frame) {
    const client = /** @type {Client} */ (this.client);
    this.#expectNothing();
    if (frame.cancel) cancel(frame.id, client);
    else if (frame.method && frame.id !== undefined) dispatch(frame, client);
    else if (frame.type === "pong") this.#probes.get(frame.n)?.();
    else if (frame.type === "ping") this.send({ type: "pong", n: frame.n });
    else if (frame.type === "event") this.#hear(frame);
  }

  /** @param {{method: string, params: any}} event one of a later version says nothing to us */
  #hear({ method, params }) {
    if (method === "session.client") this.#rename(params);
    if (method === "session.bridges") this.owner.onNews();
    if (method === "steps.written") testWritten(params);
    if (method === "permission.answered") void answeredByClient(/** @type {Client} */ (this.client).id, params ?? {});
    if (method === "session.known" && !this.owner.isSession(params.session)) leaveOldSession(/** @type {Client} */ (this.client));
  }

  /**
   * A round trip to the bridge, for who wants to know whether it works. It ends no connection.
   * @returns {Promise<number>} ms; rejects when no answer came in time
   */
  probe() {
    const ping = ++this.#pings;
    const started = performance.now();
    /** @type {PromiseWithResolvers<number>} */
    const { promise, resolve } = Promise.withResolvers();
    this.#probes.set(ping, () => resolve(Math.round((performance.now() - started) * 10) / 10));
    this.send({ type: "ping", n: ping });
    return within(promise, PROBE_MS, () => { throw new Error(`no answer within ${PROBE_MS} ms`); })
      .finally(() => this.#probes.delete(ping));
  }

  /** A bridge listens before its MCP client has said who it is. @param {{name: string, version: string}} client */
  #rename({ name, version }) {
    const client = Object.assign(/** @type {Client} */ (this.client), { name: productName(name), version });
    void rename(client);
    this.owner.onReady(this);
  }

  #tick() {
    const isLate = Date.now() - this.#pingedAt > PING_MS + LATE_MS;
    this.#pingedAt = Date.now();
    if (isLate || this.#deadline === undefined) this.#ping(isLate ? AWAKE_PONG_MS : PONG_MS);
  }

  /** Chrome counts these frames as work: they keep the worker alive. Protocol pings would not. @param {number} limit ms */
  #ping(limit) {
    this.send({ type: "ping", n: ++this.#pings });
    this.#expectWithin(limit, "the bridge does not answer");
  }

  /** @param {number} ms @param {string} reason */
  #expectWithin(ms, reason) {
    this.#expectNothing();
    const due = Date.now() + ms;
    this.#deadline = setTimeout(() => {
      if (this.#stage === "open" && Date.now() > due + LATE_MS) this.#ping(AWAKE_PONG_MS);
      else this.#end(reason);
    }, ms);
  }

  #expectNothing() {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  /**
   * Ends the connection from either side, once.
   * @param {string} reason
   * @param {{code?: number, pause_ms?: number, is_copy?: boolean, is_foreign?: boolean}} [how]
   */
  #end(reason, { code = 1000, pause_ms, is_copy = false, is_foreign = false } = {}) {
    if (this.#stage === "ended") return;
    this.#stage = "ended";
    clearTimeout(this.#deadline);
    clearInterval(this.#pinging);
    this.ws.close(code);
    if (this.client) detachClient(this.client, this.send);
    this.owner.onEnd(this, { reason, pause_ms, is_copy, is_foreign });
  }
}
