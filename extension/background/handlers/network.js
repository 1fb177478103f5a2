/** Network: requests of our own, and the page's requests listed, recorded or answered. */
import { capturedTab, startCapture, statusOf, stopCapture } from "../network/traffic-capture.js";
import { invalid, unsupported } from "../base/errors.js";
import { addressIn, sendRequest } from "../network/own-request.js";
import { detailsOf, toldBody } from "../network/request-details.js";
import { chainWith, chosen, endedAfter, factsOf, requestsOf } from "../network/request-list.js";
import { withDebugger } from "../debugger/attachment.js";
import { scriptText, withScripts } from "../sources/parsed-scripts.js";
import { divided } from "../sources/readable-scripts.js";
import { addRoute, clearRoutes, listRoutes, removeRoute } from "../network/routes.js";
import { assertReadable, needOf } from "../rules/addresses.js";
import { filesReached, withContent } from "../network/fetched-files.js";
import { webOriginOf } from "../base/url.js";
import { resolveTab } from "../tabs/targets.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").FileContent} FileContent */
/** @typedef {import("../../types").Reached} Reached */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */
/** @typedef {Params<"network.capture">} CaptureParams */
/** @typedef {Params<"network.route">} RouteParams */

const ALTERNATIVES = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** @param {Params<"network.request">} params @param {CallContext} call */
async function request(params, call) {
  const tab = await resolveTab(params, call.client, { act: true });
  if (tab.incognito) {
    throw unsupported("an extension's requests have the cookies of ordinary windows, not of this incognito tab; "
      + "use evaluate with fetch() in the page");
  }
  const whole = params.form_data ? { ...params, form_data: await wholeForm(params, tab, call) } : params;
  const result = await sendRequest(addressIn(params.url, tab), whole, tab, call);
  assertReadable(result.url);
  return { tabId: tab.id, ...result };
}

/** @param {Params<"network.request">} params @returns {FileContent[]} */
const filesOf = ({ form_data: form }) =>
  Object.values(form ?? {}).flat().filter((value) => value !== null && typeof value === "object");

