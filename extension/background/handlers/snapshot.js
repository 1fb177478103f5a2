/*
 * snapshot, query, locator: what the page shows. The texts of the frames are put together here.
 */
import { pause, unlessAborted } from "../base/deadline.js";
import { countUse } from "../base/maps.js";
import { count, cutText } from "../base/text.js";
import { TIMEOUT_MS, locate, locateBy } from "../page/element-lookup.js";
import { MAX_TOLD } from "../base/protocol.js";
import { said, TabwireError } from "../base/errors.js";
import { captureListening } from "../page/listeners.js";
import { complete, heldFor, keepWhole, linesInView, wholeOf } from "../page/held-snapshots.js";
import { pdfOf } from "../network/tab-file.js";
import { callAll, callResponsive, callWithDocument, ofWholePage, prepare } from "../page/content-calls.js";
import { pathKey } from "../page/frames.js";
import { composeProjections, IDENTITY, projectRect } from "../page/projection.js";
import { pick } from "../page/picker.js";
import { inReadingOrder } from "../page/reading-order.js";
import { redact } from "../rules/redaction.js";
import { forgetfulness, publishAll, publishAnswer } from "../page/refs.js";
import { framesLoading, onceFramesLoaded } from "../tabs/loading-frames.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").TabCall} TabCall */
/**
 * @typedef {{title: string, url: string, viewport: string, text: string, refs: number, path: Array<number|string>|null,
 *   notes: Notes, focus: boolean, isPdf?: boolean, unseenFrames: Array<number|string>, seen?: number[], stamp?: string}} Captured
 */
/** @typedef {"hidden"|"cut"|"canvases"|"behind"|"unseen"|"smuggled"|"long"|"names"|"left"} Counted */
/** @typedef {Record<Counted, number> & {rows: string[]}} Notes */
/** @typedef {Notes & {unreachable: string[], barred: string[], late: number}} AllNotes  late: frames that still load */
/** @typedef {{frameId: number, documentId: string, value?: Captured, error?: TabwireError}} Answer */
/** @typedef {Answer & {value: Captured}} Shown */
/** @typedef {{documentId: string, frameId: number, text: string}} Piece */
/** @typedef {import("../page/projection.js").Projection} Projection */
/** @typedef {import("../page/element-lookup.js").Located|null} Scope  the part that was asked for */
/** @typedef {import("../page/element-lookup.js").Hit} Hit */
/** @typedef {Hit & {value: import("../page/reading-order.js").Arranged}} ArrangedHit */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */
/** @typedef {Params<"snapshot.locate">["chain"][number]} ChainStep */

const SLOT = /\uE004([^|\uE005]+)(?:\|([-+\de.,]+))?\uE005/;
const BOX = /\uE002([-\d,]+)\uE003/g;
/** The bridge gives a client one part after another; this bounds what it keeps for that. */
const MAX_CHARS = 8_000_000;

const CONTENT_OPTIONS = /** @type {const} */ (["mode", "depth", "compact", "include_text", "include_bounds"]);

/** @param {Params<"snapshot.capture">} params */
function optionsOf(params) {
  const given = CONTENT_OPTIONS.filter((key) => key in params).map((key) => [key, params[key]]);
  return { ...Object.fromEntries(given), nonce: crypto.randomUUID() };
}

/** @type {Counted[]} */
const COUNTED = ["hidden", "unseen", "smuggled", "cut", "canvases", "behind", "long", "names", "left"];

/** Puts the frames of a tab together into one list of pieces, in reading order. */
class Stitch {
  /** @param {Answer[]} answers @param {ReturnType<typeof framesLoading>} [loading] */
  constructor(answers, loading = new Map()) {
    this.loading = loading;
    /** Frames that still load and have no answer, by the frame they are in. @type {Map<number, number>} */
    this.silent = new Map();
    const answered = new Set(answers.filter(({ value }) => value).map(({ frameId }) => frameId));
    for (const [frameId, { parentId }] of loading) if (!answered.has(frameId)) countUse(this.silent, parentId);
    /** @type {Map<string, Shown>} */
    this.byPath = new Map();
    for (const answer of /** @type {Shown[]} */ (answers)) {
      if (answer.value?.path) this.byPath.set(pathKey(answer.value.path), answer);
    }
    /** @type {Piece[]} */
    this.pieces = [];
    this.notes = notesOf(answers);
    /** @type {Set<Answer>} */
    this.used = new Set();
    /** @type {import("../page/held-snapshots.js").Place[]} */
    this.places = [];
    /** The line that is being written. */
    this.line = 0;
  }

