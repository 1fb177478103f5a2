/*
 * States that the debugger switches on in a tab for an act and leaves on for the next one, until the attachment rests: switching
 * them for each act would cost each act a wait.
 */

/** Requests are only told: of responses nothing is kept. */
const NO_BUFFER = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };

/** @typedef {[method: string, params?: {[key: string]: unknown}]} Command */
/** @type {Record<"focus"|"requests"|"chooser", {on: Command, off: Command}>} */
const STATES = {
  focus: {
    on: ["Emulation.setFocusEmulationEnabled", { enabled: true }],
    off: ["Emulation.setFocusEmulationEnabled", { enabled: false }],
  },
  requests: { on: ["Network.enable", NO_BUFFER], off: ["Network.disable"] },
  chooser: {
    on: ["Page.setInterceptFileChooserDialog", { enabled: true }],
    off: ["Page.setInterceptFileChooserDialog", { enabled: false }],
  },
};
/** @typedef {keyof typeof STATES} Name */
const NAMES = /** @type {Name[]} */ (Object.keys(STATES));
/** Commands by which others switch the same domain for themselves. */
const SWITCHES = new Set(["Network.enable", "Network.disable"]);

/** States of one attachment. */
export class LentStates {
  /** @type {Set<Name>} */
  #on = new Set();

  /** @param {number} tabId */
  constructor(tabId) {
    this.tabId = tabId;
    /** Whether an earlier worker may have left any of them on. */
    this.mayBeOn = false;
  }

  /** @param {Command} command */
  #send([method, params]) {
    return chrome.debugger.sendCommand({ tabId: this.tabId }, method, params ?? {});
  }

  /** @param {Name} name */
  has(name) {
    return this.#on.has(name);
  }

  /**
   * Switches a state on, once.
   * @param {Name} name
   * @param {(...command: Command) => Promise<unknown>} [send]
   */
  async lend(name, send = (...command) => this.#send(command)) {
    if (this.#on.has(name)) return;
    this.#on.add(name);
    await send(...STATES[name].on).catch((error) => {
      this.#on.delete(name);
      throw error;
    });
  }

  /** Leaves a domain to whoever is about to switch it. @param {string} method */
  yieldTo(method) {
    if (!SWITCHES.has(method) || !this.#on.delete("requests")) return;
    this.#send(STATES.requests.off).catch(() => {});
  }

  /**
   * Switches off what is on.
   * @param {boolean} isHeld  what the tab is held for may need its requests
   */
  async rest(isHeld) {
    const names = (this.mayBeOn ? NAMES : [...this.#on]).filter((name) => !(isHeld && name === "requests"));
    this.mayBeOn &&= isHeld;
    for (const name of names) this.#on.delete(name);
    await Promise.allSettled(names.map((name) => this.#send(STATES[name].off)));
  }
}
