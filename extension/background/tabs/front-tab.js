/*
 * The tab in front: what a call means that names no tab, while its client works in no tab yet. A page that extensions cannot
 * touch, that the user does not allow, or that has crashed is never meant: the call is refused at once, with the tabs that it can
 * name.
 */
import { isCrashed } from "../base/tabs.js";
import { noSuchTab, said, TabwireError } from "../base/errors.js";
import { PERSON, onClientGone } from "../base/clients.js";
import { cutText } from "../base/text.js";
import { isOnlyShown, objection } from "../rules/addresses.js";
import { addressOfCreator, addressOfTab } from "../rules/inherited-sites.js";
import { FILES_CLOSED, areFilesOpen } from "../rules/permissions.js";
import { FILES, UNKNOWN_SITE, restriction, siteName, siteOfAddress } from "../rules/site-pattern.js";
import { holderFor, isOpenedBy, leaseOf } from "./leases.js";
import { isHeadless } from "./tab-facts.js";
import { sightOf } from "./tab-sight.js";
import { lastUsedWindow } from "./windows.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {import("../../types").OpenTab} OpenTab */
/** @typedef {{effect: "read"|"act", page: string}} Use  what a call does with a tab, and with what of its page */
/** @typedef {{code: string, reason: string, what: string}} Obstacle  what: what the tab shows, in words */
/** @typedef {{tab: OpenTab, window: chrome.windows.Window}} Front */

const MAX_LISTED = 6;
const MAX_TITLE = 60;
const MAX_ADDRESS = 200;

const NOT_SEEN = "Private (incognito) windows are not seen";

/** Client id → whether the last note said that the window in front may be hidden from us. @type {Map<string, boolean>} */
const notedFocus = new Map();

/**
 * The tab that the user has in front.
 * @returns {Promise<Front | null>} null when no window is open that extensions see
 */
export async function frontTab() {
  const window = await lastUsedWindow();
  const tab = /** @type {OpenTab|undefined} */ (window?.tabs?.find(({ active }) => active));
  return window && tab ? { tab, window } : null;
}

/**
 * Obstacle to meaning a tab without naming it.
 * @param {chrome.tabs.Tab} tab
 * @param {Use} use
 * @returns {Obstacle|null}
 */
export function obstacleIn(tab, { effect, page }) {
  const address = addressOfTab(tab);
  const against = objection(address, effect);
  if (against?.reason === "never_list") {
    const shown = isOnlyShown(against) ? `${said(address.slice(0, MAX_ADDRESS))}, ` : "";
    return { code: "restricted_page", reason: "restricted", what: `${shown}${against.what}` };
  }
  if (against?.reason === "site_barred")
    return { code: "permission_denied", reason: "site_barred", what: "a site on which the user does not allow Tabwire" };
  if (against?.reason === "ask" && siteOfAddress(address) === FILES)
    return { code: "permission_denied", reason: "local_file", what: "a local file, which is only used once the user has agreed" };
  if (page !== "none" && isCrashed(tab))
    return { code: "page_crashed", reason: "crashed", what: "a page that has crashed, or was not loaded since the start" };
  const kind = page === "scripts" && restriction(tab.url || tab.pendingUrl || "");
  return kind ? { code: "restricted_page", reason: "restricted", what: kind } : null;
}

/**
 * Throws where a call that names no tab cannot mean a tab; says which tabs it can name.
 * @param {OpenTab} tab
 * @param {chrome.windows.Window|undefined} window its window, if it is in front
 * @param {Client} client
 * @param {Use} use
 */
export async function assertMeant(tab, window, client, use) {
  const obstacle = obstacleIn(tab, use);
  if (!obstacle) return;
  const areClosed = obstacle.reason === "local_file" && !(await areFilesOpen());
  const { code } = obstacle;
  const { reason, what } = areClosed ? { reason: "files_closed", what: `a local file, and ${FILES_CLOSED}` } : obstacle;
  const shows = `the tab ${window ? "in front" : "you saw last"} (tab ${tab.id}) shows ${what}`;
  if (client.id === PERSON.id) throw new TabwireError(code, `${shows}; go to another page`);
  const tabs = await tabsToName(client, use);
  const wasNot = use.effect === "act" ? "done" : "read";
  const message = `${shows}. A call that names no tab never means such a page; nothing was ${wasNot}. ` +
    choiceOf(tabs, tab, reason, use) + (window && await mayMissWindow(window, client) ? `. ${NOT_SEEN}` : "");
  const listed = tabs.slice(0, MAX_LISTED).map(({ id, title = "", url = "" }) => ({ tabId: id, title, url }));
  throw new TabwireError(code, message, { reason, tabId: tab.id, tabs: listed });
}

