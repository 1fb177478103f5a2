/** Loads the report when it is asked for. */
export function showReport(root: HTMLElement): void {
  root.innerHTML = "<h1>Report</h1><button>Open report</button><output></output>";
  root.querySelector("button")!.addEventListener("click", async () => {
    const report = await import("./yearly");
    root.querySelector("output")!.textContent = report.text();
  });
}