  /**
   * @param {Shown} answer @param {number} indent levels @param {Projection|null} onto  of its viewport onto the top one
   * @param {{documentId: string, line: number}} [frame]
   */
  add(answer, indent, onto, frame) {
    const { documentId, frameId, value } = answer;
    this.used.add(answer);
    this.note(value.notes);
    const own = (/** @type {string} */ text) => ({ documentId, frameId, text });
    let from = 0;
    const prefix = "  ".repeat(indent);
    let text = indent ? value.text.replace(/^(?=.)/gm, prefix) : value.text;
    if (onto) text = text.replace(BOX, (_, box) => shift(box, onto));
    for (let slot = SLOT.exec(text); slot; slot = SLOT.exec(text)) {
      const line = text.slice(0, slot.index);
      this.pieces.push(own(line));
      const to = from + this.placed({ documentId, from, frame }, line);
      text = text.slice(slot.index + slot[0].length);
      const end = text.indexOf("\n");
      const rest = end < 0 ? text : text.slice(0, end);
      const depth = (line.length - line.lastIndexOf("\n") - 1 - line.slice(line.lastIndexOf("\n") + 1).trimStart().length) / 2;
      this.pieces.push(own(rest));
      text = end < 0 ? "" : text.slice(end);
      this.child(value.path, slot, depth + 1, onto, own, { documentId, line: to });
      from = to + 1;
      if (end < 0) continue;
      this.pieces.push(own("\n"));
      this.line += 1;
      text = text.slice(1);
    }
    this.pieces.push(own(text));
    this.placed({ documentId, from, frame }, text);
  }

  /**
   * Notes where lines of a document stand that are written now.
   * @param {Omit<import("../page/held-snapshots.js").Place, "to"|"at">} place @param {string} text
   * @returns {number} line breaks in the text
   */
  placed(place, text) {
    const breaks = text.split("\n").length - 1;
    this.places.push({ ...place, to: place.from + breaks, at: this.line });
    this.line += breaks;
    return breaks;
  }

  /**
   * @param {Captured["path"]} path @param {RegExpExecArray} slot @param {number} indent @param {Projection|null} onto
   * @param {(text: string) => Piece} own @param {{documentId: string, line: number}} frame
   */
  child(path, slot, indent, onto, own, frame) {
    const key = /^s/.test(slot[1]) ? slot[1] : Number(slot[1]);
    const child = path && this.byPath.get(pathKey([...path, key]));
    const isLate = child ? this.loading.has(child.frameId) : this.takeSilent(this.byPath.get(pathKey(path ?? []))?.frameId ?? 0);
    if (isLate) this.notes.late += 1;
    else if (!child) this.notes.unreachable.push("a frame");
    if (isLate || !child) this.pieces.push(own(isLate ? " (still loading)" : " (this frame cannot be read)"));
    if (!child || this.used.has(child) || !child.value.text) return;
    this.pieces.push(own(":\n"));
    this.line += 1;
    const inner = slot[2]?.split(",").map(Number);
    this.add(child, indent, inner && onto ? composeProjections(onto, inner) : onto, frame);
  }

  /** Whether a frame without an answer is one that still loads. @param {number} parentId */
  takeSilent(parentId) {
    const left = this.silent.get(parentId) ?? 0;
    this.silent.set(parentId, Math.max(0, left - 1));
    return left > 0;
  }

  /** @param {Notes} notes */
  note(notes) {
    for (const key of COUNTED) this.notes[key] += notes[key];
    this.notes.rows.push(...notes.rows);
  }
}

/** @param {string} box @param {Projection} onto */
function shift(box, onto) {
  const [x, y, width, height] = box.split(",").map(Number);
  const seen = projectRect(onto, { x, y, width, height });
  return [seen.x, seen.y, seen.width, seen.height].map(Math.round).join(",");
}

/** The sites of the frames that must not be read. @param {Array<{error?: TabwireError}>} answers */
const barredIn = (answers) =>
  answers.filter(({ error }) => error?.code === "permission_denied").map(({ error }) => String(error?.data?.site));

