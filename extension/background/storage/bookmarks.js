/** Bookmarks: a tree of folders that are named by path or by id. */
import { invalid, said } from "../base/errors.js";
import { UNTOLD, assertReadable, leaveOut, mayTell } from "../rules/addresses.js";
import { resolveTab } from "../tabs/targets.js";
import { webOriginOf } from "../base/url.js";

/** @typedef {chrome.bookmarks.BookmarkTreeNode} Node */
/** @typedef {{id: string, path: string, names: string[], node: Node}} Folder */

/** Ids are the same in every Chrome; names are in the user's language. */
const ROOT = "0";
const OTHER_BOOKMARKS = "2";

/**
 * Every folder with its path, parents first; the permanent ones are the first part of a path.
 * @returns {Promise<Folder[]>}
 */
async function allFolders() {
  const [root] = await chrome.bookmarks.getTree();
  /** @type {(node: Node, names: string[]) => Folder[]} */
  const collect = (node, names) => (node.children ?? []).filter(({ url }) => !url).flatMap((child) => {
    const path = [...names, child.title];
    return [{ id: child.id, path: path.join("/"), names: path, node: child }, ...collect(child, path)];
  });
  return collect(root, []);
}

const split = (/** @type {string} */ path) => path.split("/").map((part) => part.trim()).filter(Boolean);
const isSame = (/** @type {string} */ one, /** @type {string} */ other) =>
  one.localeCompare(other, undefined, { sensitivity: "accent" }) === 0;
const endsWith = (/** @type {string[]} */ names, /** @type {string[]} */ wanted) =>
  wanted.length <= names.length && wanted.every((part, index) => isSame(part, names[names.length - wanted.length + index]));

/**
 * The folder of that id, of that whole path, or of a path that leaves out its first folders.
 * @param {string} name
 * @param {Folder[]} folders
 * @returns {Folder|null} null when there is none
 */
function findFolder(name, folders) {
  const byId = folders.find(({ id }) => id === name);
  if (byId) return byId;
  const wanted = split(name);
  const found = folders.filter(({ names }) => endsWith(names, wanted));
  const whole = found.filter(({ names }) => names.length === wanted.length);
  const [first, ...others] = whole.length ? whole : found;
  if (!others.length) return first ?? null;
  const list = [first, ...others].map(({ id, path }) => `${path} (id ${id})`).join(", ");
  throw invalid(`several folders are called ${JSON.stringify(name)}: ${said(list)}; give the id`);
}

/** @param {string} name @param {Folder[]} folders */
function existingFolder(name, folders) {
  const folder = findFolder(name, folders);
  if (folder) return folder;
  throw invalid(`there is no bookmark folder ${JSON.stringify(name)}; see list_folders, or add with create_folder: true`);
}

/** Bookmarks of a folder and the folders in it. @param {Node} node @returns {Node[]} */
const bookmarksIn = (node) => (node.children ?? []).flatMap((child) => (child.url ? [child] : bookmarksIn(child)));

/** @param {Node} node @param {Folder[]} folders */
function described({ id, title, url, dateAdded, parentId }, folders) {
  const folder = folders.find((one) => one.id === parentId)?.path ?? "";
  return {
    id,
    title,
    url: /** @type {string} */ (url),
    folder,
    ...(dateAdded ? { added: new Date(dateAdded).toISOString() } : {}),
  };
}

/** @param {{query?: string, folder?: string, max_results: number}} params */
export async function searchBookmarks({ query, folder, max_results }) {
  const folders = await allFolders();
  const within = folder === undefined ? null : bookmarksIn(existingFolder(folder, folders).node);
  const found = query ? (await chrome.bookmarks.search(query)).filter(({ url }) => url) : (within ?? await everything());
  const ids = within && new Set(within.map(({ id }) => id));
  const { kept, note } = leaveOut(ids ? found.filter(({ id }) => ids.has(id)) : found, (node) => node.url ?? "");
  return { bookmarks: kept.slice(0, max_results).map((node) => described(node, folders)), total: kept.length, ...note };
}

async function everything() {
  const [root] = await chrome.bookmarks.getTree();
  return bookmarksIn(root);
}

/**
 * @param {{url?: string, title?: string, parent_folder?: string, create_folder: boolean}} params
 * @param {import("../../types").CallContext} call
 */
