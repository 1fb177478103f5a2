/*
 * Addresses that open another program (mailto:, tel: and the schemes of programs). Chrome shows no page for them: it asks the
 * user whether to open the program, and gives the tab no input until they answer.
 */
import { SCHEMES } from "./known-addresses.js";
import { TabMap } from "./tabs.js";

/** Schemes that are neither pages nor programs. */
const NO_PROGRAM = new Set(["javascript:", "ws:", "wss:", "view-source:", "devtools:"]);

/** @param {string} url */
export function isExternal(url) {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase();
  return scheme !== undefined && !(scheme in SCHEMES) && !NO_PROGRAM.has(scheme);
}

/** Tab → the address about which Chrome may be asking the user there. @type {TabMap<string>} */
const asked = new TabMap();

/** @param {number} tabId @param {string} url */
export const noteExternal = (tabId, url) => void asked.set(tabId, url);

/** End of a host name that its neighbours share, as far as no list of public suffixes is needed. @param {string} url */
const siteOf = (url) => (URL.canParse(url) ? new URL(url).hostname.split(".").slice(-2).join(".") : "");

/**
 * A page of another site ends the question; one of the same site leaves it open.
 * @param {number} tabId @param {string} from @param {string} to addresses of the page before, and of the one that has come
 */
export function noteArrival(tabId, from, to) {
  if (siteOf(from) !== siteOf(to)) asked.delete(tabId);
}

/** The address about which Chrome may be asking the user in a tab. @param {number} tabId */
export const askedIn = (tabId) => asked.get(tabId);