/** Notes before any frame has been added. @param {Array<{error?: TabwireError}>} answers @returns {AllNotes} */
export const notesOf = (answers) =>
  ({
    hidden: 0, cut: 0, rows: [], canvases: 0, behind: 0, unseen: 0, smuggled: 0, long: 0, names: 0, left: 0, unreachable: [],
    barred: barredIn(answers), late: 0,
  });

/**
 * Lists in one line what a snapshot leaves out; no line where there is nothing to say.
 * @param {AllNotes} notes
 * @param {number} [depth] the deepest level that was asked for
 */
export function footer(notes, depth) {
  const { barred, rows } = notes;
  const unreachable = notes.unreachable.length - barred.length;
  const sites = [...new Set(barred)].join(", ");
  const facts = [
    notes.hidden && count(notes.hidden, "hidden element"),
    notes.unseen && `${count(notes.unseen, "text")} that nobody can see (transparent, clipped or far off)`,
    notes.smuggled && count(notes.smuggled, "invisible character"),
    notes.left && `the rest of a page of ${count(notes.left, "element")}, which takes too long to read ` +
      "(use selector for a part of it, or query for single elements)",
    // MAX_TEXT of content/snapshot/snapshot-pass.js.
    notes.long && `the end of ${count(notes.long, "text")} of more than 1,000,000 characters (use evaluate)`,
    // MAX_QUOTED of content/dom/text.js.
    notes.names && `the end of ${count(notes.names, "name")} of more than 10,000 characters (use query with return: "all")`,
    notes.cut && `${count(notes.cut, "element")} deeper than ${depth}`,
    barred.length && `${count(barred.length, "frame")} of sites where the user does not allow it (${sites})`,
    unreachable > 0 && `${count(unreachable, "frame")} unreachable`,
    notes.late && `what ${count(notes.late, "frame")} will show, still loading (take a new snapshot later)`,
    notes.canvases && `what is drawn on ${count(notes.canvases, "canvas").replace(/ss$/, "ses")} (use screenshot)`,
    notes.behind && `the page behind the modal dialog (${count(notes.behind, "control")} that cannot be used until it closes)`,
    rows.length && said(rows.join(", ")),
  ].filter(Boolean);
  return facts.length ? `\n\nNot shown: ${facts.join(", ")}` : "";
}

/** Cuts at a line and says so. @param {string} text */
function bounded(text) {
  if (text.length <= MAX_CHARS) return text;
  const end = text.lastIndexOf("\n", MAX_CHARS);
  const lines = text.slice(end).split("\n").length - 1;
  return `${text.slice(0, end)}\n… ${lines} more lines cut; use selector to look at a part, or mode "interactive"`;
}

/**
 * The frame to start from, and the elements in it when a part of the page was asked for.
 * @param {Params<"snapshot.capture">} params
 * @param {CallContext} call
 * @returns {Promise<Scope>}
 */
async function scopeOf(params, call) {
  if (params.selector === undefined) return null;
  return locate(params.selector, { frameId: params.frameId, timeout: 0 }, call);
}

/** @param {Answer[]} answers @param {Scope} scope @param {number} [frameId] */
function startOf(answers, scope, frameId = 0) {
  const found = answers.find((answer) => (scope ? answer.documentId === scope.frame.documentId : answer.frameId === frameId));
  if (!found) throw new TabwireError("no_such_frame", `no frame ${frameId} in this tab; take a snapshot of the whole page`);
  if (found.error) throw found.error;
  return /** @type {Shown} */ (found);
}

/**
 * @param {number} tabId @param {Record<string, unknown>} options @param {Scope} scope @param {CallContext} call
 * @returns {Promise<Answer[]>} every frame, the scoped one cut to its part
 */
async function captureAll(tabId, options, scope, call) {
  const held = heldFor(tabId);
  const withKnown = { ...options, known: [...held.keys()] };
  const answers = /** @type {Answer[]} */ (
    await captureListening(tabId, withKnown, call, (all) => callResponsive(tabId, "snapshot.capture", all, call)));
  complete(tabId, answers, held);
  if (!scope) return judgedFromOutside(tabId, answers, () => options, call);
  const part = { ...options, roots: [scope.local] };
  const scoped = await callWithDocument(tabId, scope.frame, "snapshot.capture", part, call);
  const all = [scoped, ...answers.filter(({ documentId }) => documentId !== scoped.documentId)];
  return judgedFromOutside(tabId, all, (documentId) => (documentId === scoped.documentId ? part : options), call);
}

