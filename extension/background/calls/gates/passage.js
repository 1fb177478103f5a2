/*
 * A call on its way through the gates: results of one gate that those behind it use.
 */
import { TabwireError } from "../../base/errors.js";
import { METHODS } from "../../base/protocol.js";
import { handlers } from "../../handlers/index.js";

/** @typedef {import("../../../types").CallContext} CallContext */
/** @typedef {import("../../../types").TabCall} TabCall */
/** @typedef {import("../../base/protocol-types").AnyParams} AnyParams */
/** @typedef {import("../../base/protocol-types").AnyResult} AnyResult */
/** @typedef {import("../running-calls.js").RunningCall} RunningCall */
/**
 * A rule of a call. It lets the call on by `next`, whose result it may complete; it throws where the call ends here.
 * @typedef {(passage: Passage, next: () => Promise<AnyResult>) => Promise<AnyResult>} Gate
 */

/**
 * The handler of a method. Throws unknown_command where there is none.
 * @param {string} method
 */
export function handlerOf(method) {
  const handler = Object.hasOwn(METHODS, method) && handlers[method];
  if (!handler) {
    throw new TabwireError("unknown_command",
      `this extension does not know ${method}; nothing was done. If Tabwire was updated, the user has to press the reload ` +
      "button on its card in chrome://extensions");
  }
  return handler;
}

export class Passage {
  /** Whether the call works in one tab. Known behind the gate `placement`. */
  isInTab = false;
  /**
   * Title and address, for a read that has asked for them. From `placement`.
   * @type {import("../../../types").AskedAhead|undefined}
   */
  ahead;
  /** The parameters with the tab that a ref alone names. From `placement`. @type {AnyParams} */
  named;
  /** The parameters by which the tab is looked for. From `placement`; behind the queue, from `queue`. @type {AnyParams} */
  aimed;
  /** Whether the document of the tab was loaded for this call. From `loadedDocument`. */
  hasNewDocument = false;
  /** Whether earlier acts ran in the tab when this one came to the queue. From `queue`. */
  isBehind = false;
  /**
   * Writes the act into the record; resolves when the act may run. From `start`.
   * @type {() => Promise<unknown>}
   */
  note = () => Promise.resolve();

  /**
   * @param {CallContext} call
   * @param {RunningCall} running
   * @param {boolean} [isAgain] whether it has passed before, in a page that is gone
   */
  constructor(call, running, isAgain = false) {
    this.call = call;
    this.running = running;
    this.isAgain = isAgain;
    this.named = this.aimed = call.params;
  }

  /** The declaration of the method. */
  get facts() {
    return METHODS[this.call.method];
  }

  get handler() {
    return handlerOf(this.call.method);
  }

  get isAct() {
    return this.facts.effect === "act";
  }

  /** The call, behind the gate `targetTab`. */
  get tabCall() {
    return /** @type {TabCall} */ (this.call);
  }
}
