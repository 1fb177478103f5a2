/*
 * Watches what an act changes in this frame: the document (shadow trees on the way to the target included), dialogs and menus,
 * fields, the selection, scroll positions, focus, address, title, errors. Stands between effects.begin and effects.end of the
 * worker.
 */
import { hop } from "../base/turns.js";
import { activeElementDeep, cached, composedContains, isOwnChange, shadowRootOf } from "../dom/flat-tree.js";
import { onOwnScroll } from "../visibility/own-scrolls.js";
import { scrollerOf } from "../visibility/scrollers.js";
import * as refs from "../find/refs.js";
import { DragTrace, otherThanTyped as differs } from "../changes/achieved.js";
import { announces } from "../changes/announcements.js";
import { EarlierState } from "../changes/earlier-state.js";
import * as pageErrors from "../changes/page-errors.js";
import { changes, shown } from "../changes/popups.js";
import * as textChanges from "../changes/text-changes.js";
import { Transitions } from "../visibility/transitions.js";
import { ViewState } from "../changes/view-state.js";
import * as actStart from "./act-start.js";
import * as actUnderWay from "./act-under-way.js";
import { mayNeedDebugger } from "./activation.js";
import { takesText } from "./edits.js";
import * as pageMarks from "./page-marks.js";
import * as presence from "./presence.js";
import * as sensitiveFields from "./sensitive-fields.js";

const MUTATION_CAP = 10_000;
const DRAIN_LIMIT_MS = 4;
/** Time in which the worker may ask again for what an act has set off. */
const LINGER_MS = 1500;
const SCROLL_LIMIT_MS = 150;
const MAX_ERRORS = 3;
const OBSERVED = {
  subtree: true, childList: true, attributes: true, attributeOldValue: true, characterData: true, characterDataOldValue: true,
};
/** Events on whose way closed shadow trees are found before the page's own handlers change them. */
const ACT_EVENTS = ["pointerdown", "mousedown", "click", "keydown", "focusin", "input", "change", "drop", "dragstart"];
/** Changes a MutationObserver cannot see. */
const STATE_EVENTS = ["input", "change", "scroll", "toggle", "submit", "play", "pause"];
/** Events before which something around their target may be about to scroll. */
const SCROLLING = new Set(["pointerdown", "focusin", "keydown"]);
/** Elements that do something else with these keys. */
const OWN_KEYS = "input, textarea, select, button, summary, video, audio, iframe, [role=button], [role=slider]";
/** Keys that scroll what has the focus, and where to. @type {Record<string, ["x" | "y", number]>} */
const SCROLL_KEYS = {
  PageDown: ["y", 1], PageUp: ["y", -1], End: ["y", 1], Home: ["y", -1], " ": ["y", 1],
  ArrowDown: ["y", 1], ArrowUp: ["y", -1], ArrowRight: ["x", 1], ArrowLeft: ["x", -1],
};

/** @typedef {ReturnType<typeof open>} Watch */
/** @typedef {{declined?: boolean, prepared?: boolean, blocked_by?: string | null}} Step */
/** @type {Watch | null} */
let current = null;

/** @param {{errors?: string, takesKeys?: boolean, drags?: boolean}} options errors: the name of the watcher's events */
function open({ errors, takesKeys = false, drags = false }) {
  const listening = new AbortController();
  const { signal } = listening;
  /** @type {Set<ShadowRoot>} */
  const roots = new Set();
  const record = {
    mutations: 0,
    events: 0,
    active: activeElementDeep(),
    url: location.href,
    title: document.title,
    texts: new textChanges.TextChanges(),
    view: new ViewState(),
    popups: /** @type {Set<Element>} */ (new Set()),
    earlier: /** @type {EarlierState | null} */ (null),
    /** Element that was clicked, or got Enter. @type {Element | null} */
    pressed: /** @type {Element | null} */ (null),
    drag: /** @type {DragTrace | null} */ (null),
    takesKeys,
    drags,
    errors: /** @type {string[]} */ ([]),
    /** A key that is to scroll something. @type {KeyboardEvent | null} */
    scrollKey: null,
    roots,
    /** Whether the act is over: later changes are told as well, but the person's own input is theirs again. */
    isTold: false,
    /** Whether the act is over with the step that is under way. @type {PromiseWithResolvers<boolean>} */
    step: Promise.withResolvers(),
    /** The next change after the last look. @type {PromiseWithResolvers<void>} */
    news: Promise.withResolvers(),
    observer: new MutationObserver((records) => count(record, records)),
    listening,
  };
  record.observer.observe(document, OBSERVED);
  const options = { capture: true, passive: true, signal };
  for (const type of ACT_EVENTS) addEventListener(type, (event) => noteAct(record, event), options);
  for (const type of STATE_EVENTS) addEventListener(type, (event) => noteState(record, event), options);
  const noteError = (/** @type {string} */ text) => void (record.errors.length < MAX_ERRORS && record.errors.push(text));
  if (errors) pageErrors.listen(errors, noteError, signal);
  return record;
}

