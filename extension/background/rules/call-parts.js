/*
 * The parts of a call's context that change while it runs, each with those who write it; and the context of work that no call
 * does.
 */

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").OpenTab} OpenTab */
/** @typedef {import("../../types").Target} Target */
/** @typedef {"read"|"act"} Need */

/** The tabs of a call. Written by the gates that find them, and by handlers that load the document of a tab. */
export class CallTarget {
  /** The tab in which it works. @type {OpenTab|undefined} */
  #tab;
  /** @type {readonly number[]} */
  #acted;

  /** @param {OpenTab} [tab] @param {readonly number[]} [acted] */
  constructor(tab, acted = []) {
    this.#tab = tab;
    this.#acted = acted;
  }

  get tab() {
    return this.#tab;
  }

  /** Ids of the tabs an act acts in: they are leased to the client. */
  get acted() {
    return this.#acted;
  }

  /** @param {OpenTab} tab */
  aim(tab) {
    this.#tab = tab;
  }

  /** @param {number[]} tabIds */
  actIn(tabIds) {
    this.#acted = tabIds;
  }

  /** The target of another method that runs as part of the call. */
  copy() {
    return new CallTarget(this.#tab, this.#acted);
  }
}

/** Permissions of a call. Written by `permissions.js`. */
export class CallGrants {
  /** Permission that the call needs in the documents it works in. @type {Need} */
  #needs = "read";
  /** Permissions decided for this call alone: `need site` of the sites allowed once. */
  #once;
  #leases;

  /**
   * @param {Iterable<string>} [once]
   * @param {{holds: (tabId: number) => boolean, hasOpened: (tabId: number) => boolean}} [leases] whether the client of the call
   * holds a tab, and whether it has opened it
   */
  constructor(once = [], leases = { holds: () => false, hasOpened: () => false }) {
    this.#once = new Set(once);
    this.#leases = leases;
  }

  get needs() {
    return this.#needs;
  }

  /** Whether something was allowed for this call alone. */
  get isOnce() {
    return this.#once.size > 0;
  }

  /** @param {Need} needs */
  demand(needs) {
    this.#needs = needs;
  }

  /** @param {string} key */
  allowOnce(key) {
    this.#once.add(key);
  }

  /** @param {string} key */
  hasOnce(key) {
    return this.#once.has(key);
  }

  /** Whether the client holds a tab. @param {number} tabId */
  holds(tabId) {
    return this.#leases.holds(tabId);
  }

  /** Whether the client has opened a tab. @param {number} tabId */
  hasOpened(tabId) {
    return this.#leases.hasOpened(tabId);
  }

  /** The grants of another method that runs as part of the call: an answer of the user holds for both. */
  inside() {
    const inner = new CallGrants([], this.#leases);
    inner.#needs = this.#needs;
    inner.#once = this.#once;
    return inner;
  }

  /** Adds what was allowed once to other calls; these grants stay as they are. @param {CallGrants} others */
  with(others) {
    const both = new CallGrants([...others.#once, ...this.#once], this.#leases);
    both.#needs = this.#needs;
    return both;
  }
}

/** The subject of a call, for the log and the list of activity. */
export class Subject {
  /** @type {{target?: Target, note?: string}} */
  #facts = {};
  #isReplaced = false;

  /** Whether the element is another one than its ref was given to. */
  get isReplaced() {
    return this.#isReplaced;
  }

  get facts() {
    return this.#facts;
  }

  /** The element an act is about, once that is known. */
  get element() {
    return this.#facts.target;
  }

  /** @param {Target} target */
  noteElement(target) {
    this.#facts.target = target;
  }

  noteReplaced() {
    this.#isReplaced = true;
  }

  /** @param {string} note on the tab, where the client has named none */
  noteTab(note) {
    this.#facts.note = note;
  }
}

/** The observation of an act in a tab; none outside of such an act. Written by `calls/`. */
export class Observing {
  /** @type {CallContext["observation"]} */
  #current = null;

  get current() {
    return this.#current;
  }

  /** @param {NonNullable<CallContext["observation"]>} observation */
  begin(observation) {
    this.#current = observation;
  }
}

/**
 * A context whose members cannot be replaced: what changes, changes in its parts.
 * @param {Omit<CallContext, "tab"|"acted"|"observation"|"remaining"> & ThisType<CallContext>} members
 * @returns {CallContext}
 */
export function contextWith(members) {
  const { target, observing, clock } = members;
  return Object.freeze({
    ...members,
    remaining: clock.remaining,
    get tab() { return target.tab; },
    get acted() { return target.acted; },
    get observation() { return observing.current; },
  });
}

/**
 * The context of reads that take part in no act: what they ask of the page is not observed.
 * @template {CallContext} Call
 * @param {Call} call
 * @returns {Call}
 */
export const unobserved = (call) => ({ ...call, observing: new Observing(), observation: null });

/**
 * The context of work that no call does. The user is not asked for it.
 * @param {string} clientId whom it is for
 * @param {number} limit ms it may take
 * @returns {CallContext}
 */
export const ownCall = (clientId, limit) => contextWith({
  id: 0, method: "snapshot.capture", params: {}, client: { id: clientId, name: "", version: "", input: "auto", launched: false },
  signal: AbortSignal.timeout(limit),
  clock: { remaining: () => limit, askingLeft: () => 0, whileAsking: (ask) => ask(), end() {} },
  target: new CallTarget(), grants: new CallGrants(), subject: new Subject(), observing: new Observing(),
  noteTarget() {},
  dispatch() { throw new Error("only a call runs other methods"); },
});