export async function addBookmark({ url, title, parent_folder, create_folder }, call) {
  const page = url === undefined ? await currentPage(call) : { url: checked(url), title: undefined };
  const folders = await allFolders();
  const { id: parentId, created } = await parentOf(parent_folder, create_folder, folders);
  const siblings = created.length ? [] : await chrome.bookmarks.getChildren(parentId);
  const known = siblings.find((node) => node.url === page.url);
  if (known) {
    return { bookmark: described(known, folders), note: "it was there already; nothing was added" };
  }
  const node = await chrome.bookmarks.create({ parentId, url: page.url, title: title ?? page.title ?? page.url });
  return {
    bookmark: described(node, await allFolders()),
    ...(created.length ? { folders_created: created } : {}),
  };
}

/** A bookmark is opened by its owner, with all that they may. @param {string} url */
function checked(url) {
  if (webOriginOf(url)) return new URL(url).href;
  throw invalid(
    `${JSON.stringify(url.slice(0, 200))} is not an absolute URL of http or https, and only such are kept as bookmarks; ` +
    "write it with https://");
}

/** @param {import("../../types").CallContext} call */
async function currentPage({ client }) {
  const tab = await resolveTab({}, client);
  if (!tab.url) throw invalid("there is no current tab to bookmark; give url");
  assertReadable(tab.url);
  return { url: tab.url, title: tab.title };
}

/**
 * @param {string|undefined} name @param {boolean} mayCreate @param {Folder[]} folders
 * @returns {Promise<{id: string, created: string[]}>}
 */
async function parentOf(name, mayCreate, folders) {
  if (name === undefined) return { id: OTHER_BOOKMARKS, created: [] };
  const folder = mayCreate ? findFolder(name, folders) : existingFolder(name, folders);
  return folder ? { id: folder.id, created: [] } : createPath(split(name), folders);
}

/**
 * Creates what is missing of a path, below the longest part of it that there is.
 * @param {string[]} names @param {Folder[]} folders
 */
async function createPath(names, folders) {
  if (!names.length) throw invalid("parent_folder names no folder; give the names of folders with / between them");
  let depth = names.length - 1;
  let start = null;
  for (; depth > 0 && !start; depth -= start ? 0 : 1) start = findFolder(names.slice(0, depth).join("/"), folders);
  let id = start?.id ?? OTHER_BOOKMARKS;
  /** @type {string[]} */
  const created = [];
  for (const title of names.slice(start ? depth : 0)) {
    ({ id } = await chrome.bookmarks.create({ parentId: id, title }));
    created.push(title);
  }
  return { id, created };
}

/** @param {{bookmark_id: string}} params */
export async function deleteBookmark({ bookmark_id: id }) {
  const [node] = await chrome.bookmarks.get(id).catch(() => []);
  if (!node) throw invalid(`there is no bookmark with id ${JSON.stringify(id)}; use one that search shows`);
  if (node.id === ROOT || node.parentId === ROOT)
    throw invalid(
      `${node.title ? said(node.title) : "the root"} is a folder of the browser; it cannot be deleted; delete what is in it`,
    );
  const content = node.url ? [] : await chrome.bookmarks.getChildren(id);
  if (content.length) {
    throw invalid(
      `the folder ${said(JSON.stringify(node.title))} still holds ${content.length} bookmarks or folders; delete those first`,
    );
  }
  await chrome.bookmarks.remove(id);
  if (node.url && !mayTell(node.url)) return { deleted: { id, title: UNTOLD } };
  return { deleted: { id, title: node.title, ...(node.url ? { url: node.url } : {}) } };
}

/** @param {{query?: string, folder?: string, max_results: number}} params */
export async function listFolders({ query, folder, max_results }) {
  const folders = await allFolders();
  const top = folder === undefined ? null : existingFolder(folder, folders);
  const kept = folders.filter(({ path, names }) =>
    (!top || (names.length > top.names.length && top.names.every((name, index) => name === names[index])))
    && (!query || path.toLowerCase().includes(query.toLowerCase())));
  const shown = kept.slice(0, max_results).map(({ id, path, node }) => ({ id, path, bookmarks: bookmarksIn(node).length }));
  return { folders: shown, total: kept.length };
}
