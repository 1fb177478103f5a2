/** The programs that are connected: what each does, where, and the person's hand on each. */
import { latestOf, watchActivity } from "./activity-feed.js";
import { sentence } from "./act-words.js";
import { clientMark, showMark } from "./client-mark.js";
import { armLate, endedIn } from "./control.js";
import { attempt, copyText, fill, find, make, say } from "./elements.js";
import { icon, unconnected } from "./icons.js";
import { nameTab, tabLink, watchTitles } from "./open-tabs.js";
import { ago, exactly } from "./times.js";
import { ask } from "./worker.js";
import { INSTALL_COMMAND } from "../../background/base/protocol.js";
import { clockTime, count } from "../../background/base/text.js";

/** @typedef {import("../../background/panel/panel-state.js").PanelState} PanelState */
/** @typedef {PanelState["clients"][number]} Client */

/** Time after its last call from which a program is said to be idle. */
const IDLE_MS = 60_000;
const REDRAW_MS = 10_000;
/** Time for which the way to stop stays after the last client has left. */
const HIDE_MS = 5_000;

/** @type {Client[]} */
let clients = [];
/** @type {ReturnType<typeof setTimeout>|undefined} */
let hiding;

/** @param {HTMLElement} place @param {Client} client */
function showDoing(place, client) {
  const { id, tabs } = client;
  const last = latestOf(id);
  const held = count(tabs, "tab");
  if (!last) return place.replaceChildren(tabs ? `${held}, nothing done yet` : "Nothing done yet");
  const at = last.state === "running" ? Date.now() : last.ended ?? last.at;
  const when = make("time", { textContent: ago(at), title: exactly(last.at) });
  if (Date.now() - at > IDLE_MS) return place.replaceChildren(tabs ? `${held}, idle since ` : "Idle since ", clockTime(at));
  const known = /** @type {HTMLElement|null} */ (place.querySelector(`[data-go="${last.tabId}"]`));
  // A link that stays keeps the focus.
  const link = last.tabId === undefined ? null : known ?? tabLink(last.tabId);
  if (link && last.tabId !== undefined) void nameTab(link, last.tabId);
  const parts = [...sentence(last), ...(link ? [" in ", link] : []), ", ", when];
  if (known && place.contains(known)) {
    const before = parts.slice(0, parts.indexOf(link ?? ""));
    while (place.firstChild !== known) place.firstChild?.remove();
    known.before(...before);
    while (known.nextSibling) known.nextSibling.remove();
    known.after(", ", when);
  } else place.replaceChildren(...parts);
  return undefined;
}

/** @param {HTMLElement} item @param {Client} client */
function refresh(item, client) {
  const { name, stop } = client;
  showMark(find(".initial", item), client);
  say(find(".name", item), name);
  showDoing(find(".doing", item), client);
  const button = /** @type {HTMLButtonElement} */ (find("[data-stop]", item));
  button.disabled = stop !== null;
  say(button, stop ? "Stopped" : "Stop");
  button.setAttribute("aria-label", stop ? `${name} is stopped` : `Stop ${name}`);
  const rest = find(".stopped", item);
  const isNew = rest.hidden && stop;
  rest.hidden = !stop;
  if (!stop) return;
  const when = `You stopped it at ${clockTime(stop.since)}.`;
  say(find("[role=status]", rest), `${when} ${endedIn(stop.calls)} What it asks for is refused.`);
  const resume = /** @type {HTMLButtonElement} */ (find("[data-resume]", rest));
  resume.setAttribute("aria-label", `Let it go on: ${name}`);
  if (isNew) armLate(resume);
}

/** @param {Client} client @returns {HTMLElement} */
function toItem(client) {
  const { id } = client;
  const problem = make("p", { role: "alert", className: "problem" });
  const send = (/** @type {string} */ request) =>
    void attempt(problem, () => ask(request, { clientId: id }), "Not done: ");
  const resume = make("button", { type: "button", textContent: "Let it go on", onclick: () => send("resumeClient"),
    data: { resume: id } });
  const item = make("li", { className: "row", data: { client: id } }, clientMark(client),
    make("div", { className: "main" }, make("span", { className: "name" }), make("small", { className: "doing" }),
      make("div", { className: "stopped", hidden: true }, make("small", { role: "status" }), resume), problem),
    make("button", { type: "button", onclick: () => send("stopClient"), data: { stop: id } }));
  refresh(item, client);
  return item;
}

function draw() {
  fill(find("#clients"), clients, ({ id }) => id, toItem, refresh);
}

/** Brings the list up to date. @param {PanelState} state */
export function showClients({ clients: present, state, isConnectable }) {
  clients = present;
  draw();
  find("#connect").hidden = !isConnectable;
  find("#no-clients").hidden = clients.length > 0;
  showControl(state.name !== "not_connected");
}

/** @param {boolean} isNeeded */
function showControl(isNeeded) {
  const control = find("#control");
  if (isNeeded) {
    clearTimeout(hiding);
    hiding = undefined;
    control.hidden = false;
  } else hiding ??= setTimeout(hideControl, HIDE_MS);
}

/** Hides the controls late, and not from under the pointer: a new worker has no clients at first, and their acts may go on. */
function hideControl() {
  const control = find("#control");
  hiding = undefined;
  if (!control.matches(":hover")) control.hidden = true;
}

function empty() {
  const copied = make("span", { role: "status" });
  const onclick = () => copyText(INSTALL_COMMAND, copied);
  const copy = make("button", { type: "button", ariaLabel: `Copy ${INSTALL_COMMAND}`, onclick },
    icon("copy"), "Copy");
  const connect = make("button", { id: "connect", type: "button", className: "main", hidden: true,
    textContent: "Connect this browser", onclick: () => void ask("openWelcome") });
  return make("div", { id: "no-clients", className: "empty", hidden: true }, unconnected(),
    make("h2", { textContent: "Connect Claude, Cursor or another program" }),
    make("p", { className: "soft", textContent: "Type this in a terminal on this computer. Then start the program anew." }),
    make("div", { className: "command" }, make("code", { textContent: INSTALL_COMMAND }), copy), copied,
    make("div", { className: "actions" }, connect));
}

/** Puts the list into its place, `#clients-part`, and keeps it up to date. */
export function startClients() {
  find("#clients-part").append(empty(), make("ul", { id: "clients", ariaLabel: "Connected programs" }));
  watchActivity(draw);
  watchTitles(draw);
  setInterval(draw, REDRAW_MS);
}
