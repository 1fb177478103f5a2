/* Loading of this document and of what it needs, as the browser measured it for the page itself (Resource Timing). */
const MAX_ENTRIES = 500;
const MAX_ADDRESS = 2_000;
const rounded = (/** @type {number} */ ms) => Math.max(0, Math.round(ms * 10) / 10);

/** Phases of a request in ms; none where the server keeps them from other sites. @param {PerformanceResourceTiming} entry */
function phasesOf(entry) {
  if (!entry.responseStart) return undefined;
  const { startTime, requestStart, responseStart, responseEnd, secureConnectionStart, connectStart, connectEnd } = entry;
  const before = {
    redirect: entry.redirectEnd - entry.redirectStart,
    dns: entry.domainLookupEnd - entry.domainLookupStart,
    connect: (secureConnectionStart || connectEnd) - connectStart,
    tls: secureConnectionStart ? connectEnd - secureConnectionStart : 0,
  };
  const queued = requestStart - startTime - before.redirect - before.dns - (connectEnd - connectStart);
  const phases = { queued, ...before, wait: responseStart - requestStart, download: responseEnd - responseStart };
  return Object.fromEntries(Object.entries(phases).map(([name, ms]) => [name, rounded(ms)]).filter(([, ms]) => ms));
}

/** @returns {import("../../background/network/request-timings.js").Timing[]} */
export const timings = () => {
  const found = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return found.slice(-MAX_ENTRIES).map((one) => {
    const entry = /** @type {PerformanceResourceTiming & {deliveryType?: string, responseStatus?: number}} */ (one);
    const { name, initiatorType, startTime, duration, transferSize, encodedBodySize, decodedBodySize } = entry;
    const isCached = entry.deliveryType === "cache" || (transferSize === 0 && decodedBodySize > 0);
    return {
      url: name.slice(0, MAX_ADDRESS), kind: initiatorType, started: performance.timeOrigin + startTime, ms: rounded(duration),
      ...(transferSize && { transferred: transferSize }), ...(encodedBodySize && { encoded: encodedBodySize }),
      ...(decodedBodySize && { decoded: decodedBodySize }), ...(entry.responseStatus && { status: entry.responseStatus }),
      ...(entry.nextHopProtocol && { protocol: entry.nextHopProtocol }), ...(isCached && { cached: true }),
      phases: phasesOf(entry),
    };
  });
};
