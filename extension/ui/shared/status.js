/**
 * The connection as it is proven at this moment: every hop is tried again and again while the page is looked at. A program that
 * hangs, and a page that stands still, tell nobody; so they are asked.
 */
import { find, make, say } from "./elements.js";
import { ask } from "./worker.js";

const MARKS = /** @type {Record<string, string>} */ ({ true: "✓", false: "✗", null: "–" });

/** @typedef {import("../../background/panel/status.js").Hop & {name?: string, port?: number, more?: string[]}} Hop */
/** @typedef {{hops: Hop[], refused: Array<{port: number, reason: string, is_copy: boolean}>, browser: {name: string}}} Status */

/** @param {string} name @param {Hop} hop */
function row(name, { ok, detail, ms, more = [] }) {
  const says = ms === undefined ? detail : `${detail || "answers"} in ${ms} ms`;
  return make("li", { data: { ok: String(ok) } }, make("span", { textContent: MARKS[String(ok)], ariaHidden: "true" }),
    make("span", { textContent: name }), make("span", { textContent: says }),
    ...more.map((text) => make("small", { textContent: text })));
}

/** @param {Hop[]} hops @param {string} ok what to say when nothing fails */
function judge(hops, ok) {
  const failing = hops.find((hop) => hop.ok === false) ?? hops.find((hop) => hop.hop === "server" && hop.fix);
  find("#verdict").dataset.ok = String(failing ? failing.ok : true);
  // Read out when it changes, and only then: the times below change with every look.
  say(find("#verdict"), failing ? failing.fix || failing.detail : ok);
}

const nameField = () => /** @type {HTMLInputElement} */ (find("#name"));

/** @param {Status} status @param {number} ms of the worker */
function show({ hops, refused, browser }, ms) {
  const [pairing, ...others] = hops;
  const worker = /** @type {Hop} */ ({ hop: "worker", ok: true, detail: "answers", ms });
  const servers = others.filter(({ hop }) => hop === "server");
  find("#pairing").textContent = pairing.ok ? "paired" : "not paired";
  find("#pairing").dataset.ok = String(pairing.ok);
  find("#clients").replaceChildren(...servers.filter(({ name }) => name)
    .map((hop) => row(`${hop.name}`, { ...hop, more: [`port ${hop.port}`, ...(hop.more ?? [])] })));
  const pages = others.filter(({ hop }) => hop === "page");
  find("#hops").replaceChildren(row("Worker", worker), ...pages.map((hop) => row("Page", hop)));
  find("#refused").hidden = !refused.length;
  find("#refused ul").replaceChildren(...refused.map(({ port, reason }) =>
    row(`port ${port}`, { hop: "server", ok: null, detail: reason })));
  find("#new-identity").hidden = !refused.some(({ is_copy }) => is_copy);
  const name = nameField();
  if (document.activeElement !== name) name.value = browser.name;
  judge(hops, "Connected.");
}

/** The worker says nothing: what was shown before is not known any more. */
function showSilence() {
  const worker = /** @type {Hop} */ ({
    hop: "worker", ok: false, detail: "does not answer",
    fix: "The extension's worker does not answer: reload Tabwire in chrome://extensions.",
  });
  find("#clients").replaceChildren();
  find("#hops").replaceChildren(row("Worker", worker));
  judge([worker], "");
}

async function look() {
  try {
    const started = performance.now();
    await ask("echo", { payload: started });
    const ms = Math.round((performance.now() - started) * 10) / 10;
    show(/** @type {Status} */ (await ask("status")), ms);
  } catch {
    showSilence();
  }
}

/**
 * Shows it, and keeps trying.
 * @param {number} pause_ms between two looks
 * @returns {() => void} tries at once
 */
export function showStatus(pause_ms) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const again = async () => {
    clearTimeout(timer);
    await look();
    clearTimeout(timer);
    timer = setTimeout(again, pause_ms);
  };
  find("#identity").addEventListener("submit", async (event) => {
    event.preventDefault();
    await ask("rename", { name: nameField().value });
    nameField().blur();
  });
  find("#new-identity").addEventListener("click", () => void ask("newIdentity"));
  find("#version").textContent = `Version ${chrome.runtime.getManifest().version}`;
  void again();
  return again;
}
