/* Bytes as commands of the debugger and replies to the bridge carry them. */

/** @param {string} base64 @returns {Uint8Array<ArrayBuffer>} */
export const fromBase64 = (base64) =>
  Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** @param {Uint8Array} bytes @returns {string} */
export function toBase64(bytes) {
  if (bytes.toBase64) return bytes.toBase64();
  const CHUNK = 0x8000;
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}
