/*
 * The fields of a form, one after the other, each by the method that fills one alone. They are looked at together first, so that
 * a value of the wrong kind is refused before anything is done; what appears only later is looked for in its turn.
 */
import { call as callPage } from "../page/content-calls.js";
import { inPage, locate, patienceOf, tabIdOf, timeLeft } from "../page/element-lookup.js";
import { invalid, isChangedElement, isGone, said, TabwireError, toTabwireError } from "../base/errors.js";
import { publishNumber, refNumber } from "../page/refs.js";
import { count } from "../base/text.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").Target} Target */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @typedef {import("../base/protocol-types").WantedField} Wanted */
/** @typedef {import("../base/protocol-types").FilledField} Filled */
/** @typedef {Partial<Filled> & {dialog?: object}} Told */
/** @typedef {import("../base/protocol-types").Params<"forms.fill_form">} Params */
/** @typedef {"text" | "box" | "radio" | "list" | "files" | "around" | "other"} Kind  around: with a box in or around it */
/** @typedef {{kind: Kind, element: string, target?: Omit<Target, "frameId">}} Sight */
/** @typedef {Sight & {where: Located}} Seen */
/** @typedef {import("../base/protocol-types").Method} Method */

/** Failures that time may mend: the field is not there yet. */
const LATER = new Set(["no_such_element", "element_not_interactable"]);
/** Failures after which nobody knows what the page has of the field. */
const isUnsure = (/** @type {TabwireError} */ error) => isGone(error) || error.code === "timeout";

/** @type {Record<string, boolean>} */
const TICKS = { true: true, false: false };

/** @param {unknown} value @returns {boolean | undefined} */
const tickOf = (value) =>
  typeof value === "boolean" ? value : typeof value === "string" && Object.hasOwn(TICKS, value) ? TICKS[value] : undefined;

/** Kind → how its value is to be given. */
const TAKES = {
  text: "a text as value", box: "true or false as value", radio: "true as value", files: "files", around: "a value",
  other: "a value other than true or false",
  list: "an option, or a list of options, as value",
};

/** @param {Wanted} field @param {Kind} kind @returns {boolean} whether a field of the kind can hold what is wanted */
function isFit({ value, files }, kind) {
  if (kind === "around") return true;
  if (kind === "other") return typeof value !== "boolean";
  if (kind === "files") return files !== undefined;
  if (kind === "list") return typeof value === "string" || Array.isArray(value);
  if (kind === "text") return typeof value === "string";
  return kind === "radio" ? tickOf(value) === true : tickOf(value) !== undefined;
}

/**
 * The method that fills a field alone, with what is its own there.
 * @param {Wanted} field @param {Kind} kind
 * @returns {[Method, object]}
 */
function methodOf({ value, files }, kind) {
  if (files) return ["input.upload", { files }];
  if (kind === "list" || Array.isArray(value)) return ["forms.select", { value }];
  const tick = typeof value === "boolean" || kind === "box" || kind === "radio" ? tickOf(value) : undefined;
  if (tick !== undefined) return [tick ? "forms.check" : "forms.uncheck", { force: false }];
  return ["forms.fill", { value, clear: true, force: false }];
}

/** @param {Wanted[]} fields @param {number} at */
const nameOf = (fields, at) => `field ${at + 1} of ${fields.length} (${fields[at].selector})`;

/** @param {TabwireError} error @param {string} message */
const worded = ({ code, data }, message) => new TabwireError(code, message, data);

/**
 * The kinds of located elements, with one call into each document.
 * @param {Array<Located|null>} places @param {CallContext} call
 * @returns {Promise<Array<Seen|null>>}
 */
async function look(places, call) {
  /** @type {Array<Seen|null>} */
  const seen = places.map(() => null);
  const byDocument = Map.groupBy(places.keys().filter((at) => places[at]), (at) => places[at]?.frame.documentId);
  await Promise.all([...byDocument.values()].map(async (positions) => {
    const found = positions.map((at) => /** @type {Located} */ (places[at]));
    /** @type {Sight[]} */
    const sights = await callPage(tabIdOf(call), found[0].frame, "forms.kinds", { refs: found.map(({ local }) => local) }, call)
      .catch((error) => { throw Object.assign(error, { at: positions[error.data?.at ?? 0] }); });
    for (const [index, at] of positions.entries()) seen[at] = { ...sights[index], where: found[index] };
  }));
  return seen;
}

/** @param {Wanted[]} fields @param {number} at @param {Seen} seen */
function assertFit(fields, at, { kind, element }) {
  if (isFit(fields[at], kind)) return;
  throw invalid(`${nameOf(fields, at)} is ${said(element)}: give ${TAKES[kind]}`);
}

/** Filling of fields, one by one. */
class FormFilling {
  /** @param {Params} params @param {CallContext} call */
  constructor({ fields, timeout, frameId }, call) {
    this.fields = fields;
    this.within = { timeout, ...(frameId !== undefined && { frameId }) };
    this.call = call;
    /** @type {Array<Seen|null>} */
    this.seen = [];
    /** @type {Filled[]} */
    this.filled = [];
    this.isInterrupted = false;
  }

  /** Looks at all fields that are there. Throws before anything is done. */
  async prepare() {
    const { fields, call } = this;
    const places = await Promise.all(fields.map(({ selector }, at) =>
      locate(selector, { ...this.within, timeout: 0, tellsNearest: false }, call).catch((error) => {
        if (LATER.has(error.code) && refNumber(selector) === null) return null;
        throw worded(error, `${nameOf(fields, at)}: ${error.message}. Nothing was filled`);
      })));
    this.seen = await look(places, call)
      .catch((error) => { throw worded(error, `${nameOf(fields, error.at ?? 0)}: ${error.message}. Nothing was filled`); });
    for (const [at, seen] of this.seen.entries()) if (seen) assertFit(fields, at, seen);
    this.tell();
  }

