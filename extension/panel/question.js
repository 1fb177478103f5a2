/** The small window that leads to what the person is asked: it closes when everything is answered. */
import { find } from "./elements.js";
import { showHandovers } from "./handovers.js";

showHandovers(find("#handovers"), find("#told"), (open) => {
  if (!open.length) window.close();
});
