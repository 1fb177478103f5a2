/** Requests of a tab since its navigation, for a client: of sites that it may read, the failed ones first, a page of them. */
import { failedFirst, hasFailed, isLate, joined, outcomeOf, typeOf, untold } from "./request-timings.js";
import { endedIn, onRequests, seenIn } from "./seen-requests.js";
import { requestPattern } from "./url-pattern.js";
import { ifInTime } from "../base/deadline.js";
import { invalid } from "../base/errors.js";
import { webOriginOf } from "../base/url.js";
import { callResponsive } from "../page/content-calls.js";
import { leaveOut } from "../rules/addresses.js";
import { untilNews } from "../tabs/tab-news.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").RequestFacts} RequestFacts */
/** @typedef {import("./request-timings.js").Chain} Chain */
/** @typedef {import("./request-timings.js").Timing} Timing */
/** @typedef {import("./seen-requests.js").Seen} Seen */
/** @typedef {{url_pattern?: string, types?: string[], failed: boolean, max_requests: number, offset: number}} Wanted */

const TIMINGS_LIMIT_MS = 2_000;
/** Chrome tells of requests on another way than pages do: up to 100 ms later on a busy computer. */
const LATE_MS = 300;

/**
 * The requests of a tab with the page's timing of them, as far as the page tells it.
 * @param {TabCall} call
 * @returns {Promise<{chains: Chain[], dropped: number, isTimed: boolean, note: {barred?: number}}>}
 */
export async function requestsOf(call) {
  const tabId = call.tab.id;
  const answers = await ifInTime(callResponsive(tabId, "network.timings", {}, call), TIMINGS_LIMIT_MS);
  call.signal.throwIfAborted();
  const timings = (answers ?? []).flatMap(({ value }) => /** @type {Timing[]} */ (value ?? []));
  const seen = await seenIn(tabId);
  let first = joined(seen.list, timings);
  await seen.until(() => !isLate((first = joined(seen.list, timings)), seen.since), LATE_MS);
  for (const timing of first.rest) seen.add(untold(timing));
  const { chains } = first.rest.length ? joined(seen.list, timings) : first;
  await seen.keep();
  const { kept, note } = leaveOut(chains, ({ steps }) => steps.flatMap(addressesOf));
  return { chains: kept, dropped: seen.dropped, isTimed: timings.length > 0, note };
}

/** Addresses that must be allowed. A document belongs to its own site, whoever has led there. @param {Seen} seen */
const addressesOf = ({ url, type, initiator = "" }) =>
  (type === "main_frame" || !webOriginOf(initiator) ? [url] : [url, initiator]);

/** Number of a request: that of its first step. @param {Chain} chain */
const numberOf = ({ steps: [{ n }] }) => n;

/** @param {Chain[]} chains @param {number} id */
export function chainWith(chains, id) {
  const found = chains.find(({ steps }) => steps.some(({ n }) => n === id));
  if (found) return found;
  throw invalid(`there is no request ${id} (any more); call network_requests for those since the navigation of the tab`);
}

/** @param {Chain} chain @param {Wanted} wanted */
function isWanted(chain, { url_pattern: pattern, types, failed }) {
  const matches = pattern === undefined ? () => true : requestPattern(pattern).matches;
  const isThere = chain.steps.some(({ url }) => matches(url));
  return isThere && (!types || types.includes(typeOf(chain))) && (!failed || hasFailed(chain));
}

/** @param {Chain[]} chains @param {Wanted} wanted */
export function chosen(chains, wanted) {
  const { max_requests: most, offset } = wanted;
  const found = failedFirst(chains).filter((chain) => isWanted(chain, wanted));
  const shown = found.slice(offset, offset + most);
  const more = found.length - offset - shown.length;
  return { shown, total: found.length, failed: found.filter(hasFailed).length, ...(more > 0 && { more }) };
}

/**
 * Requests as they end, each step of a redirection by itself, in the order of their ends; waited for by events.
 * @param {Wanted & {after: number, timeout?: number}} wanted after: 0 only tells the number of the newest end
 * @param {TabCall} call
 */
export async function endedAfter(wanted, call) {
  const tabId = call.tab.id;
  const left = untilNews(wanted, call);
  let last = wanted.after;
  for (;;) {
    const log = await endedIn(tabId);
    if (!last) return { tabId, total: 0, failed: 0, requests: [], last: log.last };
    const fresh = log.list.filter(({ n }) => n > last).slice(0, wanted.max_requests);
    const dropped = Math.max(0, (log.list[0]?.n ?? 0) - 1 - last);
    const lost = dropped && { dropped };
    last = fresh.at(-1)?.n ?? last;
    const { kept, note } = leaveOut(fresh.map(({ seen }) => ({ steps: [seen] })), ({ steps }) => steps.flatMap(addressesOf));
    const found = kept.filter((chain) => isWanted(chain, wanted));
    const failed = found.filter(hasFailed).length;
    const told = { tabId, total: found.length, failed, requests: found.map(factsOf), ...note, last, ...lost };
    if (found.length || (!fresh.length && !(await left((listener) => onRequests(tabId, listener))))) return told;
  }
}

/** Facts about a request that list and detail share. @param {Chain} chain @returns {RequestFacts} */
export function factsOf(chain) {
  const { steps, timing } = chain;
  const last = /** @type {Seen} */ (steps.at(-1));
  const { method, unstarted } = steps[0];
  const started = (unstarted && timing?.started) || steps[0].started;
  const { url, ended, mime_type: mime } = last;
  const size = timing?.transferred ?? timing?.decoded ?? last.size;
  const ms = timing?.ms || (ended !== undefined && !unstarted ? ended - started : undefined);
  return {
    id: numberOf(chain), method, url, type: typeOf(chain), started: Math.round(started),
    ...outcomeOf(chain), ...(mime && { mime_type: mime }),
    ...(size !== undefined && { size }), ...(ms !== undefined && { duration_ms: Math.round(ms * 10) / 10 }),
    ...((last.cached || timing?.cached) && { cached: true }), ...(steps.length > 1 && { redirects: steps.length - 1 }),
    ...(ended === undefined && { pending: true }), ...(last.frame > 0 && { frameId: last.frame }),
  };
}