/**
 * Captures the documents in frames that no person can read again, with all of their text as unseen: a document does not know
 * what is around its frame.
 * @param {number} tabId @param {Answer[]} answers @param {(documentId: string) => Record<string, unknown>} optionsFor
 * @param {CallContext} call
 * @returns {Promise<Answer[]>} all answers, in the same order
 */
async function judgedFromOutside(tabId, answers, optionsFor, call) {
  const placed = /** @type {Shown[]} */ (answers).filter(({ value }) => value?.path);
  const byPath = new Map(placed.map(({ value, documentId }) => [pathKey(/** @type {any[]} */ (value.path)), documentId]));
  const judged = new Map(answers.map((answer) => [answer.documentId, answer]));
  const depth = (/** @type {Shown} */ { value }) => value.path?.length ?? 0;
  for (const { documentId: outer } of placed.sort((one, other) => depth(one) - depth(other))) {
    const { path, unseenFrames = [] } = judged.get(outer)?.value ?? {};
    await Promise.all(unseenFrames.map(async (slot) => {
      const answer = judged.get(byPath.get(pathKey([...path ?? [], slot])) ?? "");
      if (!answer) return;
      const { documentId, frameId } = answer;
      const options = { ...optionsFor(documentId), isUnseen: true };
      const unread = (/** @type {TabwireError} */ error) => ({ documentId, frameId, error });
      judged.set(documentId, await callWithDocument(tabId, answer, "snapshot.capture", options, call).catch(unread));
    }));
  }
  return [...judged.values()];
}

/**
 * Key of the sources of a snapshot; null unless every frame gives its stamp.
 * @param {Params<"snapshot.capture">} params @param {TabCall} call @param {Answer[]} answers
 */
function keyOf(params, { tab, secrets }, answers) {
  if (!answers.every(({ value }) => value?.stamp)) return null;
  const documents = answers.map(({ documentId, value }) => [documentId, value?.stamp, value?.path]);
  return JSON.stringify([params, secrets, forgetfulness(), documents, [...framesLoading(tab.id).keys()]]);
}

/**
 * The snapshot that these answers come to: the kept one where its text is there, or need not be.
 * @param {Params<"snapshot.capture">} params @param {TabCall} call @param {Answer[]} answers @param {Scope} scope
 * @param {string} [known] a version of which the text is not asked for
 * @returns {Promise<{text: string|null, places: import("../page/held-snapshots.js").Place[], version?: string}>}
 */
async function wholeFrom(params, call, answers, scope, known) {
  const tabId = call.tab.id;
  const key = scope ? null : keyOf(params, call, answers);
  const kept = key === null ? undefined : wholeOf(tabId, key);
  if (kept && (kept.text !== null || kept.version === known)) return kept;
  const composed = await compose(call, params, answers, scope);
  return key === null ? composed : { ...composed, version: keepWhole(tabId, key, composed) };
}

/** @param {Params<"snapshot.capture">} params @param {TabCall} call */
async function capture({ known, ...params }, call) {
  const tabId = call.tab.id;
  const early = foreseen.get(tabId);
  early?.calm.abort();
  await early?.work;
  const scope = await scopeOf(params, call);
  const captured = () => captureAll(tabId, optionsOf(params), scope, call);
  const answers = await onceFramesLoaded(tabId, call.signal, () =>
    (scope || params.frameId ? captured() : ofWholePage(tabId, captured)));
  const { text, places, version } = await wholeFrom(params, call, answers, scope, known);
  const seen = linesInView(places, answers);
  const top = answers.find(({ frameId }) => frameId === 0);
  const isKnown = version !== undefined && version === known;
  return {
    tabId,
    snapshot: isKnown ? "" : /** @type {string} */ (text),
    ...(seen.length ? { seen } : {}),
    ...(top?.value?.isPdf && !scope && !params.frameId ? { pdf: top.documentId } : {}),
    ...(known === undefined || version === undefined ? {} : { version }),
    ...(isKnown ? { is_known: true } : {}),
  };
}

/** Default parameters of `snapshot`. */
export const USUAL = /** @type {const} */ ({ mode: "full", compact: false, include_text: true, include_bounds: false });
/** More elements take so long that the capture waits until nobody has asked for one for a while. */
const MANY = 5_000;
const CALM_MS = 200;
/** A page of more is not worked on before somebody asks. */
const MAX_FORESEEN = 20_000;

