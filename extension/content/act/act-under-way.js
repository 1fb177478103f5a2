/* Whether an act of a client is under way in this document: input that comes meanwhile is not the user's. */
/** @type {object | null} */
let current = null;

export const isUnderWay = () => current !== null;

/** @param {object} act any object that stands for it */
export function begin(act) {
  current = act;
}

/** @param {object} act which may have been over before */
export function end(act) {
  if (current === act) current = null;
}
