import { isAttachedClient } from "../../base/clients.js";
import { TabwireError } from "../../base/errors.js";
import { assertRunning } from "../../rules/stop.js";
import { take } from "../../tabs/leases.js";
import { noteStart } from "../act-record.js";

/**
 * The act may begin: nothing has ended it while it waited, and its tabs are its client's from here on.
 * @type {import("./passage.js").Gate}
 */
export async function start(passage, next) {
  const { call, handler, running } = passage;
  const { method, client, tab, described } = call;
  call.signal.throwIfAborted();
  assertRunning(method, client.id);
  if (!isAttachedClient(client.id)) throw new TabwireError("cancelled", "the client left before this action started");
  const leased = take(call.acted, client, { isShown: !handler.closes });
  running.hasStarted = true;
  passage.note = () => Promise.all([noteStart(running.key, { method, tabId: tab?.id, described }), leased]);
  return next();
}
