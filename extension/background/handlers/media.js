/** Pictures of pages. The tab is never brought to the front for one. Documents and recordings have files of their own. */
import { readPage } from "../page/page-load.js";
import { dialogError } from "../debugger/blocked-page.js";
import { pause, within } from "../base/deadline.js";
import { whileLaidOut } from "../emulation/tab-emulation.js";
import { captureClip, drawn, fitsSurface, settled, steady } from "../media/screenshot.js";
import { PAUSED, pausedError } from "../debugger/script-pauses.js";
import { isAttached, pendingDialog, withDebugger } from "../debugger/attachment.js";
import { locate } from "../page/element-lookup.js";
import { invalid, TabwireError } from "../base/errors.js";
import { call as callPage } from "../page/content-calls.js";
import { frameProjection } from "../page/frames.js";
import { projectRect } from "../page/projection.js";
import { assertReadable } from "../rules/addresses.js";
import { framesNotToRead } from "../rules/permissions.js";
import { foreignFrames, painted } from "../media/frame-paints.js";
import { veiled } from "../media/picture-veil.js";
import { pdf } from "../media/pdf.js";
import { withoutPicker } from "../page/picker.js";
import { MAX_SIDE, encodedFrom, fitsFile, recoded, scaled, sizeOf, toReply } from "../media/picture.js";
import { isPinched, originNote, readViewport, takePinched } from "../media/pinched-view.js";
import { discard, frames, record } from "../media/tab-recorder.js";
import { withdrawSigns } from "../page/page-marks.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").Params<"media.screenshot">} Options */
/** @typedef {import("../media/picture.js").Rect} Rect */
/** @typedef {import("../media/picture.js").Encoded} Encoded */
/** @typedef {import("../debugger/commands").Protocol.Page.GetLayoutMetricsResponse} Metrics */

/** Chrome allows captureVisibleTab twice a second for the whole extension. */
const QUICK_INTERVAL_MS = 550;
const QUICK_LIMIT_MS = 2_000;
/** Number of pictures at most of a view that moves while its picture is taken. */
const MAX_TRIES = 3;
/** A long page is shown at this scale or larger and cut where that is not enough: smaller text cannot be read. */
const MIN_PAGE_SCALE = 0.5;
/** @type {Pick<Options, "format"|"scale"|"full_page"|"omit_background">} */
const DEFAULTS = { format: "png", scale: 1, full_page: false, omit_background: false };

let lastQuick = 0;

/** @param {Options} params @param {TabCall} call */
async function screenshot(params, call) {
  const options = { ...DEFAULTS, ...params };
  if (options.omit_background && options.format === "jpeg") {
    throw invalid("jpeg has no transparency; use format png or webp with omit_background");
  }
  const notes = options.format === "png" && options.quality !== undefined ? ["png knows no quality"] : [];
  const dialog = pendingDialog(call.tab.id);
  if (dialog?.type === PAUSED) throw pausedError(dialog);
  if (dialog) return pictureWithDialog(dialog, options, call);
  const take = async () => (await quickPicture(options, call, notes)) ?? (await debuggerPicture(options, call, notes).catch(
    (error) => pictureWithoutDebugger(error, options, call, notes)));
  const picture = await veiled(call, notes, take);
  const { format, omit_background: isTransparent, save_path: path } = options;
  return toReply(picture, format, { isTransparent, isForFile: Boolean(path), notes });
}

/**
 * @param {Options} options @param {TabCall} call @param {string[]} notes
 * @returns {Promise<Encoded|null>} null where the debugger is needed
 */
async function quickPicture(options, call, notes) {
  const { tab } = call;
  if (options.full_page || options.omit_background || options.scale > 1) return null;
  if (isAttached(tab.id)) return null;
  // The window may still show content that was hidden in it a moment ago.
  if ((await framesNotToRead(tab.id)).length) return null;
  if (isAttached(tab.id) || Date.now() - lastQuick < QUICK_INTERVAL_MS) return null;
  return visiblePicture(options, call, notes);
}

