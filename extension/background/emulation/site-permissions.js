/*
 * Permissions of sites, overridden through Chrome's content settings. What an extension sets there comes before what the
 * user chose and leaves that untouched; it can only be cleared as a whole, and it would outlive the browser.
 */
import { isAttachedClient, releaseForAbsent } from "../base/clients.js";
import { onTabClosed, onTabReplaced } from "../base/tabs.js";
import { webOriginOf } from "../base/url.js";
import { invalid, unsupported } from "../base/errors.js";
import { persisted, ready } from "../base/state.js";

/** @typedef {"geolocation"|"notifications"|"camera"|"microphone"|"clipboard-read"} Name */
/** @typedef {"location"|"notifications"|"camera"|"microphone"|"clipboard"} Setting */
/** @typedef {"regular"|"incognito_session_only"} Scope */
/** @typedef {{tabId: number, clientId: string, origin: string, name: Name, state: string, scope: Scope}} Override */

/** Permission → Chrome's content setting. */
const SETTINGS = /** @type {Record<string, Setting>} */ ({
  geolocation: "location",
  notifications: "notifications",
  camera: "camera",
  microphone: "microphone",
  "clipboard-read": "clipboard",
});
const VALUES = /** @type {Record<string, string>} */ ({ granted: "allow", denied: "block", prompt: "ask" });
const STATES = Object.fromEntries(Object.entries(VALUES).map(([state, value]) => [value, state]));
/** A client whose connection was lost comes back within this, or not at all. */
const RETURN_MS = 6_000;

const overrides = persisted("permissions.overrides", /** @type {Override[]} */ ([]));
const hasSwept = persisted("permissions.swept", false);

/** Takes back, once per browser session, the overrides that a crashed browser has left behind. */
const swept = ready.then(async () => {
  if (hasSwept.get()) return;
  await Promise.all(Object.values(SETTINGS).map((setting) => clear(setting, "regular")));
  await hasSwept.set(true);
});

/** Setting in Chrome; all of them take and give the same texts. @param {Setting} setting */
const contentSetting = (setting) =>
  /** @type {chrome.contentSettings.ContentSetting<string>} */ (chrome.contentSettings[setting]);
/** @param {Setting} setting @param {Scope} scope */
const clear = (setting, scope) => contentSetting(setting).clear({ scope });
/** @param {Override} override */
const apply = ({ origin, name, state, scope }) =>
  contentSetting(SETTINGS[name]).set({ primaryPattern: `${origin}/*`, setting: VALUES[state], scope });

/** @param {string} address @returns {string} its origin; throws where no permissions belong to it */
export function requireOrigin(address) {
  const origin = webOriginOf(address);
  if (origin && !/%2a/i.test(origin)) return origin;
  throw invalid(
    `permissions belong to sites with an http or https address, not to ${JSON.stringify(address.slice(0, 200))}; name one as ` +
    `origin, such as https://example.com`,
  );
}

/** Throws before anything is changed. @param {{name: string, state: string}[]} wanted */
export function assertSettable(wanted) {
  if (wanted.every(({ name, state }) => SETTINGS[name] || state === "granted")) return;
  throw unsupported(
    "clipboard-write cannot be taken from pages: Chrome lets every page that is in use write to the clipboard; leave it out");
}

/**
 * Overrides permissions of a site until the tab closes or the client leaves.
 * @param {{tabId: number, clientId: string, origin: string, scope: Scope}} holder
 * @param {{name: string, state: string}[]} wanted
 */
export async function overridePermissions(holder, wanted) {
  await swept;
  const { origin, scope } = holder;
  const named = new Map(wanted.filter(({ name }) => SETTINGS[name]).map((one) => [one.name, one]));
  const isReplaced = (/** @type {Override} */ one) => one.origin === origin && one.scope === scope && named.has(one.name);
  const added = [...named.values()].map((one) => /** @type {Override} */ ({ ...holder, ...one }));
  await overrides.set([...overrides.get().filter((one) => !isReplaced(one)), ...added]);
  try {
    for (const one of added) await apply(one);
  } catch (error) {
    await restorePermissions((one) => added.includes(one));
    throw invalid(
      `Chrome takes no permissions for ${origin}; give the origin of a page, such as https://example.com (${error.message})`);
  }
}

/**
 * Takes overrides back. Chrome clears all of a kind at once, so those that stay are set again.
 * @param {(one: Override) => boolean} isOver
 * @returns {Promise<number>} how many there were
 */
export async function restorePermissions(isOver) {
  await swept;
  const ended = overrides.get().filter(isOver);
  if (!ended.length) return 0;
  await overrides.set(overrides.get().filter((one) => !ended.includes(one)));
  const kinds = new Map(ended.map((one) => [`${one.scope} ${one.name}`, one]));
  for (const { scope, name } of kinds.values()) {
    await clear(SETTINGS[name], scope);
    for (const one of overrides.get()) if (one.scope === scope && one.name === name) await apply(one);
  }
  return ended.length;
}

/**
 * Permissions that are overridden for a site now.
 * @param {string} origin
 * @returns {Record<string, string>}
 */
export const overriddenFor = (origin) =>
  Object.fromEntries(overrides.get().filter((one) => one.origin === origin).map(({ name, state }) => [name, state]));

/**
 * Permission state that Chrome would tell a site, whether or not a page of it is open.
 * @param {string} origin
 * @param {string} name
 * @param {boolean} incognito
 * @returns {Promise<string|undefined>} undefined where Chrome does not say
 */
export async function settingFor(origin, name, incognito) {
  if (!SETTINGS[name]) return undefined;
  const { setting } = await contentSetting(SETTINGS[name]).get({ primaryUrl: `${origin}/`, incognito });
  return STATES[setting];
}

onTabClosed((tabId) => restorePermissions((one) => one.tabId === tabId));

onTabReplaced(async (removed, added) => {
  await ready;
  for (const one of overrides.get()) if (one.tabId === removed) one.tabId = added;
  await overrides.save();
});

releaseForAbsent(RETURN_MS, () => restorePermissions(({ clientId }) => !isAttachedClient(clientId)));
