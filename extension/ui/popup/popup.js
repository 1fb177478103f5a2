/** The popup: whether it works, stop and pause, what the person is asked, and the way to the side panel. */
import { showAsked } from "../shared/asked.js";
import { showPause, startControl } from "../shared/control.js";
import { find } from "../shared/elements.js";
import { showStatus } from "../shared/status.js";
import { listen } from "../shared/worker.js";

const LOOK_MS = 1000;

// Known before the click: Chrome opens the panel only within it.
const here = chrome.windows.getCurrent();
/** @type {number} */
let windowId = chrome.windows.WINDOW_ID_CURRENT;
void here.then(({ id }) => {
  windowId = id ?? windowId;
  /** @type {HTMLButtonElement} */ (find("#open-panel")).disabled = false;
});

startControl();
showStatus(LOOK_MS);
find("#open-panel").addEventListener("click", () => void chrome.sidePanel.open({ windowId }));
const showQuestions = showAsked();
listen("panel", (/** @type {import("../../background/panel/panel-state.js").PanelState} */ state) => {
  showPause(state.pause);
  showQuestions(state.questions);
});
