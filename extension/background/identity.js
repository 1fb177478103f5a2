/*
 * What this browser is called. The id is of the profile: it stays when the browser is started again and when the extension
 * is reloaded or updated. The name is its owner's.
 */

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
  const [id, { browser_name: name }] = await Promise.all([browserId(), chrome.storage.local.get("browser_name")]);
  return { id, name: name || defaultName(id) };
}

/** @param {unknown} name empty for the default */
export function saveName(name) {
  return chrome.storage.local.set({ browser_name: oneLine(name) });
}

/** Another id and the default name. */
export async function renewIdentity() {
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
  /** @type {Array<{brand: string}>} */
  const brands = /** @type {any} */ (navigator).userAgentData?.brands ?? [];
  const brand = brands.map(({ brand }) => brand).find((name) => !/not.?a.?brand|^chromium$/i.test(name)) ?? "Chromium";
  return `${brand.replace(/^Google /, "")} ${id.slice(0, 4)}`;
}
