/** Pictures of pages. The tab is never brought to the front for one. */
import { readPage } from "../arrival.js";
import { dialogError } from "../blocked-page.js";
import { isAttached, pendingDialog, withDebugger } from "../debugger.js";
import { locate } from "../elements.js";
import { TabwireError } from "../errors.js";
import { call as callPage, frameOffset } from "../page.js";
import { MAX_SIDE, fromBase64, recoded, toReply } from "../picture.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../picture.js").Rect} Rect */

/** Chrome allows captureVisibleTab twice a second for the whole extension. */
const QUICK_INTERVAL_MS = 550;
const QUICK_LIMIT_MS = 2_000;
/** A window that is not drawn lets captures hang without an error. */
const CAPTURE_LIMIT_MS = 10_000;
const SHOWN_LIMIT_MS = 6_000;
/** A long page is shown at this scale or larger and cut where that is not enough: smaller text cannot be read. */
const MIN_PAGE_SCALE = 0.5;
const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

let lastQuick = 0;

/** @param {any} params @param {CallContext} call */
async function screenshot(params, call) {
  const options = { format: "png", scale: 1, full_page: false, omit_background: false, ...params };
  if (options.omit_background && options.format === "jpeg") {
    throw new TabwireError("invalid_argument", "jpeg has no transparency; use format png or webp with omit_background");
  }
  const notes = [];
  const dialog = pendingDialog(call.tab.id);
  if (dialog) return pictureWithDialog(dialog, options, call);
  const blob = (await quickPicture(options, call)) ?? (await debuggerPicture(options, call, notes));
  return toReply(blob, options.format, { isTransparent: options.omit_background, isForFile: Boolean(options.save_path), notes });
}

// ---- what is on the screen, without the debugger ------------------------------------------------------------------

/** In the page. */
const readViewport = () => ({
  ratio: devicePixelRatio,
  width: innerWidth,
  height: innerHeight,
  x: scrollX,
  y: scrollY,
  isVisible: document.visibilityState === "visible",
});

/** @returns {Promise<Blob|null>} null where the debugger is needed */
async function quickPicture(options, call) {
  const { tab } = call;
  if (options.full_page || options.omit_background || options.scale > 1) return null;
  if (!tab.active || isAttached(tab.id) || Date.now() - lastQuick < QUICK_INTERVAL_MS) return null;
  const region = await regionOf(options, call);
  const viewport = await readPage(tab.id, readViewport);
  if (!viewport?.isVisible) return null;
  const visible = region && inViewport(region, viewport);
  if (region && !visible) return null;
  const picture = await captureVisible(tab);
  return picture && finishQuick(picture, visible, viewport, options);
}

/** @param {Rect} region  of the page @returns {Rect|null} in the viewport; null when it is not all on the screen */
function inViewport(region, viewport) {
  const x = region.x - viewport.x;
  const y = region.y - viewport.y;
  const isInside = x >= 0 && y >= 0 && x + region.width <= viewport.width && y + region.height <= viewport.height;
  return isInside ? { ...region, x, y } : null;
}

/** Captures what the window shows; looks afterwards whether that still is the tab that was meant. */
async function captureVisible(tab) {
  lastQuick = Date.now();
  const capture = chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" });
  const url = await within(QUICK_LIMIT_MS, capture).catch(() => null);
  const now = await chrome.tabs.get(tab.id);
  if (!url || !now.active || now.windowId !== tab.windowId) return null;
  return fromBase64(url.slice(url.indexOf(",") + 1), "png");
}

function finishQuick(picture, visible, { ratio }, { format, quality, scale }) {
  if (!visible && format === "png" && scale === 1) return picture;
  const region = visible && { x: visible.x * ratio, y: visible.y * ratio, width: visible.width * ratio, height: visible.height * ratio };
  return recoded(picture, { region: region ?? undefined, format, quality, scale });
}

function within(limit, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new TabwireError("timeout", "the browser gave no picture in time; the window may be minimised: try again")), limit);
  });
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** A page that a dialog holds draws nothing new and answers nothing; what the window shows can still be had. */
async function pictureWithDialog(dialog, options, call) {
  const isViewport = !options.selector && !options.clip && !options.full_page && !options.omit_background;
  const picture = isViewport && call.tab.active ? await captureVisible(call.tab) : null;
  if (!picture) {
    throw dialogError(dialog);
  }
  const blob = await finishQuick(picture, null, { ratio: 1 }, options);
  return toReply(blob, options.format, { isForFile: Boolean(options.save_path), notes: [`a ${dialog.type} dialog is open`] });
}

