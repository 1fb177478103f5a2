/** What the person sets for this browser. */
import { find, say } from "../shared/elements.js";
import { ask } from "../shared/worker.js";

const SIGNS = /** @type {Record<string, boolean|null>} */ ({ own: null, on: true, off: false });

/** @param {{signs: boolean|null}} settings */
export function showSettings({ signs }) {
  const choice = find("#signs");
  const named = Object.keys(SIGNS).find((name) => SIGNS[name] === signs);
  if (document.activeElement !== choice || choice.value !== named) choice.value = named;
}

/** Makes them work. */
export function startSettings() {
  const choice = find("#signs");
  choice.addEventListener("change", async () => {
    await ask("setSettings", { settings: { signs: SIGNS[choice.value] } }).then(() => say(find("#setting-problem"), ""), (error) => say(find("#setting-problem"), error.message));
  });
}
