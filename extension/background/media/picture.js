/** Pictures in the worker: cropping, scaling and encoding within the size a client can take. */

import { fromBase64, toBase64 } from "../debugger/base64.js";
import { TabwireError } from "../base/errors.js";

/** The strictest client: sides in pixels and bytes before base64. */
export const MAX_SIDE = 2000;
const MAX_BYTES = 510_000;
/** Largest file that a message to the bridge carries, before base64. */
export const MAX_FILE_BYTES = 45_000_000;
/** The longest side of a file and what a canvas takes. */
const MAX_FILE_SIDE = { png: 65_000, jpeg: 65_000, webp: 16_383 };
const MAX_FILE_PIXELS = 100_000_000;

const MIME = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp" };
const DEFAULT_QUALITY = 80;
/** Tried in turn until the picture fits: [quality, scale]. */
const SMALLER = /** @type {const} */ ([[80, 1], [60, 1], [60, 0.75], [50, 0.5], [40, 0.35], [30, 0.25]]);

/** @typedef {"png"|"jpeg"|"webp"} Format */
/**
 * The file of a picture. A Blob would be kept by the browser's process, and each look at its bytes a question to that.
 * @typedef {{bytes: Uint8Array<ArrayBuffer>, type: string}} Encoded
 */
/** @typedef {{encoded: Encoded, width: number, height: number}} Picture */
/** @typedef {{x: number, y: number, width: number, height: number}} Rect */

/** @param {Rect} rect @param {number} by @returns {Rect} */
export const scaled = ({ x, y, width, height }, by) => ({ x: x * by, y: y * by, width: width * by, height: height * by });

/** @param {string} base64 @param {Format} format @returns {Encoded} */
export const encodedFrom = (base64, format) => ({ bytes: fromBase64(base64), type: MIME[format] });

/** @param {Encoded} encoded */
export const decoded = ({ bytes, type }) => createImageBitmap(new Blob([bytes], { type }));

/** Places of width and height in a PNG, after its signature and the name of its first part. */
const PNG_WIDTH = 16;
const PNG_HEIGHT = 20;

