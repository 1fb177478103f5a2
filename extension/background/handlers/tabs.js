/** Tabs and windows. */
import { toUrl, urlPattern } from "../base/address.js";
import { unlessAborted } from "../base/deadline.js";
import { onTabClosed } from "../base/tabs.js";
import { handleDialog, leaveOnPurpose, onDialogOpening, pendingDialog, withDebugger } from "../debugger/attachment.js";
import { inTab, leftNote, lookBeforeLeaving, travelInNewTab } from "../page/page-leave.js";
import { isLeftAnyway, LEFT_ANYWAY } from "../page/page-load.js";
import { invalid, noSuchTab, TabwireError, unsupported } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { holderFor } from "../tabs/leases.js";
import { mayTell, told } from "../rules/addresses.js";
import { clearCurrentTab, currentOrFront, setCurrentTab, windowForTabs } from "../tabs/targets.js";
import { closeWithClient, isUnseen, openUnseen } from "../tabs/client-tabs.js";
import { mayMissWindow } from "../tabs/front-tab.js";
import { sightOf } from "../tabs/tab-sight.js";
import { lastUsedWindow, openWindow } from "../tabs/windows.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").OpenTab} OpenTab */
/** @typedef {import("../tabs/windows.js").OpenWindow} OpenWindow */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

/** A new tab counts as open when its document is parsed. */
const PATIENCE = /** @type {import("../page/page-load.js").Patience} */ ({ wait_until: "domcontentloaded" });

/**
 * Creates a tab and waits for its page.
 * @param {string} url
 * @param {(url: string) => Promise<number>} open
 * @param {CallContext} call
 */
async function openPage(url, open, call) {
  const { tabId, page } = await travelInNewTab(url, open, PATIENCE, call);
  return inTab(tabId, page);
}

/** @param {Params<"tabs.create">} params @param {CallContext} call */
async function create({ url = "about:blank", active, windowId }, call) {
  const address = toUrl(url);
  const home = await windowForTabs(windowId, call.client);
  if (home === undefined) return createWindow({ url, incognito: false }, call);
  const open = async (/** @type {string} */ first) =>
    /** @type {OpenTab} */ (await chrome.tabs.create({ url: first, active, windowId: home })).id;
  const opened = await openPage(address, open, call);
  if (active) setCurrentTab(call.client, opened.tabId);
  return { ...opened, windowId: home };
}

/**
 * Opens a tab in the background of an existing window. Fails without one, because a new window would come to the front.
 * @param {Params<"tabs.create_unseen">} params @param {CallContext} call
 */
async function createUnseen(params, call) {
  const windowId = await windowForTabs(params.windowId, call.client);
  if (windowId === undefined) {
    throw unsupported("the browser has no window open, and a tab in the background must not open one; open a window first");
  }
  return { tabId: await openUnseen(windowId, call.client), windowId };
}

/**
 * background: what the user has in front stays there, and the window goes with its client.
 * @param {Partial<Params<"tabs.create_window">>} params @param {CallContext} call
 */
async function createWindow({ url = "about:blank", width = 1280, height = 720, incognito, background = false }, call) {
  const address = toUrl(url);
  if (incognito && !(await chrome.extension.isAllowedIncognitoAccess())) {
    throw unsupported("the extension is not allowed in incognito windows: " +
      'turn on "Allow in Incognito" for it in chrome://extensions, or open a normal window');
  }
  let window = /** @type {OpenWindow|undefined} */ (undefined);
  const open = async (/** @type {string} */ first) => {
    window = await openWindow({ url: first, width, height, incognito, focused: !background });
    return window.tabs[0].id;
  };
  const opened = await openPage(address, open, call);
  setCurrentTab(call.client, opened.tabId);
  if (background) await closeWithClient(opened.tabId, call.client);
  const { id: windowId, width: outerWidth, height: outerHeight } = /** @type {OpenWindow} */ (window);
  return { ...opened, windowId, width: outerWidth, height: outerHeight };
}

/**
 * Entry of a tab in the list; the rest of chrome.tabs.Tab is of no use to a reader.
 * @param {OpenTab} tab @param {number|null} current @param {string} [leasedBy]
 */
function toEntry(tab, current, leasedBy) {
  const { id, windowId, index, active, title = "" } = tab;
  const flags = { pinned: tab.pinned, audible: tab.audible, discarded: tab.discarded, incognito: tab.incognito };
  return {
    tabId: id,
    windowId,
    index,
    ...told({ url: tab.url || tab.pendingUrl || "", title }, id),
    active,
    current: id === current,
    status: tab.status,
    ...(tab.openerTabId === undefined ? {} : { openerTabId: tab.openerTabId }),
    ...(leasedBy === undefined ? {} : { leasedBy }),
    ...Object.fromEntries(Object.entries(flags).filter(([, value]) => value)),
  };
}

