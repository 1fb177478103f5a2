/*
 * Id and name of this browser. The id belongs to the profile: it stays when the browser is started again and when the extension
 * is reloaded or updated. The owner gives the name. A program that launches a browser gives it both with its pairing.
 */
import { readPairing } from "./pairing.js";

const NAME_LENGTH = 60;

/** @type {Promise<string> | null} */
let known = null;

/** Bridges are joined side by side: the first ones must not each make an id. @returns {Promise<string>} */
function browserId() {
  known ??= readId().catch((error) => {
    known = null;
    throw error;
  });
  return known;
}

async function readId() {
  const { browser_id } = await chrome.storage.local.get("browser_id");
  return browser_id || makeId();
}

/** @returns {Promise<string>} */
async function makeId() {
  const id = crypto.randomUUID();
  await chrome.storage.local.set({ browser_id: id });
  return id;
}

/** @returns {Promise<{id: string, name: string}>} */
export async function readIdentity() {
  const [given, { browser_name: name }] = await Promise.all([givenIdentity(), chrome.storage.local.get("browser_name")]);
  const id = given?.id ?? await browserId();
  return { id, name: name || given?.name || defaultName(id) };
}

/** @param {unknown} name empty for the default */
export function saveName(name) {
  return chrome.storage.local.set({ browser_name: oneLine(name) });
}

/** Identity that the program that launched this browser has given it. */
const givenIdentity = async () => (await readPairing())?.browser;

/** Another id and the default name. Throws where the id is not ours to change. */
export async function renewIdentity() {
  if (await givenIdentity()) throw new Error("the program that launched this browser gave it its identity; launch another one");
  await saveName("");
  known = makeId();
  await known;
}

/** @param {unknown} name @returns {string} */
function oneLine(name) {
  const text = typeof name === "string" ? name.replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim() : "";
  return [...text].slice(0, NAME_LENGTH).join("").trim();
}

/** Profiles of one browser differ only by their id. @param {string} id */
function defaultName(id) {
  const { userAgentData } = /** @type {{userAgentData?: {brands: Array<{brand: string}>}}} */ (navigator);
  const brands = userAgentData?.brands ?? [];
  const brand = brands.map(({ brand }) => brand).find((name) => !/not.?a.?brand|^chromium$/i.test(name)) ?? "Chromium";
  return `${brand.replace(/^Google /, "")} ${id.slice(0, 4)}`;
}
