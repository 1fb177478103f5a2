/*
 * Pictures without what must not be read: while one is taken, the frames of sites that are not allowed show nothing. Their
 * documents get a style sheet for that moment, which their scripts cannot see, and nothing is read there.
 */
import { count } from "../base/text.js";
import { notPermitted } from "../base/errors.js";
import { assertDocument, framesNotToRead } from "../rules/permissions.js";

/** @typedef {import("../../types").CallContext} CallContext */

const CSS = `:root { opacity: 0 !important; background: #8a8f94 !important }
*, *::before, *::after { visibility: hidden !important; background-image: none !important }`;
const MAX_TRIES = 3;

/**
 * Takes a picture of a tab. When the page changes under it so that something unwanted may be in it, it is taken again.
 * @template T
 * @param {CallContext} call
 * @param {string[]} notes what the reply has to say gets in here
 * @param {() => Promise<T>} take
 * @returns {Promise<T>}
 */
export async function veiled(call, notes, take) {
  const tabId = /** @type {number} */ (call.tab?.id);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const barred = await framesNotToRead(tabId);
    const picture = barred.length ? await takeBehind(tabId, barred, take) : await take();
    const [now] = await Promise.all([framesNotToRead(tabId), assertAllowed(tabId, call)]);
    if (now.every(({ documentId }) => barred.some((one) => one.documentId === documentId))) {
      if (barred.length)
        notes.push(
          `left blank: ${count(barred.length, "frame")} of sites where the user does not allow it ` +
          `(${[...new Set(barred.map(({ site }) => site))].join(", ")})`,
        );
      return picture;
    }
  }
  throw notPermitted(
    "the page goes on loading frames of sites where the user does not allow it, so no picture of it can be given; wait until " +
    "it stands still, or use snapshot",
    { reason: "site_barred" },
  );
}

/**
 * The page itself may have been left. Throws when the one that is there must not be read.
 * @param {number} tabId @param {CallContext} call
 */
async function assertAllowed(tabId, call) {
  const error = await assertDocument(tabId, 0, call).then(() => null, (failure) => failure);
  if (error?.code === "permission_denied") throw error;
}

/** @param {number} tabId @param {Array<{documentId: string}>} barred @template T @param {() => Promise<T>} take */
async function takeBehind(tabId, barred, take) {
  const sheet = {
    target: { tabId, documentIds: barred.map(({ documentId }) => documentId) }, css: CSS,
    origin: /** @type {const} */ ("USER"),
  };
  await chrome.scripting.insertCSS(sheet);
  try {
    // The first one makes every process draw anew; what they had drawn before may still be in it.
    await take();
    return await take();
  } finally {
    await chrome.scripting.removeCSS(sheet).catch(() => {});
  }
}
