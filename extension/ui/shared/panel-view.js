/** The parts of the side panel, of which it shows one: chosen there, or in the popup before it opens. */
import { find } from "./elements.js";

const KEY = "panel.view";
const PAGE = "extension/ui/side-panel/panel.html";

/**
 * Opens the side panel at one of its parts; in a tab, where Chrome opens no panel.
 * @param {number} windowId
 * @param {string} view
 */
export function openView(windowId, view) {
  // The time makes this a change even if the same part was stored before: the panel may show another one since.
  void chrome.storage.session.set({ [KEY]: { view, at: Date.now() } });
  const inTab = () => chrome.tabs.create({ url: chrome.runtime.getURL(PAGE) });
  // Chrome opens the panel only within the click, so nothing may be awaited before.
  if (chrome.sidePanel?.open) chrome.sidePanel.open({ windowId }).catch(inTab);
  else void inTab();
}

const tabs = () => /** @type {HTMLElement[]} */ ([...find("[role=tablist]").children]);

/** @param {string|undefined} view */
function show(view) {
  const chosen = tabs().find(({ dataset }) => dataset.view === view) ?? tabs()[0];
  for (const tab of tabs()) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    find(`#${tab.getAttribute("aria-controls")}`).hidden = tab !== chosen;
  }
}

/** @param {KeyboardEvent} event */
function move(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const all = tabs();
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  if (!step || at < 0) return;
  event.preventDefault();
  const next = all[(at + step + all.length) % all.length];
  next.focus();
  show(next.dataset.view);
}

/** Makes the tabs of the side panel work. */
export async function startViews() {
  for (const tab of tabs()) tab.addEventListener("click", () => show(tab.dataset.view));
  find("[role=tablist]").addEventListener("keydown", move);
  chrome.storage.session.onChanged.addListener(({ [KEY]: wanted }) => { if (wanted) show(wanted.newValue?.view); });
  const { [KEY]: wanted } = await chrome.storage.session.get(KEY);
  show(wanted?.view);
}