/**
 * Takes the picture from the shown window.
 * @param {Options} options @param {TabCall} call @param {string[]} notes @returns {Promise<Encoded|null>}
 */
async function visiblePicture(options, call, notes) {
  const { tab } = call;
  if (!tab.active) return null;
  const region = await regionOf(options, call);
  const viewport = await readPage(tab.id, readViewport);
  if (!viewport?.isVisible) return null;
  const visible = region && inViewport(region, viewport);
  if (region && !visible) return null;
  // To picture an element the page may have been scrolled, too.
  await painted(tab.id, [...(region ? [0] : []), ...(await foreignFrames(tab))]);
  const picture = await captureVisible(tab);
  if (!picture) return null;
  if (isPinched(viewport) && !region) notes.push(originNote(viewport));
  return finishQuick(picture, visible, viewport, options);
}

/**
 * Takes the picture where the debugger cannot be attached: then it shows the part of the page that its window shows.
 * @param {TabwireError} error of the debugger @param {Options} options @param {TabCall} call @param {string[]} notes
 */
async function pictureWithoutDebugger(error, options, call, notes) {
  if (!error.data?.attach) throw error;
  const isInWindow = !options.full_page && !options.omit_background && !(await framesNotToRead(call.tab.id)).length;
  await pause(lastQuick + QUICK_INTERVAL_MS - Date.now(), call.signal);
  const picture = isInWindow ? await visiblePicture({ ...options, scale: 1 }, call, notes) : null;
  if (!picture) {
    throw new TabwireError(error.code, `${error.message}. Without it only what a tab in front shows can be taken`, error.data);
  }
  notes.push(`it shows what the window shows, because ${error.message}`);
  return picture;
}

/**
 * @param {Rect} region  of the page @param {Rect} viewport
 * @returns {Rect|null} in the viewport; null when it is not all on the screen
 */
function inViewport(region, viewport) {
  const x = region.x - viewport.x;
  const y = region.y - viewport.y;
  const isInside = x >= 0 && y >= 0 && x + region.width <= viewport.width && y + region.height <= viewport.height;
  return isInside ? { ...region, x, y } : null;
}

/** Captures what the window shows; looks afterwards whether that still is the tab that was meant. @param {TabCall["tab"]} tab */
async function captureVisible(tab) {
  lastQuick = Date.now();
  const capture = chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" });
  const url = await within(capture, QUICK_LIMIT_MS, () => null).catch(() => null);
  const now = await chrome.tabs.get(tab.id);
  if (now.url !== tab.url) assertReadable(now.url ?? "");
  if (!url || !now.active || now.windowId !== tab.windowId) return null;
  return encodedFrom(url.slice(url.indexOf(",") + 1), "png");
}

/** @param {Encoded} picture @param {Rect|null} visible @param {{ratio: number}} viewport @param {Options} options */
function finishQuick(picture, visible, { ratio }, { format, quality, scale }) {
  if (!visible && format === "png" && scale === ratio) return picture;
  const region = visible ? scaled(visible, ratio) : undefined;
  return recoded(picture, { region, format, quality, scale: scale / ratio });
}

/**
 * A page that a dialog holds draws nothing new and answers nothing; what the window shows can still be had.
 * @param {import("../debugger/attachment.js").Dialog} dialog @param {Options} options @param {TabCall} call
 */
async function pictureWithDialog(dialog, options, call) {
  if ((await framesNotToRead(call.tab.id)).length) throw dialogError(dialog);
  const isViewport = !options.selector && !options.clip && !options.full_page && !options.omit_background;
  const picture = isViewport && call.tab.active ? await captureVisible(call.tab) : null;
  if (!picture) {
    throw dialogError(dialog);
  }
  const finished = await finishQuick(picture, null, { ratio: await ratioOf(picture, call) }, options);
  return toReply(finished, options.format, { isForFile: Boolean(options.save_path), notes: [`a ${dialog.type} dialog is open`] });
}

