/** Navigation: addresses, history, reload. */
import { toUrl } from "../base/address.js";
import { readPage, travel } from "../page/page-load.js";
import { dialogError, isSilent } from "../debugger/blocked-page.js";
import { pendingDialog, withDebugger } from "../debugger/attachment.js";
import { inTab, leaveAndTravel, travelInNewTab } from "../page/page-leave.js";
import { TabwireError, unsupported } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { askPage } from "../tabs/keep-alive.js";
import { assertReadable, told } from "../rules/addresses.js";
import { assertFilesOpen } from "../rules/permissions.js";
import { withHeaders } from "../network/request-headers.js";
import { currentTab, resolveTab, setCurrentTab, tabToReplace, windowForTabs } from "../tabs/targets.js";
import { openWindow } from "../tabs/windows.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../../types").AskedAhead} AskedAhead */
/** @typedef {import("../debugger/commands").Send} Send */
/** @typedef {import("../page/page-load.js").Landing} Landing */
/** @typedef {import("../page/page-load.js").Patience} Patience */
/** @typedef {import("../page/page-load.js").Trip} Trip */
/** @typedef {import("../base/protocol-types").Params<"navigation.navigate">} Params */
/** @typedef {Params & {url: string}} Destination  the server refuses a goto without url */

/** Longer than Chrome ever needs to begin a move that it will make. */
const BEGIN_LIMIT_MS = 500;

/** @typedef {(params: Patience, call: TabCall) => ReturnType<typeof moveInHistory>} Move */

/** Actions that need no address. */
const MOVES = {
  back: /** @type {Move} */ ((params, call) => moveInHistory(-1, params, call)),
  forward: /** @type {Move} */ ((params, call) => moveInHistory(1, params, call)),
  reload,
};

/** @param {Params} params @param {TabCall} call */
function navigate(params, call) {
  const { action } = params;
  return action === "goto" ? openUrl(/** @type {Destination} */ (params), call) : MOVES[action](params, call);
}

/** @param {number} tabId @param {Landing} page @param {CallContext} call */
function landed(tabId, page, call) {
  setCurrentTab(call.client, tabId);
  return inTab(tabId, page);
}

/** @param {Destination} params @param {TabCall} call its tab is missing where it needs a new one */
async function openUrl(params, call) {
  const url = toUrl(params.url);
  if (url.startsWith("file:")) await assertFilesOpen();
  if (!call.tab) return openElsewhere(url, params, call);
  if (url.startsWith("data:")) {
    throw unsupported("Chrome lets extensions open data: addresses in new tabs only; add new_tab: true");
  }
  const tabId = call.tab.id;
  const start = (/** @type {Trip} */ trip) => withHeaders(trip, url, params.headers, () => update(tabId, url));
  const page = await leaveAndTravel(tabId, start, params, call, params.headers ? undefined : url);
  return landed(tabId, page, call);
}

/**
 * The tab in which an address opens: a client that names none does not replace a page that the user has opened.
 * @param {Params} params @param {CallContext} call
 * @returns {Promise<{tabId?: number}|null>}
 */
async function place({ action, new_tab, new_window, tabId, windowId }, { client }) {
  if (action !== "goto") return {};
  if (new_tab || new_window) return null;
  if (tabId !== undefined) return { tabId };
  const tab = await tabToReplace(client, windowId);
  return tab && { tabId: tab.id };
}

/** @param {number} tabId @param {string} url */
async function update(tabId, url) {
  try {
    await chrome.tabs.update(tabId, { url });
  } catch (error) {
    if (/No tab with id/.test(error.message)) throw error;
    // Chrome opens nothing in a tab where a dialog has just come.
    const dialog = pendingDialog(tabId);
    if (dialog && /Navigation rejected/.test(error.message)) throw dialogError(dialog);
    throw new TabwireError("navigation_failed",
      `Chrome does not open ${url}; navigate to another address (${error.message})`, { url });
  }
}

/** @param {number} tabId */
const noteOfOwnTab = (tabId) =>
  `opened in the background, in a tab of your own (tab ${tabId}): no page of the user was replaced. Later calls work in this ` +
  "tab. To open a URL in a tab of the user, give the tabId of that tab";

