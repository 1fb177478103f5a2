/*
 * State of the worker as popup and side panel show it, told whenever it changes; and the user's control of the tabs of clients.
 */
import { connections, identity, onConnections } from "../wire/connection.js";
import { browserState, onBrowserState } from "./browser-state.js";
import { isConnectable } from "./pairing-request.js";
import { onQuestions, openQuestions } from "../rules/consent.js";
import { SENSITIVE_KINDS } from "../rules/kinds.js";
import { hueOf, labelOf, onRenamed } from "../tabs/lease-holders.js";
import { forgive, give, leases, onLeasesChanged, revocations, revoke } from "../tabs/leases.js";
import { sight } from "../tabs/tab-sight.js";
import { setCurrentTab } from "../tabs/targets.js";
import { neverListed } from "../rules/site-pattern.js";
import { LEVELS } from "../base/protocol.js";
import { onSettingsChange, settings, settingsKnown } from "../base/settings.js";
import { allRules, onRulesChanged, rulesReady } from "../rules/site-rules.js";
import { currentPause, onPauseChange, pauseKnown, stopOfClient } from "../rules/stop.js";
import { ready } from "../base/state.js";
import { personRecording } from "../steps/person-recording.js";
import { onSteps } from "../steps/step-recordings.js";
import { answerUi, pushToUi } from "../base/ui-requests.js";

/** @typedef {Awaited<ReturnType<typeof state>>} PanelState */

const { pages, tell: push } = pushToUi("panel", state);
let isTelling = false;

async function state() {
  const [browser] = await Promise.all([identity(), ready, rulesReady, pauseKnown, settingsKnown]);
  const { rules, default: level, answers } = allRules();
  return {
    state: await browserState(),
    isConnectable: await isConnectable(),
    pause: currentPause(),
    clients: clients(),
    tabs: leases(),
    taken: revocations(),
    questions: openQuestions(),
    rules: { rules, default: level, answers, levels: LEVELS, kinds: SENSITIVE_KINDS, never: neverListed() },
    settings: settings(),
    recording: personRecording(),
    sight: sight(),
    browser,
  };
}

/** Every connected client: how it is shown, how many tabs it holds, and whether the person has stopped it alone. */
const clients = () => connections().clients.map(({ id = "" }) => ({
  id,
  name: labelOf(id),
  hue: hueOf(id),
  tabs: leases().filter(({ clientId }) => clientId === id).length,
  stop: stopOfClient(id),
}));

/** Several changes of one turn are told at once. */
async function tell() {
  if (isTelling || !pages.size) return;
  isTelling = true;
  await Promise.resolve();
  isTelling = false;
  push(await state());
}

for (const subscribe of [
  onBrowserState, onConnections, onLeasesChanged, onPauseChange, onQuestions, onRenamed, onRulesChanged, onSettingsChange,
  onSteps,
]) subscribe(() => void tell());

/**
 * The person takes a tab back: the client that holds it may not act there any more.
 * @param {{tabId: number}} tab
 */
export async function takeTab({ tabId }) {
  revoke(tabId);
  // Chrome refuses where the tab is in no group, or its window has no groups.
  await chrome.tabs.ungroup([tabId]).catch(() => {});
  return state();
}

/**
 * The person gives a tab to a client: it is leased to it as by its own act, and the one it works in from now on.
 * @param {number} tabId
 * @param {string} clientId
 */
export async function useTab(tabId, clientId) {
  const client = connections().clients.find(({ id }) => id === clientId);
  if (!client) throw new Error("this program is not connected any more");
  await chrome.tabs.get(tabId);
  give(tabId, clientId);
  setCurrentTab({ id: clientId }, tabId);
  return state();
}

/*
 * Messages for popup and side panel:
 * - chrome.runtime.connect({name: "panel"}) is told a PanelState at first and after each change.
 * - {type: "takeTab", tabId}: the client that holds a tab may not act there any more; {type: "giveTab", tabId, clientId}: it may
 *   again; {type: "useTab", tabId, clientId}: the tab is that client's from now on, whoever had it. All answer with the
 *   PanelState.
 */
answerUi({
  takeTab,
  giveTab: ({ tabId, clientId }) => {
    forgive(tabId, String(clientId));
    return state();
  },
  useTab: ({ tabId, clientId }) => useTab(tabId, String(clientId)),
});
