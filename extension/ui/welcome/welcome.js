/** The page that opens once, after the installation: what Tabwire is, who is connected, how it looks, what programs may see. */
import { attempt, copyText, fill, find, make, say } from "../shared/elements.js";
import { ask, listen } from "../shared/worker.js";
import { INSTALL_COMMAND } from "../../background/base/protocol.js";
import { startDemo } from "./demo.js";
import { startPairing } from "./pairing-card.js";

/** @typedef {import("../../background/panel/panel-state.js").PanelState} PanelState */
/** @typedef {PanelState["clients"][number]} Client */

/** @param {Client} client */
const words = ({ name }) => `${name}: connected ✓`;

/** @param {PanelState["clients"]} clients */
function showPrograms(clients) {
  fill(find("#programs"), clients, ({ id }) => String(id), (client) => make("li", { textContent: words(client) }),
    (item, client) => say(item, words(client)));
  find("#no-programs").hidden = clients.length > 0;
}

/** @param {PanelState} state */
function showSight({ sight }) {
  for (const choice of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=sight]"))) {
    choice.checked = choice.value === sight;
    choice.onchange = () => void attempt(find("#sight-problem"), () =>
      ask("setSettings", { settings: { tabs: choice.value } }));
  }
}

say(find("#command"), INSTALL_COMMAND);
find("#copy").addEventListener("click", () => copyText(INSTALL_COMMAND, find("#copied")));
startPairing();
startDemo();
listen("panel", (/** @type {PanelState} */ state) => {
  showPrograms(state.clients);
  showSight(state);
});
