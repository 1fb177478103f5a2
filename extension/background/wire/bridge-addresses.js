/*
 * Addresses at which bridges can be dialled: ports of this computer's loopback, or the one address that the pairing of a
 * launched browser names. Traffic is unencrypted only on loopback.
 */

/** @typedef {import("../../types").BridgeAddress} BridgeAddress */

const SUBPROTOCOL = "tabwire1";
/** A WebSocket takes no header of ours: the token goes as the name of one more subprotocol. */
const TOKEN_PREFIX = "tabwire.token.";
const TOKEN = /^[\w-]+$/;
/** Properties of an address by its scheme. @type {Record<string, {probe: string, port: number, probe_ms: number}>} */
const SCHEMES = {
  "ws:": { probe: "http:", port: 80, probe_ms: 500 },
  // TCP and TLS take three round trips, and the network may be slow.
  "wss:": { probe: "https:", port: 443, probe_ms: 3000 },
};
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** @param {number} port @returns {BridgeAddress} */
export const loopbackAddress = (port) => bridgeAddress(`ws://127.0.0.1:${port}`);

/**
 * @param {string} address wss://HOST:PORT, on loopback also ws://HOST:PORT
 * @param {string} [token] what has to be shown there
 * @returns {BridgeAddress} throws when that is no such address, or one where everybody on the way could listen
 */
export function bridgeAddress(address, token) {
  const { protocol, host, hostname, port, href } = new URL(address);
  const scheme = SCHEMES[protocol];
  if (!scheme || href !== `${protocol}//${host}/`) throw new Error("its address is not written as wss://HOST:PORT");
  if (protocol === "ws:" && !LOOPBACK.test(hostname))
    throw new Error(`its address has no TLS (wss://), and ${hostname} is not this computer`);
  if (token !== undefined && !TOKEN.test(token)) throw new Error("its token is none");
  return {
    port: Number(port) || scheme.port,
    socket: href,
    probe: `${scheme.probe}//${host}/probe`,
    probe_ms: scheme.probe_ms,
    protocols: token === undefined ? [] : [SUBPROTOCOL, TOKEN_PREFIX + token],
  };
}
