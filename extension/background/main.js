/*
 * The service worker. Everything is imported statically and every listener is registered in the first turn, because
 * Chrome delivers the event that started a worker only to listeners that exist by then.
 */
import "./arrival-guard.js";
import { discover, start, wake } from "./connection.js";
import { releaseOrphans } from "./debugger-holds.js";
import { endOrphanHandovers } from "./handovers.js";
import { keepAlarm, listen } from "./keepalive.js";
import "./lease-groups.js";
import { endOrphans, leases } from "./leases.js";
import "./panel.js";
import { isAttachedClient } from "./router.js";
import { tellOfClients } from "./status.js";

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
