import { assertRunning } from "../../rules/stop.js";

/** Nothing begins while the user has paused everything, or stopped this client. @type {import("./passage.js").Gate} */
export async function notStopped({ call }, next) {
  assertRunning(call.method, call.client.id);
  return next();
}
