/** What clients did, as it happens: what, where, why, and what came of it. And its export. */
import { find, make, say } from "../shared/elements.js";
import { ask, listen } from "../shared/worker.js";

/** @typedef {import("../../background/calls/activity.js").Activity} Activity */

const SHOWN = 60;
const ENDS = { running: "…", done: "✓", refused: "⊘", failed: "✗", stopped: "■" };
const WORDS = { running: "running", done: "done", refused: "refused", failed: "failed", stopped: "stopped by you" };

/** @type {Map<number, Activity>} */
let entries = new Map();
let filter = "all";

/** @param {Activity} entry */
function described({ state, error, observed, target, origin }) {
  const end = state === "done" ? observed : `${WORDS[state]}${error && state !== "running" ? ` (${error})` : ""}`;
  return [target, origin, end].filter(Boolean).join(" · ");
}

/** @param {Activity} entry @returns {HTMLElement} */
function toItem(entry) {
  const { id, client, title, at, state, reason } = entry;
  return make("li", { data: { key: String(id), state } },
    make("span", { textContent: ENDS[state], ariaHidden: "true", className: "mark" }),
    make("div", { className: "main" },
      make("span", { textContent: title, className: "what" }),
      make("small", { textContent: `${client}, ${new Date(at).toLocaleTimeString()}` }),
      make("small", { textContent: described(entry) }),
      reason && make("small", { textContent: `because ${reason}` })));
}

const clearButton = () => /** @type {HTMLButtonElement} */ (find("#clear"));

const isWanted = (/** @type {Activity} */ { effect }) => filter === "all" || effect === filter;

function draw() {
  const latest = [...entries.values()].filter(isWanted).slice(-SHOWN).reverse();
  find("#activity").replaceChildren(...latest.map(toItem));
  clearButton().disabled = !entries.size;
}

/** @param {Activity} entry it is new, or replaces the one of its id */
function put(entry) {
  const isKnown = entries.has(entry.id);
  entries.set(entry.id, entry);
  if (!isWanted(entry)) return;
  const list = find("#activity");
  const item = toItem(entry);
  const old = list.querySelector(`[data-key="${entry.id}"]`);
  if (old) old.replaceWith(item);
  else if (!isKnown) list.prepend(item);
  while (list.children.length > SHOWN) list.lastElementChild?.remove();
  clearButton().disabled = false;
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

/** Shows it and keeps it up to date. */
export function startActivity() {
  listen("activity", (/** @type {{entries?: Activity[], entry?: Activity}} */ message) => {
    if (message.entries) {
      entries = new Map(message.entries.map((entry) => [entry.id, entry]));
      draw();
    } else if (message.entry) put(message.entry);
  });
  const choice = /** @type {HTMLSelectElement} */ (find("#filter"));
  choice.addEventListener("change", () => {
    filter = choice.value;
    draw();
  });
  find("#clear").addEventListener("click", () => void ask("clearActivity"));
  for (const form of Object.keys(FORMS)) {
    const fail = (/** @type {Error} */ error) => say(find("#saved"), `Not written: ${error.message}`);
    find(`#save-${form}`).addEventListener("click", () => save(form).catch(fail));
  }
}
