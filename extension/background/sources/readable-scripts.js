/*
 * Scripts of a tab divided into those of documents that may be read and the others. Documents that load
 * the same script at the same address share it, and the engine names only one of them.
 */
import { mayTell } from "../rules/addresses.js";
import { senderOf } from "../debugger/child-sessions.js";
import { scriptText } from "./parsed-scripts.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("./parsed-scripts.js").Script} Script */
/** @typedef {import("./parsed-scripts.js").KnownDocuments} KnownDocuments */
/** @typedef {{readable: Script[], barred: Script[]}} Divided */
/** @import { Protocol } from "../debugger/commands" */

/** Scripts of barred documents that are compared with what others have loaded. */
const MAX_COMPARED = 40;

/**
 * @param {Script[]} scripts @param {KnownDocuments} documents @param {TabCall} call
 * @returns {Promise<Divided>}
 */
export async function divided(scripts, documents, call) {
  const mayRead = documents.reading(call);
  const isReadable = (/** @type {Script} */ { session, executionContextId, url }) =>
    mayTell(url) && mayRead(session, executionContextId);
  const alone = new Set(scripts.filter(isReadable));
  if (alone.size === scripts.length) return { readable: scripts, barred: [] };
  const shared = await sharedAmong(scripts, alone, documents, call);
  const isOpen = (/** @type {Script} */ script) => alone.has(script) || shared.has(script);
  return { readable: scripts.filter(isOpen), barred: scripts.filter((script) => !isOpen(script)) };
}

/**
 * Scripts that the engine names for a barred document and that a document which may be read has loaded, too: with the same text.
 * @param {Script[]} scripts @param {Set<Script>} readable @param {KnownDocuments} documents @param {TabCall} call
 * @returns {Promise<Set<Script>>}
 */
async function sharedAmong(scripts, readable, documents, call) {
  const known = new Set([...readable].map(({ session, url }) => `${session} ${url}`));
  const candidates = scripts.filter((script) => !readable.has(script) && isFile(script) && mayTell(script.url) &&
    !known.has(`${script.session} ${script.url}`));
  const found = await Promise.all([...Map.groupBy(candidates, ({ session }) => session)].map(async ([session, own]) => {
    const loaded = await loadedIn(session, documents, call);
    const alike = own.filter(({ url }) => loaded.has(url)).slice(0, MAX_COMPARED);
    const isSame = await Promise.all(alike.map((script) => isSameText(script, loaded.get(script.url) ?? "", call)));
    return alike.filter((_, at) => isSame[at]);
  }));
  return new Set(found.flat());
}

/** Whether a script is a whole file. @param {Script} script */
const isFile = ({ url, startLine, startColumn }) => /^(https?|file):/.test(url) && startLine === 0 && startColumn === 0;

/**
 * Scripts that the documents of a session which may be read have loaded: address → frame.
 * @param {string|undefined} session @param {KnownDocuments} documents @param {TabCall} call
 */
async function loadedIn(session, documents, call) {
  /** @type {Map<string, string>} */
  const loaded = new Map();
  const readable = documents.readableFrames(session, call);
  if (!readable.length) return loaded;
  const answer = await senderOf(call.tab.id, session)("Page.getResourceTree").catch(() => null);
  /** @type {Protocol.Page.FrameResourceTree[]} */
  const open = answer ? [answer.frameTree] : [];
  for (let tree = open.pop(); tree; tree = open.pop()) {
    const { frame: { id }, resources, childFrames = [] } = tree;
    open.push(...childFrames);
    if (readable.includes(id)) for (const { type, url } of resources) if (type === "Script") loaded.set(url, id);
  }
  return loaded;
}

/** @param {Script} script @param {string} frameId @param {TabCall} call */
async function isSameText(script, frameId, call) {
  const { tab: { id: tabId } } = call;
  try {
    const asked = senderOf(tabId, script.session)("Page.getResourceContent", { frameId, url: script.url });
    const [{ content, base64Encoded: isBinary }, text] = await Promise.all([asked, scriptText(tabId, script)]);
    return !isBinary && content === text;
  } catch {
    return false;
  }
}
