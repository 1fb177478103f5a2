import { withDocument } from "../../tabs/targets.js";

/** The tab has a document: one that Chrome has discarded is loaded. @type {import("./passage.js").Gate} */
export async function loadedDocument(passage, next) {
  const { call, tabCall: { tab } } = passage;
  call.target.aim(await withDocument(tab, call.signal));
  passage.hasNewDocument = call.tab !== tab;
  return next();
}
