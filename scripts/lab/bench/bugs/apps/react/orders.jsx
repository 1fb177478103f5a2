import { useState } from "react";
import { readJson } from "./read-json.js";

export function Orders() {
  const [orders, setOrders] = useState([]);
  const load = async () => setOrders(await readJson("/api/orders"));
  return (
    <main>
      <h1>Orders</h1>
      <button onClick={load}>Load orders</button>
      <p>{orders.length} orders</p>
    </main>
  );
}
