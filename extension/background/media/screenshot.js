/*
 * Pictures through the debugger, of pages that need not be on the screen. Chrome does not draw hidden tabs unless they
 * are cast, and does not always say that a window is covered.
 */
import { ifInTime, within } from "../base/deadline.js";
import { whileCast, whileRecast } from "../debugger/casts.js";
import { timedOut, unsupported } from "../base/errors.js";
import { encodedFrom, stacked } from "./picture.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @import { Send } from "../debugger/commands" */
/** @typedef {import("./picture.js").Format} Format */
/** @typedef {import("./picture.js").Encoded} Encoded */
/** @typedef {import("./picture.js").Rect & {scale: number}} Clip  in CSS px of the page times its zoom */

/** A window that is not drawn lets captures hang without an error. */
const CAPTURE_LIMIT_MS = 10_000;
/** Number of further pictures that are taken of a page that moves. */
const MOVING_PICTURES = 3;
const SHOWN_LIMIT_MS = 6_000;
const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };
/** Graphics hardware draws surfaces up to 16,384 px. */
const MAX_SURFACE = 16_000;
const TILE_PX = 8_000;
/** Time that the bar may take to appear, and the time without movement after which it is complete. */
const BAR_LIMIT_MS = 400;
const BAR_STILL_MS = 120;

/** A window may be so small that nothing of its page is left. @param {Error} error @returns {never} */
function emptyWindow(error) {
  if (!/with 0 (width|height)/.test(error.message)) throw error;
  throw unsupported(
    "the window is so small that it shows nothing of the page: set a viewport, or open the page in a larger window");
}

/** @returns {never} */
function noPicture() {
  throw timedOut("the browser gave no picture in time; the window may be minimised: try again");
}

/**
 * A page that Chrome begins to draw may show its background before its content: two pictures in a row must agree.
 * @param {() => Promise<Encoded>} take
 * @returns {Promise<Encoded>} of a page that moves all the time the last one
 */
export async function steady(take) {
  let picture = await take();
  for (let more = MOVING_PICTURES; more > 0; more--) {
    const next = await take();
    if (isSame(picture, next)) return next;
    picture = next;
  }
  return picture;
}

/** Whether a page can be laid out in one view as high as it is. @param {number} height CSS px @param {number} density */
export const fitsSurface = (height, density) => height * density <= MAX_SURFACE;

/** @param {Encoded} a @param {Encoded} b */
const isSame = (a, b) => a.bytes.length === b.bytes.length && a.bytes.every((byte, at) => byte === b.bytes[at]);

/**
 * A picture of a page that may not be on the screen.
 * @param {Send} send
 * @param {CallContext} call
 * @param {{isShown: boolean, isTransparent: boolean}} options
 * @param {(limit: number) => Promise<Encoded>} take
 * @returns {Promise<Encoded>}
 */
export async function drawn(send, call, { isShown, isTransparent }, take) {
  if (isTransparent) await send("Emulation.setDefaultBackgroundColorOverride", { color: TRANSPARENT });
  try {
    const picture = isShown && (await take(SHOWN_LIMIT_MS).catch((error) => {
      if (error.code !== "timeout" || call.signal.aborted) throw error;
      return null;
    }));
    const takeHidden = () => whileRecast(send, take(CAPTURE_LIMIT_MS));
    return picture || (await whileCast(/** @type {number} */ (call.tab?.id), send, () => steady(takeHidden)));
  } finally {
    if (isTransparent) await send("Emulation.setDefaultBackgroundColorOverride").catch(() => {});
  }
}

/**
 * Takes a picture of a part of the page.
 * @param {Send} send
 * @param {Clip} clip
 * @param {{format: Format, quality?: number, density: number, isInView: boolean, limit: number}} options  density: pixels of the
 *   screen per px of the clip; isInView: the page need not be laid out anew to show the clip
 * @returns {Promise<Encoded>}
 */
export async function captureClip(send, clip, { format, quality, density, isInView, limit }) {
  if (fitsSurface(clip.height, density))
    return capture(send, { format, quality, clip, captureBeyondViewport: !isInView }, limit);
  const perPx = clip.scale * density;
  const tiles = [];
  for (let top = 0; top < clip.height; top += TILE_PX / density) {
    const height = Math.min(TILE_PX / density, clip.height - top);
    const tile = await capture(
      send,
      { format: "png", clip: { ...clip, y: clip.y + top, height }, captureBeyondViewport: true },
      limit,
    );
    tiles.push({ top: top * perPx, picture: tile });
  }
  return stacked(tiles, { width: clip.width * perPx, height: clip.height * perPx, format, quality });
}

/**
 * Takes a picture of what the tab shows.
 * @param {Send} send
 * @param {number} limit ms
 * @returns {Promise<Encoded>}
 */
export const captureView = (send, limit) => capture(send, { format: "png" }, limit);

/**
 * @param {Send} send @param {{format: Format, quality?: number, clip?: Clip, captureBeyondViewport?: boolean}} wanted
 * @param {number} limit
 */
async function capture(send, { format, quality, ...options }, limit) {
  const coding = format === "png" ? { optimizeForSpeed: true } : quality === undefined ? {} : { quality };
  const taken = send("Page.captureScreenshot", { format, ...coding, ...options }).catch(emptyWindow);
  const { data } = await within(taken, limit, noPicture);
  return encodedFrom(data, format);
}

/**
 * The bar that Chrome shows while the debugger is attached makes the page smaller: waits until that is over.
 * @param {CallContext} call
 */
export async function settled({ client, tab }) {
  if (client.launched) return;
  const untilStill = (/** @type {number} */ limit, /** @type {number} */ still) => new Promise((resolve) => {
    let timer = setTimeout(resolve, limit);
    addEventListener("resize", () => {
      clearTimeout(timer);
      timer = setTimeout(resolve, still);
    });
  });
  const target = { tabId: /** @type {number} */ (tab?.id) };
  const watching = chrome.scripting.executeScript({
    target, func: /** @type {() => Promise<unknown>} */ (untilStill), args: [BAR_LIMIT_MS, BAR_STILL_MS], injectImmediately: true,
  });
  await ifInTime(watching, 2 * BAR_LIMIT_MS);
}
