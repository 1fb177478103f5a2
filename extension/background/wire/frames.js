/* Frames as they come from a bridge. */

/** @param {unknown} data @returns {any} the frame; null when it is none */
export function parse(data) {
  try {
    const frame = JSON.parse(/** @type {string} */ (data));
    return typeof frame === "object" ? frame : null;
  } catch {
    return null;
  }
}