/** Opens an address in a new tab or window. @param {string} url @param {Params} params @param {CallContext} call */
async function openElsewhere(url, params, call) {
  const open = params.new_window ? newWindow : newTab;
  // Headers need a tab to belong to.
  const first = params.headers ? "about:blank" : url;
  const patience = params.headers ? { timeout: params.timeout } : params;
  let { tabId, page } = await travelInNewTab(first, (address) => open(address, params, call), patience, call);
  if (params.headers) {
    const start = (/** @type {Trip} */ trip) => withHeaders(trip, url, params.headers, () => update(tabId, url));
    page = await travel(tabId, start, params, call);
  }
  const effects = { new_tabs: [told({ tabId, url: page.url }, tabId)], ...(page.dialog && { dialog: page.dialog }) };
  // Chrome closes a tab that it has opened for a download.
  if (page.download && !(await chrome.tabs.get(tabId).catch(() => null))) return { ...page, tabId, effects: { none: true } };
  const note = joinNotes(params.new_tab || params.new_window ? "" : noteOfOwnTab(tabId), page.note);
  return { ...landed(tabId, page, call), ...(note && { note }), effects };
}

/** @param {string} url @param {Params} params @param {CallContext} call */
async function newTab(url, { background, windowId, tabId, new_tab: isAskedFor }, { client }) {
  const beside = tabId === undefined ? windowId : (await resolveTab({ tabId }, client)).windowId;
  const home = await windowForTabs(beside, client);
  const active = isAskedFor && !background;
  if (home === undefined) return newWindow(url, { background: !active });
  return /** @type {number} */ ((await chrome.tabs.create({ url, active, windowId: home })).id);
}

/** @param {string} url @param {Pick<Params, "background" | "window_size">} params */
async function newWindow(url, { background, window_size: size }) {
  const { width = 1280, height = 720 } = size ?? {};
  return (await openWindow({ url, width, height, focused: !background })).tabs[0].id;
}

const noEntry = (/** @type {-1|1} */ delta) => new TabwireError("navigation_failed",
  `there is no page to go ${delta < 0 ? "back" : "forward"} to in this tab; navigate to an address instead`);

/**
 * Back and forward by the page itself: chrome.tabs.goBack leaves out pages nobody has clicked in.
 * @param {-1|1} delta @param {Patience} params @param {TabCall} call
 */
async function moveInHistory(delta, params, call) {
  const tabId = call.tab.id;
  const history = await readPage(tabId, readHistory, [delta]);
  if (history?.length === 1) throw noEntry(delta);
  const step = history
    ? (/** @type {Trip} */ trip) => stepInPage(trip, delta, history.isPossible, call)
    : () => stepUnread(tabId, delta, call);
  const page = await leaveAndTravel(tabId, step, params, call);
  return landed(tabId, page, call);
}

/**
 * Reads the history; runs in the page. `navigation` sees only the neighbours of the same site: it can confirm a move, not rule it
 * out.
 * @param {-1|1} delta
 */
function readHistory(delta) {
  const { navigation } = globalThis;
  return {
    length: history.length,
    isPossible: Boolean(delta < 0 ? navigation?.canGoBack : navigation?.canGoForward),
  };
}

/** @param {Trip} trip @param {-1|1} delta @param {boolean} isPossible @param {CallContext} call */
async function stepInPage(trip, delta, isPossible, call) {
  trip.isMove = true;
  await readPage(trip.tabId, (by) => history.go(by), [delta]);
  if (await hasBegun(trip)) return;
  const entry = isPossible || (await withDebugger(trip.tabId, call, (send) => neighbour(send, delta)).catch(() => null));
  if (!entry) throw noEntry(delta);
}

/** @param {Trip} trip @returns {Promise<boolean>} false when nothing moved */
async function hasBegun({ watch, signal }) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(BEGIN_LIMIT_MS)]);
  return watch
    .until(({ started, commits, sameDocument, frameStarts, frameCommits, removed }) =>
      Boolean(started || commits || sameDocument || frameStarts || frameCommits || removed), limit)
    .then(() => true, () => false);
}

/** @param {Send} send @param {-1|1} delta */
async function neighbour(send, delta) {
  const { currentIndex, entries } = await send("Page.getNavigationHistory");
  return entries[currentIndex + delta] ?? null;
}