/** @param {Params<"tabs.list">} params @param {CallContext} call */
async function list({ windowId }, call) {
  const tabs = /** @type {OpenTab[]} */ (await chrome.tabs.query(windowId === undefined ? {} : { windowId }));
  if (windowId !== undefined && tabs.length === 0) {
    throw noSuchTab(`there is no window ${windowId}; call tab_list without windowId to see all windows`);
  }
  const isSeen = await sightOf(call.client);
  const seen = tabs.filter(isSeen);
  const [current, mayMiss] = await Promise.all([
    currentOrFront(call.client), lastUsedWindow().then((window) => mayMissWindow(window, call.client)),
  ]);
  return {
    tabs: seen.map((tab) => toEntry(tab, current, holderFor(tab.id, call.client))),
    ...(seen.length < tabs.length && { others: tabs.length - seen.length }),
    ...(mayMiss && { note: "private (incognito) windows are not listed" }),
  };
}

/** @param {Params<"tabs.activate">} params @param {CallContext} call */
async function chosen({ tabId, index }, call) {
  if (tabId !== undefined && index === undefined) return [tabId];
  if (index !== undefined && tabId === undefined) return [(await tabAt(index, call)).id];
  throw invalid("give either tabId or index; tab_list shows both");
}

/** @param {unknown} params @param {CallContext} call */
async function activate(params, call) {
  const tab = await findTab(call.acted[0]);
  const window = await chrome.windows.get(tab.windowId);
  if (window.state === "minimized") await chrome.windows.update(tab.windowId, { state: "normal" });
  const shown = /** @type {OpenTab} */ ((await chrome.tabs.update(tab.id, { active: true })) ?? tab);
  setCurrentTab(call.client, shown.id);
  return toEntry(shown, shown.id);
}

/** @param {number} tabId */
async function findTab(tabId) {
  const tab = await chrome.tabs.get(tabId).catch(() => null);
  if (!tab) throw noSuchTab(`there is no tab ${tabId}; call tab_list to see the open tabs`);
  return /** @type {OpenTab} */ (tab);
}

/** Positions count in the window the client works in. @param {number} index @param {CallContext} call */
async function tabAt(index, call) {
  const windowId = await windowForTabs(undefined, call.client);
  const tabs = windowId === undefined ? [] : /** @type {OpenTab[]} */ (await chrome.tabs.query({ windowId }));
  const tab = tabs.find((candidate) => candidate.index === index);
  if (tab) return tab;
  const there = `it has ${tabs.length} (0 to ${tabs.length - 1})`;
  throw noSuchTab(`window ${windowId} has no tab at index ${index}: ${there}; use tabId for a tab of another window`);
}

/** @param {Params<"tabs.close">} params @param {CallContext} call */
async function toClose({ tabId, url }, { client }) {
  if (tabId !== undefined) return (await tabsById([tabId].flat())).map(({ id }) => id);
  if (url !== undefined) return (await tabsLike(url, client)).map(({ id }) => id);
  throw invalid("say which tabs to close: tabId (one or a list) or url (a pattern with *)");
}

/** @param {Params<"tabs.close">} params @param {CallContext} call */
async function close(params, call) {
  const tabs = await tabsById(call.acted);
  const notes = [await keepBrowserOpen(tabs)];
  const closed = [];
  const asking = [];
  for (const tab of tabs) {
    call.signal.throwIfAborted();
    const end = await closeTab(tab.id, isLeftAnyway(params, call), call);
    if (!end.isClosed) asking.push(tab.id);
    else closed.push({ tabId: tab.id, ...told({ url: tab.url || tab.pendingUrl || "" }, tab.id) });
    if (end.isClosed) clearCurrentTab(call.client, tab.id);
    if (end.note) notes.push(tabs.length > 1 ? `tab ${tab.id}: ${end.note}` : end.note);
  }
  if (asking.length) throw staysOpen(asking, closed);
  const note = joinNotes(...notes);
  return { closed, ...(note ? { note } : {}) };
}

/** @param {number[]} asking @param {Array<{tabId: number}>} closed */
function staysOpen(asking, closed) {
  const which = asking.map((tabId) => `tab ${tabId}`).join(" and ");
  const others = closed.length ? `; closed: ${closed.map(({ tabId }) => tabId).join(", ")}` : "";
  return new TabwireError("dialog_pending",
    `the page of ${which} asks whether to leave it, as one with unsaved changes does, and was not closed${others}. dialog with ` +
    "action accept closes it, dismiss keeps it", { asking, closed });
}

/** All or nothing: an unknown id closes no tab. @param {readonly number[]} ids */
async function tabsById(ids) {
  if (ids.length === 0) throw invalid("tabId is an empty list; give the tabs to close");
  const unique = [...new Set(ids)];
  const tabs = await Promise.all(unique.map((id) => chrome.tabs.get(id).catch(() => null)));
  const unknown = unique.filter((_, at) => !tabs[at]);
  if (unknown.length === 0) return /** @type {OpenTab[]} */ (tabs);
  const missing = `${unknown.length > 1 ? "are no tabs" : "is no tab"} ${unknown.join(", ")}`;
  throw noSuchTab(`there ${missing}; no tab was closed; call tab_list to see the open tabs`);
}