  /** Tells the log all fields as one target, which is a secret unless none of them is. */
  tell() {
    const { seen, call } = this;
    const known = seen.map((one) => one && { ...one.target, frameId: one.where.frame.frameId });
    call.noteTarget({
      tag: "form", role: "form", name: count(seen.length, "field"), css: [], frameId: known.find((one) => one)?.frameId ?? 0,
      secret: seen.some((one) => one?.target?.secret !== false),
      fields: known.map((one) => /** @type {Target} */ (one ?? {})),
    });
  }

  /** @param {number} at @param {number} until epoch ms @returns {Promise<Seen>} */
  async find(at, until) {
    const where = await locate(this.fields[at].selector, { ...this.within, timeout: timeLeft(until) }, this.call);
    const [seen] = await look([where], this.call);
    this.seen[at] = seen;
    this.tell();
    assertFit(this.fields, at, /** @type {Seen} */ (seen));
    return /** @type {Seen} */ (seen);
  }

  /** @param {number} at */
  async fill(at) {
    const { call, fields } = this;
    const until = patienceOf(this.within, call);
    const fillSeen = (/** @type {Seen} */ { where, kind }) => {
      const [method, own] = methodOf(fields[at], kind);
      return call.dispatch(method, /** @type {never} */ ({ selector: where.ref, ...own, timeout: timeLeft(until) }));
    };
    const seen = this.seen[at];
    if (!seen) return fillSeen(await this.find(at, until));
    return fillSeen(seen).catch(async (error) => {
      // The page has drawn the form anew, as frameworks do when a field before was filled.
      if (!isChangedElement(error) || refNumber(fields[at].selector) !== null || !timeLeft(until)) throw error;
      return fillSeen(await this.find(at, until));
    });
  }

  /** Error that also says what was filled before, and what was not tried. @param {TabwireError} error @param {number} at */
  failure(error, at) {
    const { fields, filled } = this;
    const before = filled.length
      ? `filled before it: ${filled.map(({ ref }) => ref).join(", ")}`
      : "nothing was filled before it";
    const rest = fields.slice(at + 1).map(({ selector }) => selector);
    const after = rest.length ? `; not tried: ${rest.join(", ")}` : "";
    const data = { ...error.data, filled, failed: fields[at].selector, not_tried: rest };
    return new TabwireError(filled.length && isUnsure(error) ? "outcome_unknown" : error.code,
      `${nameOf(fields, at)}: ${error.message} (${before}${after})`, data);
  }

  async run() {
    const { fields, call } = this;
    for (const at of fields.keys()) {
      call.signal.throwIfAborted();
      const result = /** @type {Told} */ (await this.fill(at).catch((error) => { throw this.failure(error, at); }));
      const isOver = Boolean(call.observation?.dialog || result.dialog);
      // A dialog that opens before the value is in ends the method without a word of it.
      const isDone = !isOver || [result.value, result.checked, result.selected, result.files].some((one) => one !== undefined);
      this.note(at, result, isDone);
      if (isOver) return this.interrupted(at, isDone);
    }
    return {};
  }

  /** @param {number} at @param {Told} result of the method that has filled it @param {boolean} isDone */
  note(at, { ref, value, checked, selected, labels, files, changed, note }, isDone) {
    const told = { value, checked, selected, labels, files, changed, note };
    const known = Object.entries(told).filter(([, one]) => one !== undefined);
    if (isDone) this.filled.push({ ref: ref ?? /** @type {Seen} */ (this.seen[at]).where.ref, ...Object.fromEntries(known) });
    // The act reports all fields, also where a dialog keeps it from ending.
    this.call.observation?.noteResult({ fields: this.filled });
  }

  /** @param {number} at @param {boolean} isDone */
  interrupted(at, isDone) {
    this.isInterrupted = true;
    const rest = this.fields.slice(at + 1).map(({ selector }) => selector);
    const parts = [
      ...(isDone ? [] : [`a dialog opened before ${this.fields[at].selector} was seen to hold its value`]),
      ...(rest.length ? [`${isDone ? "a dialog opened; " : ""}not tried: ${rest.join(", ")}`] : []),
    ];
    return parts.length ? { note: parts.join("; ") } : {};
  }

  /** Looks for the button that submits the form of the last field. A page that is being replaced has nothing to press. */
  async submitter() {
    const where = this.seen.at(-1)?.where;
    if (!where || this.isInterrupted) return {};
    const { documentId, frameId } = where.frame;
    const { ref, name, enters } = await inPage(this.call, where, "forms.submitter").catch((error) => {
      if (isGone(error) || isChangedElement(error)) return {};
      const { code, message, data } = toTabwireError(error);
      throw new TabwireError(code, `all fields were filled; what submits the form could not be found: ${message}`,
        { ...data, filled: this.filled });
    });
    if (ref) return { submitter: await publishNumber(tabIdOf(this.call), documentId, frameId, ref), submitter_name: name };
    return enters ? { enters: where.ref } : {};
  }
}

/** @param {Params} params @param {CallContext} call */
export async function fillForm(params, call) {
  const form = new FormFilling(params, call);
  await form.prepare();
  const ended = await form.run();
  return { ...ended, fields: form.filled, ...(params.submit && await form.submitter()) };
}
