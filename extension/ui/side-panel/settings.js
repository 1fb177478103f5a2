/** What the person sets for this browser. */
import { find, say } from "../shared/elements.js";
import { ask } from "../shared/worker.js";

const SIGNS = /** @type {Record<string, boolean|null>} */ ({ own: null, on: true, off: false });

const signsChoice = () => /** @type {HTMLSelectElement} */ (find("#signs"));

/** @param {{signs: boolean|null}} settings */
export function showSettings({ signs }) {
  const choice = signsChoice();
  const named = Object.keys(SIGNS).find((name) => SIGNS[name] === signs) ?? "own";
  if (document.activeElement !== choice || choice.value !== named) choice.value = named;
}

/** Makes them work. */
export function startSettings() {
  const choice = signsChoice();
  choice.addEventListener("change", async () => {
    const tell = (/** @type {string} */ text) => say(find("#setting-problem"), text);
    await ask("setSettings", { settings: { signs: SIGNS[choice.value] } }).then(() => tell(""), (error) => tell(error.message));
  });
}
