import { useState } from "react";
import { totalOf } from "./totals.js";

const LINES = [{ name: "Plums", price: { amount: 3 } }, { name: "Pears" }];

export function Cart() {
  const [total, setTotal] = useState(0);
  return (
    <main>
      <h1>Cart</h1>
      <button onClick={() => setTotal(totalOf(LINES))}>Sum up</button>
      <output>{total}</output>
    </main>
  );
}
