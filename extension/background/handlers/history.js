/** History and bookmarks of this browser profile. */
import { addBookmark, deleteBookmark, listFolders, searchBookmarks } from "../storage/bookmarks.js";
import { leaveOut } from "../rules/addresses.js";
import { WHOLE_BROWSER } from "../rules/site-rules.js";

/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */
/** @typedef {chrome.history.HistoryItem & {url: string, lastVisitTime: number}} Visited  as a search gives it */

/** @param {Params<"history.search">} params times in epoch ms */
async function searchHistory({ query = "", start_time, end_time, max_results, exclude_current_tabs }) {
  const open = exclude_current_tabs ? new Set((await chrome.tabs.query({})).map(({ url }) => url)) : new Set();
  // Asking for one entry too many shows whether there are more. Chrome looks back a single day unless it is told when to start.
  const period = { startTime: start_time ?? 0, ...(end_time === undefined ? {} : { endTime: end_time }) };
  const wanted = { text: query, ...period, maxResults: max_results + open.size + 1 };
  const found = /** @type {Visited[]} */ (await chrome.history.search(wanted));
  const allowed = leaveOut(found, ({ url }) => url);
  const kept = allowed.kept.filter(({ url }) => !open.has(url)).sort((one, other) => other.lastVisitTime - one.lastVisitTime);
  const entries = kept.slice(0, max_results).map(({ url, title, lastVisitTime, visitCount }) => ({
    url,
    title: title ?? "",
    last_visit: new Date(lastVisitTime).toISOString(),
    visits: visitCount,
  }));
  const note = `only the latest ${max_results} are shown; raise max_results or set end_time`;
  return { entries, ...allowed.note, ...(kept.length > max_results ? { note } : {}) };
}

/** @type {Record<Params<"history.bookmarks">["action"], import("../../types").Handler<"history.bookmarks">>} */
const BOOKMARK_ACTIONS = {
  search: searchBookmarks,
  add: addBookmark,
  delete: ({ bookmark_id }) => deleteBookmark({ bookmark_id: /** @type {string} */ (bookmark_id) }),
  list_folders: listFolders,
};

/** @param {Params<"history.bookmarks">} params @param {import("../../types").CallContext} call */
const bookmarks = (params, call) => BOOKMARK_ACTIONS[params.action](params, call);

/** History and bookmarks are of no single site. */
const reaches = () => [{ address: WHOLE_BROWSER, effect: /** @type {const} */ ("read") }];

/** @type {import("../../types").Handlers<"history">} */
export const handlers = {
  "history.search": Object.assign(searchHistory, { reaches }),
  "history.bookmarks": Object.assign(bookmarks, { reaches }),
};
