/** The side panel: what clients do in this browser, and the person's hand in it. */
import { showAsked } from "../shared/asked.js";
import { showPause, startControl } from "../shared/control.js";
import { startActivity } from "./activity.js";
import { showSettings, startSettings } from "./settings.js";
import { showSites, startSites } from "./sites.js";
import { showStatus } from "../shared/status.js";
import { showTabs, startTabs } from "./tabs.js";
import { listen } from "../shared/worker.js";

const LOOK_MS = 5000;

let clients = "";

startControl();
startTabs();
startActivity();
startSettings();
void startSites();
const look = showStatus(LOOK_MS);
const showQuestions = showAsked();
listen("panel", (/** @type {import("../../background/panel/panel-state.js").PanelState} */ state) => {
  const now = JSON.stringify(state.clients);
  if (now !== clients) look();
  clients = now;
  showPause(state.pause);
  showTabs(state);
  showSites(state.rules);
  showSettings(state.settings);
  showQuestions(state.questions);
});
