/** Extra request headers for one navigation: a rule for one tab and one host that goes away when the page commits. */
import { invalid } from "../base/errors.js";
import { RuleIds, setHeaders } from "./session-rules.js";

const ids = new RuleIds(17_890_000);

/** @param {Record<string, unknown>} headers */
function toRequestHeaders(headers) {
  return Object.entries(headers).map(([header, value]) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header))
      throw invalid(`"${header}" is not a header name; use letters, digits and hyphens`);
    if (/[\r\n\0]/.test(String(value)))
      throw invalid(`the value of header ${header} may not contain line breaks; leave them out`);
    return { header, operation: /** @type {const} */ ("set"), value: String(value) };
  });
}

/**
 * Redirects to other hosts do not get the headers: they may hold a password.
 * @param {number} id
 * @param {number} tabId
 * @param {string} url
 * @param {Record<string, unknown>} headers
 * @returns {chrome.declarativeNetRequest.Rule}
 */
function ruleFor(id, tabId, url, headers) {
  const { hostname, protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) throw invalid(`headers can be sent with http and https addresses only, not ${protocol}`);
  return {
    id,
    priority: 1,
    action: { type: "modifyHeaders", requestHeaders: toRequestHeaders(headers) },
    condition: { tabIds: [tabId], resourceTypes: ["main_frame"], requestDomains: [hostname.replace(/^\[|\]$/g, "")] },
  };
}

/**
 * Runs `start` with the headers in force for the tab of the trip; they end with its first commit or failure.
 * @param {{tabId?: number, watch: ReturnType<typeof import("../base/navigation-events.js").watchTab>, closing: AbortController,
 * signal: AbortSignal}} trip  whose tab is known
 * @param {string} url
 * @param {Record<string, string>|undefined} headers
 * @param {() => Promise<unknown>} start
 */
export async function withHeaders(trip, url, headers, start) {
  if (!headers || Object.keys(headers).length === 0) return start();
  await ids.cleaned;
  const remove = await setHeaders([ruleFor(ids.take(), /** @type {number} */ (trip.tabId), url, headers)]);
  trip.closing.signal.addEventListener("abort", () => void remove().catch(() => {}), { once: true });
  await start();
  await trip.watch.until(({ commits, failure, removed }) => commits || failure || removed, trip.signal);
  await remove();
}
