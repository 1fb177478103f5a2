/*
 * Keeps a small script registered for the sites where no act is allowed. Trusted input goes to whatever document is there
 * when it arrives: where a navigation has outrun it, that script stops it.
 */
import { OWN_ADDRESSES } from "../base/known-addresses.js";
import { makeQueue } from "../base/turns.js";
import { onRulesChanged, rulesReady, rulesToGuard } from "./site-rules.js";

const ID = "tabwire-arrival-guard";
const FILE = "extension/injected/arrival-guard.js";

/** Hosts that patterns of Chrome's can name of this computer: not all of 127.0.0.0/8. */
const OWN_HOSTS = ["localhost", "*.localhost", "127.0.0.1", "0.0.0.0", "[::1]", "[::]"];

/** Pattern of sites → patterns of Chrome's that match those. @param {string} text @returns {string[]} */
function toMatches(text) {
  const [, scheme = "*://", host, port = ""] = /^(https?:\/\/)?(\[[^\]]*\]|[^:/]+)(:\d+)?$/.exec(text) ?? [];
  if (host && OWN_ADDRESSES.test(host)) return OWN_HOSTS.map((one) => `${scheme}${one}${port}/*`);
  if (text === "*") return ["<all_urls>"];
  if (text === "file://") return ["file:///*"];
  if (/^https?:\/\//.test(text)) return [`${text}/*`];
  if (text.startsWith("*.") || /:\d+$/.test(text) || /^[\d.]+$|^\[/.test(text)) return [`*://${text}/*`];
  return [`*://*.${text}/*`];
}

const inTurn = makeQueue(rulesReady);

function register() {
  const { barred, allowed } = rulesToGuard();
  void inTurn(async () => {
    await chrome.scripting.unregisterContentScripts({ ids: [ID] }).catch(() => {});
    if (!barred.length) return;
    await chrome.scripting.registerContentScripts([{
      id: ID, js: [FILE], matches: barred.flatMap(toMatches), excludeMatches: allowed.flatMap(toMatches),
      allFrames: true, matchOriginAsFallback: true, runAt: "document_start", persistAcrossSessions: false,
    }]);
  }).catch((error) => console.warn("tabwire: late input to sites without permission is not guarded against:", error));
}

onRulesChanged(register);
