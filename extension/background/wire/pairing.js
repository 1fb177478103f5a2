/*
 * The key this browser shares with the bridges of its owner, and the two proofs made with it. `tabwire install` writes
 * pairing.json into the extension's folder; where it is, it alone counts, as whoever writes into that folder is trusted with
 * everything. An extension from a store has none: there the key counts that its person has allowed by a click. Without either
 * the extension obeys nobody.
 */
import { Signal } from "../base/signal.js";
import { fromBase64Url, toBase64Url } from "./base64url.js";
import { bridgeAddress, loopbackAddress } from "./bridge-addresses.js";
import { keep, readKept } from "./kept-pairing.js";
import { EXTENSION_ID, INSTALL_COMMAND, PORTS } from "../base/protocol.js";

/** @typedef {import("../../types").Pairing} Pairing */
/**
 * @typedef {{key_id: string, extension_id: string, port: number, server_id: string, extension_nonce: string, server_nonce:
 * string}} Exchange
 */

/** Step for the owner when there is no pairing. */
export const PAIR_STEP = `run \`${INSTALL_COMMAND}\` in a terminal on this computer`;

/** Whether this is another extension for the bridges, which refuse it: a copy whose manifest was changed, beside the real one. */
export const isOtherCopy = chrome.runtime.id !== EXTENSION_ID;
/** Step for the owner of such a copy. */
export const OTHER_COPY = "This is a copy of Tabwire under another id, which programs do not connect to. Remove it in " +
  `chrome://extensions: a browser needs one Tabwire. If it is the only one there, ${PAIR_STEP}.`;

const KEY_BYTES = 32;
const encoder = new TextEncoder();

/** @type {Promise<Pairing | null> | null} */
let current = null;
/** @type {Signal<[pairing: Pairing]>} */
const read = new Signal();
/** Calls a listener with every pairing that is read from now on. */
export const onPairing = read.add;

/**
 * The pairing of this browser; null when it has none.
 * @param {{again?: boolean}} [options] again: read the file once more
 * @returns {Promise<Pairing | null>}
 */
export function readPairing({ again = false } = {}) {
  if (again || !current) {
    current = load();
    current.then((pairing) => {
      if (!pairing) current = null;
      else read.emit(pairing);
    });
  }
  return current;
}

/** @returns {Promise<Pairing | null>} */
async function load() {
  const response = await fetch(chrome.runtime.getURL("pairing.json"), { cache: "no-store" }).catch(() => null);
  if (!response?.ok) return pairingOf(await readKept().catch((error) => {
    console.warn("tabwire: the key of this browser cannot be read", error);
    return undefined;
  }));
  try {
    const { version, key, key_id, ports, address, token, browser, permissions, welcome } = await response.json();
    const bytes = fromBase64Url(key);
    if (version !== 1 || bytes.length !== KEY_BYTES) throw new Error("it is not a pairing of version 1");
    return {
      key: await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]),
      key_id,
      addresses: address === undefined
        ? (Array.isArray(ports) && ports.length ? ports : PORTS).map(loopbackAddress)
        : [bridgeAddress(named(address, "address"), token === undefined ? undefined : named(token, "token"))],
      permissions: permissions && typeof permissions === "object" ? permissions : undefined,
      welcomes: welcome !== false,
      browser: browser && { id: named(browser.id, "browser.id"), name: named(browser.name, "browser.name") },
    };
  } catch (error) {
    console.warn(`tabwire: pairing.json cannot be used (${error}); ${PAIR_STEP}`);
    return null;
  }
}

/** @param {import("./kept-pairing.js").KeptPairing | undefined} kept @returns {Pairing | null} */
export const pairingOf = (kept) => (kept
  ? { key: kept.key, key_id: kept.key_id, addresses: PORTS.map(loopbackAddress), welcomes: true, isByClick: true }
  : null);

/** Keeps a key that a person has allowed and a bridge has proved to have. @param {Pairing} pairing */
export async function keepPairing(pairing) {
  await keep(pairing);
  current = Promise.resolve(pairing);
  read.emit(pairing);
}

/** @param {unknown} value @param {string} field @returns {string} */
function named(value, field) {
  if (typeof value !== "string" || !value) throw new Error(`its ${field} is no text`);
  return value;
}

/** The dialled port is part of the proof: who holds a port cannot pass our proof on to the bridge on another one. */
const proofText = (/** @type {"server" | "extension"} */ role, /** @type {Exchange} */ exchange) =>
  encoder.encode(["tabwire1", role, exchange.key_id, exchange.extension_id, exchange.port, exchange.server_id,
    exchange.extension_nonce, exchange.server_nonce].join("\n"));

/**
 * @param {Pairing} pairing
 * @param {Exchange} exchange
 * @returns {Promise<string>} our proof for the bridge
 */
export async function prove(pairing, exchange) {
  return toBase64Url(new Uint8Array(await crypto.subtle.sign("HMAC", pairing.key, proofText("extension", exchange))));
}

/**
 * @param {Pairing} pairing
 * @param {Exchange} exchange
 * @param {string} mac what the bridge sent
 * @returns {Promise<boolean>} whether it has our key
 */
export async function isProof(pairing, exchange, mac) {
  return crypto.subtle.verify("HMAC", pairing.key, fromBase64Url(mac), proofText("server", exchange));
}

/** @returns {string} 32 random bytes */
export const makeNonce = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
