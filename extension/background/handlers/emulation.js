/** Emulation of device, place and conditions in a tab. Each reply says what the page sees afterwards. */
import { readPage } from "../page/page-load.js";
import { assertAnswering } from "../debugger/blocked-page.js";
import { pendingDialog } from "../debugger/attachment.js";
import { DEVICES } from "../emulation/devices.js";
import { emulate, framesApart, isOffline, stateOf } from "../emulation/tab-emulation.js";
import { invalid } from "../base/errors.js";
import { readConditions, readPermissions, readPosition, readScreen } from "../emulation/page-conditions.js";
import {
  assertSettable, overridePermissions, overriddenFor, restorePermissions, settingFor, requireOrigin,
} from "../emulation/site-permissions.js";
import { withDocument } from "../tabs/targets.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */
/** @typedef {import("../emulation/tab-emulation.js").Conditions} Conditions */
/** @typedef {import("../emulation/tab-emulation.js").Metrics} Metrics */
/** @typedef {import("../emulation/tab-emulation.js").Place} Place */
/** @typedef {import("../emulation/tab-emulation.js").Screen} Screen */
/** @typedef {import("../debugger/attachment.js").Send} Send */

const RELOAD = "reload the page: it was loaded as another device";

const HELD = "a dialog holds the page: this takes effect when it is closed (dialog)";

const isHeld = (/** @type {TabCall} */ call) => pendingDialog(call.tab.id) !== null;

/**
 * Asks the page; null at once for a page that a dialog holds, because there is no use in waiting for it.
 * @template T @template {unknown[]} Args
 * @param {TabCall} call @param {(...args: Args) => T} func @param {Args} args
 */
const ask = async (call, func, ...args) => (isHeld(call) ? null : readPage(call.tab.id, func, args));

/**
 * Evaluates a function in the page by the debugger. It also reaches empty pages, and reads in the page's own world: there
 * is one flag for all worlds that the languages have changed, and whoever reads first takes it from the others.
 * @template T
 * @param {Send} send @param {() => T} func
 * @returns {Promise<T|null>}
 */
async function through(send, func) {
  const options = { expression: `(${func})()`, returnByValue: true, awaitPromise: true };
  return (await send("Runtime.evaluate", options)).result?.value ?? null;
}

/**
 * Sets an aspect (`undefined` takes it back) and reads what the page makes of it; null where it cannot say.
 * @template T
 * @template {import("../emulation/tab-emulation.js").Aspect} A
 * @param {A} aspect @param {import("../emulation/tab-emulation.js").State[A]} value @param {TabCall} call @param {() => T} func
 */
async function setAndRead(aspect, value, call, func) {
  if (!isHeld(call)) assertAnswering(call.tab.id);
  call.target.aim(await withDocument(call.tab, call.signal));
  const seen = await emulate(aspect, value, call, async (send) => (isHeld(call) ? null : through(send, func)));
  return seen ?? ask(call, func);
}

const notes = (/** @type {Array<string|number|boolean|null|undefined>} */ ...found) => {
  const said = found.filter(Boolean);
  return said.length ? { note: said.join("; ") } : {};
};

/** @param {Params<"emulation.viewport">} params @returns {Metrics} */
function turned({ width, height, device_scale_factor, is_mobile, has_touch, is_landscape }) {
  const isTurned = is_landscape && width < height;
  return { width: isTurned ? height : width, height: isTurned ? width : height, device_scale_factor, is_mobile, has_touch };
}

/** @param {Params<"emulation.viewport">} params @param {TabCall} call */
async function viewport(params, call) {
  const { name, user_agent } = stateOf(call.tab.id).screen ?? {};
  const device = { ...(name && { name }), ...(user_agent && { user_agent }) };
  const screen = { ...device, ...(params.width && { metrics: turned(params) }) };
  return setScreen(Object.keys(screen).length ? screen : undefined, call);
}

