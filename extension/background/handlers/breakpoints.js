/** Breakpoints of a tab, and its pauses. */
import { breakpoints } from "../breakpoints/breakpoints-tool.js";
import { paused } from "../breakpoints/paused-tool.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

/** A script of the client runs with these. @param {{condition?: string, log?: string, expression?: string}} params */
const sensitive = ({ condition, log, expression }) => ((condition ?? log ?? expression) === undefined ? [] : ["evaluate"]);
/** Looking is no act in the tab. @param {{action: string}} params @param {TabCall} call */
const acts = ({ action }, call) => (action === "list" || action === "state" ? [] : [call.tab.id]);
const waits = (/** @type {Params<"breakpoints.paused">} */ { wait }) => wait !== undefined;
const looks = (/** @type {Params<"breakpoints.paused">} */ { action }) => action !== "resume";

/** @type {import("../../types").Handlers<"breakpoints">} */
export const handlers = {
  "breakpoints.breakpoints": Object.assign(breakpoints, { acts, sensitive, hears: true }),
  "breakpoints.paused": Object.assign(paused, { acts, sensitive, waits, looks, hears: true }),
};
