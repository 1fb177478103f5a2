/*
 * Agreement on a new key with a bridge that shares nothing with this browser yet, and the short code that a person compares at
 * both. The twin of bridge/tabwire/wire/key_agreement.py, which says why the steps are as they are.
 */
import { fromBase64Url, toBase64Url } from "./base64url.js";

/**
 * @typedef {object} PairingTranscript all that was said before the code, as it was on the wire
 * @property {string} extension_id
 * @property {number} port
 * @property {string} server_id
 * @property {string} server_key
 * @property {string} server_nonce
 * @property {string} extension_key
 * @property {string} extension_nonce
 */
/** @typedef {{key: CryptoKey, key_id: string, confirmation: CryptoKey}} Agreed key: the pairing key, which cannot be read back */

const LABEL = "tabwire-pair1";
const CODE_DIGITS = 6;
const CURVE = { name: "ECDH", namedCurve: "P-256" };
const HMAC = { name: "HMAC", hash: "SHA-256" };
const encoder = new TextEncoder();

/** @param {...(string|number)} lines */
const digest = (...lines) => crypto.subtle.digest("SHA-256", encoder.encode([LABEL, ...lines].join("\n")));

/** A key pair for one exchange. */
export const makeKeyPair = () => crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);

/** @param {CryptoKey} key @returns {Promise<string>} the uncompressed point, as it travels */
export const publicText = async (key) => toBase64Url(new Uint8Array(await crypto.subtle.exportKey("raw", key)));

/**
 * The text by which a bridge has bound itself to its key and nonce.
 * @param {Pick<PairingTranscript, "port"|"server_id"|"server_key"|"server_nonce">} bridge
 */
export async function commitmentTo({ port, server_id, server_key, server_nonce }) {
  return toBase64Url(new Uint8Array(await digest("commitment", port, server_id, server_key, server_nonce)));
}

/** @param {PairingTranscript} transcript */
const digestOf = (transcript) => digest("transcript", transcript.extension_id, transcript.port, transcript.server_id,
  transcript.server_key, transcript.server_nonce, transcript.extension_key, transcript.extension_nonce);

/** The digits that a person compares. @param {PairingTranscript} transcript */
export async function codeOf(transcript) {
  const said = new Uint8Array([...encoder.encode("code\n"), ...new Uint8Array(await digestOf(transcript))]);
  const number = new DataView(await crypto.subtle.digest("SHA-256", said)).getBigUint64(0);
  return String(number % 10n ** BigInt(CODE_DIGITS)).padStart(CODE_DIGITS, "0");
}

/**
 * The secrets of the extension's end. Throws when the bridge's public key is no point of the curve.
 * @param {CryptoKey} privateKey
 * @param {PairingTranscript} transcript
 * @returns {Promise<Agreed>}
 */
export async function agree(privateKey, transcript) {
  const other = await crypto.subtle.importKey("raw", fromBase64Url(transcript.server_key), CURVE, false, []);
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: other }, privateKey, 256);
  const from = await crypto.subtle.importKey("raw", shared, "HKDF", false, ["deriveBits"]);
  const salt = await digestOf(transcript);
  const derive = (/** @type {string} */ purpose) => crypto.subtle.deriveBits(
    { name: "HKDF", hash: "SHA-256", salt, info: encoder.encode(`${LABEL}\n${purpose}`) }, from, 256);
  const [key, confirmation] = await Promise.all([derive("key"), derive("confirmation")]);
  const name = new Uint8Array(await crypto.subtle.digest("SHA-256", key)).subarray(0, 8);
  return {
    key: await crypto.subtle.importKey("raw", key, HMAC, false, ["sign", "verify"]),
    key_id: [...name].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
    confirmation: await crypto.subtle.importKey("raw", confirmation, HMAC, false, ["sign", "verify"]),
  };
}

/** @param {"server"|"extension"} role */
const proofText = (role) => encoder.encode(`${LABEL}\n${role}\nallowed`);

/** Our proof for the bridge that the person has allowed it. @param {Agreed} agreed */
export async function proveAllowed({ confirmation }) {
  return toBase64Url(new Uint8Array(await crypto.subtle.sign("HMAC", confirmation, proofText("extension"))));
}

/** Whether the bridge has derived the same secrets. @param {Agreed} agreed @param {string} mac what it sent */
export async function isAgreed({ confirmation }, mac) {
  return crypto.subtle.verify("HMAC", confirmation, fromBase64Url(mac), proofText("server"));
}
