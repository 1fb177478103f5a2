/*
 * Files that are given by their address: fetched here, where the rules for addresses are, after the owner was asked.
 */
import { needOf } from "../rules/addresses.js";
import { invalid } from "../base/errors.js";
import { addressIn, readRaw, sendRequest } from "./own-request.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").Reached} Reached */
/** @typedef {import("../base/protocol-types").FileContent} FileContent */
/** @typedef {import("../../types").WholeFile} WholeFile */

const DEFAULT_MIME_TYPE = "application/octet-stream";

/**
 * Addresses that are reached for files, in the form in which handlers declare them.
 * @param {FileContent[]} files @param {chrome.tabs.Tab} tab @returns {Reached[]}
 */
export const filesReached = (files, tab) => files.flatMap(({ url }) =>
  (url === undefined ? [] : [{ address: addressIn(url, tab).href, effect: needOf("GET"), isVisited: true, isBeside: true }]));

/**
 * A file with its content. Neither cookies nor the page's address go along.
 * @param {FileContent} file @param {chrome.tabs.Tab} tab @param {number} timeout ms @param {CallContext} call
 * @returns {Promise<WholeFile>}
 */
export async function withContent(file, tab, timeout, call) {
  if (file.url === undefined) return /** @type {WholeFile} */ (file);
  const address = addressIn(file.url, tab);
  const wanted = { url: address.href, method: /** @type {const} */ ("GET"), timeout, follow_redirects: true };
  const answer = await sendRequest(address, wanted, tab, call, { isAnonymous: true, read: readRaw });
  if (answer.status < 200 || answer.status > 299)
    throw invalid(
      `${address.href} gives no file: it answers ${answer.status} ${answer.status_text}; give an address that anybody may fetch`);
  if (answer.truncated)
    throw invalid(`${address.href} is over the limit of ${answer.size} bytes; save it and give its path`);
  const name = file.name || lastPart(new URL(answer.url)) || "download";
  const type = file.mime_type || answer.headers["content-type"]?.split(";")[0].trim() || DEFAULT_MIME_TYPE;
  return { name, mime_type: type, base64: answer.body ?? "" };
}

/** @param {URL} url */
function lastPart({ pathname }) {
  const part = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