/** Ways to name the tab in front all the same. @type {Record<string, (tabId: number) => string>} */
const ALL_THE_SAME = {
  local_file: (tabId) => `, or tabId: ${tabId}, which asks the user about the file`,
  crashed: (tabId) => `, or load it again: reload with tabId: ${tabId}`,
};

const OWN_TAB = "navigate with a url opens a tab of your own in the background";

/** @param {OpenTab[]} tabs @param {OpenTab} front @param {string} reason @param {Use} use */
function choiceOf(tabs, front, reason, { effect }) {
  const used = effect === "act" ? "used" : "read";
  const also = ALL_THE_SAME[reason]?.(front.id) ?? "";
  if (!tabs.length) return `No other open tab can be ${used}. Next: ${OWN_TAB}${also}`;
  const more = tabs.length > MAX_LISTED ? ` and ${tabs.length - MAX_LISTED} more` : "";
  const listed = tabs.slice(0, MAX_LISTED).map(described).join(", ");
  return `Open tabs that can be ${used}: ${listed}${more}. Next: the same call with tabId: ${tabs[0].id}${also}; ${OWN_TAB}`;
}

/** @param {OpenTab} tab */
function described({ id, title = "", url = "" }) {
  const site = siteOfAddress(url);
  const host = site === UNKNOWN_SITE ? url.slice(0, MAX_TITLE) : siteName(site);
  return `${id} ${said(`${JSON.stringify(title.length > MAX_TITLE ? cutText(title, MAX_TITLE) : title)} (${host})`)}`;
}

/**
 * Tabs that a client can name in a call, the one that was in front last first.
 * @param {Client} client @param {Use} use
 */
async function tabsToName(client, use) {
  const isSeen = await sightOf(client);
  const isFree = (/** @type {OpenTab} */ tab) => use.effect === "read" || holderFor(tab.id, client) === undefined;
  // An empty tab is of no use to anybody who has to choose one.
  const like = { ...use, page: "scripts" };
  const tabs = /** @type {OpenTab[]} */ (await chrome.tabs.query({})).filter((tab) => tab.id !== undefined);
  return tabs.filter((tab) => isSeen(tab) && isFree(tab) && !obstacleIn(tab, like))
    .sort((one, other) => (other.lastAccessed ?? 0) - (one.lastAccessed ?? 0));
}

/**
 * Whether a client that names no tab may open an address in the place of the page of a tab: it has opened the tab itself, or
 * nothing is in it. What the user has opened is theirs. A browser that the client has started is not the user's.
 * @param {OpenTab} tab
 * @param {Client} client
 */
export function isToReplace(tab, client) {
  if (isOpenedBy(tab.id, client)) return true;
  if (obstacleIn(tab, { effect: "read", page: "none" }) || leaseOf(tab.id) && holderFor(tab.id, client)) return false;
  return client.launched || (isEmpty(tab) && addressOfCreator(tab.id) === UNKNOWN_SITE);
}

/** @param {chrome.tabs.Tab} tab */
const isEmpty = ({ url, pendingUrl = "" }) => url === "about:blank" && (pendingUrl === "" || pendingUrl === url);

/**
 * Whether the window in front may be one that extensions do not see. Chrome hides private windows from them: the focus of such a
 * window looks like that of another program.
 * @param {chrome.windows.Window|null} window the one that was used last
 * @param {Client} client
 */
export async function mayMissWindow(window, client) {
  if (client.launched || client.id === PERSON.id) return false;
  // Without a window system every window says that it has the focus.
  return (!window?.focused || isHeadless) && !(await chrome.extension.isAllowedIncognitoAccess());
}

/**
 * Note on the tab in front where the user may mean another one; "" where there is nothing new to say.
 * @param {Front} front
 * @param {Client} client
 */
export async function noteOfFocus({ tab, window }, client) {
  const mayMiss = await mayMissWindow(window, client);
  const isNews = mayMiss !== (notedFocus.get(client.id) ?? false);
  if (isNews) notedFocus.set(client.id, mayMiss);
  return isNews && mayMiss
    ? `this is tab ${tab.id}, in front in the window that was used last. ${NOT_SEEN}: if the user means a page of one, ask ` +
      "them to open it in another window"
    : "";
}

/** The error of a call for which no window is open. @param {Client} client */
export async function noWindowError(client) {
  const also = (await mayMissWindow(null, client)) ? `. ${NOT_SEEN}` : "";
  const words = `no browser window is open${also}. Next: navigate with a url opens one in the background`;
  return noSuchTab(words, { reason: "no_window", tabs: [] });
}

onClientGone(({ id }) => void notedFocus.delete(id));
