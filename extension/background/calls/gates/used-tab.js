import { holdTab } from "../../tabs/keep-alive.js";
import { noteUse } from "../../tabs/leases.js";

/** Keeps the tab, and the lease of it, for a client that uses it. @type {import("./passage.js").Gate} */
export async function usedTab({ call: { client }, tabCall: { tab } }, next) {
  holdTab(tab);
  noteUse(tab.id, client);
  return next();
}