/** Pixels of a picture of a tab per CSS px of its page, which is not asked. @param {Encoded} picture @param {TabCall} call */
async function ratioOf(picture, { tab }) {
  const [{ width }, { width: inWindow }, zoom] =
    await Promise.all([sizeOf(picture), chrome.tabs.get(tab.id), chrome.tabs.getZoom(tab.id)]);
  return inWindow ? (width / inWindow) * zoom : 1;
}

/** @param {Options} options @param {TabCall} call @param {string[]} notes */
function debuggerPicture(options, call, notes) {
  const wasAttached = isAttached(call.tab.id);
  return withDebugger(call.tab.id, call, async (send) => {
    if (!wasAttached) await settled(call);
    for (let tries = MAX_TRIES; ; tries -= 1) {
      const said = /** @type {string[]} */ ([]);
      const region = await regionOf(options, call);
      const metrics = await send("Page.getLayoutMetrics");
      const { picture, isInView } = await pictureOf(region, metrics, { send, options, call }, said);
      // Chrome's notice of a debugger comes and goes when it likes, and moves what the view shows. For a picture of more than
      // that Chrome changes the view itself, and may not have changed it back yet.
      if (tries <= 1 || !isInView || isSameView(metrics, await send("Page.getLayoutMetrics"))) {
        notes.push(...said);
        return picture;
      }
    }
  });
}

/** @param {Metrics} before @param {Metrics} after */
const isSameView = ({ cssVisualViewport: before }, { cssVisualViewport: after }) =>
  [before.pageX - after.pageX, before.pageY - after.pageY, before.clientWidth - after.clientWidth,
    before.clientHeight - after.clientHeight].every((difference) => Math.abs(difference) < 1);

/**
 * @param {Rect|null} region @param {Metrics} metrics
 * @param {{send: import("../debugger/commands").Send, options: Options, call: TabCall}} work @param {string[]} notes
 */
async function pictureOf(region, metrics, { send, options, call }, notes) {
  const [viewport, foreign] = await Promise.all([readPage(call.tab.id, readViewport), foreignFrames(call.tab)]);
  const { cssVisualViewport: view } = metrics;
  const zoom = view.zoom ?? 1;
  const density = (viewport ? viewport.ratio / viewport.scale : zoom) / zoom;
  const { scale, ...wanted } = planned(region, metrics, options, notes);
  const shown = { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight };
  const visible = inViewport(wanted, shown);
  const clip = { ...scaled(wanted, zoom), scale: scale / (zoom * density) };
  const { format, quality, omit_background: isTransparent } = options;
  // Laying out the page for a larger view tells it of a resize.
  const clipped = (/** @type {number} */ limit) =>
    captureClip(send, clip, { format, quality, density, isInView: visible !== null, limit });
  const take = isPinched(viewport)
    ? takePinched(send, { viewport, visible, isView: !region && !options.full_page, clipped }, { ...options, scale }, notes)
    : clipped;
  const isShown = viewport ? viewport.isVisible : call.tab.active;
  const keepsPinch = isPinched(viewport) && !options.full_page;
  const isBeyond = !visible && !keepsPinch && fitsSurface(metrics.cssContentSize.height, zoom * density);
  const withFrames = async (/** @type {number} */ limit) => {
    await painted(call.tab.id, foreign);
    return take(limit);
  };
  const laidOut = (/** @type {number} */ limit) =>
    whileLaidOut(send, call.tab.id, metrics, () => steady(() => withFrames(limit)));
  const way = !foreign.length ? take : isBeyond ? laidOut : withFrames;
  return { picture: await drawn(send, call, { isShown, isTransparent }, way), isInView: visible !== null };
}

/**
 * The region of the page and the scale to ask for, within what a client or a file can take.
 * @param {Rect|null} region @param {Metrics} metrics @param {Options} options @param {string[]} notes
 */
