/*
 * Settings that the person has made for this browser. They outlive the browser, and only the extension's own pages change them.
 */
import { SIGHTS } from "./protocol.js";
import { Signal } from "./signal.js";
import { answerUi } from "./ui-requests.js";

/**
 * @typedef {object} Settings
 * @property {boolean|null} signs whether acts show in the page; null: in the person's own browser only
 * @property {import("./protocol-types").TabSight|null} tabs which of their tabs programs see; null: as pairing.json says
 */

const KEY = "settings";
/** @type {Settings} */
const DEFAULTS = { signs: null, tabs: null };
/** Setting → check whether a value is allowed. @type {Record<string, (value: unknown) => boolean>} */
const ALLOWED = {
  signs: (value) => value === null || typeof value === "boolean",
  tabs: (value) => value === null || SIGHTS.includes(/** @type {never} */ (value)),
};

/** @type {Settings} */
let current = { ...DEFAULTS };
/** @type {Signal<[]>} */
const settingsChanged = new Signal();
/** Calls a listener after each change. */
export const onSettingsChange = settingsChanged.add;

/** Resolves when the stored settings are in memory; until then they are the defaults. */
export const settingsKnown = chrome.storage.local.get(KEY).then((stored) => { current = { ...current, ...stored[KEY] }; });

/** @returns {Settings} */
export const settings = () => current;

/** @param {Record<string, unknown>} changed */
async function change(changed) {
  await settingsKnown;
  for (const [name, value] of Object.entries(changed)) {
    if (!Object.hasOwn(ALLOWED, name) || !ALLOWED[name](value))
      throw new Error(`there is no such setting: ${name} = ${JSON.stringify(value)}`);
  }
  current = { ...current, ...changed };
  await chrome.storage.local.set({ [KEY]: current });
  settingsChanged.emit();
  return current;
}

/*
 * Requests of the extension's own pages, both answered with all Settings:
 * - {type: "settings"}
 * - {type: "setSettings", settings: Partial<Settings>}: an unknown name or value changes nothing and is an {error}.
 */
answerUi({
  async settings() {
    await settingsKnown;
    return current;
  },
  setSettings: ({ settings: changed }) => change(changed),
});
