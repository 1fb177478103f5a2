/*
 * The dead-man's switch of a tab in use. The top frame holds a Port to the service worker; when Chrome ends the worker,
 * the Port breaks and opening it again starts the worker at once. One of two entry points that use chrome.runtime.
 */
/** Timers of hidden pages are slow (1 Hz): only Ports that break early again and again wait, the first tries are immediate. */
const EARLY_MS = 1000;
const EARLY_TRIES = 5;
const PAUSE_MS = 100;
/** @type {chrome.runtime.Port | null} */
let port = null;
let openedAt = 0;
let brokeEarly = 0;

function open() {
  // A missing id means that this script outlived its extension: another copy of it does the work now.
  if (port || !chrome.runtime?.id) return;
  openedAt = performance.now();
  try {
    port = chrome.runtime.connect(chrome.runtime.id, { name: "tabwire-lifeline" });
  } catch {
    return;
  }
  port.onDisconnect.addListener(reopen);
  port.onMessage.addListener(answer);
}

function reopen() {
  port = null;
  brokeEarly = performance.now() - openedAt > EARLY_MS ? 0 : brokeEarly + 1;
  if (brokeEarly <= EARLY_TRIES) open();
  else setTimeout(open, PAUSE_MS);
}

/**
 * @param {{isThere?: true, release?: true, ask?: number, run?: CallOverPort, mustBeAlone?: boolean}} message
 * @param {chrome.runtime.Port} from
 */
function answer({ isThere, release, ask, run, mustBeAlone }, from) {
  if (isThere) from.postMessage({ isThere });
  else if (run && ask !== undefined) void call(ask, run, from, Boolean(mustBeAlone));
  else if (ask !== undefined) from.postMessage({ ask, title: document.title, url: location.href });
  if (!release) return;
  port?.disconnect();
  port = null;
}

/**
 * Runs a content function with what a script of the worker has left for that, so that both ways decide alike. Nothing is run
 * where none was here. frames: how many the document has, outside of shadow trees.
 * @param {number} ask @param {CallOverPort} run @param {chrome.runtime.Port} from the answer goes to the worker that asked
 * @param {boolean} mustBeAlone only where the document has no frames: with them another way is taken
 */
async function call(ask, run, from, mustBeAlone) {
  const frames = globalThis.length;
  const isToRun = Object.hasOwn(globalThis, "__tabwireRun") && !(mustBeAlone && frames);
  const known = isToRun && globalThis.__tabwireRun;
  const answer = (/** @type {unknown} */ outcome) => {
    // A Port that has gone takes no answer.
    if (from === port) from.postMessage({ ask, hasRun: Boolean(known), outcome, frames });
  };
  // A missing function or failing script is answered too, so that nobody waits for an outcome that does not come.
  const running = async () => (known ? known(...run, true) : undefined);
  await running().then(answer).catch((error) => answer({ error: { code: "unknown_error", message: String(error) } }));
}

/**
 * @param {object} message to the worker
 * @returns {boolean} whether it is on its way
 */
function tell(message) {
  port?.postMessage(message);
  return port !== null;
}

globalThis.__tabwireLifeline = { open, tell };
// Pages in the back/forward cache lose their Port without an event.
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  port = null;
  open();
});
open();

export {};
