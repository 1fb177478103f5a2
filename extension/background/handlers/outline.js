/* The page as an outline of HTML, put together from its frames, and the elements that its references mean. */
import { locate } from "../page/element-lookup.js";
import { TabwireError } from "../base/errors.js";
import { callResponsive, callWithDocument } from "../page/content-calls.js";
import { frameTree, pathKey } from "../page/frames.js";
import { publishNumber, refNumber } from "../page/refs.js";
import { USUAL, footer, notesOf } from "./snapshot.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {Pick<import("./snapshot.js").Captured, "text"|"title"|"url"|"path"|"notes">} Printed */
/** @typedef {{frameId: number, documentId: string, value?: Printed, error?: TabwireError}} Answer */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

const OPENING = "\uE006";
const FRAME = /^( *)\uE004([^|]+)\|([^\uE005]*)\uE005$/gm;
const INTO = " >>> ";
const COUNTED = /** @type {const} */ (["hidden", "cut", "canvases", "behind"]);

/** The outlines of the frames of a tab as one. */
class Composition {
  /** @param {Answer[]} answers */
  constructor(answers) {
    /** @type {Map<string, Printed>} */
    this.byPath = new Map();
    for (const { value } of answers) if (value?.path) this.byPath.set(pathKey(value.path), value);
    this.notes = notesOf(answers);
  }

  /**
   * @param {Printed} printed
   * @param {string} way what leads to the references of this document
   * @returns {string}
   */
  text({ text, path, notes }, way) {
    for (const key of COUNTED) this.notes[key] += notes[key];
    this.notes.rows.push(...notes.rows);
    return text.replaceAll(OPENING, way).replace(FRAME, (_, indent, slot, ref) => {
      const child = path && this.byPath.get(pathKey([...path, /^s/.test(slot) ? slot : Number(slot)]));
      if (!child) {
        this.notes.unreachable.push(ref);
        return `${indent}<!-- this frame cannot be read -->`;
      }
      return this.text(child, way + ref + INTO).replace(/^/gm, indent);
    });
  }
}

/** @param {Params<"outline.capture">} params @param {TabCall} call */
async function capture(params, call) {
  const tabId = call.tab.id;
  // Finds out what the page listens on: the outline goes by it.
  await call.dispatch("snapshot.capture", USUAL);
  /** @type {Answer[]} */
  const answers = await callResponsive(tabId, "outline.print", { nonce: crypto.randomUUID() }, call);
  const top = answers.find(({ frameId }) => frameId === 0);
  if (!top?.value) throw top?.error ?? new TabwireError("frame_unreachable", "the page cannot be read; reload it");
  const composition = new Composition(answers);
  const outline = composition.text(top.value, "");
  const { title, url } = top.value;
  return { tabId, outline, title, url, left_out: footer(composition.notes).trim() };
}

/**
 * Follows a reference through the frames it leads into.
 * @param {string} ref @param {TabCall} call
 * @returns {Promise<string|null>} null: it was not given out here
 */
async function follow(ref, call) {
  const tabId = call.tab.id;
  /** @type {Array<number|string>} */
  const path = [];
  /** @type {import("../page/content-calls.js").FrameTarget} */
  let frame = { frameId: 0 };
  for (let rest = ref; ; ) {
    const { value, documentId, frameId } = await callWithDocument(tabId, frame, "outline.find", { ref: rest }, call);
    if (!value) return null;
    if (value.local !== undefined) return publishNumber(tabId, documentId, frameId, value.local);
    path.push(value.slot);
    rest = value.rest;
    const inner = (await frameTree(tabId, call)).find((node) => pathKey(node.path) === pathKey(path));
    if (!inner) return null;
    frame = inner;
  }
}

/** @param {Params<"outline.resolve">} params @param {TabCall} call */
async function resolve(params, call) {
  const { ref } = params;
  const known = refNumber(ref) === null ? await follow(ref, call) : null;
  return { tabId: call.tab.id, ref: known ?? (await locate(ref, params, call)).ref };
}

/** @type {import("../../types").Handlers<"outline">} */
export const handlers = {
  "outline.capture": capture,
  "outline.resolve": resolve,
};
