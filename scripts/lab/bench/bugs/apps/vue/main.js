import { createApp } from "vue";
import { Basket } from "./basket.js";
import { Cards } from "./cards.js";
import { Filter } from "./filter.js";
import { Menu } from "./menu.js";
import { Report } from "./report.js";
import { Save } from "./save.js";
import { Toast } from "./toast.js";

const pages = { basket: Basket, cards: Cards, filter: Filter, menu: Menu, report: Report, save: Save, toast: Toast };
createApp(pages[document.body.dataset.page]).mount("#root");