/** @param {string} pattern @param {CallContext["client"]} client */
async function tabsLike(pattern, client) {
  const matches = urlPattern(pattern);
  const isSeen = await sightOf(client);
  const tabs = (await chrome.tabs.query({})).filter((tab) => {
    const address = tab.url || tab.pendingUrl || "";
    return isSeen(tab) && mayTell(address, tab.id) && matches(address);
  });
  if (tabs.length) return /** @type {OpenTab[]} */ (tabs);
  throw noSuchTab(`no open tab has an address like ${pattern}; call tab_list to see the addresses`);
}

/** Keeps one tab open: with its last tab Chrome itself ends, and with it every connection. @param {OpenTab[]} closing */
async function keepBrowserOpen(closing) {
  const all = await chrome.tabs.query({});
  if (all.length > closing.length) return null;
  const { incognito, windowId } = closing[0];
  await (incognito ? chrome.windows.create({ url: "about:blank" }) : chrome.tabs.create({ url: "about:blank", windowId }));
  return "these were the last tabs: an empty one was opened so that the browser stays open";
}

/**
 * A page that a user has worked in may ask before it closes; only a debugger attached beforehand can answer.
 * @param {number} tabId @param {boolean} isForced a page that asks is closed all the same @param {CallContext} call
 * @returns {Promise<{isClosed: boolean, note?: string}>}
 */
async function closeTab(tabId, isForced, call) {
  const closed = (/** @type {string} */ note) => ({ isClosed: true, ...(note && { note }) });
  const removed = () => remove(tabId, call).then(() => closed(""));
  if (isUnseen(tabId)) return removed();
  const left = await lookBeforeLeaving(tabId);
  const note = leftNote(left);
  if (!left.mayAsk && !pendingDialog(tabId)) return remove(tabId, call).then(() => closed(note));
  let hasBegun = false;
  const answering = async () => {
    hasBegun = true;
    const asked = await closeOrAsk(tabId, isForced, call);
    return asked === "stays" ? { isClosed: false } : closed(asked || note);
  };
  return withDebugger(tabId, call, answering).catch((error) => {
    if (!hasBegun) return remove(tabId, call).then(() => closed(note));
    return chrome.tabs.get(tabId).then(() => { throw error; }, () => closed(note));
  });
}

/**
 * @param {number} tabId @param {boolean} isForced @param {CallContext} call
 * @returns {Promise<string>} "stays": the question is open; else what is to be said
 */
async function closeOrAsk(tabId, isForced, call) {
  const ended = new AbortController();
  const hasLeft = leaveOnPurpose(tabId);
  const { promise: stays, resolve } = Promise.withResolvers();
  let note = "";
  const meet = (/** @type {import("../debugger/attachment.js").Dialog} */ { type }) => {
    const isQuestion = type === "beforeunload";
    if (isQuestion && !isForced) return resolve("stays");
    if (isQuestion) note = LEFT_ANYWAY;
    handleDialog(tabId, true, undefined, call).catch(() => {});
  };
  onDialogOpening(tabId, meet, ended.signal);
  const open = pendingDialog(tabId);
  if (open) meet(open);
  const removed = remove(tabId, call).then(() => note);
  // A page that stays may be closed, or not, at any time later.
  removed.catch(() => {});
  return Promise.race([removed, stays]).finally(() => { ended.abort(); hasLeft(); });
}

/**
 * chrome.tabs.remove does not resolve while the page asks; the tab's end is what counts.
 * @param {number} tabId @param {CallContext} call
 * @returns {Promise<void>}
 */
function remove(tabId, call) {
  /** @type {PromiseWithResolvers<void>} */
  const { promise, resolve, reject } = Promise.withResolvers();
  const stop = onTabClosed((id) => { if (id === tabId) resolve(undefined); });
  chrome.tabs.remove(tabId).catch(reject);
  return unlessAborted(promise, call.signal).finally(stop);
}

/** @param {{url?: string}} params */
const reaches = ({ url = "about:blank" }) => [{ address: toUrl(url), effect: /** @type {const} */ ("read"), isVisited: true }];

/** @type {import("../../types").Handlers<"tabs">} */
export const handlers = {
  "tabs.create": Object.assign(create, { reaches }),
  "tabs.create_unseen": createUnseen,
  "tabs.list": list,
  "tabs.activate": Object.assign(activate, { acts: chosen, leaves: true }),
  "tabs.close": Object.assign(close, { acts: toClose, closes: true, leaves: true }),
  "tabs.create_window": Object.assign(createWindow, { reaches }),
};