/** @param {Params<"network.request">} params @param {chrome.tabs.Tab} tab @param {CallContext} call */
async function wholeForm({ form_data: form = {}, timeout }, tab, call) {
  const fetched = async (/** @type {unknown} */ value) =>
    (value !== null && typeof value === "object" ? withContent(/** @type {FileContent} */ (value), tab, timeout, call) : value);
  const entries = Object.entries(form).map(async ([name, value]) =>
    [name, Array.isArray(value) ? await Promise.all(value.map(fetched)) : await fetched(value)]);
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * The site that is asked, and the page in whose name it is.
 * @param {Params<"network.request">} params @param {CallContext} call @returns {Promise<Reached[]>}
 */
async function requested(params, call) {
  const tab = await resolveTab(params, call.client, { act: true });
  const effect = needOf(params.method);
  const asked = [addressIn(params.url, tab).href, tab.url ?? ""].map((address) => ({ address, effect, isVisited: true }));
  return [...asked, ...filesReached(filesOf(params), tab)];
}

/** @param {CaptureParams} params @param {CallContext} call @returns {Promise<Reached[]>} */
async function captured({ action, tabId }, call) {
  const tab = action === "start" ? await resolveTab({ tabId }, call.client, { act: true }) : undefined;
  return tab ? [{ address: tab.url ?? "", effect: "read" }] : [];
}

/** @typedef {import("../base/protocol-types").Result<"network.capture">} CaptureResult */
/** @type {Record<CaptureParams["action"], (params: CaptureParams, call: CallContext) => Promise<CaptureResult>>} */
const CAPTURE_ACTIONS = {
  async start(params, call) {
    const tab = await resolveTab(params, call.client, { act: true });
    const { tabId } = await startCapture(tab, params, call);
    return statusOf(tabId);
  },
  async stop(params, call) {
    const { tabId, known } = await findCapture(params, call);
    if (known) return stopCapture(tabId, call);
    throw invalid(`tab ${tabId} is not being captured; capture {"action": "start"} begins that`);
  },
  async status(params, call) {
    const { tabId, known } = await findCapture(params, call);
    return known ? statusOf(tabId) : { tabId, capturing: false };
  },
};

/** Finds the capture of a tab, even after the tab has closed. @param {CaptureParams} params @param {CallContext} call */
async function findCapture({ tabId }, call) {
  const tab = await resolveTab({ tabId }, call.client, { act: true }).catch((/** @type {Error} */ error) => error);
  const captured = await capturedTab(tabId, tab instanceof Error ? undefined : tab.id, call.client.id);
  if (captured !== undefined) return { tabId: captured, known: true };
  if (tab instanceof Error) throw tab;
  return { tabId: tab.id, known: false };
}

/**
 * @template {string} Action
 * @template Run
 * @param {Record<Action, Run>} actions @param {Action} action
 */
function actionOf(actions, action) {
  if (Object.hasOwn(actions, action)) return actions[action];
  throw invalid(`there is no action ${action}; use ${ALTERNATIVES.format(Object.keys(actions))}`);
}

/** @param {CaptureParams} params @param {CallContext} call */
const capture = (params, call) => actionOf(CAPTURE_ACTIONS, params.action)(params, call);

/** @typedef {Omit<import("../base/protocol-types").Result<"network.route">, "effects"|"tabId">} RouteAnswer */
/** @type {Record<RouteParams["action"], (params: RouteParams, call: TabCall) => Promise<RouteAnswer>>} */
const ROUTE_ACTIONS = {
  async add({ url_pattern, handler, response, modify }, call) {
    const given = { url_pattern, handler, ...(response && { response }), ...(modify && { modify }) };
    const route = /** @type {Omit<import("../network/routes.js").Route, "id">} */ (given);
    return { route_id: await addRoute(call.tab.id, route, call) };
  },
  async remove({ route_id }, call) {
    await removeRoute(call.tab.id, /** @type {string} */ (route_id), call);
    return { removed: route_id, routes: listRoutes(call.tab.id).length };
  },
  clear: async (params, call) => ({ cleared: await clearRoutes(call.tab.id, call) }),
  list: async (params, call) => ({ routes: listRoutes(call.tab.id) }),
};

/** @param {RouteParams} params @param {TabCall} call */
const route = (params, call) => actionOf(ROUTE_ACTIONS, params.action)(params, call);

/** @param {RouteParams} params @param {TabCall} call */
const acts = ({ action }, call) => (action === "list" ? [] : [call.tab.id]);

/**
 * The page's requests may be sent elsewhere: that site is reached like one that is asked.
 * @param {RouteParams} params @returns {Reached[]}
 */
function routedTo({ action, modify }) {
  const { url, method = "GET" } = modify ?? {};
  if (action !== "add" || url === undefined || !URL.canParse(url)) return [];
  if (!webOriginOf(url))
    throw invalid(`modify.url: a request cannot be sent to ${url.slice(0, 200)}; give an http or https address`);
  return [{ address: url, effect: needOf(method), isBeside: true }];
}

/** @param {Params<"network.requests">} params @param {TabCall} call */
async function requests(params, call) {
  if (params.after !== undefined) return endedAfter({ ...params, after: params.after }, call);
  const { chains, dropped, isTimed, note } = await requestsOf(call);
  const { shown, ...counts } = chosen(chains, params);
  return {
    tabId: call.tab.id, ...counts, requests: shown.map(factsOf), ...note, ...(dropped && { dropped }),
    ...(!isTimed && { notes: ["the page does not tell its own timing: sizes and requests from caches may be missing"] }),
  };
}

/** @param {Params<"network.request_details">} params @param {TabCall} call */
async function requestDetails({ id, body }, call) {
  const { chains } = await requestsOf(call);
  const { told, recorded } = await detailsOf(chainWith(chains, id), call);
  return { tabId: call.tab.id, ...told, ...(body && (await bodyOf(told, recorded, call))) };
}

const NO_BODY = "it is not there any more: capture {\"action\": \"start\", \"include_bodies\": true}, then load it again";

/**
 * The body of a request where a capture has it, or the engine that runs it as a script. Nothing is loaded again for it.
 * @param {{type: string, url: string}} request
 * @param {import("../base/protocol-types").RecordedRequest|undefined} recorded @param {TabCall} call
 */
async function bodyOf({ type, url }, recorded, call) {
  if (recorded?.body !== undefined) return toldBody(recorded.body, recorded.base64);
  const text = type === "script" ? await textOfAddress(url, call) : undefined;
  return text === undefined ? { body_note: recorded?.body_note ?? NO_BODY } : toldBody(text);
}

/** @param {string} url @param {TabCall} call @returns {Promise<string|undefined>} */
function textOfAddress(url, call) {
  const { tab: { id: tabId } } = call;
  return withDebugger(tabId, call, (send) => withScripts(tabId, send, async (scripts, documents) => {
    const { readable } = await divided(scripts, documents, call);
    const script = readable.findLast((one) => one.url === url);
    return script && scriptText(tabId, script);
  }));
}

/** @type {import("../../types").Handlers<"network">} */
export const handlers = {
  "network.request": Object.assign(request, {
    reaches: requested,
    sensitive: (/** @type {Params<"network.request">} */ params) => (filesOf(params).length ? ["uploads"] : []),
  }),
  "network.capture": Object.assign(capture, { reaches: captured }),
  "network.route": Object.assign(route, { acts, reaches: routedTo }),
  "network.requests": Object.assign(requests, { hears: true }),
  "network.request_details": Object.assign(requestDetails, { hears: true }),
};