function planned(region, { cssVisualViewport: view, cssContentSize: page }, options, notes) {
  const wanted = region ? insidePage(region, page, options, notes) : options.full_page
    ? { x: page.x, y: page.y, width: page.width, height: page.height }
    : { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight };
  const { scale } = options;
  if (options.save_path) return { ...fitsFile(wanted, options, notes), scale };
  const acrossFit = Math.min(1, MAX_SIDE / (wanted.width * scale));
  const fit = Math.min(acrossFit, MAX_SIDE / (wanted.height * scale));
  if (fit >= MIN_PAGE_SCALE || !options.full_page) return told({ ...wanted, scale: scale * fit }, fit, notes);
  const kept = Math.min(acrossFit, MIN_PAGE_SCALE);
  const height = Math.min(wanted.height, Math.floor(MAX_SIDE / (kept * scale)));
  if (height < wanted.height) {
    notes.push(`the page is ${Math.round(wanted.height)} px high: `
      + `this shows the first ${height}; for what follows, scroll there and leave full_page out`);
  }
  return told({ ...wanted, height, scale: scale * kept }, kept, notes);
}

/** @param {Rect & {scale: number}} clip @param {number} fit @param {string[]} notes */
function told(clip, fit, notes) {
  if (fit < 1) notes.push(`shown at ${Math.round(fit * 100)} % so that no side is over ${MAX_SIDE} px`);
  return clip;
}

/**
 * Beyond its edges a page has nothing to show.
 * @param {Rect} region @param {Rect} page @param {Options} options @param {string[]} notes
 */
function insidePage(region, page, { selector }, notes) {
  const { x = 0, y = 0 } = page;
  const size = `the page is ${Math.round(page.width)} px wide and ${Math.round(page.height)} px high`;
  const inside = overlap(region, { x, y, width: page.width, height: page.height });
  if (!inside) {
    throw selector
      ? new TabwireError("element_not_interactable",
        `the element lies outside the page, where nothing is drawn (${size}); bring it into the page first`)
      : invalid(`clip lies outside the page: ${size}; give a part of that`);
  }
  const isCut = inside.width < region.width - 1 || inside.height < region.height - 1;
  if (isCut) notes.push(`only the part inside the page is shown: ${size}`);
  return inside;
}

/** @param {Rect} a @param {Rect} b @returns {Rect|null} */
function overlap(a, b) {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/**
 * @param {Options} options @param {TabCall} call
 * @returns {Promise<Rect|null>} in CSS px of the page; null for the viewport or the whole page
 */
async function regionOf({ selector, clip }, call) {
  if (clip) return clip;
  if (!selector) return null;
  const tabId = call.tab.id;
  const { frame, local } = await locate(selector, {}, call);
  const target = { ref: local };
  const { frameView, ...box } = await callPage(tabId, { documentId: frame.documentId }, "media.box", { target }, call);
  // A frame shows no more than its own size.
  const seen = frame.frameId ? overlap(box, { x: 0, y: 0, ...frameView }) : box;
  if (!seen) {
    throw new TabwireError("element_not_interactable",
      "the element lies outside its frame, where nothing is drawn; scroll the frame first");
  }
  const shown = projectRect(await frameProjection(tabId, frame.frameId, call), seen);
  const { viewX, viewY } = (await readPage(tabId, scrollTo, [shown])) ?? { viewX: 0, viewY: 0 };
  return { ...shown, x: shown.x + viewX, y: shown.y + viewY };
}

/**
 * Runs in the page: scrolls it by what is missing to see a box, and says how far it was scrolled before. Where a frame is zoomed
 * Chrome scrolls the page around it by less.
 * @param {Rect} box  in the view
 */
const scrollTo = ({ x, y, width, height }) => {
  const before = { viewX: scrollX, viewY: scrollY };
  const missing = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ view) =>
    size > view ? 0 : Math.min(at, Math.max(0, at + size - view));
  scrollBy({
    left: missing(x, width, document.documentElement.clientWidth),
    top: missing(y, height, document.documentElement.clientHeight),
    behavior: "instant",
  });
  return before;
};

/** @type {import("../../types").Handlers<"media">} */
export const handlers = {
  "media.screenshot": async (params, call) => {
    await withdrawSigns(call.tab?.id);
    return withoutPicker(call.tab?.id, call, () => screenshot(params, call));
  },
  "media.pdf": pdf,
  "media.record": record,
  "media.frames": frames,
  "media.discard": discard,
};
