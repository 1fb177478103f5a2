import { assertInReach } from "../../rules/allowed-origins.js";

/** A client that may act at some origins only stays there. @type {import("./passage.js").Gate} */
export async function reach({ call, handler }, next) {
  await assertInReach(call, handler);
  return next();
}
