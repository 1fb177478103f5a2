/** The options page: what programs may do where, and the settings of this browser; the same parts as in the side panel. */
import { showSettings, startSettings } from "./settings.js";
import { showSites, startSites } from "./sites.js";
import { showState } from "../shared/state-pill.js";
import { listen } from "../shared/worker.js";

startSites();
startSettings();
listen("panel", (/** @type {import("../../background/panel/panel-state.js").PanelState} */ state) => {
  showState(state.state);
  showSites(state.rules);
  showSettings(state);
});
