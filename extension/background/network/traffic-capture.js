/*
 * Captures: what a tab's pages, frames and workers load, recorded by the debugger until it is asked for. A capture ends by
 * stop, by its time, with its tab, with its client, or when the user ends the debugging; what it has seen is kept for stop.
 */
import { ownCall } from "../rules/call-parts.js";
import { within } from "../base/deadline.js";
import { declareFollower, followChildren, inChildren, leaveChildren, senderOf } from "../debugger/child-sessions.js";
import { attachmentsKnown } from "../debugger/attachment.js";
import { declarePurpose, hold, release } from "../debugger/holds.js";
import { Entries } from "./capture-entries.js";
import { bodiesOf, entriesOf, newCaptureId, putBody, putEntries, removeCapture, removeOthers } from "./capture-store.js";
import { endTrace, startTrace } from "./capture-trace.js";
import { needsNetwork } from "../emulation/tab-emulation.js";
import { invalid } from "../base/errors.js";
import { takenBy } from "../debugger/blocked-page.js";
import { UNTOLD, leaveOut, mayTell, orUntold } from "../rules/addresses.js";
import { onForgetting, strikeOut } from "../rules/secret-values.js";
import { persisted } from "../base/state.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./capture-entries.js").Entry} Entry */
/** @import { Caller, Send } from "../debugger/commands" */
/**
 * @typedef {object} Capture
 * @property {string} id
 * @property {number} tabId
 * @property {string} url
 * @property {string} client
 * @property {number} since epoch ms
 * @property {number} ends epoch ms
 * @property {number} [ended] epoch ms
 * @property {string} [ended_by]
 * @property {import("./capture-entries.js").CaptureOptions & {trace: boolean}} options
 * @property {number} body_chars
 * @property {number} dropped
 */

const PURPOSE = "capture";
const MAX_BODY_CHARS = 1_000_000;
const MAX_BODIES_CHARS = 20_000_000;
/** Ended captures nobody has asked for. */
const MAX_ENDED = 5;
const BODIES_LIMIT_MS = 2_000;
const END_LIMIT_MS = 10_000;
/** Difference of the clocks of the debugger and of Chrome's other events. */
const SAME_MS = 1_500;
const NO_TRACE = { note: "no trace: it would tell of sites that are not allowed" };
/** Types of content that is no text to look for secrets in. */
const CODE = /javascript|css|image|font|audio|video|octet-stream/;
/** @type {Record<string, string>} */
const ENDS = {
  target_closed: "the tab was closed", canceled_by_user: "the user ended the debugging of the tab",
  led_out: "the page led to another program or to a page that extensions may not see, and Chrome detached the debugger",
};
const DETACHED = "the debugger was detached";

/** Tab id → its capture. */
const captures = persisted("captures", /** @type {Record<number, Capture>} */ ({}));
/** @type {Map<number, Entries>} */
const recorders = new Map();
/** Bodies on their way. @type {Map<number, Set<Promise<unknown>>>} */
const pending = new Map();
/** @type {Map<number, ReturnType<typeof setTimeout>>} */
const timers = new Map();

const isOn = (/** @type {number} */ tabId) => captures.get()[tabId] !== undefined && captures.get()[tabId].ended === undefined;
const enable = (/** @type {Send} */ send) => send("Network.enable", { maxPostDataSize: 65_536 });

declareFollower({ wants: isOn, prepare: enable });

declarePurpose(PURPOSE, {
  async undo(tabId, send) {
    noteEnd(tabId, "its client has left");
    // An emulated connection lives in the same domain.
    if (!needsNetwork(tabId)) {
      void inChildren(tabId, (sendToChild) => sendToChild("Network.disable"));
      await takenBy(tabId, send("Network.disable"));
    }
    await leaveChildren(tabId, send);
  },
  ended: (tabId, reason) => noteEnd(tabId, reason ? ENDS[reason] ?? `${DETACHED} (${reason})` : DETACHED),
});

