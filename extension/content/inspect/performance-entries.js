/* Paints, layout shifts, interactions and long frames of this document, as the browser has measured them without being asked. */
import { cached } from "../dom/flat-tree.js";
import * as namedElements from "./named-elements.js";
import * as shiftCauses from "./shift-causes.js";

const MAX_SHIFTS = 5;
const MAX_MOVED = 3;
const MAX_INTERACTIONS = 5;
const MAX_FRAMES = 6;
const MAX_SCRIPTS = 3;
const MAX_BLOCKING = 10;
const MAX_ADDRESS = 2_000;
const MAX_NAME = 80;
/** The browser keeps events of this length. */
const SLOW_MS = 104;
/** Shorter layouts and renderings are no reasons. */
const NOTABLE_MS = 5;
/** Shifts within a second belong together, for five seconds at the most (https://web.dev/articles/cls). */
const [WINDOW_GAP_MS, WINDOW_MS] = [1_000, 5_000];

/** @typedef {PerformanceEntry & {element: Element|null, url: string, renderTime: number, loadTime: number}} Largest */
/** @typedef {{node: Node|null, previousRect: DOMRectReadOnly, currentRect: DOMRectReadOnly}} ShiftSource */
/** @typedef {PerformanceEntry & {value: number, hadRecentInput: boolean, sources: ShiftSource[]}} Shift */
/** @typedef {PerformanceEventTiming & {interactionId: number, target: Node|null}} EventEntry */
/**
 * @typedef {PerformanceEntry & {invoker: string, invokerType: string, sourceURL: string, sourceFunctionName: string,
 * sourceCharPosition: number, forcedStyleAndLayoutDuration: number}} ScriptEntry
 */
/** @typedef {PerformanceEntry & {blockingDuration: number, renderStart: number, scripts: ScriptEntry[]}} Frame */
/** @typedef {PerformanceResourceTiming & {renderBlockingStatus?: string}} Resource */

const rounded = (/** @type {number} */ ms) => Math.max(0, Math.round(ms * 10) / 10);
const notable = (/** @type {number} */ ms) => (ms >= NOTABLE_MS ? rounded(ms) : 0);
const byLength = (/** @type {PerformanceEntry} */ a, /** @type {PerformanceEntry} */ b) => b.duration - a.duration;

/**
 * Entries of a type that the browser keeps, though nobody observed.
 * @template {PerformanceEntry} T
 * @param {string} type
 * @returns {T[]}
 */
function kept(type) {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return [];
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type, buffered: true });
  const entries = observer.takeRecords();
  observer.disconnect();
  return /** @type {T[]} */ (entries);
}

/** An element in words; none once it has left the page. @param {Node|null} node */
function elementIn(node) {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.isConnected ? { element: namedElements.described(element) } : {};
}

const navigation = () =>
  /** @type {PerformanceNavigationTiming|undefined} */ (performance.getEntriesByType("navigation")[0]);

function loadTimes() {
  const paints = performance.getEntriesByType("paint").map(({ name, startTime }) => [name, startTime]);
  const { responseStart = 0, domContentLoadedEventEnd = 0, loadEventEnd = 0 } = navigation() ?? {};
  const told = [
    ["first byte", responseStart], ...paints, ["dom ready", domContentLoadedEventEnd], ["load", loadEventEnd],
  ];
  const known = told.filter(([, ms]) => ms);
  return Object.fromEntries(known.map(([name, ms]) => [String(name).replaceAll("-", " "), rounded(Number(ms))]));
}

/** The largest content, with the parts of its time: https://web.dev/articles/optimize-lcp. @param {Resource[]} resources */
function largest(resources) {
  const entry = /** @type {Largest|undefined} */ (kept("largest-contentful-paint").at(-1));
  if (!entry) return undefined;
  const { startTime, element, url } = entry;
  const firstByte = navigation()?.responseStart ?? 0;
  const resource = url ? resources.find(({ name }) => name === url) : undefined;
  const parts = resource
    ? {
      "first byte": firstByte,
      "until its request": Math.max(resource.requestStart || resource.startTime, firstByte) - firstByte,
      "its request": resource.responseEnd - Math.max(resource.requestStart || resource.startTime, firstByte),
      "until painted": startTime - Math.max(resource.responseEnd, firstByte),
    }
    : { "first byte": firstByte, "until painted": startTime - firstByte };
  return {
    at: rounded(startTime), ...elementIn(element), ...(url && { url: url.slice(0, MAX_ADDRESS) }),
    parts: Object.fromEntries(Object.entries(parts).map(([name, ms]) => [name, rounded(ms)])),
  };
}

/** Sum of the worst window. @param {Shift[]} shifts */
function scoreOf(shifts) {
  let [worst, sum, first, last] = [0, 0, 0, -Infinity];
  for (const { startTime, value } of shifts) {
    const isNew = startTime - last > WINDOW_GAP_MS || startTime - first > WINDOW_MS;
    [first, sum, last] = isNew ? [startTime, value, startTime] : [first, sum + value, startTime];
    worst = Math.max(worst, sum);
  }
  return Math.round(worst * 10_000) / 10_000;
}

const rectangle = (/** @type {DOMRectReadOnly} */ { x, y, width, height }) => [x, y, width, height].map(Math.round);

/** @param {ShiftSource[]} sources */
function causesOf(sources) {
  const causes = shiftCauses.of(sources);
  const told = causes.map((element) => ({
    element: namedElements.described(element), height: Math.round(element.getBoundingClientRect().height),
  }));
  return told.length ? { causes: told } : {};
}

