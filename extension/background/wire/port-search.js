/*
 * Ports of the window that a search looks at. A bridge takes the first port that is free, so that the next one comes where the
 * first free port was last. One that takes another says so to the bridges that are there, and they tell their browsers. The whole
 * window is looked at only now and then.
 */

/** @typedef {import("../../types").BridgeAddress} BridgeAddress */
/** @typedef {"somebody"|"nobody"|"silence"} Answer */

/** Time between two looks at the whole window of ports. */
const WHOLE_MS = { awaited: 6000, quiet: 15_000, connected: 30_000 };
/** @typedef {keyof typeof WHOLE_MS} State a client is awaited, or nothing has happened for a while, or one is here */
/** Time in which a lost bridge is likely to come back to its port. */
export const AFTER_LOSS_MS = 60_000;

/** Port → its last answer. @type {Map<number, Answer>} */
const answers = new Map();
/** Port → when the connection there was lost, epoch ms. @type {Map<number, number>} */
const losses = new Map();
let wholeAt = 0;

/** @param {number} port where a connection has ended */
export function noteLoss(port) {
  losses.set(port, Date.now());
}

/** The whole window is looked at in the next search: something has happened. */
export function lookEverywhere() {
  wholeAt = 0;
}

/**
 * Looks where a bridge may be.
 * @template {{port: number}} T
 * @param {readonly T[]} free the addresses without a connection, in the order in which bridges take them
 * @param {State} state
 * @param {(address: T) => Promise<Answer>} look
 */
export async function looked(free, state, look) {
  const now = Date.now();
  const isWhole = now - wholeAt >= WHOLE_MS[state];
  if (isWhole) wholeAt = now;
  const likely = isWhole ? free : likelyOf(free, now);
  const isSomebodyNew = await ask(likely, look);
  // A new bridge is a sign that others may have come.
  if (!isWhole && isSomebodyNew) await ask(free.filter((address) => !likely.includes(address)), look);
}

/** @template {{port: number}} T @param {readonly T[]} some @param {(address: T) => Promise<Answer>} look */
async function ask(some, look) {
  const news = await Promise.all(some.map(async (address) => {
    const before = answers.get(address.port);
    const answer = await look(address);
    answers.set(address.port, answer);
    return before === "nobody" && answer === "somebody";
  }));
  return news.includes(true);
}

/** @template {{port: number}} T @param {readonly T[]} free @param {number} now @returns {T[]} */
function likelyOf(free, now) {
  const isEmpty = (/** @type {T} */ { port }) => answers.get(port) === "nobody";
  const wasLost = (/** @type {T} */ { port }) => now - (losses.get(port) ?? 0) < AFTER_LOSS_MS;
  const first = free.find(isEmpty);
  return free.filter((address) => address === first || !isEmpty(address) || wasLost(address));
}
