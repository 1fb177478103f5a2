import "./base.css";
import "./theme.css";
import { showBanner } from "./banner";
import { startParser } from "./parser";
import { showRates } from "./rates";
import { showReport } from "./report-page";
import { showWeather } from "./weather";

const root = document.getElementById("root")!;
const pages: Record<string, () => void> = {
  report: () => showReport(root),
  rates: () => showRates(root),
  notice: () => (root.innerHTML = "<h1>Notice</h1><p class=notice id=note>Your order is on its way</p>"),
  help: () => (root.innerHTML = "<h1>Help</h1><aside class=help id=help>Call us on weekdays</aside>"),
  veil: () => (root.innerHTML = "<h1>Order</h1><button id=order>Order now</button><div class=veil id=veil></div>"),
  banner: () => showBanner(root),
  font: () => (root.innerHTML = "<h1>Letter</h1><p>Dear customer, here is your letter.</p>"),
  weather: () => showWeather(root),
  parser: () => startParser(root),
  toolbar: () => (root.innerHTML = "<h1>Toolbar</h1><button id=search-button><svg width=16 height=16></svg></button>"),
};
pages[document.body.dataset.page!]();
