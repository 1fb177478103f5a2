import { activityMoves } from "../activity.js";
import { resolveTab } from "../../tabs/targets.js";

/** Resolves the tab in which the call works. @type {import("./passage.js").Gate} */
export async function targetTab({ call, aimed, facts }, next) {
  const onNote = (/** @type {string} */ note) => call.subject.noteTab(note);
  const options = { act: facts.effect === "act", page: facts.page, onNote };
  call.target.aim(await resolveTab(/** @type {{tabId?: number}} */ (aimed), call.client, options));
  activityMoves(call);
  return next();
}
