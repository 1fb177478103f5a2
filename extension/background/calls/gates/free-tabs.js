import { assertFree } from "../../tabs/leases.js";
import { assertSeen } from "../../tabs/tab-sight.js";
import { findTab } from "../../tabs/targets.js";

/** Finds out in which tabs an act acts, and that none of them is another client's. @type {import("./passage.js").Gate} */
export async function freeTabs({ call, aimed, handler }, next) {
  const own = call.tab ? [call.tab.id] : [];
  const acted = await (handler.acts?.(aimed, call) ?? own);
  call.target.actIn(acted);
  for (const tabId of acted.filter((id) => !own.includes(id))) {
    const tab = await findTab(tabId);
    if (tab) await assertSeen(tab, call.client);
  }
  assertFree(acted, call.client);
  return next();
}
