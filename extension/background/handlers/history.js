/** History and bookmarks of this browser profile. */
import { addBookmark, deleteBookmark, listFolders, searchBookmarks } from "../storage/bookmarks.js";
import { leaveOut } from "../rules/permissions.js";
import { WHOLE_BROWSER } from "../rules/site-rules.js";

/**
 * @param {{query?: string, start_time?: number, end_time?: number, max_results: number, exclude_current_tabs: boolean}} params
 *   times in epoch ms
 */
async function searchHistory({ query = "", start_time, end_time, max_results, exclude_current_tabs }) {
  const open = exclude_current_tabs ? new Set((await chrome.tabs.query({})).map(({ url }) => url)) : new Set();
  // One more tells whether there are more. Chrome looks back a single day unless it is told when to start.
  const period = { startTime: start_time ?? 0, ...(end_time === undefined ? {} : { endTime: end_time }) };
  const found = await chrome.history.search({ text: query, ...period, maxResults: max_results + open.size + 1 });
  const allowed = leaveOut(found, ({ url }) => url);
  const kept = allowed.kept.filter(({ url }) => !open.has(url)).sort((one, other) => other.lastVisitTime - one.lastVisitTime);
  const entries = kept.slice(0, max_results).map(({ url, title, lastVisitTime, visitCount }) => ({
    url,
    title: title ?? "",
    last_visit: new Date(lastVisitTime).toISOString(),
    visits: visitCount,
  }));
  return { entries, ...allowed.note, ...(kept.length > max_results ? { note: `only the latest ${max_results} are shown; raise max_results or set end_time` } : {}) };
}

const BOOKMARK_ACTIONS = { search: searchBookmarks, add: addBookmark, delete: deleteBookmark, list_folders: listFolders };

/** @param {any} params @param {import("../../types").CallContext} call */
function bookmarks({ action, ...params }, call) {
  return BOOKMARK_ACTIONS[action](params, call);
}

/** The history is of no single site. */
const reaches = () => [{ address: WHOLE_BROWSER, effect: /** @type {const} */ ("read") }];

/** @type {import("../../types").Handlers<"history">} */
export const handlers = { "history.search": Object.assign(searchHistory, { reaches }), "history.bookmarks": bookmarks };
