/*
 * Emulation of device, place and conditions in a tab. The wanted state of each tab is kept here; from two such states follow
 * the debugger commands that lead from one to the other. Settings that live in a frame's own process (user agent, time zone,
 * media …) are told to each process, before its first script runs.
 */
import { within } from "../base/deadline.js";
import { childrenOf, declareFollower, followChildren, inChildren, leaveChildren, senderOf } from "../debugger/child-sessions.js";
import { withDebugger } from "../debugger/attachment.js";
import { declarePurpose, hold, isHeldFor, release } from "../debugger/holds.js";
import { unsupported } from "../base/errors.js";
import { takenBy } from "../debugger/blocked-page.js";
import { persistedEntries, ready } from "../base/state.js";
import { userAgentOverride } from "./user-agent.js";

/** @typedef {import("../../types").CallContext} CallContext */
/**
 * @typedef {{width: number, height: number, device_scale_factor: number, is_mobile: boolean, has_touch: boolean}} Metrics  0 x 0
 * leaves the size
 */
/** @typedef {{metrics?: Metrics, name?: string, user_agent?: string}} Screen */
/** @typedef {{latitude: number, longitude: number, accuracy: number}} Place */
/**
 * @typedef {object} Conditions
 * @property {string} [color_scheme]
 * @property {string} [reduced_motion]
 * @property {string} [forced_colors]
 * @property {string} [media]
 * @property {string} [timezone]
 * @property {string} [locale]
 * @property {boolean} [offline]
 * @property {number} [cpu_throttle]
 * @property {string} [network_throttle]
 */
/**
 * @typedef {{screen?: Screen, geolocation?: Place, conditions?: Conditions, agent?:
 * Protocol.Emulation.SetUserAgentOverrideRequest|null}} State  agent: what follows from screen and conditions
 */
/** @import { Command as Step, Protocol, Send } from "../debugger/commands" */
/** @typedef {"screen"|"geolocation"|"conditions"} Aspect */

/** Aspects of emulation. Each ends on its own, so each keeps the debugger on its own. */
const ASPECTS = /** @type {Aspect[]} */ (["screen", "geolocation", "conditions"]);
const purposeOf = (/** @type {Aspect} */ aspect) => `emulation.${aspect}`;

/** Bytes a second and milliseconds, as the developer tools mean these names. */
const NETWORKS = /** @satisfies {Record<string, Partial<Protocol.Network.EmulateNetworkConditionsRequest>>} */ ({
  slow_3g: { latency: 2000, downloadThroughput: 50_000, uploadThroughput: 50_000, connectionType: "cellular3g" },
  fast_3g: { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375, connectionType: "cellular3g" },
  "4g": { latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750, connectionType: "cellular4g" },
});
const REAL_NETWORK = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const TOUCH_POINTS = 5;
const CHILDREN_LIMIT_MS = 1_000;

/** Tab id → what it is made to believe. */
const states = persistedEntries("emulation.");

/** @param {number} tabId @returns {State} */
export const stateOf = (tabId) => states.get(String(tabId)) ?? {};

/** @param {number} tabId @param {State} state */
function keep(tabId, state) {
  const isEmpty = ASPECTS.every((aspect) => !state[aspect]);
  return isEmpty ? states.remove([String(tabId)]) : states.set(String(tabId), state);
}

/** @param {Metrics} metrics @returns {Protocol.Emulation.SetDeviceMetricsOverrideRequest} */
function metricsParams({ width, height, device_scale_factor, is_mobile }) {
  const isAcross = width > height;
  return {
    width,
    height,
    deviceScaleFactor: device_scale_factor,
    mobile: is_mobile,
    // A hidden tab would not get its own size back otherwise, and nothing of ours needs the window's surface to follow.
    dontSetVisibleSize: true,
    ...(width && {
      screenWidth: width,
      screenHeight: height,
      screenOrientation: { type: isAcross ? "landscapePrimary" : "portraitPrimary", angle: isAcross && is_mobile ? 90 : 0 },
    }),
  };
}

/** @param {Conditions} conditions */
function mediaParams({ media = "", color_scheme, reduced_motion, forced_colors }) {
  const wanted = {
    "prefers-color-scheme": color_scheme, "prefers-reduced-motion": reduced_motion, "forced-colors": forced_colors,
  };
  const features = Object.entries(wanted).flatMap(([name, value]) => (value ? [{ name, value }] : []));
  return { media, features };
}

/** @param {Conditions} conditions */
export const isOffline = ({ offline, network_throttle }) => Boolean(offline) || network_throttle === "offline";

