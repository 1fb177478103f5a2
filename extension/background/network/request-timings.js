/** Requests that Chrome tells of, and the page's own timing of them, as one list. */

/** @typedef {import("./seen-requests.js").Seen} Seen */
/**
 * A request as its page measured it. Sizes in bytes.
 * @typedef {object} Timing
 * @property {string} url
 * @property {string} kind what asked for it
 * @property {number} started epoch ms
 * @property {number} ms
 * @property {number} [transferred] headers and body, as they came
 * @property {number} [encoded]
 * @property {number} [decoded]
 * @property {number} [status]
 * @property {string} [protocol]
 * @property {boolean} [cached]
 * @property {Record<string, number>} [phases]
 */
/** @typedef {{steps: Seen[], timing?: Timing}} Chain  the steps of a request, the last one is its end */

/** Difference of the clocks by which Chrome and a page measure. */
const SAME_MS = 1_500;

/** Initiator type → type, where Chrome has not told of it. @type {Record<string, string>} */
const TYPES = {
  navigation: "document", iframe: "document", frame: "document", img: "image", image: "image", input: "image", css: "other",
  link: "other", script: "script", xmlhttprequest: "fetch", fetch: "fetch", video: "media", audio: "media", track: "media",
  beacon: "ping",
};
/** Type as Chrome names it, which does not tell fetch from XMLHttpRequest → type as it is told. @type {Record<string, string>} */
const WEB_REQUEST_TYPES = { main_frame: "document", sub_frame: "document", xmlhttprequest: "fetch", csp_report: "ping" };

/** The type of a request. @param {Chain} chain */
export const typeOf = ({ steps: [{ type, untold }] }) => (untold ? TYPES[type] ?? "other" : WEB_REQUEST_TYPES[type] ?? type);

/**
 * The requests with their timings, in the order of time; each timing belongs to one request.
 * @param {readonly Seen[]} list
 * @param {readonly Timing[]} timings
 * @returns {{chains: Chain[], rest: Timing[]}} rest: timings of requests that Chrome has not told of
 */
export function joined(list, timings) {
  const free = new Set(timings);
  /** @type {Set<string>} */
  const taken = new Set();
  const take = (/** @type {Seen[]} */ steps) => {
    const timing = nearest(steps, free);
    if (!timing) return { steps };
    free.delete(timing);
    taken.add(keyOf(timing));
    return { steps, timing };
  };
  const all = [...Map.groupBy(list, ({ id }) => id).values()];
  const told = all.filter(([first]) => !first.untold).map(take);
  // Chrome may tell late of a request that the page has told of already.
  const others = all.filter(([first]) => first.untold && !taken.has(first.id)).map(take);
  const chains = [...told, ...others].sort((a, b) => a.steps[0].started - b.steps[0].started);
  return { chains, rest: [...free] };
}

/** Key of a timing; the id of a request that only the page knows of. @param {Pick<Timing, "url"|"started">} timing */
const keyOf = ({ started, url }) => `page ${started} ${url}`;

/**
 * Whether Chrome has still to tell of what the page has measured.
 * @param {{chains: Chain[], rest: Timing[]}} requests
 * @param {number} since Chrome tells of requests, epoch ms
 */
export const isLate = ({ chains, rest }, since) =>
  rest.some(({ started, cached }) => started > since && !cached) ||
  chains.some(({ steps, timing }) => timing && /** @type {Seen} */ (steps.at(-1)).ended === undefined);

const withoutFragment = (/** @type {string} */ url) => url.replace(/#.*$/s, "");

/**
 * The timing of a request. A redirected document is measured under its last address, anything else under its first.
 * @param {Seen[]} steps @param {Set<Timing>} timings
 */
function nearest(steps, timings) {
  const [{ started, unstarted }] = steps;
  const wanted = new Set(steps.map(({ url }) => withoutFragment(url)));
  let best;
  let shortest = Infinity;
  for (const timing of timings) {
    if (!wanted.has(withoutFragment(timing.url))) continue;
    const distance = Math.abs(timing.started + (unstarted ? timing.ms : 0) - started);
    if (distance > SAME_MS || distance >= shortest) continue;
    [best, shortest] = [timing, distance];
  }
  return best;
}

/** A request that only the page knows of. @param {Timing} timing @returns {Omit<Seen, "n">} */
export const untold = ({ url, kind, started, ms, status, cached }) => ({
  id: keyOf({ url, started }), url, method: "GET", type: kind, started, ended: started + ms, frame: -1, untold: true,
  ...(status && { status }), ...(cached && { cached: true }),
});

const FIRST_FAILURE = 400;

/**
 * Outcome of a request. Chrome cancels a body that nobody reads, such as that of a missing picture, though it was answered.
 * @param {Chain} chain
 * @returns {{status?: number, error?: string}}
 */
export function outcomeOf({ steps, timing }) {
  const { error, status = timing?.status } = /** @type {Seen} */ (steps.at(-1));
  const isAnswered = error === "net::ERR_ABORTED" && status !== undefined;
  return { ...(status !== undefined && { status }), ...(error !== undefined && !isAnswered && { error }) };
}

/** Whether a request has failed. @param {Chain} chain */
export function hasFailed(chain) {
  const { error, status = 0 } = outcomeOf(chain);
  return error !== undefined || status >= FIRST_FAILURE;
}

/** The failed ones first, each part in the order of time. @param {Chain[]} chains */
export const failedFirst = (chains) => [...chains.filter(hasFailed), ...chains.filter((chain) => !hasFailed(chain))];