// ---- by the debugger ----------------------------------------------------------------------------------------------

function debuggerPicture(options, call, notes) {
  return withDebugger(call.tab.id, call, async (send) => {
    // The bar that Chrome shows while it is attached moves the page: measure from here on.
    const region = await regionOf(options, call);
    const clip = planned(region, await send("Page.getLayoutMetrics"), options, notes);
    return drawn(send, call, options, (limit) => capture(send, clip, options, limit));
  });
}

/** The region and scale to ask for, within what a client can take. */
function planned(region, metrics, options, notes) {
  const { cssVisualViewport: view, cssContentSize: page, visualViewport: device } = metrics;
  const wanted = region ?? (options.full_page
    ? { x: 0, y: 0, width: page.width, height: page.height }
    : { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight });
  if (options.save_path) return { ...wanted, scale: options.scale };
  const pixels = options.scale * (device.clientWidth / view.clientWidth || 1);
  const acrossFit = Math.min(1, MAX_SIDE / (wanted.width * pixels));
  const fit = Math.min(acrossFit, MAX_SIDE / (wanted.height * pixels));
  if (fit >= MIN_PAGE_SCALE || !options.full_page) return told({ ...wanted, scale: options.scale * fit }, fit, notes);
  const kept = Math.min(acrossFit, MIN_PAGE_SCALE);
  const height = Math.min(wanted.height, Math.floor(MAX_SIDE / (kept * pixels)));
  if (height < wanted.height) {
    notes.push(`the page is ${Math.round(wanted.height)} px high: this shows the first ${height}; use clip with y ${height} for what follows`);
  }
  return told({ ...wanted, height, scale: options.scale * kept }, kept, notes);
}

function told(clip, fit, notes) {
  if (fit < 1) notes.push(`shown at ${Math.round(fit * 100)} % so that no side is over ${MAX_SIDE} px`);
  return clip;
}

/**
 * A picture of a page that may not be on the screen: Chrome does not draw hidden tabs unless they are cast, and does not
 * always say that a window is covered.
 * @param {(limit: number) => Promise<Blob>} take
 */
async function drawn(send, call, options, take) {
  const viewport = await readPage(call.tab.id, readViewport);
  const isShown = viewport ? viewport.isVisible : call.tab.active;
  if (options.omit_background) await send("Emulation.setDefaultBackgroundColorOverride", { color: TRANSPARENT });
  try {
    const picture = isShown && (await take(SHOWN_LIMIT_MS).catch((error) => {
      if (error.code !== "timeout" || call.signal.aborted) throw error;
      return null;
    }));
    return picture || (await cast(send, () => take(CAPTURE_LIMIT_MS)));
  } finally {
    if (options.omit_background) await send("Emulation.setDefaultBackgroundColorOverride").catch(() => {});
  }
}

async function cast(send, take) {
  await send("Page.startScreencast", { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16 });
  try {
    return await take();
  } finally {
    await send("Page.stopScreencast").catch(() => {});
  }
}

async function capture(send, clip, { format, quality }, limit) {
  const options = {
    format,
    clip,
    captureBeyondViewport: true,
    optimizeForSpeed: format === "png",
    ...(format === "png" || quality === undefined ? {} : { quality }),
  };
  const { data } = await within(limit, send("Page.captureScreenshot", options));
  return fromBase64(data, format);
}

// ---- which part of the page ---------------------------------------------------------------------------------------

/** @returns {Promise<Rect|null>} in CSS px of the page; null for the viewport or the whole page */
async function regionOf({ selector, clip }, call) {
  if (clip) return clip;
  if (!selector) return null;
  const tabId = call.tab.id;
  const { frame, local } = await locate(selector, {}, call);
  const box = await callPage(tabId, { documentId: frame.documentId }, "media.box", { target: { ref: local } }, call);
  const offset = await frameOffset(tabId, frame.frameId, call);
  const scroll = (await readPage(tabId, readViewport)) ?? { x: 0, y: 0 };
  return {
    x: offset.x + box.x * offset.scale + scroll.x,
    y: offset.y + box.y * offset.scale + scroll.y,
    width: box.width * offset.scale,
    height: box.height * offset.scale,
  };
}

export const handlers = { "media.screenshot": screenshot };
