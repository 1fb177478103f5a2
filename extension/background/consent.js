import { TabwireError } from "./errors.js";
export async function askOwner(call, { kind, site }) {
  throw new TabwireError("permission_denied", `${kind} ${site}`, { reason: "not_answered" });
}
