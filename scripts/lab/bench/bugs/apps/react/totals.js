/** Adds the prices of all lines. */
export function totalOf(lines) {
  let total = 0;
  for (const line of lines) {
    total += line.price.amount;
  }
  return total;
}
