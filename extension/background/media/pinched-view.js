/*
 * Pictures of a page that the user has pinched, of which the tab shows a part, enlarged.
 */
import { captureView } from "./screenshot.js";
import { recoded, scaled } from "./picture.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("./picture.js").Rect} Rect */
/** @typedef {import("./picture.js").Format} Format */
/** @typedef {import("./picture.js").Encoded} Encoded */
/** @typedef {(limit: number) => Promise<Encoded>} Take */

/**
 * Reads what the tab shows of the page, with its scroll bars unless it is enlarged; runs in the page. ratio: pixels of the screen
 * per CSS px; scale: to which the user has pinched it; viewX, viewY: the place of its viewport in the page
 */
export const readViewport = () => {
  const { scale = 1, pageLeft: x = 0, pageTop: y = 0, width = 0, height = 0 } = visualViewport ?? {};
  const shown = scale === 1 ? { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight } : { x, y, width, height };
  const isVisible = document.visibilityState === "visible";
  return { ...shown, ratio: devicePixelRatio * scale, scale, viewX: scrollX, viewY: scrollY, isVisible };
};

/** @typedef {ReturnType<typeof readViewport>} Viewport */

/** Whether the user has enlarged the page by two fingers. @param {Viewport|null} viewport @returns {viewport is Viewport} */
export const isPinched = (viewport) => viewport !== null && viewport.scale > 1;

const percent = (/** @type {number} */ scale) => `${Math.round(scale * 100)} %`;

/** @param {Viewport} viewport of a page that is pinched */
export const originNote = ({ x, y, viewX, viewY, scale }) =>
  `the user has pinched the page to ${percent(scale)}: coordinates for click are those in the picture plus ` +
  `${Math.round(x - viewX)}, ${Math.round(y - viewY)}`;

/**
 * The way to take a picture of a page that is pinched. Chrome ends the pinch for a clip, so what is shown is cut out of the view.
 * @param {Send} send
 * @param {{viewport: Viewport, visible: Rect|null, isView: boolean, clipped: Take}} what  visible: what the picture is of, in the
 *   view, where the view shows it; isView: it is of the view itself; clipped: the way by a clip
 * @param {{format: Format, quality?: number, scale: number}} options @param {string[]} notes
 * @returns {Take}
 */
export function takePinched(send, { viewport, visible, isView, clipped }, { format, quality, scale }, notes) {
  const { ratio, scale: pinch } = viewport;
  if (isView) notes.push(originNote(viewport));
  if (!visible) {
    notes.push(`the user had pinched the page to ${percent(pinch)}, which Chrome has ended for this picture`);
    return clipped;
  }
  const region = scaled(visible, ratio);
  return async (limit) => recoded(await captureView(send, limit), { region, format, quality, scale: scale / ratio });
}
