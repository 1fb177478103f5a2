/*
 * What popup and side panel show of the worker's state, told whenever it changes; and the user's hand in the tabs of clients.
 */
import { connections, onConnections } from "../wire/connection.js";
import { onQuestions, openQuestions } from "../rules/consent.js";
import { forgive, leases, onLeasesChanged, revocations, revoke } from "../tabs/leases.js";
import { neverListed } from "../rules/site-pattern.js";
import { onSettingsChange, settings, settingsKnown } from "../base/settings.js";
import { allRules, LEVELS, onRulesChanged, rulesReady } from "../rules/site-rules.js";
import { currentPause, onPauseChange, pauseKnown } from "../rules/stop.js";
import { answerUi, pushToUi } from "../base/ui-requests.js";

/** @typedef {Awaited<ReturnType<typeof state>>} PanelState */

const { pages, tell: push } = pushToUi("panel", state);
let isTelling = false;

async function state() {
  await Promise.all([rulesReady, pauseKnown, settingsKnown]);
  const { rules, default: level, answers } = allRules();
  return {
    pause: currentPause(),
    clients: connections().clients.map(({ id, name }) => ({ id, name })),
    tabs: leases(),
    taken: revocations(),
    questions: openQuestions(),
    rules: { rules, default: level, answers, levels: LEVELS, never: neverListed() },
    settings: settings(),
  };
}

/** Several changes of one turn are told at once. */
async function tell() {
  if (isTelling || !pages.size) return;
  isTelling = true;
  await Promise.resolve();
  isTelling = false;
  push(await state());
}

for (const subscribe of [onConnections, onLeasesChanged, onPauseChange, onQuestions, onRulesChanged, onSettingsChange])
  subscribe(() => void tell());

/** @param {{tabId: number}} tab */
async function takeTab({ tabId }) {
  revoke(tabId);
  // Not in a group, or Chrome has no groups in its window.
  await chrome.tabs.ungroup([tabId]).catch(() => {});
  return state();
}

/*
 * For popup and side panel:
 * - chrome.runtime.connect({name: "panel"}) is told a PanelState at first and after each change.
 * - {type: "takeTab", tabId}: the client that holds a tab may not act there any more; {type: "giveTab", tabId, clientId}: it may
 *   again. Both answer with the PanelState.
 */
answerUi({
  takeTab,
  giveTab: ({ tabId, clientId }) => {
    forgive(tabId, String(clientId));
    return state();
  },
});
