/** Questions that clients ask the person with ask_user, and the answers to them. */
import { attempt, fill, find, make, say } from "./elements.js";
import { bringToFront, tabOf, titleOf } from "./open-tabs.js";
import { ask, listen } from "./worker.js";

/** @typedef {import("../../background/tabs/handovers.js").Shown} Handover */
/** @typedef {import("../../background/tabs/handovers.js").Outcome} Outcome */

/** @param {HTMLElement} item @param {() => Promise<unknown>} act */
function run(item, act) {
  const problem = find("[role=alert]", item);
  say(problem, "");
  return attempt(problem, act);
}

/** @param {Handover} handover @param {Outcome} outcome @param {string} [answer] */
const send = ({ id }, outcome, answer) => ask("answerHandover", { id, outcome, ...(answer && { answer }) });

/** @param {string} text @param {() => unknown} onclick @param {Record<string, string>} [data] */
const button = (text, onclick, data = {}) => make("button", { type: "button", textContent: text, onclick, data });

/** @param {Handover} handover @param {HTMLElement} item @returns {Node[]} */
function choices(handover, item) {
  const group = make("div", { className: "actions", role: "group" }, ...(handover.choices ?? []).map((choice) =>
    button(choice, () => run(item, () => send(handover, "chosen", choice)), { choice })));
  group.ariaLabel = "Choices";
  const none = button("None of these", () => run(item, () => send(handover, "declined")), { outcome: "declined" });
  return [group, make("div", { className: "actions" }, none)];
}

/** @param {Handover} handover @param {HTMLElement} item @returns {Node[]} */
function task(handover, item) {
  const remark = make("input", { maxLength: 1000, autocomplete: "off", name: "remark" });
  return [
    make("p", { className: "soft",
      textContent: "Do it in the tab, then press Done. Passwords and whatever else you type there are not told." }),
    make("label", {}, "Remark (if you like)", remark),
    make("div", { className: "actions" },
      button("Done", () => run(item, () => send(handover, "done", remark.value)), { outcome: "done" }),
      button("No, I do not", () => run(item, () => send(handover, "declined", remark.value)), { outcome: "declined" })),
  ];
}

/** @param {Handover} handover @param {HTMLElement} item @returns {Node[]} */
function text(handover, item) {
  const answer = make("textarea", { rows: 3, maxLength: 4000, name: "answer", required: true });
  const form = make("form", {}, make("label", {}, "Your answer", answer),
    make("div", { className: "actions" }, make("button", { textContent: "Send" }),
      button("No answer", () => run(item, () => send(handover, "declined", answer.value)), { outcome: "declined" })));
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    void run(item, () => send(handover, "answered", answer.value));
  });
  return [form];
}

/** @param {Handover} handover @returns {HTMLElement} */
function toItem(handover) {
  const { id, client, question, please_do } = handover;
  const item = make("li", { className: "card" });
  const title = please_do ? `${client} asks you to do something` : `${client} asks you`;
  const heading = make("h3", { id: `handover-${id}`, textContent: title });
  const controls = handover.choices ? choices(handover, item) : please_do ? task(handover, item) : text(handover, item);
  item.setAttribute("aria-labelledby", heading.id);
  const where = make("p", { className: "where" });
  item.append(heading, make("p", { className: "question", textContent: question }), where, ...controls,
    make("p", { role: "alert", className: "problem" }));
  void showWhere(where, handover);
  return item;
}

/** @param {HTMLElement} place @param {Handover} handover */
async function showWhere(place, handover) {
  place.append(make("span", { textContent: titleOf(await tabOf(handover.tabId)) }),
    button("Show the tab", () => void bringToFront(handover.tabId), { show: "tab" }));
}

/** The window that the page stands beside; null for a page in a tab or window of its own. */
async function whose() {
  const tab = await chrome.tabs.getCurrent();
  return tab ? null : { besideWindow: (await chrome.windows.getCurrent()).id };
}

/**
 * Shows the open questions in a list, those of the tab that is looked at first, and keeps them up to date.
 * @param {HTMLElement} list
 * @param {(open: Handover[]) => void} changed
 */
export function showHandovers(list, changed) {
  /** @type {Handover[]} */
  let open = [];
  const draw = async () => {
    const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
    const isHere = (/** @type {Handover} */ { tabId }) => Number(tabId === tab?.id);
    fill(list, [...open].sort((a, b) => isHere(b) - isHere(a) || a.since - b.since), ({ id }) => id, toItem);
  };
  chrome.tabs.onActivated.addListener(() => void draw());
  listen("handovers", async (/** @type {{handovers: Handover[]}} */ { handovers }) => {
    open = handovers;
    await draw();
    changed(open);
  }, whose);
}
