/* Runs the content functions for the worker in the frame of origin-frame.html; anywhere else it does nothing. */
(() => {
const { ancestorOrigins } = location;
if (ancestorOrigins.length !== 1 || ancestorOrigins[0] !== `chrome-extension://${chrome.runtime.id}`) return;
const port = chrome.runtime.connect(undefined, { name: "tabwire-origin-frame" });
port.onMessage.addListener(async ({ id, name, args }) => {
  port.postMessage({ id, ...(await globalThis.__tabwire.call(name, args)) });
});
})();
