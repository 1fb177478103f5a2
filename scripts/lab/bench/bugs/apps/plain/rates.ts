/** Shows the rates of a partner. */
export function showRates(root: HTMLElement): void {
  root.innerHTML = "<h1>Rates</h1><button>Load rates</button><output>no rates</output>";
  root.querySelector("button")!.addEventListener("click", async () => {
    const partner = document.body.dataset.partner!;
    try {
      const response = await fetch(`${partner}/api/rates`);
      root.querySelector("output")!.textContent = await response.text();
    } catch {
      root.querySelector("output")!.textContent = "rates are not available";
    }
  });
}
