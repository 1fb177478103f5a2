/*
 * Parts of addresses, one meaning for the whole worker.
 */

/** The origin of what has none: no URL, or a page of an opaque origin. The platform writes it like this, too. */
export const NO_ORIGIN = "null";

/** @param {string | undefined} url */
export const originOf = (url = "") => (URL.canParse(url) ? new URL(url).origin : NO_ORIGIN);

/** The origin of an http or https address; undefined for any other. @param {string} url */
export function webOriginOf(url) {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: "", origin: "" };
  return /^https?:$/.test(protocol) ? origin : undefined;
}

/** @param {string} url */
export const withoutFragment = (url) => url.replace(/#.*$/s, "");
