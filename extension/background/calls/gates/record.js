/** Waits until the act is in the record. @type {import("./passage.js").Gate} */
export async function record({ note }, next) {
  await note();
  return next();
}