/** Notes why a capture has ended; the first reason stays. @param {number} tabId @param {string} reason */
function noteEnd(tabId, reason) {
  clearTimeout(timers.get(tabId));
  timers.delete(tabId);
  if (!isOn(tabId)) return;
  const capture = captures.get()[tabId];
  capture.ended = Date.now();
  capture.ended_by = reason;
  capture.dropped = recorders.get(tabId)?.dropped ?? 0;
  const surplus = Object.values(captures.get())
    .filter(({ ended }) => ended)
    .sort((a, b) => (b.ended ?? 0) - (a.ended ?? 0))
    .slice(MAX_ENDED);
  for (const { tabId: old } of surplus) void forget(old);
  void captures.save();
}

/** @param {number} tabId */
async function forget(tabId) {
  const capture = captures.get()[tabId];
  if (!capture) return;
  delete captures.get()[tabId];
  recorders.delete(tabId);
  pending.delete(tabId);
  await Promise.all([captures.save(), removeCapture(capture.id)]);
}

/**
 * Begins to record a tab.
 * @param {chrome.tabs.Tab} tab
 * @param {import("../base/protocol-types").NetworkCaptureParams} params
 * @param {CallContext} call
 * @returns {Promise<Capture>}
 */
export async function startCapture(tab, params, call) {
  const tabId = /** @type {number} */ (tab.id);
  await restored;
  if (isOn(tabId)) {
    throw invalid(
      `tab ${tabId} is being captured since ${new Date(captures.get()[tabId].since).toISOString()}; capture {"action": ` +
      `"stop"} ends that and gives it`,
    );
  }
  const options = {
    include_bodies: params.include_bodies, sanitize: params.sanitize ?? true, filter: params.filter,
    trace: params.trace ?? false,
  };
  // A filter that cannot be read is refused before anything is thrown away.
  const entries = new Entries(options);
  await forget(tabId);
  const since = Date.now();
  const capture = {
    id: newCaptureId(tab.incognito),
    tabId,
    url: entries.cleanText(tab.url ?? ""),
    client: call.client.id,
    since,
    ends: since + params.max_capture_time,
    options,
    body_chars: 0,
    dropped: 0,
  };
  await hold(tabId, PURPOSE, call, async (send) => {
    captures.get()[tabId] = capture;
    recorders.set(tabId, entries);
    try {
      await takenBy(tabId, enable(send));
      await followChildren(tabId, send);
      if (options.trace) await startTrace(send);
      await captures.save();
    } catch (error) {
      await forget(tabId);
      throw error;
    }
  });
  endInTime(capture);
  return capture;
}

/** @param {Capture} capture */
function endInTime({ tabId, ends }) {
  const over = () => void end(tabId, "its time was over", ownCall(captures.get()[tabId]?.client, END_LIMIT_MS));
  timers.set(tabId, setTimeout(over, Math.max(0, ends - Date.now())));
}

/** Ends the recording; what was seen stays. @param {number} tabId @param {string} reason @param {Caller} call */
async function end(tabId, reason, call) {
  if (!isOn(tabId)) return;
  const capture = captures.get()[tabId];
  await within(Promise.allSettled([...(pending.get(tabId) ?? [])]), BODIES_LIMIT_MS);
  if (capture.options.trace) await putBody(capture.id, "trace", await endTrace(tabId, call));
  noteEnd(tabId, reason);
  await release(tabId, PURPOSE, call).catch(() => {});
}

/**
 * The tab a call is about: the one it names, the client's current one, or the one the client captures.
 * @param {number|undefined} tabId
 * @param {number|undefined} current
 * @param {string} client
 */
export async function capturedTab(tabId, current, client) {
  await restored;
  if (tabId !== undefined) return captures.get()[tabId] ? tabId : undefined;
  if (current !== undefined && captures.get()[current]) return current;
  const own = Object.values(captures.get()).filter((capture) => capture.client === client);
  const running = own.filter(({ ended }) => ended === undefined);
  const [only, ...others] = running.length ? running : own;
  return others.length ? undefined : only?.tabId;
}

