/*
 * Whether an act has begun. Much can come between the worker and the page: a dialog of the page's own, the user's reload,
 * the end of the tab. So the page gives a sign right before the first thing an act does to it, as a message nobody waits
 * for. And what is sent to the page is an offer with an end: a page that was frozen meanwhile does not act afterwards,
 * when the act has been answered.
 */
import { within } from "../base/deadline.js";
import { TabwireError } from "../base/errors.js";
import { METHODS } from "../base/protocol.js";
import { onPageMessage } from "../tabs/keep-alive.js";

/** Time that a page may take to begin. A lapsed offer is made again, for twice as long, while the act still waits. */
const OFFER_MS = 1000;
/** A sign that was given as the offer ended, or as its document went away, arrives within this. */
const SIGN_MS = 150;

/** @typedef {{type?: string, button?: string, text?: string}} TrustedParams of a command of the debugger */
/**
 * Events by which trusted input shows in a page, and a test for the commands that send it.
 * @type {Record<string, {events: string[], isPart: (params: TrustedParams) => boolean}>}
 */
const TRUSTED = {
  press: {
    events: ["pointerdown", "mousedown", "click"],
    isPart: ({ type = "", button = "none" }) => /^mouse/.test(type) && button !== "none",
  },
  keys: {
    events: ["keydown", "beforeinput", "input"],
    isPart: ({ type, text }) => type === "keyDown" || type === "rawKeyDown" || (!type && text !== undefined),
  },
  any: {
    events: ["pointerdown", "mousedown", "click", "keydown", "beforeinput", "input"],
    isPart: (params) => TRUSTED.press.isPart(params) || TRUSTED.keys.isPart(params),
  },
  move: { events: ["pointerover", "mouseover", "pointermove", "mousemove"], isPart: ({ type }) => type === "mouseMoved" },
  wheel: { events: ["wheel"], isPart: ({ type }) => type === "mouseWheel" },
  none: { events: [], isPart: () => false },
};

/** Acts under way, by their id. @type {Map<string, ActStart>} */
const underWay = new Map();

onPageMessage("tabwireBegun", (id) => underWay.get(id)?.note());
onPageMessage("tabwireLeft", (id) => underWay.get(id)?.noteLeft());

/** Progress of one act from its offer to its beginning. */
export class ActStart {
  /** @param {string} method @param {import("../base/protocol-types").AnyParams} params */
  constructor(method, params) {
    const { lasts, input = "none" } = METHODS[method];
    /** Whether the act is done as soon as it has begun. */
    this.isAtOnce = lasts !== "always" && !lasts?.split("|").some((name) =>
      Number(params[/** @type {keyof typeof params} */ (name)]) > 1);
    this.id = crypto.randomUUID();
    this.trusted = TRUSTED[input];
    this.hasBegun = false;
    /** Whether something that changes the page was sent and not refused. */
    this.isOffered = false;
    /** Whether its document was left before it began there. */
    this.hasLeft = false;
    /** Whether nothing more of it may be sent. */
    this.isWithdrawn = false;
    this.lapsesAt = 0;
    /** Whether the page can give a sign of trusted input. */
    this.isWatched = false;
    this.isTrusted = false;
    this.told = new Promise((/** @type {(value: void) => void} */ resolve) => { this.resolve = resolve; });
    underWay.set(this.id, this);
  }

  /** A sign that is on its way still counts in the report on a stopped act. */
  close() {
    setTimeout(() => underWay.delete(this.id), SIGN_MS);
  }

  /** Data that a page needs to give the sign of trusted input. */
  get sign() {
    return { id: this.id, events: this.trusted.events };
  }

  /** Notes that the page has begun the act, or has told how it ended. */
  note() {
    this.hasBegun = true;
    this.resolve();
  }

  /** The page was left first, and does not begin any more. */
  noteLeft() {
    this.hasLeft = true;
    this.resolve();
  }

  /**
   * Notes that something that changes the page is about to be sent.
   * @param {number} round how often it was sent before
   * @param {boolean} isBehind whether it is sent behind the question by which the page begins to observe it
   * @returns {{id: string, until: number, is_behind: boolean}} for actStart.js of the page; until: epoch ms
   */
  offer(round, isBehind) {
    this.assertWanted();
    this.isOffered = true;
    this.hasLeft = false;
    const until = Date.now() + OFFER_MS * 2 ** round;
    this.lapsesAt = Math.max(this.lapsesAt, until);
    return { id: this.id, until, is_behind: isBehind };
  }

  /**
   * Notes that a command with trusted input is about to be sent, if it is a part of the act itself.
   * @param {object} [params]
   * @returns {boolean} whether it is
   */
  offerTrusted(params = {}) {
    if (!this.trusted.isPart(/** @type {TrustedParams} */ (params))) return false;
    this.assertWanted();
    this.isOffered = this.isTrusted = true;
    // Chrome drops input to a page with a dialog, so only the sign may be late.
    this.lapsesAt = Math.max(this.lapsesAt, Date.now() + OFFER_MS);
    return true;
  }

  assertWanted() {
    if (this.isWithdrawn) throw new TabwireError("dialog_pending", "it was withdrawn before it began; nothing was done");
  }

  /** Takes back the last offer. @param {boolean} wasOffered whether something was offered before it */
  restoreOffer(wasOffered) {
    this.isOffered = wasOffered;
  }

  /** The page was kept from seeing what was sent. */
  takeBack() {
    if (!this.hasBegun) this.isOffered = this.isTrusted = false;
  }

  /**
   * Whether the act has begun, as far as a sign may still be on its way.
   * @returns {Promise<boolean>}
   */
  async hasBegunSoon() {
    if (!this.hasBegun && !this.hasLeft && this.isOffered) await within(this.told, SIGN_MS);
    return this.hasBegun;
  }

  /**
   * Withdraws an act that has not begun. Resolves when it is certain whether it has: what the page has not begun by then
   * it does not begin any more.
   * @returns {Promise<"begun"|"not begun"|"unknown">}
   */
  async withdraw() {
    if (this.hasBegun) return "begun";
    this.isWithdrawn = true;
    if (this.isOffered && !this.hasLeft) await within(this.told, this.lapsesAt - Date.now() + SIGN_MS);
    if (!this.hasBegun) return this.isTrusted && !this.isWatched ? "unknown" : "not begun";
    this.isWithdrawn = false;
    return "begun";
  }
}
