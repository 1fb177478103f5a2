import { useEffect, useState } from "react";

export function Clock() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(seconds + 1), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <main>
      <h1>Clock</h1>
      <output>{seconds}</output>
    </main>
  );
}
