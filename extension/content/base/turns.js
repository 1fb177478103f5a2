/* Long work of ours in turns with the tasks of the page, which it would hold up otherwise. */
/** Lets other tasks of the page run, in hidden tabs too, where timers are slowed down. */
export const hop = () => new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
});

/** Looks at the time, of 512 nodes each, in a document that is read to its end however long that takes. */
const LEAST_LOOKS = 200;
const MAX_STEP_MS = 100;

/** Moment at which a walk is to stop for a look at its limits. @param {Pace} pace */
export function untilOf({ turnMs, end, most }) {
  const now = performance.now();
  return most === undefined ? Math.min(now + Math.min(turnMs, MAX_STEP_MS), Math.max(now, end)) : 0;
}

/** Whether a walk has reached its limits. @param {Pace} pace @param {number} looks at the time so far */
export const isOver = ({ end, most = Infinity }, looks) => looks >= most || (looks > LEAST_LOOKS && performance.now() > end);
