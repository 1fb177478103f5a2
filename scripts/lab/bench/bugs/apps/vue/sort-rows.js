/** Sorts rows; it takes as long as rows are compared with all others. */
export function sortRows(milliseconds) {
  const end = performance.now() + milliseconds;
  let rows = 0;
  while (performance.now() < end) {
    rows += 1;
  }
  return rows;
}
