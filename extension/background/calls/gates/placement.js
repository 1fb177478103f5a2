import { tabOfRef } from "../../page/refs.js";
import { hasNoTab } from "../../tabs/targets.js";

/** @typedef {import("../../../types").Client} Client */

/** Finds out whether the call works in one tab, and by which parameters that is found. @type {import("./passage.js").Gate} */
export async function placement(passage, next) {
  const { call, handler, facts, isAct } = passage;
  if (!isAct) passage.ahead = handler.ahead?.(call.params, call);
  const place = isAct ? await handler.place?.(call.params, call) : undefined;
  passage.isInTab = facts.target === "tab" && place !== null;
  if (passage.isInTab) {
    passage.named = await namingTab(call.params, call.client);
    passage.aimed = { ...passage.named, ...place };
  }
  return next();
}

/**
 * The parameters with the tab that a ref alone names, for a client that works in no tab yet: its bridge may have been restarted.
 * @template {import("../../base/protocol-types").AnyParams} P
 * @param {P} params
 * @param {Client} client
 * @returns {Promise<P>}
 */
async function namingTab(params, client) {
  const { tabId, selector } = /** @type {{tabId?: unknown, selector?: unknown}} */ (params);
  if (tabId !== undefined || typeof selector !== "string" || !hasNoTab(client)) return params;
  return { ...params, tabId: await tabOfRef(selector) };
}