/** @param {Watch} record @param {Event} event */
function noteAct(record, event) {
  observeRoots(record, event.target);
  const [first] = event.composedPath();
  if (event.type === "pointerdown" && first instanceof Element) record.drag ??= new DragTrace(first);
  if (event.type === "drop" && record.drag) record.drag.isDropped = true;
  const isEnter = event.type === "keydown" && /** @type {KeyboardEvent} */ (event).key === "Enter";
  if (event.type === "click" || isEnter) record.pressed = /** @type {Element} */ (first);
  if (SCROLLING.has(event.type) && event.target instanceof Element) record.view.watchAbove(event.target);
  if (event.type === "keydown" && event.isTrusted && /** @type {KeyboardEvent} */ (event).key in SCROLL_KEYS)
    record.scrollKey = /** @type {KeyboardEvent} */ (event);
}

/** @param {Watch} record @param {Event} event */
function noteState(record, event) {
  record.events += 1;
  if (event.type === "scroll") record.view.noteScroll(event);
  // A field that is left changes as well.
  if (event.type === "input") record.view.noteInput(event);
}

/** @param {Watch} record @param {MutationRecord[]} records */
function count(record, records) {
  for (const each of records) {
    if (isOwnChange(each)) continue;
    record.mutations += 1;
    record.texts.note(each);
    record.news.resolve();
  }
  if (record.mutations >= MUTATION_CAP) record.observer.disconnect();
}

/**
 * Observes the shadow roots from the host that the window sees down to the focused or hit element.
 * @param {Watch} record
 * @param {EventTarget | null} target
 */
function observeRoots(record, target) {
  for (let host = target; host instanceof Element; ) {
    const root = shadowRootOf(host);
    if (!root) return;
    observeRoot(record, root);
    host = root.activeElement;
  }
}

/** @param {Watch} record @param {ShadowRoot} root */
function observeRoot({ observer, roots }, root) {
  observer.observe(root, OBSERVED);
  roots.add(root);
}

/**
 * Lets tasks queued by the act run first: form submission, framework renders, and timers of no delay. A hidden tab's
 * timers may be a second late, so its tasks are all that is waited for there.
 */
async function drainTasks() {
  const end = performance.now() + DRAIN_LIMIT_MS;
  let hasTimedOut = false;
  setTimeout(() => (hasTimedOut = true));
  await hop();
  do await hop(); while (!hasTimedOut && performance.now() < end);
}

/** Whether a key has yet to scroll something: Chrome moves it with the next pictures it draws. @param {Watch} record */
function isToScroll({ scrollKey, view, events }) {
  const target = /** @type {HTMLElement | null} */ (scrollKey?.target);
  if (!scrollKey || !target || scrollKey.defaultPrevented || events || view.hasScrolled() || document.hidden) return false;
  if (target.matches(OWN_KEYS) || target.isContentEditable) return false;
  const [axis, sign] = SCROLL_KEYS[scrollKey.key];
  const scroller = scrollerOf(target, axis);
  const [at, room] = axis === "y"
    ? [scroller.scrollTop, scroller.scrollHeight - scroller.clientHeight]
    : [scroller.scrollLeft, scroller.scrollWidth - scroller.clientWidth];
  return sign > 0 ? Math.ceil(at) < room : at > 0;
}

/** @param {Watch} record */
async function untilScrolled({ listening }) {
  const { signal } = listening;
  const seen = new Promise((resolve) => addEventListener("scrollend", resolve, { capture: true, once: true, signal }));
  await Promise.race([seen, new Promise((resolve) => { setTimeout(resolve, SCROLL_LIMIT_MS); })]);
}

/** @param {Watch} record */
function close(record) {
  if (record.listening.signal.aborted) return;
  if (current === record) current = null;
  actUnderWay.end(record);
  record.observer.disconnect();
  record.step.resolve(false);
  record.news.resolve();
  record.listening.abort();
  actStart.rest();
}

/** @param {Element | null} element */
const isFrame = (element) => /^i?frame$/.test(element?.localName ?? "");

/**
 * Whether an element has the focus because it was clicked, and is no field to type in.
 * @param {Watch} record @param {Element | null} active
 */
const isPressed = ({ pressed }, active) => active !== null && pressed !== null && composedContains(active, pressed) &&
  !takesText(/** @type {HTMLElement} */ (active));

/** @param {Element | null} element */
function describe(element) {
  if (!element || element === document.body || element === document.documentElement) return "none";
  return textChanges.described(element);
}

/**
 * @param {{sign?: {id: string, events: string[]}, shows?: {title: string}, weighs?: boolean, pause?: number, errors?: string,
 *   takesKeys?: boolean, drags?: boolean, runs?: boolean}} args  pause: ms since the user's input before which nothing begins;
 *   runs: the act is a script, which may remove the field whose value it returns
 */
