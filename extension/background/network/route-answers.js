/** Commands that tell the debugger what to do with a paused request. */
import { toBase64 } from "../debugger/base64.js";

/** @typedef {import("../base/protocol-types").NetworkRouteParams} Params */
/** @typedef {{id: string} & Required<Pick<Params, "url_pattern"|"handler">> & Pick<Params, "response"|"modify">} Route */
/** @import { Command, EventParams, Protocol } from "../debugger/commands" */
/** @typedef {EventParams<"Fetch.requestPaused">} Paused */
/** @typedef {[...Extract<Command, [`Fetch.${"continue"|"fulfill"|"fail"}Request`, object]>, isHit: boolean]} Answer */
/** @typedef {Record<string, unknown>} Headers */

/**
 * Default types of mocked bodies: strict pages refuse styles and scripts of another type.
 * @type {Partial<Record<Protocol.Network.ResourceType, string>>}
 */
const BODY_TYPES = { Document: "text/html", Stylesheet: "text/css", Script: "text/javascript" };
/** The page's process says to which hosts a request may go with what; an answer of ours has to let it in. */
const CORS_ANSWER = { "Access-Control-Allow-Credentials": "true", "Access-Control-Expose-Headers": "*" };

const encoded = (/** @type {string} */ text) => toBase64(new TextEncoder().encode(text));

/** @type {<T>(headers: Record<string, T>, name: string) => T|undefined} */
const headerOf = (headers, name) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

/** Name → value, or a list of values, or null to leave the header out. @param {Headers} headers */
const toEntries = (headers) => Object.entries(headers).flatMap(([name, value]) =>
  [value].flat().filter((one) => one !== null).map((one) => ({ name, value: String(one) })));

/**
 * @param {Route|undefined} route  undefined: none matches
 * @param {Paused} paused
 * @returns {Answer}
 */
export function answerFor(route, paused) {
  const { requestId, request } = paused;
  const goOn = /** @type {Answer} */ (["Fetch.continueRequest", { requestId }, false]);
  if (!route) return goOn;
  if (isPreflight(request)) return route.handler === "fulfill" ? allowed(paused) : goOn;
  return HANDLERS[route.handler](route, paused);
}

/**
 * The question before a request of another origin; the server that is mocked may not even exist.
 * @param {Protocol.Network.Request} request
 */
const isPreflight = ({ method, headers }) =>
  method === "OPTIONS" && headerOf(headers, "access-control-request-method") !== undefined;

/** @param {Paused} paused @returns {Answer} */
function allowed({ requestId, request: { headers } }) {
  const responseHeaders = toEntries({
    ...CORS_ANSWER,
    "Access-Control-Allow-Origin": headerOf(headers, "origin") ?? "*",
    "Access-Control-Allow-Methods": headerOf(headers, "access-control-request-method"),
    "Access-Control-Allow-Headers": headerOf(headers, "access-control-request-headers") ?? "*",
  });
  return ["Fetch.fulfillRequest", { requestId, responseCode: 204, responseHeaders }, false];
}

/** @type {Record<Route["handler"], (route: Route, paused: Paused) => Answer>} */
const HANDLERS = {
  abort: (route, { requestId }) => ["Fetch.failRequest", { requestId, errorReason: "BlockedByClient" }, true],
  fulfill,
  continue: changed,
};

/** @param {Route} route @param {Paused} paused @returns {Answer} */
function fulfill({ response = { status: 200 } }, { requestId, request, resourceType }) {
  const { status, headers = {}, body, json } = response;
  const text = json === undefined ? body ?? "" : JSON.stringify(json);
  const type = json === undefined ? BODY_TYPES[resourceType] ?? "text/plain" : "application/json";
  const added = {
    ...(headerOf(headers, "content-type") === undefined && text && { "Content-Type": `${type}; charset=utf-8` }),
    ...(headerOf(headers, "access-control-allow-origin") === undefined && corsFor(request.headers)),
  };
  const responseHeaders = toEntries({ ...added, ...headers });
  return ["Fetch.fulfillRequest", { requestId, responseCode: status, responseHeaders, body: encoded(text) }, true];
}

/** @param {Protocol.Network.Headers} headers */
function corsFor(headers) {
  const origin = headerOf(headers, "origin");
  return origin && { "Access-Control-Allow-Origin": origin, ...CORS_ANSWER };
}

/** @param {Route} route @param {Paused} paused @returns {Answer} */
function changed({ modify = {} }, { requestId, request }) {
  const { url, method, headers, post_data: postData } = modify;
  const change = {
    ...(url !== undefined && { url: new URL(url, request.url).href }),
    ...(method !== undefined && { method }),
    ...(headers !== undefined && { headers: toEntries(merged(request.headers, headers)) }),
    ...(postData !== undefined && { postData: encoded(postData) }),
  };
  return ["Fetch.continueRequest", { requestId, ...change }, true];
}

/** Header names are the same in any case. @param {Headers} before @param {Headers} after */
function merged(before, after) {
  const replaced = new Set(Object.keys(after).map((name) => name.toLowerCase()));
  const kept = Object.entries(before).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...after };
}
