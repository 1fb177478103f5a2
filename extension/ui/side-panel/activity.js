/** Acts of clients as they happen, the latest first, by client and page; result and reason on a click. And their export. */
import { watchActivity } from "../shared/activity-feed.js";
import { ENDS, sentence } from "../shared/act-words.js";
import { clientMark } from "../shared/client-mark.js";
import { fill, find, make, say } from "../shared/elements.js";
import { tabLink, tabOf, titleOf } from "../shared/open-tabs.js";
import { exactly } from "../shared/times.js";
import { ask } from "../shared/worker.js";

/** @typedef {import("../../background/calls/activity.js").Activity} Activity */
/** @typedef {import("../../background/panel/panel-state.js").PanelState["clients"]} Clients */
/** @typedef {{key: string, title: string, keeps: (entry: Activity) => boolean}} Filter */

const SHOWN = 60;
/** @type {Filter[]} */
const GENERAL = [
  { key: "all", title: "All", keeps: () => true },
  { key: "act", title: "Acts", keeps: ({ effect }) => effect === "act" },
  { key: "refused", title: "Refused", keeps: ({ state }) => state === "refused" },
];

/** @type {Activity[]} */
let entries = [];
/** @type {Clients} */
let clients = [];
let chosen = "all";

/** @returns {Filter[]} */
const filters = () => [...GENERAL, ...clients.map(({ id, name }) => (
  { key: id, title: name, keeps: (/** @type {Activity} */ { clientId }) => clientId === id }))];

/** @param {Activity} entry */
function details({ client, at, state, error, observed, target, origin, reason, tabId }) {
  const facts = /** @type {Array<[string, string|Node|undefined|false]>} */ ([
    ["When", exactly(at)], ["Program", client], ["Element", target], ["Where", origin],
    ["Tab", tabId !== undefined && tabLink(tabId)], ["Why", reason],
    ["Result", state === "done" ? observed || "Done" : ENDS[state].word], ["Code", error],
  ]);
  const known = facts.filter(([, value]) => value);
  return make("dl", {}, ...known.flatMap(([name, value]) => [make("dt", { textContent: name }), make("dd", {}, value)]));
}

/** @param {Activity} entry @returns {HTMLElement} */
function toItem(entry) {
  const { state, at } = entry;
  return make("li", { className: "act", data: { end: state } }, make("details", {},
    make("summary", {},
      make("span", { textContent: ENDS[state].sign, ariaHidden: "true", className: "mark" }),
      make("span", { className: "what" }, ...sentence(entry)),
      make("time", { textContent: new Date(at).toLocaleTimeString() })),
    details(entry)));
}

/** @param {HTMLElement} item @param {Activity} entry */
function refresh(item, entry) {
  if (item.dataset.end === entry.state && item.dataset.seen === JSON.stringify(entry)) return;
  const isOpen = find("details", item).matches("[open]");
  const fresh = toItem(entry);
  item.dataset.end = entry.state;
  item.replaceChildren(...fresh.children);
  /** @type {HTMLDetailsElement} */ (find("details", item)).open = isOpen;
  item.dataset.seen = JSON.stringify(entry);
}

/** @typedef {{key: string, head: Activity} | {key: string, entry: Activity}} Line */

const placeOf = (/** @type {Activity} */ { clientId, tabId, origin }) => `${clientId} ${tabId ?? ""} ${origin ?? ""}`;

/** @param {Activity[]} latest the newest first @returns {Line[]} with a heading wherever client or page changes */
function linesOf(latest) {
  /** @type {Activity[][]} */
  const runs = [];
  for (const entry of latest) {
    const run = runs.at(-1);
    if (run && placeOf(run[0]) === placeOf(entry)) run.push(entry);
    else runs.push([entry]);
  }
  // A heading is known by its oldest call, so it stays while more is done there.
  return runs.flatMap((run) => [{ key: `head ${run.at(-1)?.id} ${placeOf(run[0])}`, head: run[0] },
    ...run.map((entry) => ({ key: String(entry.id), entry }))]);
}

/** @param {Activity} entry */
function toHead({ client, clientId, origin, tabId }) {
  const hue = clients.find(({ id }) => id === clientId)?.hue;
  const page = make("span", { className: "soft" });
  void (tabId === undefined ? null : tabOf(tabId).then((tab) => { if (tab) page.textContent = titleOf(tab); }));
  const where = origin && make("small", { textContent: origin.replace(/^https?:\/\//, "") });
  return make("li", { className: "group" }, clientMark({ name: client, hue }),
    make("span", {}, make("b", { textContent: client }), " ", page, where));
}

const clearButton = () => /** @type {HTMLButtonElement} */ (find("#clear"));

function draw() {
  const { keeps } = filters().find(({ key }) => key === chosen) ?? GENERAL[0];
  const latest = entries.filter(keeps).slice(-SHOWN).reverse();
  fill(find("#activity"), linesOf(latest), ({ key }) => key,
    (line) => ("head" in line ? toHead(line.head) : toItem(line.entry)),
    (item, line) => { if ("entry" in line) refresh(item, line.entry); });
  clearButton().disabled = !entries.length;
  find("#no-activity").hidden = latest.length > 0;
  find("#activity").hidden = latest.length === 0;
}

/** Offers the connected clients as filters. @param {Clients} present */
export function showFilters(present) {
  clients = present;
  const choose = (/** @type {string} */ key) => {
    chosen = key;
    showFilters(clients);
    draw();
  };
  const toChip = (/** @type {Filter} */ { key, title }) =>
    make("button", { type: "button", textContent: title, data: { filter: key }, onclick: () => choose(key) });
  const press = (/** @type {HTMLElement} */ chip) => chip.setAttribute("aria-pressed", String(chip.dataset.filter === chosen));
  if (!filters().some(({ key }) => key === chosen)) chosen = "all";
  fill(find("#filters"), filters(), ({ key }) => key, toChip, (chip, { title }) => say(chip, title));
  for (const chip of /** @type {Iterable<HTMLElement>} */ (find("#filters").children)) press(chip);
}

/** Form of the file → its text. @type {Record<string, {type: string, write: (all: Activity[]) => string}>} */
const FORMS = {
  jsonl: { type: "application/jsonl", write: (all) => all.map((entry) => `${JSON.stringify(entry)}\n`).join("") },
  json: { type: "application/json", write: (all) => `${JSON.stringify(all, null, 2)}\n` },
};

/** @param {string} form */
async function save(form) {
  const { entries: all } = /** @type {{entries: Activity[]}} */ (await ask("activity"));
  const { type, write } = FORMS[form];
  const url = URL.createObjectURL(new Blob([write(all)], { type }));
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  make("a", { href: url, download: `tabwire-activity-${stamp}.${form}` }).click();
  URL.revokeObjectURL(url);
  say(find("#saved"), `${all.length} ${all.length === 1 ? "entry" : "entries"} written.`);
}

/** Shows the activity and keeps it up to date. */
export function startActivity() {
  showFilters([]);
  watchActivity((all) => {
    entries = all;
    draw();
  });
  find("#clear").addEventListener("click", () => void ask("clearActivity"));
  for (const form of Object.keys(FORMS)) {
    const fail = (/** @type {Error} */ error) => say(find("#saved"), `Not written: ${error.message}`);
    find(`#save-${form}`).addEventListener("click", () => save(form).catch(fail));
  }
}
