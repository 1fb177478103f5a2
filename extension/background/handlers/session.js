/*
 * The session domain: what concerns the connection itself.
 */
import { echoPage } from "../page-echo.js";
import { peekTab, resolveTab } from "../targets.js";

/**
 * The last two hops of a call as they are seen from here. Asking changes nothing, not even which tab is the current one.
 * @param {{tabId?: number}} params
 * @param {import("../../types").CallContext} call
 */
async function status({ tabId }, { client }) {
  const [tab, tabs] = await Promise.all([
    tabId === undefined ? peekTab(client) : resolveTab({ tabId }, client),
    chrome.tabs.query({}),
  ]);
  return { page: await echoPage(tab), tabs: tabs.length };
}

/** @type {Record<string, import("../../types").Handler>} */
export const handlers = {
  "session.echo": (params) => params,
  "session.status": status,
};