/**
 * Moves in the history from a page in which no script can run, such as the error page.
 * @param {number} tabId @param {-1|1} delta @param {CallContext} call
 */
async function stepUnread(tabId, delta, call) {
  const step = async (/** @type {Send} */ send) => {
    const entry = await neighbour(send, delta);
    if (!entry) throw noEntry(delta);
    await send("Page.navigateToHistoryEntry", { entryId: entry.id });
  };
  await withDebugger(tabId, call, step).catch((error) => {
    if (!error.data?.attach) throw error;
    throw new TabwireError("restricted_page",
      "extensions cannot move in the history of this page; navigate to an address instead");
  });
}

/**
 * Reloads the document in which it runs, unless it begins too late. @param {number} until epoch ms
 * @returns {boolean} whether it does
 */
function reloadByScript(until) {
  if (Date.now() > until) return false;
  location.reload();
  return true;
}

/**
 * Reloads by the page itself: for a posted page chrome.tabs.reload asks the user whether to send the form again. The page is
 * loaded once: a busy page reloads itself in time or not at all.
 * @param {Trip} trip
 */
async function reloadPage(trip) {
  const { tabId } = trip;
  const until = Date.now() + BEGIN_LIMIT_MS;
  const wasHeld = pendingDialog(tabId) !== null;
  if (!wasHeld) {
    if (await readPage(tabId, reloadByScript, [until])) return;
    // A dialog that opened meanwhile is the page's question whether to leave it: asked again it would come again.
    if (pendingDialog(tabId) || (Date.now() > until && await hasBegun(trip))) return;
  }
  await chrome.tabs.reload(tabId);
}

/** @param {Patience} params @param {TabCall} call */
async function reload(params, call) {
  const tabId = call.tab.id;
  const page = await leaveAndTravel(tabId, reloadPage, params, call);
  return landed(tabId, page, call);
}

/**
 * Reads title and address from the page; Chrome's own record follows a little later. Null while a dialog freezes the page.
 * @param {TabCall} call @param {AskedAhead} [ahead]
 */
async function readTop({ tab }, ahead) {
  if (pendingDialog(tab.id) || isSilent(tab.id)) return null;
  const asked = ahead?.tabId === tab.id ? ahead.answer : askPage(tab.id);
  const page = (await asked) ?? await readPage(tab.id, () => ({ title: document.title, url: location.href }));
  // The tab may show another page than the one that was allowed to be read.
  if (page) assertReadable(page.url);
  return page;
}

/** @param {unknown} params @param {TabCall} call @param {AskedAhead} [ahead] */
async function readUrl(params, call, ahead) {
  const { tab } = call;
  return { url: (await readTop(call, ahead))?.url ?? (tab.url || tab.pendingUrl || "") };
}

/** @param {unknown} params @param {TabCall} call @param {AskedAhead} [ahead] */
async function readTitle(params, call, ahead) {
  return { title: (await readTop(call, ahead))?.title ?? call.tab.title ?? "" };
}

/**
 * The page is asked while the browser is asked for its tab: one wait instead of two.
 * @param {{tabId?: number}} params @param {CallContext} call
 */
function askAhead(params, { client }) {
  const tabId = params.tabId ?? currentTab(client);
  return tabId === null ? undefined : { tabId, answer: askPage(tabId) };
}

/** @template {Function} Read @param {Read} read */
const topReader = (read) => Object.assign(read, { ahead: askAhead });

/** @param {Params} params */
const comesBack = ({ action }) => action === "reload";

/** @param {Params} params @returns {import("../../types").Reached[]} */
const reaches = ({ action, url }) =>
  (action === "goto" ? [{ address: toUrl(/** @type {string} */ (url)), effect: "read", isVisited: true }] : []);

/** @type {import("../../types").Handlers<"navigation">} */
export const handlers = {
  "navigation.navigate": Object.assign(navigate, { place, reaches, leaves: true, comesBack }),
  "navigation.back": Object.assign(MOVES.back, { leaves: true }),
  "navigation.forward": Object.assign(MOVES.forward, { leaves: true }),
  "navigation.reload": Object.assign(reload, { leaves: true, comesBack: () => true }),
  "navigation.url": topReader(readUrl),
  "navigation.title": topReader(readTitle),
};
