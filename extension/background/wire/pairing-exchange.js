/*
 * Exchange with a bridge at which a person waits for a browser that has no key: both ends agree on one, the person compares a
 * code and allows it here. The key counts when the ordinary handshake has proved it; until then nothing is kept.
 */
import { parse } from "./frames.js";
import { within } from "../base/deadline.js";
import { CLOSE_CODES, PORTS, PROTOCOL_VERSION } from "../base/protocol.js";
import { agree, codeOf, commitmentTo, isAgreed, makeKeyPair, proveAllowed, publicText } from "./key-agreement.js";
import { makeNonce } from "./pairing.js";

/** @typedef {import("../../types").BridgeAddress} BridgeAddress */
/** @typedef {{why: "several"|"refused"|"late"|"gone", words: string}} ExchangeEnd */

const STEP_MS = 5000;
const LOOK_MS = 500;
/** Chrome ends a worker that hears and says nothing, however long the person takes. */
const PING_MS = 10_000;
/** Ends of an exchange by the code with which a bridge closes. @type {Record<number, ExchangeEnd>} */
const CLOSED = {
  [CLOSE_CODES.handshake_timeout]: { why: "late", words: "The time to answer is over." },
  [CLOSE_CODES.not_allowed]: { why: "refused", words: "It was not confirmed on the program's side." },
  [CLOSE_CODES.several]: {
    why: "several",
    words: "Two browsers have asked at the same time, and neither was answered. Close this page in the one that is not meant.",
  },
  [CLOSE_CODES.other_user]: { why: "refused", words: "The program that waits belongs to another user of this computer." },
  [CLOSE_CODES.pairing_over]: { why: "refused", words: "There were too many tries: start the program that waits again." },
};
/** @type {ExchangeEnd} */
const GONE = { why: "gone", words: "The program that waited for this browser has ended." };

/** @returns {Promise<number[]>} the ports of this computer at which a person waits for a browser without a key */
export async function waitingPorts() {
  const found = await Promise.all(PORTS.map(async (port) => {
    const request = { cache: /** @type {const} */ ("no-store"), credentials: /** @type {const} */ ("omit"),
      redirect: /** @type {const} */ ("manual"), signal: AbortSignal.timeout(LOOK_MS) };
    const answer = await fetch(`http://127.0.0.1:${port}/pair`, request).catch(() => null);
    return answer?.status === 204 ? [port] : [];
  }));
  return found.flat();
}

export class PairingExchange {
  /** Resolves once, when either side has ended it. @type {Promise<ExchangeEnd>} */
  ended;
  /** @type {(end: ExchangeEnd) => void} */
  #end = () => {};
  /** Frame that the exchange waits for. @type {{type: string, resolve: (frame: any) => void} | null} */
  #awaited = null;
  /** @type {import("./key-agreement.js").Agreed | null} */
  #agreed = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pinging;

  /** @param {BridgeAddress} bridge */
  constructor(bridge) {
    this.bridge = bridge;
    this.ended = new Promise((resolve) => { this.#end = resolve; });
    this.ws = new WebSocket(`${bridge.socket}pair`);
    this.ws.onmessage = ({ data }) => this.#hear(parse(data));
    this.ws.onclose = ({ code }) => {
      clearInterval(this.#pinging);
      this.#end(CLOSED[code] ?? GONE);
    };
  }

  /** @param {object} frame */
  #say(frame) {
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(JSON.stringify(frame));
  }

  /** @param {any} frame */
  #hear(frame) {
    const awaited = this.#awaited;
    this.#awaited = null;
    if (awaited && frame?.type === awaited.type) awaited.resolve(frame);
    else this.close("refused", "A program on this computer answered otherwise than Tabwire does.");
  }

  /** The next frame, which must be of this type and come in time. @param {string} type @returns {Promise<any>} */
  #next(type) {
    const frame = new Promise((resolve) => { this.#awaited = { type, resolve }; });
    const gone = this.ended.then(({ words }) => { throw new Error(words); });
    return within(Promise.race([frame, gone]), STEP_MS, () => { throw new Error("it did not answer in time"); });
  }

  /**
   * Agrees on a key.
   * @returns {Promise<string>} the code that the person compares
   */
  async begin() {
    const offer = await this.#next("pairing_offer");
    const [pair, nonce] = [await makeKeyPair(), makeNonce()];
    const request = { public_key: await publicText(pair.publicKey), nonce };
    const revealed = this.#next("pairing_reveal");
    this.#say({ type: "pairing_request", version: PROTOCOL_VERSION, extension_id: chrome.runtime.id, ...request });
    const { public_key: server_key, nonce: server_nonce } = await revealed;
    const bridge = { port: this.bridge.port, server_id: offer.server_id, server_key, server_nonce };
    if (await commitmentTo(bridge) !== offer.commitment) throw new Error("it has not kept to what it had bound itself to");
    const transcript = {
      extension_id: chrome.runtime.id, ...bridge, extension_key: request.public_key, extension_nonce: nonce,
    };
    this.#agreed = await agree(pair.privateKey, transcript);
    this.#pinging = setInterval(() => this.#say({ type: "ping" }), PING_MS);
    return codeOf(transcript);
  }

  /**
   * Tells the bridge that the person has allowed the pairing, and waits for its proof of the key.
   * @returns {Promise<import("./kept-pairing.js").KeptPairing>} as long as this exchange is open the bridge takes this key
   */
  async allow() {
    const agreed = /** @type {import("./key-agreement.js").Agreed} */ (this.#agreed);
    // The person may have to confirm it on the program's side: the bridge ends what takes too long.
    const done = new Promise((resolve) => { this.#awaited = { type: "pairing_done", resolve }; });
    this.#say({ type: "pairing_answer", allowed: true, mac: await proveAllowed(agreed) });
    const { mac } = await Promise.race([done, this.ended.then(({ words }) => { throw new Error(words); })]);
    if (!await isAgreed(agreed, mac).catch(() => false)) throw new Error("it does not have the key that was agreed on");
    return { key: agreed.key, key_id: agreed.key_id };
  }

  /** Tells the bridge that the person has not allowed the pairing, and ends the exchange. */
  refuse() {
    this.#say({ type: "pairing_answer", allowed: false });
    this.close("refused", "You have not allowed it. Nothing was kept.");
  }

  /** @param {ExchangeEnd["why"]} [why] @param {string} [words] */
  close(why = GONE.why, words = GONE.words) {
    clearInterval(this.#pinging);
    this.#end({ why, words });
    this.ws.close();
  }
}