/** @param {Params<"emulation.device">} params @param {TabCall} call */
async function device({ name, custom }, call) {
  if (!name && !custom) return setScreen(undefined, call);
  const { user_agent, ...preset } = /** @type {Partial<import("../emulation/devices.js").Device>} */ (DEVICES[name ?? ""] ?? {});
  const { viewport: size, user_agent: agent = user_agent, ...properties } = custom ?? {};
  const given = { ...preset, ...size, ...properties };
  const metrics = { width: 0, height: 0, device_scale_factor: 0, is_mobile: false, has_touch: false, ...given };
  const screen = {
    ...(name && { name }),
    ...(agent && { user_agent: agent }),
    ...(Object.keys(given).length && { metrics }),
  };
  return setScreen(screen, call);
}

/** @param {Screen|undefined} screen @param {TabCall} call */
async function setScreen(screen, call) {
  const before = stateOf(call.tab.id).screen;
  const page = await setAndRead("screen", screen, call, readScreen);
  const metrics = screen?.metrics;
  const isOther = metrics?.width && page && (page.width !== metrics.width || page.height !== metrics.height);
  const isNewDevice = (before?.user_agent ?? "") !== (screen?.user_agent ?? "") ||
    Boolean(before?.metrics?.has_touch) !== Boolean(metrics?.has_touch);
  const value = {
    emulated: described(screen),
    page,
    ...notes(
      isOther &&
        `the page is laid out ${page.width} x ${page.height} CSS px: it is zoomed, or has no viewport meta element for mobile`,
      isNewDevice && page?.isLoaded && RELOAD,
      isHeld(call) && HELD,
    ),
  };
  if (page) delete page.isLoaded;
  return { value };
}

/** @param {Screen|undefined} screen @returns {import("../base/protocol-types").Emulated|null} null: the real device */
function described(screen) {
  if (!screen) return null;
  const { name, user_agent, metrics } = screen;
  const { width = 0, height = 0, device_scale_factor: ratio, ...properties } = metrics ?? {};
  const size = { ...(width && { viewport: { width, height } }), ...(ratio && { device_scale_factor: ratio }) };
  return { ...(name && { name }), ...size, ...properties, ...(user_agent && { user_agent }) };
}

/** @param {Params<"emulation.geolocation">} params @param {TabCall} call */
async function geolocation({ latitude, longitude, accuracy, clear }, call) {
  const place = clear ? undefined : /** @type {Place} */ ({ latitude, longitude, accuracy });
  call.target.aim(await withDocument(call.tab, call.signal));
  await emulate("geolocation", place, call, async () => {});
  const found = await ask(call, readPermissions, ["geolocation"]);
  const permission = found?.states.geolocation;
  const position = place && permission === "granted" ? await ask(call, readPosition) : null;
  const value = {
    emulated: place ?? null,
    ...(permission && { permission }),
    ...(position && { page: position }),
    ...notes(place && !isHeld(call) && permissionNote(permission, found?.isSecure)),
  };
  return { value };
}

/** @param {string|undefined} permission @param {boolean|undefined} isSecure */
function permissionNote(permission, isSecure) {
  if (isSecure === false) return "the page is not served securely (https or localhost): no such page gets a position";
  if (!permission || permission === "granted") return undefined;
  const grant = JSON.stringify({ permissions: [{ name: "geolocation", state: "granted" }] });
  return `the site may not read the position yet (${permission}); call permissions with ${grant}`;
}

/** Permissions to tell of when none are set. */
const USUAL_NAMES = ["geolocation", "notifications", "camera", "microphone", "clipboard-read"];

/** @param {Params<"emulation.permissions">} params @param {TabCall} call */
const permittedOrigin = ({ origin }, { tab }) => requireOrigin(origin ?? (tab.url || tab.pendingUrl || ""));

/** @param {Params<"emulation.permissions">} params @param {TabCall} call @returns {import("../../types").Reached[]} */
const permittedSites = (params, call) => [{ address: permittedOrigin(params, call), effect: "act" }];

/** Granting a site a permission needs the owner's word; no other state does. @param {Params<"emulation.permissions">} params */
const givenToSite = ({ permissions: wanted }) => (wanted.some(({ state }) => state === "granted") ? ["site_permissions"] : []);