/** @param {Conditions} conditions @returns {Step[]} */
function networkSteps(conditions) {
  const offline = isOffline(conditions);
  const preset = NETWORKS[/** @type {keyof typeof NETWORKS} */ (conditions.network_throttle)];
  /** @type {Step} */
  const set = ["Network.emulateNetworkConditions", { offline, ...(preset ?? REAL_NETWORK) }];
  return offline || preset ? [["Network.enable", {}], set] : [set];
}

/** Commands to the tab for each part of a state, set or not. @type {Record<string, (state: State) => Step[]>} */
const PARTS = {
  metrics: ({ screen }) => [screen?.metrics
    ? ["Emulation.setDeviceMetricsOverride", metricsParams(screen.metrics)] : ["Emulation.clearDeviceMetricsOverride"]],
  touch: ({ screen }) => [["Emulation.setTouchEmulationEnabled",
    screen?.metrics?.has_touch ? { enabled: true, maxTouchPoints: TOUCH_POINTS } : { enabled: false }]],
  geolocation: ({ geolocation }) => [geolocation
    ? ["Emulation.setGeolocationOverride", geolocation] : ["Emulation.clearGeolocationOverride"]],
  agent: ({ agent }) => [["Emulation.setUserAgentOverride", agent ?? { userAgent: "" }]],
  locale: ({ conditions }) => [["Emulation.setLocaleOverride", conditions?.locale ? { locale: conditions.locale } : {}]],
  timezone: ({ conditions }) => [["Emulation.setTimezoneOverride", { timezoneId: conditions?.timezone ?? "" }]],
  media: ({ conditions }) => [["Emulation.setEmulatedMedia", mediaParams(conditions ?? {})]],
  cpu: ({ conditions }) => [["Emulation.setCPUThrottlingRate", { rate: conditions?.cpu_throttle ?? 1 }]],
  network: ({ conditions }) => networkSteps(conditions ?? {}),
};
/** Parts that a frame's own process has to be told; the others reach it through the tab. */
const IN_CHILDREN = ["touch", "agent", "locale", "timezone", "media", "cpu", "network"];

/** The names of the parts in which two states differ. @param {State} before @param {State} after */
function differing(before, after) {
  return Object.keys(PARTS).filter((name) => JSON.stringify(PARTS[name](before)) !== JSON.stringify(PARTS[name](after)));
}

const childParts = (/** @type {State} */ state) => differing({}, state).filter((name) => IN_CHILDREN.includes(name));

/** @param {string[]} names @param {State} state @returns {Step[]} */
const stepsOf = (names, state) => names.flatMap((name) => PARTS[name](state));

/** @param {State} state */
const changesNetwork = (state) => differing({}, state).includes("network");

/**
 * Whether the debugger's Network domain has to stay on in a tab, whoever else has done with it.
 * @param {number} tabId
 */
export const needsNetwork = (tabId) => changesNetwork(stateOf(tabId));

const SHARED = /override is already in effect/i;

/** @param {Error} error */
function explained(error) {
  if (!SHARED.test(error.message)) return error;
  return unsupported(
    "this page shares its process with another tab (one of them opened the other) whose time zone or locale is emulated; " +
    "call emulate without parameters in that tab first");
}

/**
 * Leads a tab from one state to another; one that fails leaves it as it was.
 * @param {number} tabId
 * @param {Send} send
 * @param {State} before
 * @param {State} after
 */
async function change(tabId, send, before, after) {
  const names = differing(before, after);
  // A page that a dialog holds takes them when that is closed.
  const tell = (/** @type {Step} */ [method, ...params]) => takenBy(tabId, send(method, ...params));
  try {
    for (const step of stepsOf(names, after)) await tell(step);
  } catch (error) {
    for (const step of stepsOf(names, before)) await tell(step).catch(() => {});
    throw explained(error);
  }
  await keep(tabId, after);
  if (!childParts(before).length && childParts(after).length) await takenBy(tabId, followChildren(tabId, send));
  // A capture has the Network domain on for itself.
  const isOver = changesNetwork(before) && !changesNetwork(after) && !isHeldFor(tabId, "capture");
  /** @type {Step[]} */
  const last = isOver ? [["Network.disable"]] : [];
  for (const step of last) await tell(step);
  await tellChildren(tabId, [...stepsOf(names.filter((name) => IN_CHILDREN.includes(name)), after), ...last]);
  if (childParts(before).length && !childParts(after).length) await leaveChildren(tabId, send);
}

