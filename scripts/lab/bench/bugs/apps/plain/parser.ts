/** Lets a worker parse a text. */
export function startParser(root: HTMLElement): void {
  root.innerHTML = "<h1>Parser</h1><button>Parse</button><output></output>";
  const worker = new Worker("/plain/parse-worker.js", { type: "module" });
  worker.onmessage = (event) => (root.querySelector("output")!.textContent = event.data);
  root.querySelector("button")!.addEventListener("click", () => worker.postMessage("1;2;x"));
}
