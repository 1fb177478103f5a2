/** Observation of a tab around acts: nothing here changes anything. */
import { ifInTime } from "../base/deadline.js";
import { bufferOf } from "../console/log.js";
import { attachmentsKnown } from "../debugger/attachment.js";
import { locate } from "../page/element-lookup.js";
import { callWithDocument } from "../page/content-calls.js";
import { recordedIn } from "../network/traffic-capture.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

/** Time to wait for a busy page; after it the report holds only what the page has said so far. */
const TOLD_LIMIT_MS = 1_000;

/**
 * Waits until all messages and requests of the page until now are known: events come in order, so an answer comes after them.
 * @param {number} tabId
 */
function untilTold(tabId) {
  const answer = chrome.debugger.sendCommand({ tabId }, "Runtime.evaluate", { expression: "0" });
  return ifInTime(answer, TOLD_LIMIT_MS);
}

/** @param {import("../debugger/console-entries.js").Entry} entry */
const isError = ({ kind, level }) => kind !== undefined || level === "error";

/**
 * Tells requests of the page from those that the browser makes by itself when it has time, such as for the page's icon.
 * @param {import("../base/protocol-types").RecordedRequest} request
 */
const isOfPage = ({ type, initiator }) => type !== "other" || initiator !== "other";

/** @param {Params<"observation.signals">} params @param {TabCall} call */
async function signals(params, call) {
  const tabId = call.tab.id;
  await attachmentsKnown;
  if (bufferOf(tabId)) await untilTold(tabId);
  const [{ url }, { title }] = await Promise.all([call.dispatch("navigation.url", {}), call.dispatch("navigation.title", {})]);
  const log = bufferOf(tabId);
  const traffic = await recordedIn(tabId);
  return {
    tabId,
    url,
    title,
    console: log && { count: log.entries.size + log.dropped, errors: log.list.filter(isError).length },
    network: traffic && {
      count: traffic.requests.filter(isOfPage).length + (traffic.dropped ?? 0), recording: traffic.capturing,
    },
  };
}

/** @param {Params<"observation.requests">} params @param {TabCall} call */
async function requests(params, call) {
  const tabId = call.tab.id;
  await attachmentsKnown;
  await untilTold(tabId);
  return (await recordedIn(tabId)) ?? { tabId, capturing: false, requests: [] };
}

/** @param {Params<"observation.element">} params @param {TabCall} call */
async function element({ selector, text, timeout }, call) {
  const { frame, local, ref } = await locate(selector, { timeout }, call);
  const tabId = call.tab.id;
  const { value } = await callWithDocument(tabId, frame, "observation.describe", { local, text }, call);
  return { tabId, ref, ...value };
}

/** @type {import("../../types").Handlers<"observation">} */
export const handlers = {
  "observation.signals": signals,
  "observation.requests": requests,
  "observation.element": element,
};
