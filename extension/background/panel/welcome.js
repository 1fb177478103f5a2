/*
 * The page that a person sees once, when they have put Tabwire into their browser.
 */
import { readPairing } from "../wire/pairing.js";

const PAGE = "extension/ui/welcome/welcome.html";
const KEY = "welcomed";

chrome.runtime.onInstalled.addListener(async ({ reason }) => {
  if (reason !== "install") return;
  const [pairing, { [KEY]: isGreeted }] = await Promise.all([readPairing(), chrome.storage.local.get(KEY)]);
  // In a browser that a program has started, or that was told so, there is nobody to be greeted.
  if (isGreeted || (pairing && (pairing.browser || !pairing.welcomes))) return;
  // A switch that loads the extension installs it anew at each start.
  await chrome.storage.local.set({ [KEY]: true });
  await chrome.tabs.create({ url: chrome.runtime.getURL(PAGE) }).catch((error) => console.warn("tabwire: no welcome", error));
});
