/*
 * Loads the address after # in a frame that runs no script of its own, and tells the worker when that has ended. The
 * content script in the frame, if its origin is the wanted one, has told it before.
 */
const port = chrome.runtime.connect(undefined, { name: "tabwire-origin-page" });
const frame = document.createElement("iframe");
frame.setAttribute("sandbox", "allow-same-origin");
frame.addEventListener("load", () => port.postMessage({ loaded: true }));
frame.src = decodeURIComponent(location.hash.slice(1));
// The worker waits for this page to load, and not for the site.
addEventListener("load", () => document.documentElement.append(frame));