/** @param {Params<"emulation.permissions">} params @param {TabCall} call */
async function permissions(params, call) {
  const { permissions: wanted } = params;
  const { id: tabId, incognito } = call.tab;
  const origin = permittedOrigin(params, call);
  assertSettable(wanted);
  /** @type {import("../emulation/site-permissions.js").Scope} */
  const scope = incognito ? "incognito_session_only" : "regular";
  if (wanted.length) await overridePermissions({ tabId, clientId: call.client.id, origin, scope }, wanted);
  else await restorePermissions((one) => one.origin === origin && one.scope === scope);
  const names = wanted.map(({ name }) => name);
  const states = await seenStates(names.length ? names : USUAL_NAMES, origin, call);
  const others = wanted.filter(({ name, state }) => states[name] && states[name] !== state);
  const value = {
    origin,
    states,
    overridden: overriddenFor(origin),
    ...notes(others.length && `the page is told something else for ${others.map(({ name }) => name).join(", ")}: `
      + "it is not served securely, or a policy decides"),
  };
  return { value };
}

/**
 * Permission states that the tab's page is told; for a site that the tab does not show, the states that Chrome has stored.
 * @param {string[]} names @param {string} origin @param {TabCall} call @returns {Promise<Record<string, string>>}
 */
async function seenStates(names, origin, call) {
  const found = await ask(call, readPermissions, names);
  if (found?.origin === origin) return found.states;
  const stored = await Promise.all(names.map(async (name) => [name, await settingFor(origin, name, call.tab.incognito)]));
  return Object.fromEntries(stored.filter(([, state]) => state));
}

/** Values that mean: as it really is. @type {Conditions} */
const REAL = { color_scheme: "no-preference", timezone: "", locale: "", offline: false, cpu_throttle: 1 };

/** @param {Conditions} before @param {Conditions} given @returns {Conditions|undefined} */
function merged(before, given) {
  const all = { ...before, ...given };
  // `offline: false` alone means that the network is there again, whichever way it was cut off.
  if (given.offline === false && !given.network_throttle && isOffline(all)) delete all.network_throttle;
  const kept = Object.entries(all).filter(([name, value]) => REAL[/** @type {keyof Conditions} */ (name)] !== value);
  return kept.length ? Object.fromEntries(kept) : undefined;
}

/** @param {string} timezone */
function knownTimezone(timezone) {
  if (!timezone) return "";
  try {
    const found = new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone;
    if (/^[+-]/.test(timezone)) throw new RangeError();
    return found.toLowerCase() === timezone.toLowerCase() ? found : timezone;
  } catch {
    throw invalid(
      `timezone ${JSON.stringify(timezone)} is not known; use a name such as "Europe/Berlin", "America/New_York" or "UTC"`);
  }
}

/** @param {string} locale */
function knownLocale(locale) {
  if (!locale) return "";
  try {
    const [found] = Intl.DateTimeFormat.supportedLocalesOf(locale.replaceAll("_", "-"));
    if (found) return found;
  } catch {
    // The text does not have the form of a locale at all.
  }
  throw invalid(`locale ${JSON.stringify(locale)} is not known; use one such as "de-DE", "fr" or "en-US"`);
}

/** @param {Params<"emulation.conditions">} params @param {TabCall} call */
async function conditions({ tabId, ...given }, call) {
  if (given.timezone !== undefined) given.timezone = knownTimezone(given.timezone);
  if (given.locale !== undefined) given.locale = knownLocale(given.locale);
  const isReset = !Object.keys(given).length;
  const wanted = isReset ? undefined : merged(stateOf(call.tab.id).conditions ?? {}, given);
  const page = await setAndRead("conditions", wanted, call, readConditions);
  const apart = page && (wanted?.timezone || wanted?.locale) ? await framesApart(call.tab.id, page) : [];
  const value = {
    emulated: wanted ?? null,
    page,
    ...notes(
      apart.length && `frames of ${apart.join(", ")} have another time zone or locale: `
        + "another tab that is emulated shares their process",
      isHeld(call) && HELD,
    ),
  };
  return { value };
}

/** @type {import("../../types").Handlers<"emulation">} */
export const handlers = {
  "emulation.viewport": viewport,
  "emulation.device": device,
  "emulation.geolocation": geolocation,
  "emulation.permissions": Object.assign(permissions, { reaches: permittedSites, sensitive: givenToSite }),
  "emulation.conditions": conditions,
};
