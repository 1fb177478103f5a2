import { useEffect, useState } from "react";

// A class of an object keeps its name in a minified build.
const models = {
  PriceSeries: class {
    constructor() {
      this.points = Array.from({ length: 200 }, (_, index) => index);
    }
  },
};

function Canvas() {
  useEffect(() => {
    const series = new models.PriceSeries();
    const redraw = () => series.points.reverse();
    window.addEventListener("resize", redraw);
  }, []);
  return <canvas width="40" height="40" />;
}

export function Chart() {
  const [shown, setShown] = useState(0);
  return (
    <main>
      <h1>Chart</h1>
      <button onClick={() => setShown(shown + 1)}>Next chart</button>
      <p>chart {shown}</p>
      <Canvas key={shown} />
    </main>
  );
}
