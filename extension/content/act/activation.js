/*
 * Consequences of an act that DOM events cannot bring about, as far as they can be known before: what browsers allow to users
 * only, controls that the browser draws and moves itself, dialogs, which stop the page under the act, and requests. Handlers
 * added by script cannot be read: of one element this knows the inline handlers, of the document what its scripts mention.
 */
import { composedClosest as closest, composedContains as contains, lineage } from "../dom/flat-tree.js";
import { heldElement, prepare } from "./actionability.js";

const CLICK_HANDLERS = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "onfocus"];
const EDIT_HANDLERS = ["onfocus", "onfocusin", "onbeforeinput", "oninput", "onchange"];
const GUARDED_CALLS = new RegExp([
  /(?<![\w$.])(?:(?:window|self|top|parent)\s*\.\s*)?open\s*\(/,
  /\.(?:showPicker|requestFullscreen|requestPointerLock|requestPictureInPicture)\s*\(/,
  /\bshow(?:Open|Save)FilePicker\s*\(/, /\bshowDirectoryPicker\s*\(/, /\bgetDisplayMedia\s*\(/,
  /\bexecCommand\s*\(\s*["'`](?:copy|cut|paste)/,
  /\bnavigator\.(?:clipboard|share|userActivation)\b/, /\.request(?:Device|Port|StorageAccess)\s*\(/,
].map(({ source }) => source).join("|"), "i");
const DIALOGS = /(?<![\w$.])(?:(?:window|self|top|parent)\s*\.\s*)?(?:alert|confirm|prompt)\s*\(/;
/** Requests of scripts, which the debugger alone tells of in time. */
const REQUESTS = /\b(?:fetch|sendBeacon|ajax)\s*\(|\b(?:XMLHttpRequest|EventSource|axios)\b/;
/** A dialog or a window under whatever name a script calls it, requests, and code that is not in the text. */
const MENTIONS = new RegExp([
  /\b(?:alert|confirm|prompt|print|(?:on)?beforeunload|eval|importScripts)\b/, /\bimport\s*[({*"'\w]/, /\bnew\s+Function\b/,
  /\b(?:window|self|top|parent|globalThis)\s*(?:\.\s*open\b|\[)/, GUARDED_CALLS, REQUESTS,
  // Chrome loads only the first of several files that a page saves without a person's click.
  /\bcreateObjectURL\b|\.download\b/,
].map(({ source }) => source).join("|"), "i");
/** Types of script elements that hold code; others hold data. */
const CODE_TYPE = /^$|^module$|(?:java|ecma|j|live)script/i;
const SCRIPT_LINK = /^\s*javascript:/i;
/** Elements that the browser moves for the events of a real pointer only. */
const NATIVE = "input[type=range], option, video[controls], audio[controls], iframe, frame, object, embed";
const LIGHT = ":popover-open:not([popover=manual]), dialog[open][closedby=any]";

/** The inline code that an act on `el` runs, wherever in its ancestors. @param {Element} el @param {string[]} handlers */
function codeFor(el, handlers) {
  const found = [];
  for (const node of lineage(el)) {
    for (const name of handlers) found.push(node.getAttribute(name) ?? "");
    const link = node.getAttribute("href") ?? "";
    if (SCRIPT_LINK.test(link)) found.push(link);
  }
  return found.filter(Boolean).join("\n");
}

/** Whether a click on it, or on the label it is, opens a file chooser. @param {Element} el */
function opensChooser(el) {
  const control = el.localName === "label" ? /** @type {HTMLLabelElement} */ (el).control : el;
  return control?.localName === "input" && /** @type {HTMLInputElement} */ (control).type === "file";
}

/** Whether a press on `el` closes an open popover or dialog; the browser does so for real presses only. @param {Element} el */
export function closesSomething(el) {
  return [...document.querySelectorAll(LIGHT)].some((open) => !contains(open, el)
    && !closest(el, (node) => /** @type {HTMLButtonElement} */ (node).popoverTargetElement === open));
}

/**
 * The known reason why a click on `el` by DOM events does not do the whole job.
 * @param {Element} el
 * @returns {"user"|"dialog"|"request"|"native"|undefined}
 */
function beyondEvents(el) {
  const code = codeFor(el, CLICK_HANDLERS);
  if (GUARDED_CALLS.test(code) || closest(el, opensChooser)) return "user";
  if (el.matches(NATIVE) || closesSomething(el)) return "native";
  if (DIALOGS.test(code)) return "dialog";
  return REQUESTS.test(code) ? "request" : undefined;
}

/** Whether an edit of `el` is known to do what only the debugger can tell of: a dialog, a request. @param {Element} el */
export function needsDebugger(el) {
  const code = codeFor(el, EDIT_HANDLERS);
  return DIALOGS.test(code) || REQUESTS.test(code);
}

/** Script elements → whether they may do what the debugger is needed for. @type {WeakMap<HTMLScriptElement, boolean>} */
const judged = new WeakMap();
/** Answer that stays true once it is: listeners stay when their script element has gone. */
let mayCall = false;

/** @param {HTMLScriptElement} script */
function judge(script) {
  const known = judged.get(script);
  if (known !== undefined) return known;
  const isCode = CODE_TYPE.test(script.type.trim());
  // Code of another file is not read: what is not known may be so.
  const verdict = isCode && (script.src !== "" || MENTIONS.test(script.textContent));
  judged.set(script, verdict);
  return verdict;
}

/** Whether a script of a file has run whose element is gone. */
const hadScripts = () => performance.getEntriesByType("resource").some((entry) =>
  /** @type {PerformanceResourceTiming} */ (entry).initiatorType === "script");

/** Whether scripts of the document may open dialogs or windows, send requests, or ask for what browsers give to users only. */
export function mayNeedDebugger() {
  mayCall ||= [...document.querySelectorAll("script")].some(judge) || hadScripts();
  return mayCall;
}

/** Prepares a target as actionability.prepare does, for DOM events. @param {PointerRequest} request */
export const prepareEvents = async (request) => {
  const prepared = await prepare(request);
  return { ...prepared, beyond: beyondEvents(heldElement(request.target)) };
};
