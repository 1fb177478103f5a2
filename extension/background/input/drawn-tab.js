/*
 * Input by the pointer in tabs that are not shown. Chrome draws none of them; it holds moves and turns of the wheel back until a
 * frame is drawn, for up to 5 s, and gives the pointer to frames where they were drawn last.
 */
import { whileCast } from "../debugger/casts.js";
import { tabIdOf } from "../page/element-lookup.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("../../types").CallContext} CallContext */

/**
 * Does something while Chrome draws the tab.
 * @template T
 * @param {Send} send @param {CallContext} call @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const whileDrawn = (send, call, work) => (call.tab?.active ? work() : whileCast(tabIdOf(call), send, work));
