import { assertAnsweringAgain, isSilent } from "../../debugger/blocked-page.js";
import { assertScriptable } from "../../rules/site-pattern.js";

/** The page takes scripts, and answers where it did not the last time. @type {import("./passage.js").Gate} */
export async function answeringPage({ tabCall: { tab }, facts: { page } }, next) {
  if (page === "scripts") assertScriptable(tab);
  if (page !== "none" && (page !== "document" || isSilent(tab.id))) await assertAnsweringAgain(tab.id);
  return next();
}
