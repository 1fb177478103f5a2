/*
 * The key that a person has allowed by a click, where the extension's folder has no pairing.json (from a store). It lies in a
 * database and not in chrome.storage: there it stays a CryptoKey that nobody can read back, and content scripts never get at it.
 */
import { database } from "../base/database.js";

/** @typedef {{key: CryptoKey, key_id: string}} KeptPairing */

const STORE = "pairing";
const NAME = "current";
const transact = database("tabwire-pairing", [STORE]);

/** @returns {Promise<KeptPairing | undefined>} */
export const readKept = () => transact("readonly", STORE, (store) => store.get(NAME));

/** Stores a pairing; it replaces the one before. @param {KeptPairing} pairing */
export const keep = ({ key, key_id }) => transact("readwrite", STORE, (store) => store.put({ key, key_id }, NAME));
