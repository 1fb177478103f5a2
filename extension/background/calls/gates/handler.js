import { whileLeaving } from "../../debugger/script-pauses.js";
import { knowingSecrets } from "../../page/secret-fields.js";

/** Runs the handler. @type {import("./passage.js").Gate} */
export async function handler({ call, running, isAct, ahead, facts, handler: handle }) {
  const run = () => knowingSecrets(handle, call, () => handle(call.params, call, ahead));
  if (!isAct) return run();
  call.signal.throwIfAborted();
  running.hasRun = true;
  const leaves = handle.closes || (handle.leaves && facts.silence === "load");
  return leaves ? whileLeaving(call.acted, run) : run();
}
