/*
 * All handlers by method. Two files that answer to one method would be a mistake, so the merge refuses it.
 */
import * as breakpoints from "./breakpoints.js";
import * as console from "./console.js";
import * as dialog from "./dialog.js";
import * as elements from "./elements.js";
import * as emulation from "./emulation.js";
import * as forms from "./forms.js";
import * as handover from "./handover.js";
import * as history from "./history.js";
import * as input from "./input.js";
import * as markup from "./markup.js";
import * as media from "./media.js";
import * as navigation from "./navigation.js";
import * as network from "./network.js";
import * as observation from "./observation.js";
import * as outline from "./outline.js";
import * as pageTools from "./page-tools.js";
import * as performance from "./performance.js";
import * as profiles from "./profiles.js";
import * as script from "./script.js";
import * as session from "./session.js";
import * as snapshot from "./snapshot.js";
import * as sources from "./sources.js";
import * as steps from "./steps.js";
import * as storage from "./storage.js";
import * as tabs from "./tabs.js";
import * as wait from "./wait.js";

const DOMAINS = [
  breakpoints,
  console,
  dialog,
  elements,
  emulation,
  forms,
  handover,
  history,
  input,
  markup,
  media,
  navigation,
  network,
  observation,
  outline,
  pageTools,
  performance,
  profiles,
  script,
  session,
  snapshot,
  sources,
  steps,
  storage,
  tabs,
  wait,
];

/** @type {Record<string, import("../../types").AnyHandler>} */
export const handlers = {};

for (const domain of DOMAINS) {
  for (const [method, handler] of Object.entries(domain.handlers)) {
    if (handlers[method]) throw new Error(`two handlers for ${method}`);
    handlers[method] = /** @type {import("../../types").AnyHandler} */ (handler);
  }
}
