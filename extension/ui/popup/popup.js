/** The popup: who does what where, now, and how to stop it; what the person is asked, and the way to the side panel. */
import { showAsked } from "../shared/asked.js";
import { showClients, startClients } from "../shared/clients.js";
import { showPause, startControl } from "../shared/control.js";
import { find } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { openView } from "../shared/panel-view.js";
import { showState } from "../shared/state-pill.js";
import { startDetails } from "../shared/details.js";
import { showUse, startUse } from "../shared/use-tab.js";
import { listen } from "../shared/worker.js";

const LOOK_MS = 1000;

// The window must be known before the click: Chrome opens the panel only within the click.
void chrome.windows.getCurrent().then(({ id = chrome.windows.WINDOW_ID_CURRENT }) => {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-view]"))) {
    button.disabled = false;
    button.addEventListener("click", () => openView(id, String(button.dataset.view)));
  }
});

find("#open-options").append(icon("cog"));
find("#open-options").addEventListener("click", () => void chrome.runtime.openOptionsPage());
startControl();
startClients();
startUse();
startDetails(LOOK_MS);
const showQuestions = showAsked();
listen("panel", (/** @type {import("../../background/panel/panel-state.js").PanelState} */ state) => {
  showState(state.state);
  showPause(state.pause);
  showClients(state);
  showUse(state);
  showQuestions(state.questions);
});
