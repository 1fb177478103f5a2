/** The tab that is looked at: whose it is, to give it to a program and to take it back. */
import { attempt, find, make } from "./elements.js";
import { icon } from "./icons.js";
import { isUsable, titleOf, watchFront } from "./open-tabs.js";
import { ask } from "./worker.js";

/** @typedef {import("../../background/panel/panel-state.js").PanelState} PanelState */

/** @type {PanelState|null} */
let known = null;
/** @type {chrome.tabs.Tab|undefined} */
let tab;

const choice = () => /** @type {HTMLSelectElement} */ (find("#use-tab-client"));
const button = () => /** @type {HTMLButtonElement} */ (find("#use-tab"));

/** @param {PanelState["clients"]} clients */
function showChoice(clients) {
  const select = choice();
  const chosen = select.value;
  const ids = clients.map(({ id, name }) => `${id} ${name}`).join("\n");
  if (select.dataset.shown === ids) return;
  select.dataset.shown = ids;
  const toOption = ({ id = "", name = "" }) => make("option", { value: id, textContent: name, selected: id === chosen });
  select.replaceChildren(...clients.map(toOption));
}

function draw() {
  const part = find("#use-tab-part");
  part.hidden = !known?.clients.length || !isUsable(tab);
  if (part.hidden || !known || !tab) return;
  const holder = known.tabs.find(({ tabId }) => tabId === tab?.id);
  const { clients } = known;
  showChoice(clients);
  const name = clients.find(({ id }) => id === choice().value)?.name ?? clients[0].name;
  // A question, or the way on after a stop, comes first.
  button().className = !holder && ["ready", "working"].includes(known.state.name) ? "main" : "";
  button().dataset.held = String(Boolean(holder));
  const isChoice = !holder && clients.length > 1;
  const text = holder ? `Take this tab back from ${holder.client}` : `Use this tab with ${name}`;
  // The name stands in the list beside it.
  const shown = isChoice ? "Use this tab with" : text;
  if (button().textContent !== shown) button().replaceChildren(icon("tab"), shown);
  button().setAttribute("aria-label", text);
  find("#use-tab-choice").hidden = !isChoice;
  find("#use-tab-title").textContent = titleOf(tab);
}

function change() {
  const request = button().dataset.held === "true" ? "takeTab" : "useTab";
  return attempt(find("#use-tab-problem"), () =>
    ask(request, { tabId: tab?.id, clientId: choice().value || known?.clients[0].id }));
}

/** @param {PanelState} state */
export function showUse(state) {
  known = state;
  draw();
}

/** Puts the tab's part into its place, `#use-tab-part`, and keeps it up to date. */
export function startUse() {
  find("#use-tab-part").append(
    make("div", { className: "actions" },
      make("button", { id: "use-tab", type: "button", onclick: () => void change() }),
      make("span", { id: "use-tab-choice", hidden: true },
        make("select", { id: "use-tab-client", ariaLabel: "Program that may use this tab", onchange: draw }))),
    make("small", { id: "use-tab-title", className: "soft" }),
    make("p", { id: "use-tab-problem", role: "alert", className: "problem" }));
  watchFront((front) => {
    tab = front;
    draw();
  });
}
