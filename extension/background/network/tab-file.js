/*
 * The file that a tab shows in a viewer of the browser's, which has no tree to read. It is fetched again, as the user.
 */
import { invalid, TabwireError, unsupported } from "../base/errors.js";
import { addressIn, readRaw, sendRequest } from "./own-request.js";

/** @typedef {import("../../types").TabCall} TabCall */

const PDF_START = "JVBERi"; // %PDF in base64

/**
 * The PDF of a tab.
 * @param {number} timeout ms @param {TabCall} call
 * @returns {Promise<{base64: string}>}
 */
export async function pdfOf(timeout, call) {
  const { tab } = call;
  if (tab.incognito) {
    throw unsupported("an extension's requests have the cookies of ordinary windows, not of this incognito tab; use screenshot, "
      + "or open the PDF in an ordinary window");
  }
  const address = addressIn(tab.url ?? "", tab);
  const wanted = { url: address.href, method: /** @type {const} */ ("GET"), timeout, follow_redirects: true };
  const { status, truncated, size, body = "" } = await sendRequest(address, wanted, tab, call, { read: readRaw });
  if (status < 200 || status > 299)
    throw new TabwireError("unknown_error", `its server now answers ${status}; reload the tab`, { cause: `status ${status}` });
  if (truncated) throw invalid(`it has more than ${size} bytes; use screenshot`);
  if (!body.startsWith(PDF_START)) throw invalid("its server now gives something else; reload the tab");
  return { base64: body };
}
