/*
 * The page that a person sees when they have put Tabwire into their browser: once by itself, and again when they ask for it.
 */
import { answerUi } from "../base/ui-requests.js";
import { readPairing } from "../wire/pairing.js";

const PAGE = "extension/ui/welcome/welcome.html";
const KEY = "welcomed";

chrome.runtime.onInstalled.addListener(async ({ reason }) => {
  if (reason !== "install") return;
  const [pairing, { [KEY]: isGreeted }] = await Promise.all([readPairing(), chrome.storage.local.get(KEY)]);
  // A browser that a program has started, or whose pairing wants no welcome, has nobody to greet.
  if (isGreeted || (pairing && (pairing.browser || !pairing.welcomes))) return;
  // A switch that loads the extension installs it anew at each start.
  await chrome.storage.local.set({ [KEY]: true });
  await chrome.tabs.create({ url: chrome.runtime.getURL(PAGE) }).catch((error) => console.warn("tabwire: no welcome", error));
});

// Message of the popup and the panel. {type: "openWelcome"}: shows the page that is open, or a new one.
answerUi({
  async openWelcome() {
    const url = chrome.runtime.getURL(PAGE);
    const [open] = await chrome.tabs.query({ url });
    if (open?.id === undefined) await chrome.tabs.create({ url });
    else {
      await chrome.tabs.update(open.id, { active: true });
      await chrome.windows.update(open.windowId, { focused: true });
    }
    return {};
  },
});
