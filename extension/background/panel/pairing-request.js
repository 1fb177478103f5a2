/*
 * Pairing by a click: while a page of ours shows it, and this browser has no key, a bridge is looked for at which a person waits;
 * the page shows its code, and the person allows it there. A browser that has a key looks for none until its person wants a new
 * one.
 */
import { persisted } from "../base/state.js";
import { answerUi, pushToUi } from "../base/ui-requests.js";
import { loopbackAddress } from "../wire/bridge-addresses.js";
import { connections, joinWith, wake } from "../wire/connection.js";
import { OTHER_COPY, isOtherCopy, keepPairing, pairingOf, readPairing } from "../wire/pairing.js";
import { PairingExchange, waitingPorts } from "../wire/pairing-exchange.js";

/** @typedef {import("../../types").Pairing} Pairing */
/**
 * @typedef {{name: "paired"|"unknown_key"|"looking"|"found"|"several"|"asking"|"joining"|"done"|"ended"|"other_copy",
 * code?: string, words?: string}} PairingState
 */

const LOOK_MS = 1000;
/** Number of exchanges that begin by themselves in one session of the browser. A click begins any other, so chances are few. */
const AUTOMATIC_TRIES = 3;
const SEVERAL = "More than one program on this computer waits for a browser, and none was answered. End all but the one that " +
  "you use.";

const tries = persisted("pairing.tries", 0);
/** @type {PairingState} */
let state = { name: "paired" };
/** @type {PairingExchange | null} */
let exchange = null;
/** Whether the person has asked for this exchange. */
let isWished = false;
/** Whether the person wants a new key that replaces the present one. */
let isAnew = false;
/** @type {Promise<void> | null} */
let looking = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

const { pages, tell } = pushToUi("pairing", () => state, (port) => {
  port.onDisconnect.addListener(() => { if (!pages.size) exchange?.close(); });
  // "done" is told once, to the page in which the person paired.
  if (state.name === "done") state = { name: "paired" };
  // Whether the key it has is known shows when bridges are tried.
  wake();
  look();
});

/** @param {PairingState} next */
function show(next) {
  state = next;
  // The state is told even when it is no news: a page that has just connected may be told the state before last at first.
  tell(state);
}

/** Whether this browser may be given a key by a click: it has none, or one by a click that no bridge here knows. */
export async function isConnectable() {
  if (isOtherCopy) return false;
  const pairing = await readPairing();
  return !pairing || isUnknown(pairing);
}

/** @param {Pairing} pairing one of a file is put right where it was written */
function isUnknown({ isByClick }) {
  const { clients, refused } = connections();
  return Boolean(isByClick) && !clients.length && refused.some(({ is_foreign: isForeign }) => isForeign);
}

/** Looks now, and then again and again while a page shows it. */
function look() {
  clearTimeout(timer);
  looking ??= lookOnce()
    .catch((error) => console.error("tabwire: the search for a waiting bridge failed", error))
    .finally(() => {
      looking = null;
      if (pages.size) timer = setTimeout(look, LOOK_MS);
    });
}

async function lookOnce() {
  if (exchange || ["several", "ended"].includes(state.name)) return;
  if (isOtherCopy) return show({ name: "other_copy", words: OTHER_COPY });
  const pairing = await readPairing();
  if (pairing && !(isAnew && pairing.isByClick)) {
    if (isUnknown(pairing)) show({ name: "unknown_key" });
    else if (state.name !== "done") show({ name: "paired" });
    return;
  }
  const ports = await waitingPorts();
  if (!pages.size) return;
  if (!ports.length) show({ name: "looking" });
  else if (ports.length > 1) show({ name: "several", words: SEVERAL });
  else if (isWished || tries.get() < AUTOMATIC_TRIES) await begin(ports[0]);
  else show({ name: "found" });
}

/** @param {number} port */
async function begin(port) {
  if (!isWished) await tries.set(tries.get() + 1);
  isWished = false;
  const mine = exchange = new PairingExchange(loopbackAddress(port));
  void mine.ended.then((end) => over(mine, end));
  try {
    show({ name: "asking", code: await mine.begin() });
  } catch (error) {
    mine.close("refused", `Not connected: ${error.message}.`);
  }
}

/** @param {PairingExchange} ended @param {import("../wire/pairing-exchange.js").ExchangeEnd} end */
function over(ended, { why, words }) {
  if (exchange !== ended) return;
  exchange = null;
  isAnew = false;
  if (state.name === "done") return;
  // A person who ends the program and starts it again is asked again.
  show(why === "gone" ? { name: "looking" } : { name: why === "several" ? "several" : "ended", words });
}

/** The exchange whose code the page shows. @param {string} code */
function asked(code) {
  if (!exchange || state.name !== "asking" || state.code !== code) throw new Error("this is not asked any more");
  return exchange;
}

/** @param {PairingExchange} mine @param {string} code */
async function join(mine, code) {
  show({ name: "joining", code });
  try {
    const pairing = /** @type {Pairing} */ (pairingOf(await mine.allow()));
    await joinWith(mine.bridge, pairing);
    await keepPairing(pairing);
    show({ name: "done" });
    mine.close();
  } catch (error) {
    mine.close("refused", `Not connected: ${error.message} Nothing was kept.`);
  }
}

/*
 * Messages for the welcome page:
 * - chrome.runtime.connect({name: "pairing"}) is told a PairingState at first and after each change.
 * - {type: "allowPairing", code}, {type: "refusePairing", code}: the person's answer to the code that was shown.
 * - {type: "lookForBridge", anew}: the person wants to be connected; anew: with a new key in place of one that is not known.
 */
answerUi({
  allowPairing({ code }) {
    // The exchange is not awaited: the person may have to confirm it on the program's side.
    void join(asked(String(code)), String(code));
    return state;
  },
  refusePairing({ code }) {
    asked(String(code)).refuse();
    return state;
  },
  lookForBridge({ anew }) {
    isWished = true;
    isAnew = anew === true;
    if (!exchange) show({ name: "looking" });
    look();
    return state;
  },
});
