/*
 * The service worker. Everything is imported statically and every listener is registered in the first turn, because
 * Chrome delivers the event that started a worker only to listeners that exist by then.
 */
import "./rules/arrival-guard.js";
import { discover, start, wake } from "./wire/connection.js";
import { releaseOrphans } from "./debugger/holds.js";
import { endOrphanHandovers } from "./tabs/handovers.js";
import { keepAlarm, listen } from "./wire/keep-alive.js";
import "./tabs/lease-groups.js";
import { endOrphans, leases } from "./tabs/leases.js";
import "./panel/panel-state.js";
import { isAttachedClient } from "./calls/router.js";
import { tellOfClients } from "./panel/status.js";

listen({ wake, tick: discover });
tellOfClients(({ id }) => {
  const held = leases().filter(({ clientId }) => clientId === id).length;
  return held ? `works in ${held} ${held === 1 ? "tab" : "tabs"}` : "";
});
keepAlarm();
start();
releaseOrphans(isAttachedClient);
endOrphans(isAttachedClient);
endOrphanHandovers(isAttachedClient);