/**
 * Works while a page is laid out in a view that is as large as the page.
 * @template T
 * @param {Send} send @param {number} tabId
 * @param {Protocol.Page.GetLayoutMetricsResponse} sizes @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileLaidOut(send, tabId, { cssContentSize: page, cssLayoutViewport: view, cssVisualViewport }, work) {
  const emulated = stateOf(tabId).screen?.metrics;
  const screen = emulated ? metricsParams(emulated) : { deviceScaleFactor: 0, mobile: false, dontSetVisibleSize: true };
  const { zoom = 1 } = cssVisualViewport;
  const size = { width: Math.ceil(view.clientWidth * zoom), height: Math.ceil(page.height * zoom) };
  await send("Emulation.setDeviceMetricsOverride", { ...screen, ...size });
  try {
    return await work();
  } finally {
    for (const [method, ...params] of PARTS.metrics(stateOf(tabId))) await send(method, ...params).catch(() => {});
  }
}

/** Works in child sessions; a silent one holds up nobody. @param {number} tabId @param {Parameters<typeof inChildren>[1]} work */
const withChildren = (tabId, work) => within(inChildren(tabId, work), CHILDREN_LIMIT_MS);

/** Sends all steps at once: a frame that waits to be let go answers none before. @param {number} tabId @param {Step[]} steps */
const tellChildren = (tabId, steps) =>
  withChildren(tabId, (send) => Promise.allSettled(steps.map(([method, ...params]) => send(method, ...params))));

const CLOCK = `(({ timeZone, locale }) => ({ timeZone, locale, origin: location.origin ` +
  `}))(Intl.DateTimeFormat().resolvedOptions())`;

/**
 * The sites of frames that have another time zone or locale than their page: tabs that show the same site in a frame share
 * its process, and there the first one's stands.
 * @param {number} tabId
 * @param {{timezone: string, locale: string}} page
 * @returns {Promise<string[]>}
 */
export async function framesApart(tabId, { timezone, locale }) {
  const sites = new Set();
  await withChildren(tabId, async (send, { type }) => {
    if (type !== "iframe") return;
    const { result } = await send("Runtime.evaluate", { expression: CLOCK, returnByValue: true });
    if (result.value.timeZone !== timezone || result.value.locale !== locale) sites.add(result.value.origin);
  });
  return [...sites];
}

/** @param {State} state @returns {Promise<State>} with what follows from it */
async function completed(state) {
  return { ...state, agent: await userAgentOverride({ userAgent: state.screen?.user_agent, locale: state.conditions?.locale }) };
}

/**
 * Sets one aspect of a tab; `undefined` takes it back.
 * @template T
 * @param {Aspect} aspect
 * @param {State[Aspect]} value
 * @param {CallContext} call
 * @param {(send: Send) => Promise<T>} read  looks at the page afterwards, while the debugger is attached
 * @returns {Promise<T|null>} null where nothing was set and nothing is to be
 */
export async function emulate(aspect, value, call, read) {
  const tabId = /** @type {number} */ (call.tab?.id);
  const purpose = purposeOf(aspect);
  if (value) {
    return hold(tabId, purpose, call, async (send) => {
      const before = stateOf(tabId);
      await change(tabId, send, before, await completed({ ...before, [aspect]: value }));
      return read(send);
    });
  }
  if (!isHeldFor(tabId, purpose)) return null;
  return withDebugger(tabId, call, async (send) => {
    await release(tabId, purpose, call);
    return read(send);
  });
}

/** @param {number} tabId @param {Aspect} aspect @returns {State} */
function without(tabId, aspect) {
  const { [aspect]: _, ...rest } = stateOf(tabId);
  return rest;
}

for (const aspect of ASPECTS) {
  declarePurpose(purposeOf(aspect), {
    isAct: true,
    undo: async (tabId, send) => change(tabId, send, stateOf(tabId), await completed(without(tabId, aspect))),
    ended: (tabId) => void keep(tabId, without(tabId, aspect)),
  });
}

declareFollower({
  wants: (tabId) => childParts(stateOf(tabId)).length > 0,
  prepare: (send, child, tabId) => {
    const state = stateOf(tabId);
    return Promise.allSettled(stepsOf(childParts(state), state).map(([method, ...params]) => send(method, ...params)));
  },
});

/**
 * A session that goes takes along what there is once per process or page, which the others may share: a frame next to it,
 * or the page that its site has become.
 */
chrome.debugger.onEvent.addListener(async ({ tabId }, method) => {
  if (tabId === undefined || method !== "Target.detachedFromTarget") return;
  await ready;
  const state = stateOf(tabId);
  const steps = stepsOf(childParts(state), state);
  const sessions = steps.length ? [undefined, ...childrenOf(tabId).map(([sessionId]) => sessionId)] : [];
  for (const sessionId of sessions)
    for (const [method, ...params] of steps) senderOf(tabId, sessionId)(method, ...params).catch(() => {});
});
