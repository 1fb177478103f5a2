/** The small window in which the person is asked. The worker closes it when everything is answered. */
import { showAsked } from "../shared/asked.js";
import { find } from "../shared/elements.js";
import { listen } from "../shared/worker.js";

const showQuestions = showAsked((count) => {
  find("#nothing").hidden = count > 0;
  document.title = count ? `${count === 1 ? "A question" : `${count} questions`} – Tabwire` : "Tabwire asks you";
});
listen("panel", (/** @type {import("../../background/panel/panel-state.js").PanelState} */ { questions }) =>
  showQuestions(questions),
);
addEventListener("keydown", ({ key }) => {
  if (key === "Escape") window.close();
});