/**
 * Ends the capture of a tab, if it has not ended, and gives what it has recorded; afterwards it is gone.
 * @param {number} tabId  that has a capture
 * @param {CallContext} call
 */
export async function stopCapture(tabId, call) {
  await end(tabId, "stop", call);
  const capture = captures.get()[tabId];
  const entries = recorders.get(tabId) ?? new Entries(capture.options, await entriesOf(capture.id));
  const bodies = await bodiesOf(capture.id);
  const trace = /** @type {import("./capture-store.js").Trace|undefined} */ (bodies.get("trace"));
  const allowed = allowedOf(entries.all);
  const requests = allowed.kept.map((entry) => ({
    ...told(entry),
    .../** @type {import("./capture-store.js").Body|undefined} */ (bodies.get(entry.n)),
  }));
  const facts = { ...statusOf(tabId), requests, ...allowed.note };
  const result = {
    ...(capture.options.sanitize ? strikeOut(facts).value : facts),
    ...(capture.options.trace && { trace: allowed.note.barred ? NO_TRACE : trace ?? { note: `no trace: ${capture.ended_by}` } }),
  };
  await forget(tabId);
  return result;
}

/**
 * Reads the requests that a capture has recorded so far; it goes on, or has ended and is still kept.
 * @param {number} tabId
 * @returns {Promise<ReturnType<typeof statusOf> & {requests: import("../base/protocol-types").RecordedRequest[]} | null>} null:
 * the tab has none
 */
export async function recordedIn(tabId) {
  await restored;
  const capture = captures.get()[tabId];
  if (!capture) return null;
  const entries = recorders.get(tabId)?.all ?? (await entriesOf(capture.id));
  const { kept, note } = allowedOf(entries);
  return { ...statusOf(tabId), requests: kept.map(told), ...note };
}

/**
 * A request as a capture of the tab has recorded it, with its body; undefined where none has.
 * @param {number} tabId @param {string} url @param {number} started epoch ms, about
 * @returns {Promise<import("../base/protocol-types").RecordedRequest|undefined>}
 */
export async function recordedRequest(tabId, url, started) {
  await restored;
  const capture = captures.get()[tabId];
  if (!capture) return undefined;
  const entries = recorders.get(tabId)?.all ?? (await entriesOf(capture.id));
  const same = entries.filter((entry) => entry.url === url && Math.abs(entry.started - started) <= SAME_MS);
  const entry = same.toSorted((a, b) => Math.abs(a.started - started) - Math.abs(b.started - started))[0];
  if (!entry) return undefined;
  const body = /** @type {import("./capture-store.js").Body|undefined} */ ((await bodiesOf(capture.id)).get(entry.n));
  return { ...told(entry), ...body };
}

/** Leaves out entries that belong to sites that are not allowed. @param {Entry[]} entries */
const allowedOf = (entries) => leaveOut(entries, ({ url, document_url: page }) => [url, page ?? ""]);

/** Names of headers that hold addresses. */
const ADDRESSES = /^(location|content-location|referer|origin)$/i;

/** @param {Record<string, string>} headers @param {string} url they are relative to */
const toldHeaders = (headers, url) => Object.fromEntries(Object.entries(headers).map(([name, value]) =>
  [name, ADDRESSES.test(name) && URL.canParse(value, url) && !mayTell(new URL(value, url).href) ? UNTOLD : value]));

/** @param {Entry} entry @returns {import("../base/protocol-types").RecordedRequest} */
function told({ has_sent: s, has_received: r, id, at, done, ...entry }) {
  // An answer that the page has not read to its end stays so, too.
  const { url, redirect_to, initiator, request_headers: sent, response_headers: received } = entry;
  return {
    ...entry,
    ...(redirect_to !== undefined && { redirect_to: orUntold(redirect_to) }),
    ...(initiator !== undefined && { initiator: initiator.split(" ").map(orUntold).join(" ") }),
    ...(sent && { request_headers: toldHeaders(sent, url) }),
    ...(received && { response_headers: toldHeaders(received, url) }),
    ...(!done && { pending: true }),
    ...(entry.timing && { queued_ms: Math.max(0, (entry.timing.requestTime - (at ?? 0)) * 1000) }),
  };
}

