/*
 * The service worker. Everything is imported statically and every listener is registered in the first turn, because
 * Chrome delivers the event that started a worker only to listeners that exist by then.
 */
import "./rules/arrival-guard.js";
import { discover, start, wake } from "./wire/connection.js";
import { keepAlarm, listen } from "./tabs/keep-alive.js";
import "./tabs/lease-groups.js";
import "./panel/badge.js";
import "./panel/context-menu.js";
import "./panel/pairing-request.js";
import "./panel/panel-state.js";
import "./panel/status.js";
import "./panel/welcome.js";

listen({ wake, tick: discover });
keepAlarm();
start();