/** Width and height in pixels; the picture of a format that says them at its begin is not decoded. @param {Encoded} encoded */
export async function sizeOf(encoded) {
  if (encoded.type === MIME.png) {
    const view = new DataView(encoded.bytes.buffer, encoded.bytes.byteOffset);
    return { width: view.getUint32(PNG_WIDTH), height: view.getUint32(PNG_HEIGHT) };
  }
  const bitmap = await decoded(encoded);
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

/** @param {ImageBitmap} bitmap @param {Rect} source @param {number} width @param {number} height @param {boolean} isOpaque */
function draw(bitmap, source, width, height, isOpaque) {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  if (isOpaque) {
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, source.x, source.y, source.width, source.height, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** @param {OffscreenCanvas} canvas @param {Format} format @param {number} quality @returns {Promise<Encoded>} */
async function encode(canvas, format, quality) {
  const blob = await canvas.convertToBlob({ type: MIME[format], ...(format === "png" ? {} : { quality: quality / 100 }) });
  return { bytes: new Uint8Array(await blob.arrayBuffer()), type: blob.type };
}

/**
 * A part of a picture in the wanted format and scale.
 * @param {Encoded} encoded
 * @param {{region?: Rect, format: Format, quality?: number, scale?: number}} options  region in pixels of the picture
 * @returns {Promise<Encoded>}
 */
export async function recoded(encoded, { region, format, quality = DEFAULT_QUALITY, scale = 1 }) {
  const bitmap = await decoded(encoded);
  const source = region ?? { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
  const canvas = draw(bitmap, source, source.width * scale, source.height * scale, format === "jpeg");
  bitmap.close();
  return encode(canvas, format, quality);
}

/**
 * Part of a region that a file can hold; the rest is cut off and noted.
 * @param {Rect} region  of the page
 * @param {{format: Format, scale: number}} options
 * @param {string[]} notes
 * @returns {Rect}
 */
export function fitsFile(region, { format, scale }, notes) {
  const side = MAX_FILE_SIDE[format] / scale;
  const width = Math.min(region.width, side);
  const height = Math.min(region.height, side, Math.floor(MAX_FILE_PIXELS / (width * scale * scale)));
  if (width === region.width && height === region.height) return region;
  notes.push(
    `a ${format} file holds no more than the first ${Math.round(width)}x${Math.round(height)} px of ` +
    `${Math.round(region.width)}x${Math.round(region.height)}`,
  );
  return { ...region, width, height };
}

/**
 * Joins pictures that lie below each other into one.
 * @param {Array<{top: number, picture: Encoded}>} tiles
 * @param {{width: number, height: number, format: Format, quality?: number}} options
 * @returns {Promise<Encoded>}
 */
export async function stacked(tiles, { width, height, format, quality = DEFAULT_QUALITY }) {
  const canvas = new OffscreenCanvas(Math.round(width), Math.round(height));
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
  for (const { top, picture } of tiles) {
    const bitmap = await decoded(picture);
    context.drawImage(bitmap, 0, Math.round(top));
    bitmap.close();
  }
  return encode(canvas, format, quality);
}

/**
 * The picture as a reply: small enough for any client, saying what was done to it.
 * @param {Encoded} encoded
 * @param {Format} format
 * @param {{isTransparent?: boolean, isForFile?: boolean, notes: string[]}} options
 * @returns {Promise<{data: string, mime_type: string, width: number, height: number, note?: string}>}
 */
export async function toReply(encoded, format, { isTransparent = false, isForFile = false, notes }) {
  const said = [...notes];
  const { width, height } = await sizeOf(encoded);
  let picture = { encoded, width, height };
  if (!isForFile && (encoded.bytes.length > MAX_BYTES || Math.max(width, height) > MAX_SIDE)) {
    picture = await shrunk(encoded, format, isTransparent, said);
  }
  const size = picture.encoded.bytes.length;
  if (size > MAX_FILE_BYTES) {
    throw new TabwireError(
      "result_too_large",
      `the picture has ${size} bytes, over the limit of ${MAX_FILE_BYTES}; use format jpeg, a smaller scale, or ` +
      `clip`,
    );
  }
  const note = said.join("; ");
  return {
    data: toBase64(picture.encoded.bytes),
    mime_type: picture.encoded.type,
    width: picture.width,
    height: picture.height,
    ...(note ? { note } : {}),
  };
}

/**
 * A picture that is only too large keeps its format; one with too many bytes becomes a lossy one.
 * @param {Encoded} encoded @param {Format} format @param {boolean} isTransparent @param {string[]} notes
 */
async function shrunk(encoded, format, isTransparent, notes) {
  const bitmap = await decoded(encoded);
  const kilobytes = Math.round(encoded.bytes.length / 1000);
  const whole = { x: 0, y: 0, width: bitmap.width, height: bitmap.height };
  const fit = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const lossy = isTransparent ? "webp" : format === "webp" ? "webp" : "jpeg";
  /** @type {[type: Format, quality: number, scale: number][]} */
  const attempts = SMALLER.map(([quality, scale]) => [lossy, quality, fit * scale]);
  if (fit < 1 || format !== lossy) attempts.unshift([format, 90, fit]);
  /** @type {Picture|undefined} */
  let picture;
  for (const [type, quality, scale] of attempts) {
    const canvas = draw(bitmap, whole, bitmap.width * scale, bitmap.height * scale, type === "jpeg");
    picture = { encoded: await encode(canvas, type, quality), width: canvas.width, height: canvas.height };
    if (picture.encoded.bytes.length > MAX_BYTES) continue;
    if (scale < 1) notes.push(`scaled from ${bitmap.width}x${bitmap.height}`);
    if (type !== format || type === lossy)
      notes.push(`sent as ${type} of quality ${quality}: the ${format} picture had ${kilobytes} kB`);
    break;
  }
  bitmap.close();
  return /** @type {Picture} */ (picture);
}
