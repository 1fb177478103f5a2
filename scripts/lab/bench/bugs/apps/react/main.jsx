import { createRoot } from "react-dom/client";
import { Cart } from "./cart.jsx";
import { Profile } from "./profile.jsx";
import { Orders } from "./orders.jsx";
import { Clock } from "./clock.jsx";
import { Search } from "./search.jsx";
import { Chart } from "./chart.jsx";
import { Stock } from "./stock.jsx";

const pages = { cart: Cart, profile: Profile, orders: Orders, clock: Clock, search: Search, chart: Chart, stock: Stock };
const Page = pages[document.body.dataset.page];
createRoot(document.getElementById("root")).render(<Page />);
