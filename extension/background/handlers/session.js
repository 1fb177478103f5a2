/*
 * The session domain: what concerns the connection itself.
 */
import { echoPage } from "../page/page-liveness.js";
import { isNeverAllowed, mayTell } from "../rules/addresses.js";
import { sightOf } from "../tabs/tab-sight.js";
import { currentPause } from "../rules/stop.js";
import { peekTab, resolveTab } from "../tabs/targets.js";

/** Page check while the person has paused everything: no page is asked. @type {import("../base/protocol-types").PageEcho} */
const PAUSED_PAGE = {
  kind: "paused",
  ok: false,
  detail: "the person at the browser has paused Tabwire, and no page was tried",
  fix: "Ask them to resume Tabwire in the browser (its button in the toolbar); nothing else does",
};

/** Page check on a site that is not allowed: its page is not tried. @type {import("../base/protocol-types").PageEcho} */
const BARRED_PAGE = {
  kind: "restricted",
  ok: null,
  detail: "the user does not allow Tabwire on the site of this tab",
  fix: "Work in another tab, or ask them to change it in the Tabwire panel",
};

/** A page of an extension, such as Tabwire's own: no rule changes that. @type {import("../base/protocol-types").PageEcho} */
const NEVER_PAGE = {
  kind: "restricted", ok: null, detail: "no tool works on this page, whatever the user allows", fix: "Open an ordinary web page",
};

/** The tab in front is one that the person does not show. @type {import("../base/protocol-types").PageEcho} */
const UNSEEN_PAGE = {
  kind: "none", ok: null, detail: "no tab was given to this program, and it has opened none",
  fix: 'Open one with tab_new, or ask the user for theirs: Tabwire\'s button in the toolbar has "Use this tab"',
};

/**
 * The last two hops of a call as they are seen from here. Asking changes nothing, not even which tab is the current one.
 * @param {{tabId?: number}} params
 * @param {import("../../types").CallContext} call
 * @returns {Promise<import("../base/protocol-types").Result<"session.status">>}
 */
async function status({ tabId }, { client }) {
  const paused = currentPause();
  if (paused) return { page: PAUSED_PAGE, tabs: (await chrome.tabs.query({})).length, paused };
  const [tab, tabs] = await Promise.all([
    tabId === undefined ? peekTab(client) : resolveTab({ tabId }, client),
    chrome.tabs.query({}),
  ]);
  if (tab && !(await sightOf(client))(tab)) return { page: UNSEEN_PAGE, tabs: tabs.length };
  const { id, url = "" } = tab ?? {};
  if (!tab || mayTell(url, id)) return { page: await echoPage(tab), tabs: tabs.length };
  return { page: { ...(isNeverAllowed(url, id) ? NEVER_PAGE : BARRED_PAGE), tabId: id }, tabs: tabs.length };
}

/** @type {import("../../types").Handlers<"session">} */
export const handlers = {
  "session.echo": (params) => params,
  "session.status": status,
};