/**
 * Status of a capture.
 * @param {number} tabId  that has a capture
 */
export function statusOf(tabId) {
  const { since, ended, ended_by: by, ends, dropped, url } = captures.get()[tabId];
  const all = recorders.get(tabId)?.all ?? [];
  const lost = Math.max(dropped, recorders.get(tabId)?.dropped ?? 0);
  return {
    tabId,
    url,
    capturing: ended === undefined,
    since,
    count: all.length,
    pending: all.filter(({ done }) => !done).length,
    ...(ended === undefined ? { ends_in_ms: Math.max(0, ends - Date.now()) } : { ended, ended_by: by }),
    ...(lost && { dropped: lost }),
  };
}

chrome.debugger.onEvent.addListener(async ({ tabId, sessionId }, method, params) => {
  if (tabId === undefined || !method.startsWith("Network.")) return;
  await restored;
  const capture = captures.get()[tabId];
  const entries = recorders.get(tabId);
  if (!entries || !isOn(tabId) || Date.now() > capture.ends) return;
  const changed = entries.note(method, params);
  if (!changed.length) return;
  void putEntries(capture.id, changed).catch(warn);
  if (method === "Network.loadingFinished" && capture.options.include_bodies)
    keep(tabId, fetchBody(capture, entries, changed[0], sessionId));
});

onForgetting(() => {
  for (const [tabId, entries] of recorders) {
    const capture = captures.get()[tabId];
    const changed = entries.strike();
    if (capture && changed.length) void putEntries(capture.id, changed).catch(warn);
  }
});

const warn = (/** @type {unknown} */ error) => console.warn("tabwire: a capture could not be stored:", error);

/** @param {number} tabId @param {Promise<unknown>} work */
function keep(tabId, work) {
  const works = pending.get(tabId) ?? new Set();
  pending.set(tabId, works.add(work));
  void work.catch(warn).finally(() => works.delete(work));
}

/** @param {Capture} capture @param {Entries} entries @param {Entry} entry @param {string|undefined} sessionId */
async function fetchBody(capture, entries, entry, sessionId) {
  const body = await bodyOf(capture, entries, entry, sessionId).catch((error) => ({
    body_note: `not kept by Chrome (${messageOf(error)})`,
  }));
  await putBody(capture.id, entry.n, body);
}

const messageOf = (/** @type {Error} */ error) => /"message":"([^"]*)"/.exec(error.message)?.[1] ?? error.message;

/** @param {Capture} capture @param {Entries} entries @param {Entry} entry @param {string|undefined} sessionId */
async function bodyOf(capture, entries, entry, sessionId) {
  const { body, base64Encoded: base64 } = await senderOf(capture.tabId, sessionId)("Network.getResponseBody", {
    requestId: entry.id,
  });
  if (body.length > MAX_BODY_CHARS)
    return { body_note: `left out: ${body.length} characters, over the limit of ${MAX_BODY_CHARS}` };
  if (capture.body_chars + body.length > MAX_BODIES_CHARS)
    return { body_note: `left out: all bodies together may have ${MAX_BODIES_CHARS} characters` };
  capture.body_chars += body.length;
  if (base64) return { body, base64: true };
  return { body: CODE.test(entry.mime_type ?? "") ? body : entries.cleanText(body) };
}

const restored = attachmentsKnown.then(async () => {
  const known = Object.values(captures.get());
  for (const { id, tabId, options } of known) recorders.set(tabId, new Entries(options, await entriesOf(id)));
  for (const capture of known) if (isOn(capture.tabId)) endInTime(capture);
  void removeOthers(known.map(({ id }) => id)).catch(warn);
});