/** @param {(entry: PerformanceEntry) => boolean} counts */
function shifts(counts) {
  const unasked = /** @type {Shift[]} */ (kept("layout-shift")).filter((entry) => !entry.hadRecentInput && counts(entry));
  const worst = [...unasked].sort((a, b) => b.value - a.value).slice(0, MAX_SHIFTS);
  return {
    score: scoreOf(unasked), count: unasked.length,
    worst: worst.map(({ startTime, value, sources }) => ({
      at: rounded(startTime), score: Math.round(value * 10_000) / 10_000,
      moved: sources.slice(0, MAX_MOVED).map(({ node, previousRect, currentRect }) => ({
        ...elementIn(node), before: rectangle(previousRect), after: rectangle(currentRect),
      })),
      ...causesOf(sources),
    })),
  };
}

/** Slow interactions, the longest first: one is several events. @param {(entry: PerformanceEntry) => boolean} counts */
function interactions(counts) {
  const entries = /** @type {EventEntry[]} */ ([...kept("first-input"), ...kept("event")]);
  const slow = entries.filter((entry) => entry.interactionId && entry.duration >= SLOW_MS && counts(entry));
  const groups = [...Map.groupBy(slow, ({ interactionId }) => interactionId).values()].map((group) => group.sort(byLength));
  return groups.sort(([a], [b]) => byLength(a, b)).slice(0, MAX_INTERACTIONS).map(interactionOf);
}

/** Interaction made of events, of which the longest comes first. @param {EventEntry[]} events */
function interactionOf(events) {
  const [{ startTime, duration, target }] = events;
  const end = startTime + duration;
  // Those that were painted together with it: a click has its listeners, the pointer that came before has the wait.
  const together = events.filter((entry) => entry.processingStart < end && entry.processingEnd <= end);
  const begun = Math.min(...together.map(({ processingStart }) => processingStart));
  const done = Math.max(...together.map(({ processingEnd }) => processingEnd));
  // One that was painted later has times of its own, which are not told here.
  const named = together.find(({ name }) => name === "click" || name === "keydown") ?? events[0];
  return {
    type: named.name, at: rounded(startTime), ms: rounded(duration), ...elementIn(target ?? named.target),
    parts: { waiting: rounded(begun - startTime), listeners: rounded(done - begun), "until painted": rounded(end - done) },
  };
}

/** @param {ScriptEntry} entry */
function scriptIn(entry) {
  const { invoker, invokerType, duration, sourceURL, sourceFunctionName, sourceCharPosition } = entry;
  const layout = notable(entry.forcedStyleAndLayoutDuration);
  return {
    invoker: (invoker || invokerType).slice(0, MAX_ADDRESS), ms: rounded(duration), ...(layout && { layout_ms: layout }),
    ...(sourceFunctionName && { name: sourceFunctionName.slice(0, MAX_NAME) }),
    ...(sourceURL && { url: sourceURL.slice(0, MAX_ADDRESS) }),
    ...(sourceCharPosition >= 0 && { position: sourceCharPosition }),
  };
}

/** @param {(entry: PerformanceEntry) => boolean} counts */
function frames(counts) {
  const long = /** @type {Frame[]} */ (kept("long-animation-frame")).filter(counts);
  /** @type {Record<string, number>} */
  const sites = {};
  for (const { sourceURL, duration } of long.flatMap(({ scripts }) => scripts)) {
    const site = URL.canParse(sourceURL) ? new URL(sourceURL).origin : "(no address)";
    sites[site] = rounded((sites[site] ?? 0) + duration);
  }
  // Others wait for the network while the page loads.
  const guilty = long.filter(({ blockingDuration, scripts }) => blockingDuration || scripts.length);
  const worst = guilty.sort(byLength).slice(0, MAX_FRAMES);
  return {
    count: long.length, by_site: sites,
    blocked_ms: rounded(long.reduce((sum, { blockingDuration }) => sum + blockingDuration, 0)),
    worst: worst.map(({ startTime, duration, blockingDuration, renderStart, scripts }) => {
      const rendering = renderStart && notable(startTime + duration - renderStart);
      return {
        at: rounded(startTime), ms: rounded(duration), blocked_ms: rounded(blockingDuration),
        ...(rendering && { rendering_ms: rendering }), scripts: [...scripts].sort(byLength).slice(0, MAX_SCRIPTS).map(scriptIn),
      };
    }),
  };
}

/** @param {Resource[]} resources */
function blocking(resources) {
  const found = resources.filter(({ renderBlockingStatus }) => renderBlockingStatus === "blocking").sort(byLength);
  return found.slice(0, MAX_BLOCKING).map(({ name, startTime, duration, transferSize, decodedBodySize }) => ({
    url: name.slice(0, MAX_ADDRESS), started: rounded(startTime), ms: rounded(duration),
    ...((transferSize || decodedBodySize) && { size: transferSize || decodedBodySize }),
  }));
}

let asked = 0;

/** @param {{sinceLast: boolean}} args */
export const readEntries = ({ sinceLast }) => {
  const since = sinceLast ? asked : 0;
  asked = performance.now();
  const counts = (/** @type {PerformanceEntry} */ { startTime, duration }) => startTime + duration >= since;
  return cached(() => {
    const resources = /** @type {Resource[]} */ (performance.getEntriesByType("resource"));
    const wasHidden = performance.getEntriesByType("visibility-state")[0]?.name === "hidden";
    const load = since ? undefined : { load: loadTimes(), largest: largest(resources), blocking: blocking(resources) };
    return {
      ...(since && { since: rounded(since) }), ...load, wasHidden,
      shifts: shifts(counts), interactions: interactions(counts), frames: frames(counts),
    };
  });
};
