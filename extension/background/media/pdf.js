/* Printing to PDF. The document is read from the browser piece by piece, so that one that is too large is given up early. */
import { withDebugger } from "../debugger/attachment.js";
import { veiled } from "./picture-veil.js";
import { toBase64 } from "../debugger/base64.js";
import { invalid, TabwireError } from "../base/errors.js";
import { MAX_FILE_BYTES } from "./picture.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @import { Protocol, Send } from "../debugger/commands" */
/** @typedef {import("../base/protocol-types").MediaPdfParams} Params */

const MM = 1 / 25.4;
/** Width and height in inches. */
const PAPERS = /** @type {Record<string, [number, number]>} */ ({
  Letter: [8.5, 11],
  Legal: [8.5, 14],
  Tabloid: [11, 17],
  Ledger: [17, 11],
  A0: [841 * MM, 1189 * MM],
  A1: [594 * MM, 841 * MM],
  A2: [420 * MM, 594 * MM],
  A3: [297 * MM, 420 * MM],
  A4: [210 * MM, 297 * MM],
  A5: [148 * MM, 210 * MM],
  A6: [105 * MM, 148 * MM],
});
const INCHES = /** @type {Record<string, number>} */ ({ px: 1 / 96, in: 1, cm: 10 * MM, mm: MM });
const LENGTH = /^\s*([\d.]+)\s*(px|in|cm|mm)?\s*$/;
const SIDES = /** @type {const} */ (["top", "bottom", "left", "right"]);
/** Chrome's default margin. */
const DEFAULT_MARGIN = "0.4in";
const CHUNK_BYTES = 4_000_000;
/** A template that is not given is Chrome's own; beside one that is given it would be a surprise. */
const EMPTY_TEMPLATE = "<span></span>";

/** @param {string} text @returns {number} */
function inches(text) {
  const [, number, unit = "px"] = LENGTH.exec(text) ?? [];
  const value = Number(number) * INCHES[unit];
  if (Number.isFinite(value)) return value;
  throw invalid(`${JSON.stringify(text)} is not a length; give a number with px, in, cm or mm`);
}

/** The size of the sheet and what is left free on it. @param {Params} params */
function sheet({ format, landscape, margin = {} }) {
  const [paperWidth, paperHeight] = PAPERS[format];
  const free = Object.fromEntries(SIDES.map((side) => [side, inches(margin[side] ?? DEFAULT_MARGIN)]));
  const [width, height] = landscape ? [paperHeight, paperWidth] : [paperWidth, paperHeight];
  if (free.left + free.right >= width || free.top + free.bottom >= height) {
    throw invalid(
      `the margins leave no room on ${format} paper of ${width.toFixed(2)} x ${height.toFixed(2)} in; make them smaller`,
    );
  }
  return {
    paperWidth, paperHeight, landscape, marginTop: free.top, marginBottom: free.bottom, marginLeft: free.left,
    marginRight: free.right,
  };
}

/** @param {Params} params */
function headings({ display_header_footer: displayHeaderFooter, header_template: header, footer_template: footer }) {
  if (!displayHeaderFooter) return {};
  const isOwn = header !== undefined || footer !== undefined;
  return {
    displayHeaderFooter,
    ...(isOwn ? { headerTemplate: header || EMPTY_TEMPLATE, footerTemplate: footer || EMPTY_TEMPLATE } : {}),
  };
}

/**
 * Prints the page of the call.
 * @param {Params} params
 * @param {CallContext} call
 * @returns {Promise<{data: string}>} base64
 */
export async function pdf(params, call) {
  /** @type {Protocol.Page.PrintToPDFRequest} */
  const options = {
    ...sheet(params),
    ...headings(params),
    scale: params.scale,
    printBackground: params.print_background,
    preferCSSPageSize: params.prefer_css_page_size,
    transferMode: "ReturnAsStream",
  };
  /** @type {string[]} */
  const notes = [];
  const printed = await veiled(call, notes, () => print(options, call));
  return { ...printed, ...(notes.length ? { note: notes.join("; ") } : {}) };
}

/** @param {Protocol.Page.PrintToPDFRequest} options @param {CallContext} call @returns {Promise<{data: string}>} */
function print(options, call) {
  return withDebugger(/** @type {number} */ (call.tab?.id), call, async (send) => {
    const stream = /** @type {string} */ ((await send("Page.printToPDF", options)).stream);
    try {
      return { data: toBase64(await readAll(send, stream)) };
    } finally {
      await send("IO.close", { handle: stream }).catch(() => {});
    }
  });
}

/** @param {Send} send @param {string} handle @returns {Promise<Uint8Array>} */
async function readAll(send, handle) {
  const parts = [];
  for (let size = 0; ;) {
    const { data, base64Encoded, eof } = await send("IO.read", { handle, size: CHUNK_BYTES });
    const bytes = Uint8Array.from(base64Encoded ? atob(data) : data, (char) => char.charCodeAt(0));
    parts.push(bytes);
    size += bytes.length;
    if (size > MAX_FILE_BYTES) {
      throw new TabwireError(
        "result_too_large",
        `the document has more than ${MAX_FILE_BYTES} bytes; print without print_background, or a part of the page`,
      );
    }
    if (eof) return new Uint8Array(await new Blob(parts).arrayBuffer());
  }
}
