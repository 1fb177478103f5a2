/** The side panel: what clients do in this browser, and the person's hand in it. */
import { showAsked } from "../shared/asked.js";
import { showClients, startClients } from "../shared/clients.js";
import { showPause, startControl } from "../shared/control.js";
import { startDetails } from "../shared/details.js";
import { startViews } from "../shared/panel-view.js";
import { showSettings, startSettings } from "../options/settings.js";
import { showSites, startSites } from "../options/sites.js";
import { showState } from "../shared/state-pill.js";
import { showUse, startUse } from "../shared/use-tab.js";
import { listen } from "../shared/worker.js";
import { showFilters, startActivity } from "./activity.js";
import { showRecording, startRecord } from "./record.js";
import { showTabs, startTabs } from "./tabs.js";

const LOOK_MS = 5000;

let clients = "";

startControl();
startClients();
startUse();
startRecord();
startTabs();
startActivity();
startSettings();
startSites();
void startViews();
const look = startDetails(LOOK_MS);
const showQuestions = showAsked();
listen("panel", (/** @type {import("../../background/panel/panel-state.js").PanelState} */ state) => {
  const now = state.clients.map(({ id, name }) => `${id} ${name}`).join("\n");
  if (now !== clients) look();
  clients = now;
  showState(state.state);
  showPause(state.pause);
  showClients(state);
  showUse(state);
  showRecording(state);
  showTabs(state);
  showFilters(state.clients);
  showSites(state.rules);
  showSettings(state);
  showQuestions(state.questions);
});
