/** The side panel: what clients do in this browser, and the person's hand in it. */
import { showQuestions } from "./consent.js";
import { showPause, startControl } from "./control.js";
import { startActivity } from "./activity.js";
import { find } from "./elements.js";
import { showHandovers } from "./handovers.js";
import { showSettings, startSettings } from "./settings.js";
import { showSites, startSites } from "./sites.js";
import { showStatus } from "./status.js";
import { showTabs, startTabs } from "./tabs.js";
import { listen } from "./worker.js";

const LOOK_MS = 5000;

let asked = 0;
let questions = 0;
let clients = "";

function showWhetherAsked() {
  find("#asked").hidden = asked + questions === 0;
}

startControl();
startTabs();
startActivity();
startSettings();
void startSites();
const look = showStatus(LOOK_MS);
showHandovers(find("#handovers"), find("#told"), (open) => {
  asked = open.length;
  showWhetherAsked();
});
listen("panel", (state) => {
  const now = state.clients.map((/** @type {{id: string}} */ { id }) => id).join();
  if (now !== clients) look();
  clients = now;
  showPause(state.pause);
  showTabs(state);
  showSites(state.rules);
  showSettings(state.settings);
  showQuestions(state.questions);
  questions = state.questions.length;
  showWhetherAsked();
});
