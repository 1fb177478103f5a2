/*
 * The status page: which clients are connected, whether this browser is paired, and what to do next.
 */

const REFRESH_MS = 1000;
const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const nameField = /** @type {HTMLInputElement} */ (find("#name"));

/** @param {string} left @param {string} right */
function row(left, right) {
  const item = document.createElement("li");
  for (const text of [left, right]) item.append(Object.assign(document.createElement("span"), { textContent: text }));
  return item;
}

/** @param {any} status the worker's answer */
function show({ paired, clients, refused, browser, next_step }) {
  find("#pairing").textContent = paired ? "paired" : "not paired";
  find("#pairing").dataset.state = paired ? "paired" : "unpaired";
  find("#clients").replaceChildren(...clients.map((/** @type {any} */ client) =>
    row(`${client.name} ${client.version}`, `port ${client.port}`)));
  find("#next-step").textContent = next_step;
  find("#next-step").hidden = !next_step;
  find("#refused").hidden = !refused.length;
  find("#refused ul").replaceChildren(...refused.map((/** @type {any} */ { port, reason }) => row(`port ${port}`, reason)));
  if (document.activeElement !== nameField) nameField.value = browser.name;
}

async function refresh() {
  show(await chrome.runtime.sendMessage({ type: "status" }));
}

find("#identity").addEventListener("submit", async (event) => {
  event.preventDefault();
  await chrome.runtime.sendMessage({ type: "rename", name: nameField.value });
  nameField.blur();
  refresh();
});
find("#version").textContent = `Version ${chrome.runtime.getManifest().version}`;
refresh();
setInterval(refresh, REFRESH_MS);
