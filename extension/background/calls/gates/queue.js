import { enterQueue, isBusy } from "../../base/acts.js";

/** Time that a tab's queue waits for an act that was answered at its deadline but has not come to an end. */
const UNWIND_MS = 500;

/**
 * Lets an act on when the earlier ones in its tab have ended. A stuck act gives up its turn soon after its deadline.
 * @type {import("./passage.js").Gate}
 */
export async function queue(passage, next) {
  const { call: { params, signal }, tabCall: { tab }, handler, named } = passage;
  passage.isBehind = isBusy(tab.id);
  passage.aimed = { ...named, tabId: tab.id };
  if (handler.waits?.(params)) return next();
  const leave = await enterQueue(tab.id, signal);
  const work = next();
  const unwound = () => leave();
  work.then(unwound, unwound);
  signal.addEventListener("abort", () => setTimeout(unwound, UNWIND_MS), { once: true });
  return work;
}
