const RATES = new Map([["spring", { rate: 0.1 }]]);

/** The price less the discount of a code. */
export function discounted(price, code) {
  const found = RATES.get(code);
  return price * (1 - found.rate);
}
