/*
 * The status page: tries every hop once a second while it is open, shows what it saw, and what to do about what fails.
 */

const REFRESH_MS = 1000;
/** The worker itself waits for bridges and the page for less than a second. */
const WORKER_LIMIT_MS = 3000;
const MARKS = /** @type {Record<string, string>} */ ({ true: "✓", false: "✗", null: "–" });
const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const nameField = /** @type {HTMLInputElement} */ (find("#name"));

/** @typedef {import("../background/status.js").Hop & {name?: string, port?: number, more?: string[]}} Hop */

/**
 * @param {string} tag
 * @param {string} text
 * @param {Record<string, string>} [data] data-* attributes
 */
function make(tag, text, data = {}) {
  const element = Object.assign(document.createElement(tag), { textContent: text });
  Object.assign(element.dataset, data);
  return element;
}

/** @param {string} name @param {Hop} hop */
function row(name, { ok, detail, ms, more = [] }) {
  const item = make("li", "", { ok: String(ok) });
  const says = ms === undefined ? detail : `${detail || "answers"} in ${ms} ms`;
  const mark = make("span", MARKS[String(ok)]);
  mark.ariaHidden = "true";
  item.append(mark, make("span", name), make("span", says), ...more.map((text) => make("small", text)));
  return item;
}

/** Read out when it changes, and only then: the times below change with every look. @param {string} text */
function announce(text) {
  if (find("#verdict").textContent !== text) find("#verdict").textContent = text;
}

/** @param {Hop[]} hops @param {string} ok what to say when nothing fails */
function judge(hops, ok) {
  const failing = hops.find((hop) => hop.ok === false) ?? hops.find((hop) => hop.hop === "server" && hop.fix);
  find("#verdict").dataset.ok = String(failing ? failing.ok : true);
  announce(failing ? failing.fix || failing.detail : ok);
}

/** @param {{cause: "stopped"|"paused"}|null} paused */
function showPause(paused) {
  find("#stop").hidden = Boolean(paused);
  find("#resume").hidden = !paused;
  if (!paused) return;
  find("#verdict").dataset.ok = "false";
  announce(`${paused.cause === "stopped" ? "Stopped" : "Paused"}: no client can see or do anything here until you resume.`);
}

/** Focus that would be lost with the button goes to the one that takes its place. @param {string} request @param {string} next */
async function press(request, next) {
  const { paused, cause } = await ask({ type: request });
  showPause(paused ? { cause } : null);
  find(next).focus();
  if (!paused) announce("Resumed.");
}

/** @param {{hops: Hop[], refused: Array<{port: number, reason: string, is_copy: boolean}>, browser: {name: string}, paused: {cause: "stopped"|"paused"}|null}} status @param {number} ms of the worker */
function show({ hops, refused, browser, paused }, ms) {
  const [pairing, ...others] = hops;
  const worker = /** @type {Hop} */ ({ hop: "worker", ok: true, detail: "answers", ms });
  const servers = others.filter(({ hop }) => hop === "server");
  find("#pairing").textContent = pairing.ok ? "paired" : "not paired";
  find("#pairing").dataset.ok = String(pairing.ok);
  find("#clients").replaceChildren(...servers.filter(({ name }) => name)
    .map((hop) => row(`${hop.name}`, { ...hop, more: [`port ${hop.port}`, ...(hop.more ?? [])] })));
  find("#hops").replaceChildren(row("Worker", worker), ...others.filter(({ hop }) => hop === "page").map((hop) => row("Page", hop)));
  find("#refused").hidden = !refused.length;
  find("#refused ul").replaceChildren(...refused.map(({ port, reason }) => row(`port ${port}`, { hop: "server", ok: null, detail: reason })));
  find("#new-identity").hidden = !refused.some(({ is_copy }) => is_copy);
  if (document.activeElement !== nameField) nameField.value = browser.name;
  if (!paused) judge(hops, "Connected.");
  showPause(paused);
}

/** The worker says nothing: what was shown before is not known any more. */
function showSilence() {
  const worker = /** @type {Hop} */ ({
    hop: "worker", ok: false, detail: "does not answer", fix: "The extension's worker does not answer: reload Tabwire in chrome://extensions.",
  });
  find("#clients").replaceChildren();
  find("#hops").replaceChildren(row("Worker", worker));
  judge([worker], "");
}

/** @param {object} message @returns {Promise<any>} rejects when the worker does not answer in time */
function ask(message) {
  return new Promise((resolve, reject) => {
    setTimeout(reject, WORKER_LIMIT_MS, new Error("the worker does not answer"));
    chrome.runtime.sendMessage(message).then(resolve, reject);
  });
}

async function refresh() {
  try {
    const started = performance.now();
    await ask({ type: "echo", payload: started });
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const status = await ask({ type: "status" });
    if (!status || status.error) throw new Error(status?.error);
    show(status, ms);
  } catch {
    showSilence();
  }
  setTimeout(refresh, REFRESH_MS);
}

find("#identity").addEventListener("submit", async (event) => {
  event.preventDefault();
  await chrome.runtime.sendMessage({ type: "rename", name: nameField.value });
  nameField.blur();
});
find("#stop").addEventListener("click", () => press("stop", "#resume"));
find("#resume").addEventListener("click", () => press("resume", "#stop"));
find("#new-identity").addEventListener("click", () => ask({ type: "newIdentity" }));
find("#version").textContent = `Version ${chrome.runtime.getManifest().version}`;
refresh();
