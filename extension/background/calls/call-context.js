/*
 * The context of a call, which its handler gets beside the parameters.
 */
import { activityMoves } from "./activity.js";
import { tellSettled } from "./replies.js";
import { freshState } from "../base/clients.js";
import { isOpenedBy, leaseOf } from "../tabs/leases.js";

/** @typedef {import("../../types").CallContext} CallContext */

/**
 * @param {import("../../types").Request} request
 * @param {import("../../types").Client} client
 * @param {AbortSignal} signal aborted when the call ends early
 * @param {import("./call-clock.js").CallClock} clock
 * @param {(outer: CallContext, method: string, params: import("../base/protocol-types").AnyParams) => Promise<unknown>} [inside]
 * runs another method as part of the call; absent for work that runs none
 * @returns {CallContext}
 */
export function contextOf({ id, method, params = {}, only_origins: onlyOrigins, reason, described, secrets }, client, signal,
  clock, inside) {
  return {
    id,
    method,
    params,
    client,
    onlyOrigins,
    reason,
    described,
    secrets,
    signal,
    remaining: clock.remaining,
    askingLeft: clock.askingLeft,
    whileAsking: (ask) => clock.whileAsking(ask, () => tellSettled(client, id)),
    ...freshState(),
    holds: (tabId) => leaseOf(tabId)?.clientId === client.id,
    hasOpened: (tabId) => isOpenedBy(tabId, client),
    noteTarget(target) {
      this.about.target = target;
      activityMoves(this);
    },
    dispatch(inner, innerParams) {
      if (!inside) throw new Error("only a call runs other methods");
      return /** @type {Promise<never>} */ (inside(this, inner, innerParams));
    },
  };
}
