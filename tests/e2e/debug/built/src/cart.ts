import { catalogue, priceOf } from "./prices";

class OrderError extends Error {
  constructor(message: string, public order: { lines: string[] }, cause: unknown) {
    super(message, { cause });
    this.name = "OrderError";
  }
}

function total(lines: string[]): number {
  return lines.reduce((sum, line) => sum + priceOf(line), 0);
}

function checkout(lines: string[]): number {
  try {
    return total(lines);
  } catch (error) {
    throw new OrderError("the order has no price", { lines }, error);
  }
}

const button = document.querySelector("#pay") as HTMLButtonElement;
for (let turn = 0; turn < 3; turn += 1) console.warn("stock is low");
console.log("cart", { catalogue, button, deep: { one: { two: { three: "far" } } } }, new Map([["pear", { left: 3 }]]));
console.error("charge failed", new OrderError("declined", { lines: ["pear"] }, new TypeError("no card")));
setTimeout(() => checkout(["pear", "plum"]));
