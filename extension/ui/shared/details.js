/**
 * The connection as it is proven at this moment, for who wants to know exactly: every hop is tried again and again while the
 * page is looked at. A program that hangs, and a page that stands still, tell nobody; so they are asked. What is wrong is said
 * outside, in one sentence.
 */
import { find, make, sayWithCode, withCode } from "./elements.js";
import { ask } from "./worker.js";

const MARKS = /** @type {Record<string, string>} */ ({ true: "✓", false: "✗", null: "–" });

/** @typedef {import("../../background/panel/status.js").Hop & {name?: string, port?: number, more?: string[]}} Hop */
/** @typedef {{hops: Hop[], refused: Array<{port: number, reason: string, is_copy: boolean}>, paused: object|null}} Status */

/** @param {string} name @param {Hop} hop */
function row(name, { ok, detail, ms, more = [] }) {
  const says = ms === undefined ? detail : `${detail || "answers"} in ${ms} ms`;
  return make("li", { data: { ok: String(ok) } }, make("span", { textContent: MARKS[String(ok)], ariaHidden: "true" }),
    make("span", { textContent: name }), make("span", {}, ...withCode(says)),
    ...more.map((text) => make("small", {}, ...withCode(text))));
}

/** @param {Hop[]} hops @param {boolean} [isRefused] whether a program was there and is not connected: its absence says why */
function judge(hops, isRefused = false) {
  // A page that does not answer is no failure of the extension.
  const failing = hops.find(({ hop, ok }) => ok === false && hop !== "page")
    ?? (isRefused ? hops.find(({ hop, fix }) => hop === "server" && fix) : undefined);
  find("#verdict").classList.toggle("bad", failing?.ok === false);
  // The verdict is read out only when it changes; the times below change with every look.
  sayWithCode(find("#verdict"), failing?.fix || failing?.detail || "");
}

/** @param {Status} status @param {number} ms of the worker */
function show({ hops, refused }, ms) {
  const [pairing, ...others] = hops;
  const worker = /** @type {Hop} */ ({ hop: "worker", ok: true, detail: "answers", ms });
  const servers = others.filter(({ hop, name }) => hop === "server" && name);
  const pages = others.filter(({ hop }) => hop === "page");
  find("#hops").replaceChildren(row("Pairing", pairing),
    ...servers.map((hop) => row(`${hop.name}`, { ...hop, more: [`port ${hop.port}`, ...(hop.more ?? [])] })),
    row("Worker", worker), ...pages.map((hop) => row("Page", hop)));
  find("#refused").hidden = !refused.length;
  find("#refused ul").replaceChildren(...refused.map(({ port, reason }) =>
    row(`port ${port}`, { hop: "server", ok: null, detail: reason })));
  find("#new-identity").hidden = !refused.some(({ is_copy }) => is_copy);
  judge(hops, refused.length > 0);
}

/** Shows that the worker does not answer: the earlier state is not known any more. */
function showSilence() {
  const worker = /** @type {Hop} */ ({
    hop: "worker", ok: false, detail: "does not answer", fix: "Tabwire does not answer: reload it in chrome://extensions.",
  });
  find("#hops").replaceChildren(row("Worker", worker));
  judge([worker]);
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

/** @param {() => unknown} again at once: another page is in front */
function watchPage(again) {
  chrome.tabs.onActivated.addListener(again);
  chrome.windows.onFocusChanged.addListener(again);
  chrome.tabs.onUpdated.addListener((_, { status, url }, { active }) => { if (active && (status || url)) again(); });
}

/**
 * Puts the details into their place, `#details`, and keeps trying.
 * @param {number} pause_ms between two looks
 * @returns {() => void} tries at once
 */
export function startDetails(pause_ms) {
  find("#details").append(
    make("ul", { id: "hops", className: "hops", ariaLabel: "Connection" }),
    make("div", { id: "refused", hidden: true }, make("h3", { textContent: "Not joined" }), make("ul", { className: "hops" }),
      make("button", { id: "new-identity", type: "button", textContent: "Give this browser a new identity", hidden: true,
        onclick: () => void ask("newIdentity") })),
    make("p", { id: "version", className: "soft", textContent: `Version ${chrome.runtime.getManifest().version}` }));
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const again = async () => {
    clearTimeout(timer);
    await look();
    clearTimeout(timer);
    timer = setTimeout(again, pause_ms);
  };
  watchPage(again);
  void again();
  return again;
}