/**
 * Tab → the capture of its new page before anybody asked, which never rejects; calm: ends its wait.
 * @type {Map<number, {work: Promise<void>, calm: AbortController}>}
 */
const foreseen = new Map();

/**
 * Captures a page that a client has just opened, as it will most likely ask for it next: the code of the content scripts is
 * warm then, and while the page does not change its text is there.
 * @param {number} tabId
 * @param {CallContext} call
 */
export function foresee(tabId, call) {
  const calm = new AbortController();
  // Errors are ignored here: the later call that asks for the page reports them.
  const work = unlessAborted(captureEarly(tabId, call, calm.signal), call.signal).catch(() => {});
  const early = { work, calm };
  foreseen.set(tabId, early);
  work.then(() => { if (foreseen.get(tabId) === early) foreseen.delete(tabId); });
}

/** @param {number} tabId @param {CallContext} call @param {AbortSignal} asked  somebody asks for a capture */
async function captureEarly(tabId, call, asked) {
  await prepare(tabId);
  const func = () => document.getElementsByTagName("*").length;
  const [size] = await chrome.scripting.executeScript({ target: { tabId }, injectImmediately: true, func });
  if (size.result > MAX_FORESEEN) return;
  if (size.result > MANY) await pause(CALM_MS, AbortSignal.any([call.signal, asked]));
  await captureAll(tabId, { ...optionsOf(USUAL), early: true }, null, call);
}

/** @param {string} text title or address of the page */
const told = (text) => (text.length > MAX_TOLD ? cutText(text, MAX_TOLD) : text);

/** @param {TabCall} call @param {Params<"snapshot.capture">} params @param {Answer[]} answers @param {Scope} scope */
async function compose({ tab, secrets }, params, answers, scope) {
  const start = startOf(answers, scope, params.frameId);
  const stitch = new Stitch(answers, framesLoading(tab.id));
  stitch.add(start, 0, params.include_bounds ? IDENTITY : null);
  for (const answer of /** @type {Shown[]} */ (answers)) {
    if (answer.value?.path === null && !stitch.used.has(answer)) addUnplaced(stitch, answer);
  }
  const tree = (await publishAll(tab.id, stitch.pieces)).join("");
  const top = answers.find(({ frameId }) => frameId === 0)?.value ?? start.value;
  const head = `Page: ${told(top.title)} (${told(top.url)})\nViewport: ${top.viewport}\n\n`;
  const text = bounded(head + (tree || emptiness(params)) + footer(stitch.notes, params.depth));
  return { text: secrets === "shown" ? text : redact(text).value, places: stitch.places };
}

/** @param {Params<"snapshot.capture">} params */
const emptiness = ({ mode }) => (mode === "interactive" ? "(nothing to act on)" : "(empty page)");

/** A frame whose place in the page could not be found out is shown at the end. @param {Stitch} stitch @param {Shown} answer */
function addUnplaced(stitch, answer) {
  const { documentId, frameId, value } = answer;
  stitch.pieces.push({ documentId, frameId, text: `\n- iframe [url=${value.url.slice(0, 100)}] (somewhere in the page):\n` });
  stitch.line += 2;
  stitch.add(answer, 1, null);
}

/** @template T @param {T[]} answers @param {Pick<Params<"snapshot.query">, "return"|"nth">} params */
function select(answers, { nth, return: wanted }) {
  if (wanted === "count") return answers.length;
  if (nth === undefined) return wanted === "all" && answers.length === 1 ? answers[0] : answers;
  const chosen = answers.at(nth);
  if (chosen === undefined) {
    throw new TabwireError("no_such_element",
      `there is no match number ${nth}: ${count(answers.length, "element")} found; leave nth out to see them`);
  }
  return chosen;
}

/** @param {Params<"snapshot.query">} params @param {TabCall} call */
async function query(params, call) {
  const tabId = call.tab.id;
  const { frameId, nth, pick: isPicked, ...question } = params;
  if (isPicked) {
    const picked = await pick(/** @type {typeof params & {timeout: number}} */ (params), call);
    return { value: select([picked], { nth, return: params.return }) };
  }
  const args = { ...question, nonce: crypto.randomUUID() };
  /** @type {Array<import("../page/content-calls.js").FrameAnswer>} */
  const answers = frameId === undefined
    ? await ofWholePage(tabId, () => callAll(tabId, "selectors.query", args, call))
    : [await callWithDocument(tabId, { frameId }, "selectors.query", args, call)];
  const failed = answers.length === 1 ? answers[0] : answers.find(({ error }) => error?.code === "invalid_selector");
  if (failed?.error) throw failed.error;
  const hits = await Promise.all(answers.filter(({ value }) => value).map(async (answer) => ({
    value: answer.value,
    found: await publishAnswer(tabId, answer, answer.value.answers),
  })));
  const found = inReadingOrder(hits).map(({ hit, index }) => hit.found[index]);
  return { value: select(found, { nth, return: params.return }) };
}