export const begin = ({ sign, shows, weighs = false, pause = 0, runs = false, ...options }) => {
  const since = presence.sinceInput();
  if (since < pause) return { begun: false, since, active: describe(activeElementDeep()) };
  if (current) close(current);
  if (shows) pageMarks.show(shows);
  current = open(options);
  refs.actOn(null);
  actUnderWay.begin(current);
  onOwnScroll(watchAbove);
  // The page is looked at while the worker prepares the act.
  void hop().then(() => lookAhead(!runs));
  if (sign) actStart.expect(sign);
  if (runs) sensitiveFields.look();
  const isUnheard = options.errors !== undefined && !pageErrors.isWatched(options.errors);
  const calls = weighs && mayNeedDebugger();
  const where = { origin: self.origin, address: location.href };
  return { begun: true, ...sensitiveFields.focused(), ...where, calls, ...(isUnheard && { isUnheard }) };
};

/** Looks at what there is before the act, once. @param {boolean} [mayHoldSecrets] false: the fields for them are known */
export function lookAhead(mayHoldSecrets = true) {
  const record = current;
  if (!record || record.earlier || record.isTold) return;
  record.earlier = new EarlierState();
  record.popups = shown(record.earlier.transitions);
  for (const root of record.earlier.roots) observeRoot(record, root);
  // The act may send what they hold, and take the page away before it can tell.
  if (mayHoldSecrets) sensitiveFields.tellAhead(record.earlier.roots);
}

/** Words for the changes. @param {Watch} record @param {Transitions} transitions those of now */
function wordsOf({ texts, view, popups, earlier, takesKeys, roots, mutations }, transitions) {
  const isNew = mutations > 0 || takesKeys;
  const { words, told } = isNew
    ? changes(popups, shown(transitions, roots), takesKeys)
    : { words: [], told: new Set() };
  const turned = earlier?.turned(mutations < MUTATION_CAP, transitions) ?? [];
  texts.transitions = transitions;
  if (earlier) texts.hidden = earlier.hidden;
  return [...words, ...texts.words(told, view.editors(), turned), ...view.selected()];
}

/** @param {Watch} record */
function tell(record) {
  const active = activeElementDeep();
  const { mutations, events, errors, url, title, view } = record;
  const changed = record.earlier?.changedFields() ?? [];
  const transitions = new Transitions(record.roots);
  const words = cached(() => wordsOf(record, transitions));
  return {
    announces: announces(record) || undefined,
    is_fading: transitions.hasNewlyLeaving(record.earlier?.transitions) || undefined,
    mutations,
    events,
    has_choice: view.hasChoice(changed),
    // The frame inside names what has the focus.
    focus: active !== record.active && !isFrame(active) && !isPressed(record, active) ? describe(active) : undefined,
    url: location.href,
    urlBefore: url,
    title: document.title,
    titleBefore: title,
    changes: words,
    dragged: record.drags ? record.drag?.results(record.texts) : undefined,
    fields: view.fields(changed),
    scrolled: view.scrolled(),
    errors,
  };
}

/** Looks at what has changed. It may be asked again for a while, for what comes later. */
export async function end() {
  const record = current;
  pageMarks.rest();
  if (!record) return {};
  await drainTasks();
  count(record, record.observer.takeRecords());
  actStart.rest();
  if (isToScroll(record)) await untilScrolled(record);
  record.isTold = true;
  record.news = Promise.withResolvers();
  refs.acknowledge();
  actUnderWay.end(record);
  setTimeout(() => close(record), LINGER_MS);
  return tell(record);
}

/** Names a field that holds something else than what was typed into it. @param {{text: string}} args */
export const otherThanTyped = ({ text }) => ({ other: current ? differs(current.view.entered, text) : undefined });

/** Resolves with the next change after the last look, or when the observation ends. */
export async function news() {
  await current?.news.promise;
  return {};
}

/** Notes where the scrollers around an element are: the act itself is about to scroll it. @param {Element} element */
const watchAbove = (element) => current?.view.watchAbove(element);

/** The changes of an act for its last step, which succeeds also where they cannot be told. */
export const counted = () => end().catch(() => undefined);

/** Notes the end of a step that DOM events do. @param {CallReply} reply with a result that says so where it has done nothing */
export function stepped(reply) {
  const { declined, prepared, blocked_by: blockedBy } = /** @type {Step} */ ("result" in reply && reply.result || {});
  current?.step.resolve("result" in reply && !declined && !prepared && !blockedBy);
  if (current) current.step = Promise.withResolvers();
}

/** Tells what an act has changed as soon as its last step is done; asked ahead. */
export const ending = async () => {
  const isOver = await current?.step.promise;
  return isOver ? { counted: await counted() } : {};
};
