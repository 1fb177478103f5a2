interface Item {
  name: string;
  price: number;
}

export const catalogue: Record<string, Item> = {
  pear: { name: "Pear", price: 2 },
};

/** Throws for what is not sold. */
export function priceOf(name: string): number {
  const item = catalogue[name];
  return item.price;
}
