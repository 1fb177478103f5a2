/** Details of a request: headers, phases and redirections. */
import { cleanHeaders } from "./capture-entries.js";
import { factsOf } from "./request-list.js";
import { recordedRequest } from "./traffic-capture.js";
import { webOriginOf } from "../base/url.js";
import { orUntold } from "../rules/addresses.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").RequestDetailsResult} RequestDetails */
/** @typedef {import("./request-timings.js").Chain} Chain */
/** @typedef {import("./seen-requests.js").Seen} Seen */
/** @typedef {Omit<RequestDetails, "tabId">} Details */

const MAX_BODY_CHARS = 100_000;
/** Names of headers that hold addresses. */
const ADDRESSES = /^(location|content-location|referer|origin)$/i;
const UNTOLD_BY_CHROME = "only the page's own timing knows of it: it came from a cache, or before a client was connected";

/** @param {Record<string, string>} headers */
const toldHeaders = (headers) => Object.fromEntries(Object.entries(cleanHeaders(headers))
  .map(([name, value]) => [name, ADDRESSES.test(name) ? orUntold(value) : value]));

/** Phases as Chrome's own events show them, where the page tells none. @param {Seen} seen */
function phasesOf({ started, answered, ended }) {
  if (answered === undefined || ended === undefined) return undefined;
  return { wait: Math.round(answered - started), download: Math.round(ended - answered) };
}

/**
 * @param {Chain} chain
 * @param {TabCall} call
 * @returns {Promise<{told: Details, recorded: import("../base/protocol-types").RecordedRequest|undefined}>}
 */
export async function detailsOf(chain, call) {
  const { steps, timing } = chain;
  const last = /** @type {Seen} */ (steps.at(-1));
  const recorded = await recordedRequest(call.tab.id, last.url, last.started);
  const sent = recorded?.request_headers ?? (last.sent && toldHeaders(last.sent));
  const received = recorded?.response_headers ?? (last.received && toldHeaders(last.received));
  const phases = timing?.phases ?? phasesOf(last);
  const initiator = recorded?.initiator ?? (last.initiator && webOriginOf(last.initiator) && orUntold(last.initiator));
  const notes = last.untold ? [UNTOLD_BY_CHROME] : [];
  const told = {
    ...factsOf(chain),
    ...(steps.length > 1 && { steps: steps.slice(0, -1).map(({ url, status = 0 }) => ({ url, status })) }),
    ...(initiator && { initiator }), ...(timing?.kind && { asked_by: timing.kind }),
    ...(timing?.protocol && { protocol: timing.protocol }), ...(phases && { phases }),
    ...(timing?.encoded && { encoded: timing.encoded }), ...(timing?.decoded && { decoded: timing.decoded }),
    ...(sent && { request_headers: sent }), ...(received && { response_headers: received }),
    ...(recorded?.post_data !== undefined && { post_data: recorded.post_data }),
    ...(notes.length && { notes }),
  };
  return { told, recorded };
}

/**
 * A body as it is told.
 * @param {string} body @param {boolean} [isBase64]
 * @returns {Pick<Details, "body"|"base64"|"body_note">}
 */
export function toldBody(body, isBase64) {
  const note = body.length > MAX_BODY_CHARS ? { body_note: `the first ${MAX_BODY_CHARS} of ${body.length} characters` } : {};
  return { body: body.slice(0, MAX_BODY_CHARS), ...(isBase64 && { base64: true }), ...note };
}
