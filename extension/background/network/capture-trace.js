/** A performance trace beside a capture, for the browser's own tools, and what the page itself measured. */
import { within } from "../base/deadline.js";
import { onEvent, withDebugger } from "../debugger/attachment.js";
import { readPage } from "../page/page-load.js";

/** @import { Caller, EventParams, Send } from "../debugger/commands" */

/** Trace categories that the Performance panel reads. */
const CATEGORIES = [
  "blink.user_timing",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
  "disabled-by-default-v8.cpu_profiler",
  "latencyInfo",
  "loading",
  "v8.execute",
];
const BUFFER_KB = 100_000;
/** Largest packed trace in one message. */
const MAX_CHARS = 20_000_000;
const CHUNK_BYTES = 1_048_575;
const END_LIMIT_MS = 8_000;

/** @param {Send} send */
export async function startTrace(send) {
  const traceConfig = {
    recordMode: /** @type {const} */ ("recordUntilFull"), traceBufferSizeInKb: BUFFER_KB, includedCategories: CATEGORIES,
    excludedCategories: ["*"],
  };
  await send("Tracing.start", { transferMode: "ReturnAsStream", streamFormat: "json", streamCompression: "gzip", traceConfig });
}

/**
 * Ends the trace.
 * @param {number} tabId
 * @param {Caller} call
 * @returns {Promise<import("../base/protocol-types").PerformanceTrace>} chunks: base64 of a gzipped JSON file
 */
export async function endTrace(tabId, call) {
  const metrics = await readPage(tabId, readMetrics).catch(() => null);
  const found = await withDebugger(tabId, call, (send) => collect(tabId, send)).catch((error) => ({
    note: `the trace was lost: ${error.message}`,
  }));
  return { ...found, ...(metrics && { metrics }) };
}

/** @param {number} tabId @param {Send} send */
async function collect(tabId, send) {
  const complete = /** @type {PromiseWithResolvers<EventParams<"Tracing.tracingComplete">>} */ (Promise.withResolvers());
  const stop = onEvent(tabId, (...[method, params]) => {
    if (method === "Tracing.tracingComplete") complete.resolve(params);
  });
  try {
    await send("Tracing.end");
    const { stream, dataLossOccurred } = await within(complete.promise, END_LIMIT_MS, () => {
      throw new Error("Chrome did not complete it in time");
    });
    return {
      ...(await read(send, /** @type {string} */ (stream))),
      ...(dataLossOccurred && { note: "the trace's buffer was full: its end is missing" }),
    };
  } finally {
    stop();
  }
}

/** @param {Send} send @param {string} handle @returns {Promise<{chunks?: string[], note?: string}>} */
async function read(send, handle) {
  /** @type {string[]} */
  const chunks = [];
  let chars = 0;
  for (let done = false; !done;) {
    const part = await send("IO.read", { handle, size: CHUNK_BYTES });
    const chunk = part.base64Encoded ? part.data : btoa(part.data);
    chunks.push(chunk);
    chars += chunk.length;
    done = part.eof;
    if (chars > MAX_CHARS)
      return { note: `the trace is larger than ${MAX_CHARS} characters and was left out; capture for a shorter time` };
  }
  await send("IO.close", { handle }).catch(() => {});
  return { chunks };
}

/** Reads the page's own measurements, in milliseconds since the navigation began; runs in the page. */
async function readMetrics() {
  /**
   * @type {Record<string, Array<PerformanceEntry & {value: number, hadRecentInput: boolean}>>}  the last two: of layout shifts
   */
  const seen = {};
  const types = ["largest-contentful-paint", "layout-shift", "longtask", "event", "first-input"];
  const observers = types.filter((type) => PerformanceObserver.supportedEntryTypes.includes(type)).map((type) => {
    seen[type] = [];
    const observer = new PerformanceObserver((list) =>
      seen[type].push(.../** @type {typeof seen[string]} */ (list.getEntries())),
    );
    observer.observe({ type, buffered: true, ...(type === "event" && { durationThreshold: 16 }) });
    return { type, observer };
  });
  // Buffered entries are delivered in a task of their own.
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const { type, observer } of observers) {
    seen[type].push(.../** @type {typeof seen[string]} */ (observer.takeRecords()));
    observer.disconnect();
  }
  const round = (/** @type {number|undefined} */ value) => (value === undefined ? null : Math.round(value * 100) / 100);
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const resources = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType("resource"));
  const longTasks = seen.longtask ?? [];
  const shifts = (seen["layout-shift"] ?? []).filter(({ hadRecentInput }) => !hadRecentInput);
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return {
    of: location.href,
    note: "milliseconds since the navigation of the document shown at the end; long tasks as far as Chrome kept them",
    time_to_first_byte: round(navigation?.responseStart),
    dom_content_loaded: round(navigation?.domContentLoadedEventEnd),
    load: round(navigation?.loadEventEnd),
    first_contentful_paint: round(paint?.startTime),
    largest_contentful_paint: round(seen["largest-contentful-paint"]?.at(-1)?.startTime),
    cumulative_layout_shift: shifts.reduce((sum, { value }) => sum + value, 0),
    long_tasks: { count: longTasks.length, total: round(longTasks.reduce((sum, { duration }) => sum + duration, 0)) },
    longest_interaction: round(
      (seen.event ?? []).reduce(
        (most, { duration }) => Math.max(most ?? 0, duration),
        /** @type {number|undefined} */ (undefined),
      ),
    ),
    resources: { count: resources.length, transferred: resources.reduce((sum, { transferSize }) => sum + transferSize, 0) },
  };
}
