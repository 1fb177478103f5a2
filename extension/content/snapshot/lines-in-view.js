/*
 * Lines of a snapshot that are in view. A bounded number of elements is asked where they are: near which lines the view is
 * tells a reader of a long page enough.
 */
const MAX_SAMPLES = 256;
/** A shorter snapshot is read whole. */
const MIN_LINES = 150;

/**
 * Lines spread evenly over the snapshot, and those of all frames.
 * @param {SnapshotLine[]} lines
 * @returns {ViewSample[]}
 */
export function samplesOf(lines) {
  if (lines.length < MIN_LINES) return [];
  const step = Math.ceil(lines.length / MAX_SAMPLES);
  /** @type {ViewSample[]} */
  const samples = [];
  let due = 0;
  lines.forEach(({ element, slot }, at) => {
    if (element === null || (at < due && slot === "")) return;
    samples.push([at, element]);
    due = (Math.floor(at / step) + 1) * step;
  });
  return samples;
}

/** Place of an element by the view: -1 above, 0 in it, 1 below, null nowhere or beside it. @param {Element} element */
function sideOf(element) {
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  if ((width === 0 && height === 0) || right <= 0 || left >= window.innerWidth) return null;
  if (bottom <= 0) return -1;
  return top >= window.innerHeight ? 1 : 0;
}

/**
 * The samples in view now; where the view is between two samples, a line between them.
 * @param {ViewSample[]} samples
 */
export function among(samples) {
  /** @type {number[]} */
  const found = [];
  let [last, lastAt] = [0, 0];
  for (const [at, element] of samples) {
    const side = sideOf(element);
    if (side === null) continue;
    if (side === 0) found.push(at);
    else if (side === 1 && last === -1) found.push((at + lastAt) >> 1);
    [last, lastAt] = [side, at];
  }
  return found;
}
