/*
 * Positions of the frames of a tab in each other.
 */
import { TabwireError } from "../base/errors.js";
import { composeProjections, IDENTITY, project } from "./projection.js";
import { call as callPage, callAll } from "./content-calls.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {{frameId: number, documentId: string, path: Array<number|string>, parent: number|null}} FrameNode */
/** @typedef {import("./projection.js").Point} Point */
/** @typedef {import("./projection.js").Rect} Rect */
/**
 * The part of a viewport that is shown. scale: by which the user has enlarged it; ratio: pixels of the screen per CSS px in it
 * @typedef {Rect & {scale: number, ratio: number}} Shown
 */
/**
 * onto: of a child's viewport onto that of this frame
 * @typedef {{onto: import("./projection.js").Projection, shown: Shown}} Surrounding
 */
/**
 * at: where the debugger's pointer has to go, in CSS px of what the tab shows; inPage: the same in the viewport of the top
 * document, of which the tab shows a part; isInView: whether that and all frames on the way show it
 * @typedef {{at: Point, inPage: Point, shown: Shown, isInView: boolean}} PlaceInTop
 */

/** @param {Array<number|string>} path slots from the top document down */
export const pathKey = (path) => path.join("/");

/**
 * Asks the frames of a tab for their positions in each other.
 * @param {number} tabId
 * @param {CallContext} call
 * @returns {Promise<FrameNode[]>}
 */
export async function frameTree(tabId, call) {
  const answers = await callAll(tabId, "frames.position", { nonce: crypto.randomUUID() }, call);
  /** @type {FrameNode[]} */
  const nodes = answers.filter(({ value }) => value?.path)
    .map(({ frameId, documentId, value }) => ({ frameId, documentId, path: value.path, parent: null }));
  const byPath = new Map(nodes.map((node) => [pathKey(node.path), node]));
  for (const node of nodes) {
    if (node.path.length) node.parent = byPath.get(pathKey(node.path.slice(0, -1)))?.frameId ?? null;
  }
  return nodes;
}

/**
 * The frames around a frame, the nearest one first.
 * @param {number} tabId @param {number} frameId @param {CallContext} call
 * @returns {Promise<Surrounding[]>}
 */
async function surroundings(tabId, frameId, call) {
  if (!frameId) return [];
  const byId = new Map((await frameTree(tabId, call)).map((node) => [node.frameId, node]));
  const chain = [];
  for (let node = byId.get(frameId); node?.path.length; node = parentOf(node, byId)) chain.push(node);
  if (!chain.length) throw new TabwireError("no_such_frame", `no frame ${frameId} in this tab; take a new snapshot`);
  return Promise.all(chain.map((node) => askParent(tabId, node, byId, call)));
}

/**
 * The projection of a frame's viewport onto the viewport of the top document.
 * @param {number} tabId
 * @param {number} frameId
 * @param {CallContext} call
 * @returns {Promise<import("./projection.js").Projection>} of CSS px
 */
export async function frameProjection(tabId, frameId, call) {
  const around = await surroundings(tabId, frameId, call);
  return around.reduce((inner, { onto }) => composeProjections(onto, inner), IDENTITY);
}

/** A point of the top document, of which the tab shows a part. @param {Point} point @param {Shown} shown @returns {PlaceInTop} */
export const placeInShown = (point, shown) => ({
  at: { x: point.x - shown.x, y: point.y - shown.y },
  inPage: point,
  shown,
  isInView: isWithin(shown, point),
});

/**
 * Points of a frame as the debugger's pointer counts them.
 * @param {number} tabId @param {number} frameId @param {Point[]} points @param {CallContext} call
 * @returns {Promise<PlaceInTop[]>}
 */
export async function placesInTop(tabId, frameId, points, call) {
  if (!frameId) {
    const shown = await callPage(tabId, { frameId }, "visualViewport.shown", {}, call);
    return points.map((point) => placeInShown(point, shown));
  }
  const around = await surroundings(tabId, frameId, call);
  return points.map((point) => {
    let [inPage, isInView] = [point, true];
    for (const { onto, shown } of around) {
      inPage = project(onto, inPage);
      isInView &&= isWithin(shown, inPage);
    }
    return { ...placeInShown(inPage, around[around.length - 1].shown), isInView };
  });
}

/** @param {number} tabId @param {number} frameId @param {Point} point @param {CallContext} call */
export const placeInTop = async (tabId, frameId, point, call) => (await placesInTop(tabId, frameId, [point], call))[0];

/** @param {Rect} rect @param {Point} point */
const isWithin = ({ x: left, y: top, width, height }, { x, y }) => x >= left && y >= top && x < left + width && y < top + height;

/** @param {FrameNode} node @param {Map<number, FrameNode>} byId */
const parentOf = ({ parent }, byId) => (parent === null ? undefined : byId.get(parent));

/**
 * @param {number} tabId @param {FrameNode} node @param {Map<number, FrameNode>} byId @param {CallContext} context
 * @param {string} [name] @param {object} [args]
 */
function askParent(tabId, node, byId, context, name = "frames.projection", args = {}) {
  const parent = parentOf(node, byId);
  if (!parent) {
    throw new TabwireError("frame_unreachable", `the frame around frame ${node.frameId} cannot be read; take a new snapshot`);
  }
  return callPage(tabId, { documentId: parent.documentId }, name, { slot: node.path.at(-1), ...args }, context);
}

/**
 * Finds the position of a frame's point in the top document, and what covers it there or in a frame between.
 * @param {number} tabId
 * @param {number} frameId
 * @param {{x: number, y: number}} point
 * @param {CallContext} call
 * @returns {Promise<{cover: string|null, at?: {x: number, y: number}}>} cover: described for messages
 */
export async function coverOfFrame(tabId, frameId, point, call) {
  if (!frameId) return { cover: null };
  const byId = new Map((await frameTree(tabId, call)).map((node) => [node.frameId, node]));
  let inside = point;
  for (let node = byId.get(frameId); node?.path.length && parentOf(node, byId); node = parentOf(node, byId)) {
    const { at, cover } = await askParent(tabId, node, byId, call, "frames.over", { point: inside });
    if (cover || !at) return { cover };
    inside = at;
  }
  return { cover: null, at: inside };
}
