import { whileLeaving } from "../../debugger/script-pauses.js";
import { knowingSecrets } from "../../page/secret-fields.js";
import { joinNotes } from "../../base/text.js";

const REPLACED = "the page had replaced the element of this ref; this was done with the only one like it, in its place";

/** Runs the handler. @type {import("./passage.js").Gate} */
export async function handler({ call, running, isAct, ahead, facts, handler: handle }) {
  const run = () => knowingSecrets(handle, call, () => handle(call.params, call, ahead));
  if (!isAct) return run();
  call.signal.throwIfAborted();
  running.hasRun = true;
  const leaves = handle.closes || (handle.leaves && facts.silence === "load");
  const result = await (leaves ? whileLeaving(call.acted, run) : run());
  return call.subject.isReplaced ? { ...result, note: joinNotes(REPLACED, result.note) } : result;
}
