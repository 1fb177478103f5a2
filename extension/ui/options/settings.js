/** Settings of the person for this browser. */
import { onChoice, showChoice } from "./choices.js";
import { attempt, find, make, optionsOf } from "../shared/elements.js";
import { ask } from "../shared/worker.js";

const SIGNS = /** @type {Record<string, {value: boolean|null, says: string}>} */ ({
  own: { value: null, says: "In my own browser" },
  on: { value: true, says: "Always" },
  off: { value: false, says: "Never" },
});

/** @import { TabSight } from "../../background/base/protocol-types" */

/** Setting for the tabs that programs see → its words. @type {Record<TabSight, string>} */
const SIGHTS = {
  all: "All tabs", window: "The tabs of the window they work in", given: "Tabs that I give them, or that they open",
};

const sightChoice = () => /** @type {HTMLSelectElement} */ (find("#sight"));
const signsChoice = () => /** @type {HTMLSelectElement} */ (find("#signs"));
const nameField = () => /** @type {HTMLInputElement} */ (find("#name"));

/** @param {Pick<import("../../background/panel/panel-state.js").PanelState, "settings"|"sight"|"browser">} state */
export function showSettings({ settings: { signs }, sight, browser }) {
  showChoice(sightChoice(), sight);
  showChoice(signsChoice(), Object.keys(SIGNS).find((name) => SIGNS[name].value === signs) ?? "own");
  if (document.activeElement !== nameField()) nameField().value = browser.name;
}

/** @param {() => Promise<unknown>} change @returns {Promise<boolean>} whether it was done */
const run = (change) => attempt(find("#setting-problem"), change);

/** @param {Event} event */
async function rename(event) {
  event.preventDefault();
  await run(() => ask("rename", { name: nameField().value }));
  nameField().blur();
}

/** Puts the settings into their place, `#settings-part`, and makes them work. */
export function startSettings() {
  const signs = make("select", { id: "signs" },
    ...Object.entries(SIGNS).map(([value, { says }]) => make("option", { value, textContent: says })));
  const tabs = make("select", { id: "sight" }, ...optionsOf(SIGHTS));
  onChoice(signs, (value) => run(() => ask("setSettings", { settings: { signs: SIGNS[value].value } })));
  onChoice(tabs, (value) => run(() => ask("setSettings", { settings: { tabs: value } })));
  const form = make("form", { id: "identity", onsubmit: (/** @type {Event} */ event) => void rename(event) },
    make("label", {}, "Name of this browser", make("input", { id: "name", name: "name", maxLength: 60, autocomplete: "off" })));
  find("#settings-part").append(make("h2", { id: "settings-heading", textContent: "Settings" }),
    make("label", {}, "Frame and pointer in the page where a program acts", signs),
    make("label", {}, "What programs see of my tabs", tabs), form,
    make("p", { id: "setting-problem", role: "alert", className: "problem" }));
}
