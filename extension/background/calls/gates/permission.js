import { permit } from "../../rules/permissions.js";

/** The rules allow the call where it works; the user is asked where they say so. @type {import("./passage.js").Gate} */
export async function permission({ call, aimed, handler }, next) {
  await permit(call, aimed, handler);
  return next();
}
