/*
 * Frame of a recording: the picture of the tab, fitted into the size of the recording, with the acts drawn over it.
 * The page itself is not touched: snapshots, screenshots and its own scripts see nothing of this.
 */
import { decoded } from "./picture.js";

/**
 * @typedef {{kind: "click", x: number, y: number, ratio: number, at: number}} ClickMark  in CSS px of the viewport; ratio: pixels
 * per px
 * @typedef {{kind: "drag", x: number, y: number, toX: number, toY: number, ratio: number, at: number}} DragMark
 * @typedef {{kind: "label"|"annotation", text: string, at: number}} TextMark
 * @typedef {ClickMark|DragMark|TextMark} Mark
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number}} Point
 * @typedef {OffscreenCanvasRenderingContext2D} Context
 */

const COLOUR = "#f2590d";
const HALO = "rgba(242, 89, 13, 0.25)";
const EDGE = "#ffffff";
const BAR = { label: "rgba(22, 24, 29, 0.88)", annotation: "rgba(24, 90, 188, 0.92)" };
/** Colour beside a page that no longer has the shape with which the recording began. */
const BESIDE = "#202124";
const DOT_RADIUS = 5;
const RING_RADIUS = 15;
const ARROW_PX = 12;
const MAX_LETTERS = 300;

/** Video wants even sides. */
const even = (/** @type {number} */ length) => Math.max(2, 2 * Math.round(length / 2));

/**
 * The largest size within bounds that keeps the shape; nothing is enlarged.
 * @param {Size} picture
 * @param {Size} bounds
 * @returns {Size}
 */
function fitted(picture, bounds) {
  const scale = Math.min(1, bounds.width / picture.width, bounds.height / picture.height);
  return { width: even(picture.width * scale), height: even(picture.height * scale) };
}

/**
 * @param {import("./picture.js").Encoded} picture  of the tab
 * @param {{size: Size|null, bounds: Size}} recording  size: of the frames before, if any
 * @param {Mark[]} marks
 * @returns {Promise<{bytes: ArrayBuffer, size: Size}>} without loss
 */
export async function toFrame(picture, { size: known, bounds }, marks) {
  const bitmap = await decoded(picture);
  const size = known ?? fitted(bitmap, bounds);
  const canvas = new OffscreenCanvas(size.width, size.height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  const scale = Math.min(size.width / bitmap.width, size.height / bitmap.height);
  // A rounded side is no reason for a stripe.
  const width = Math.abs(bitmap.width * scale - size.width) < 3 ? size.width : bitmap.width * scale;
  const height = Math.abs(bitmap.height * scale - size.height) < 3 ? size.height : bitmap.height * scale;
  context.fillStyle = BESIDE;
  context.fillRect(0, 0, size.width, size.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const place = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ ratio) => ({
    x: x * ratio * scale,
    y: y * ratio * scale,
  });
  for (const mark of marks) DRAW[mark.kind](context, /** @type {never} */ (mark), place);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return { bytes: await blob.arrayBuffer(), size };
}

/**
 * @type {{[K in Mark["kind"]]: (context: Context, mark: Extract<Mark, {kind: K}>, place: (x: number, y: number, ratio: number) =>
 * Point) => void}}
 */
const DRAW = {
  click: (context, { x, y, ratio }, place) => pointer(context, place(x, y, ratio)),
  drag: (context, { x, y, toX, toY, ratio }, place) => path(context, place(x, y, ratio), place(toX, toY, ratio)),
  label: (context, { text }) => bar(context, text, BAR.label, true),
  annotation: (context, { text }) => bar(context, text, BAR.annotation, false),
};

/**
 * @param {Context} context @param {Point} at @param {number} radius @param {string} fill @param {string} stroke
 * @param {number} lineWidth
 */
function disc(context, { x, y }, radius, fill, stroke, lineWidth) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.strokeStyle = stroke;
  context.lineWidth = lineWidth;
  context.stroke();
}

/** @param {Context} context @param {Point} at */
function pointer(context, at) {
  disc(context, at, RING_RADIUS, HALO, COLOUR, 2.5);
  disc(context, at, DOT_RADIUS, COLOUR, EDGE, 1.5);
}

/** @param {Context} context @param {Point} from @param {Point} to */
function path(context, from, to) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const wing = (/** @type {number} */ turn) =>
    /** @type {const} */ ([to.x - ARROW_PX * Math.cos(angle + turn), to.y - ARROW_PX * Math.sin(angle + turn)]);
  context.lineCap = context.lineJoin = "round";
  for (const [style, lineWidth] of /** @type {const} */ ([[EDGE, 6], [COLOUR, 3]])) {
    context.strokeStyle = style;
    context.lineWidth = lineWidth;
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.moveTo(...wing(0.5));
    context.lineTo(to.x, to.y);
    context.lineTo(...wing(-0.5));
    context.stroke();
  }
  disc(context, from, DOT_RADIUS, COLOUR, EDGE, 1.5);
}

/** Draws text along an edge. @param {Context} context @param {string} text @param {string} fill @param {boolean} isBelow */
function bar(context, text, fill, isBelow) {
  const { width, height } = context.canvas;
  const size = Math.round(Math.min(18, Math.max(11, height / 30)));
  const high = size * 2;
  const top = isBelow ? height - high : 0;
  context.fillStyle = fill;
  context.fillRect(0, top, width, high);
  context.font = `500 ${size}px system-ui, sans-serif`;
  context.fillStyle = EDGE;
  context.textBaseline = "middle";
  context.fillText(shortened(context, text.replace(/\s+/g, " "), width - 2 * size), size, top + high / 2);
}

/** Text cut to a width; empty where no letter fits. @param {Context} context @param {string} text @param {number} width */
function shortened(context, text, width) {
  const fits = (/** @type {string} */ shown) => context.measureText(shown).width <= width;
  const letters = [...text].slice(0, MAX_LETTERS);
  let shown = letters.join("");
  while (letters.length && !fits(shown)) {
    letters.pop();
    shown = `${letters.join("")}…`;
  }
  return letters.length ? shown : "";
}
