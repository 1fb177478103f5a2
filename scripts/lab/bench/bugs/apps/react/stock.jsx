import { useEffect, useState } from "react";

export function Stock() {
  const [stock, setStock] = useState({ count: 0 });
  useEffect(() => {
    if (performance.now() < 3000) fetch("/api/stock").then((response) => response.json()).then(setStock);
  }, [stock]);
  return (
    <main>
      <h1>Stock</h1>
      <output>{stock.count}</output>
    </main>
  );
}