/** @typedef {"input.click"|"input.hover"|"forms.check"|"forms.fill"} ActMethod */
/** @typedef {{ [M in ActMethod]: [method: M, params: Omit<Params<M>, "selector">] }[ActMethod]} Act */
/**
 * Action of a locator → [method, params beside the target].
 * @type {Partial<Record<string, (params: Partial<Params<"snapshot.locate">>) => Act>>}
 */
const ACTIONS = {
  click: () => ["input.click", {
    button: "left", click_count: 1, hold: 0, force: false, no_wait_after: false, timeout: TIMEOUT_MS,
  }],
  hover: () => ["input.hover", { timeout: TIMEOUT_MS }],
  check: () => ["forms.check", { force: false, timeout: TIMEOUT_MS }],
  fill: ({ fill_value = "" }) => ["forms.fill", { value: fill_value, clear: true, force: false, timeout: TIMEOUT_MS }],
};

/** Steps that pick one of all matches so far → its index in reading order. */
const POSITIONS = { first: () => 0, last: () => -1, nth: (/** @type {ChainStep} */ { value }) => Number(value) };

/**
 * Picks by position among the matches of all frames: first they only say how many they have and where, then the chain goes
 * on in the frame of the one that is meant.
 * @param {ChainStep[]} chain @param {number} at @param {TabCall} call
 */
function byPosition(chain, at, call) {
  const position = POSITIONS[/** @type {keyof typeof POSITIONS} */ (chain[at].method)](chain[at]);
  return async (/** @type {Hit[]} */ hits, /** @type {{watching: boolean}} */ args) => {
    const target = inReadingOrder(/** @type {ArrangedHit[]} */ (hits)).at(position);
    if (!target) return hits.map((hit) => ({ ...hit, value: { ...hit.value, count: 0, usable: 0 } }));
    const { documentId, frameId } = target.hit;
    const rest = [...chain.slice(0, at), { method: "nth", value: String(target.index) }, ...chain.slice(at + 1)];
    return [await callWithDocument(call.tab.id, { documentId, frameId }, "selectors.chain", { ...args, chain: rest }, call)];
  };
}

/** @param {Params<"snapshot.locate">} params @param {TabCall} call */
async function locateChain(params, call) {
  const { chain, action = "get_ref", fill_value, ...target } = params;
  const what = `the chain ${chain.map(({ method, value }) => (value ? `${method} "${value}"` : method)).join(" → ")}`;
  const at = chain.findIndex(({ method }) => method in POSITIONS);
  const { ref } = at > 0
    ? await locateBy("selectors.chain", { chain: chain.slice(0, at), nonce: crypto.randomUUID() }, target, call, what,
      byPosition(chain, at, call))
    : await locateBy("selectors.chain", { chain }, target, call, what);
  const act = ACTIONS[action]?.({ fill_value });
  if (!act) return { ref };
  const [method, more] = act;
  const tab = params.tabId === undefined ? {} : { tabId: params.tabId };
  const result = await call.dispatch(method, { ...tab, selector: ref, ...more });
  return { ref, ...result };
}

/** Finding an element is no act. @param {Params<"snapshot.locate">} params @param {TabCall} call */
const acts = ({ action = "get_ref" }, call) => (ACTIONS[action] ? [call.tab.id] : []);
/** Method of the input that the call gives to the page, if it names an action. @param {Params<"snapshot.locate">} params */
const acting = ({ action = "get_ref" }) => ACTIONS[action]?.({})[0];

/** @type {import("../../types").Handlers<"snapshot">} */
export const handlers = {
  "snapshot.capture": capture,
  "snapshot.pdf_file": async ({ timeout }, call) =>
    ({ ...await pdfOf(timeout, call), is_masked: call.secrets !== "shown" }),
  "snapshot.query": query,
  "snapshot.locate": Object.assign(locateChain, { acts, acting }),
};
