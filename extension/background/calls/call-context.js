/*
 * The context of a call, which its handler gets beside the parameters: the request, and the parts that change while it runs.
 */
import { activityMoves } from "./activity.js";
import { CallClock } from "./call-clock.js";
import { tellSettled } from "./replies.js";
import { CallTarget, contextWith, CallGrants, Observing, Subject } from "../rules/call-parts.js";
import { isOpenedBy, leaseOf } from "../tabs/leases.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../base/protocol-types").AnyParams} AnyParams */

const DEFAULT_TIMEOUT_MS = 30_000;
/** Time for which a call waits for the person's answers where the bridge does not say. */
const DEFAULT_ASKING_MS = 45_000;

/**
 * signal: aborted when the call ends early; expire: is called at its deadline with the ms that it had; runInside: runs another
 * method as part of the call, absent for work that runs none
 * @typedef {object} Life
 * @property {AbortSignal} signal
 * @property {(timeout: number) => void} expire
 * @property {(outer: CallContext, method: string, params: AnyParams) => Promise<unknown>} [runInside]
 */

/**
 * @param {import("../../types").Request} request
 * @param {import("../../types").Client} client
 * @param {Life} life
 * @returns {CallContext} its clock runs
 */
export function contextOf(request, client, { signal, expire, runInside }) {
  const { id, method, params = {}, only_origins: onlyOrigins, reason, described, secrets } = request;
  const [timeout, asking] = [request.timeout_ms ?? DEFAULT_TIMEOUT_MS, request.asking_ms ?? DEFAULT_ASKING_MS];
  const holds = (/** @type {number} */ tabId) => leaseOf(tabId)?.clientId === client.id;
  const hasOpened = (/** @type {number} */ tabId) => isOpenedBy(tabId, client);
  return contextWith({
    id, method, params, client, onlyOrigins, reason, described, secrets,
    signal,
    clock: new CallClock(timeout, asking, () => expire(timeout), () => tellSettled(client, id)),
    target: new CallTarget(),
    grants: new CallGrants([], { holds, hasOpened }),
    subject: new Subject(),
    observing: new Observing(),
    noteTarget(target) {
      this.subject.noteElement(target);
      activityMoves(this);
    },
    dispatch(inner, innerParams) {
      if (!runInside) throw new Error("only a call runs other methods");
      return /** @type {Promise<never>} */ (runInside(this, inner, innerParams));
    },
  });
}

/**
 * The context of another method that runs as part of a call: its target and need are its, the rest is that of the call.
 * @param {CallContext} outer
 * @param {string} method
 * @param {AnyParams} params
 */
export const innerContextOf = (outer, method, params) => contextWith(
  { ...outer, method, params, secrets: undefined, target: outer.target.copy(), grants: outer.grants.inside() });
