/* Forms: text, boxes, lists, focus. */
import { act, chooseInput, noteInput, runTrusted } from "../input/trusted-input.js";
import { actInPage, inPage, locate, patienceOf, timeLeft } from "../page/element-lookup.js";
import { endedBy, endsAct, toldMeanwhile } from "../input/press-verdict.js";
import { isMac, pressKeys } from "../input/typing.js";
import { invalid, isChangedElement, isGone, said, TabwireError } from "../base/errors.js";
import { joinNotes } from "../base/text.js";
import { clickLocated } from "./input.js";
import { fillForm } from "../input/form-fields.js";
import { filesReached } from "../network/fetched-files.js";
import { follow, onRefocused } from "../input/replaced-target.js";
import { parseKeys } from "../input/keys.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("../page/element-lookup.js").Located} Located */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */
/** @typedef {{value: string, clear: boolean, force: boolean}} Text */
/** @typedef {{where: Located, until: number}} Wanted  until: epoch ms */

/** @typedef {boolean|"mixed"|null} Checked  null: the page does not tell */

/** Time that a page may take to show the new state of a box it controls itself. */
const STATE_MS = 1500;
/** A box between two states may need a second click. */
const MAX_CLICKS = 2;

/** The end of a key that an input method has taken, with which it writes a text: many pages look at their fields only then. */
const WRITTEN = /** @type {const} */ ({ type: "keyUp", key: "Unidentified", windowsVirtualKeyCode: 229 });

/** @param {Send} send @param {string} text @param {CallContext} call */
async function insert(send, text, call) {
  if (text === "") return pressKeys(send, parseKeys("Delete", false), call);
  await Promise.all([send("Input.insertText", { text }), send("Input.dispatchKeyEvent", WRITTEN)]);
}

/**
 * Code editors have carets of their own, which only their keys move.
 * @param {Send} send
 * @param {string} intent
 * @param {CallContext} call
 */
async function caretByKey(send, intent, call) {
  const mac = await isMac();
  const combination = intent === "select" ? "ControlOrMeta+a" : mac ? "Meta+ArrowDown" : "Control+End";
  await pressKeys(send, parseKeys(combination, mac), call);
}

/** @param {Wanted & {text: Text}} what */
const argsOf = ({ text, until }) => ({ ...text, timeout_ms: timeLeft(until) });

/** A field that takes no typing, set by script in every mode. @param {{value?: string, note?: string}} started */
const forced = ({ value, note }) => ({
  ...(value !== undefined && { value }),
  input: "dom",
  note: joinNotes("nobody could type into it as it is: its value was set by script", note),
});

/**
 * Text by trusted input, given once: an editor may keep in its model what it does not show.
 * @param {Send} send @param {CallContext} call @param {Wanted & {text: Text}} what
 */
async function fillTrusted(send, call, what) {
  const { where } = what;
  const started = await actInPage(call, where, "forms.startFill", { ...argsOf(what), prepares: true });
  if (started.forced) return forced(started);
  // A long text was set by script.
  if (started.done && started.note) return { value: started.value, input: "dom", note: started.note };
  if (started.done) return { value: started.value ?? "" };
  if (started.by_key) await caretByKey(send, started.by_key, call);
  if (started.is_pasted) await actInPage(call, where, "forms.pasteFill");
  else {
    const given = () => insert(send, started.text, call);
    const question = { name: "forms.filled", args: { ends: endsAct(call) } };
    const told = await (started.kind === "text" && started.text !== "" ? toldMeanwhile(call, where, question, given) : given());
    if (told) return told;
  }
  return inPage(call, where, "forms.endFill", { ends_act: endsAct(call) });
}

/** @param {CallContext} call @param {Wanted & {text: Text}} what @param {boolean} mayDecline */
async function fillByScript(call, what, mayDecline) {
  const filled = await endedBy(call, what.where, () =>
    actInPage(call, what.where, "forms.fill", { ...argsOf(what), may_decline: mayDecline }));
  return filled.forced ? forced(filled) : filled;
}

const FILL = { trusted: fillTrusted, dom: fillByScript };

/** @param {Params<"forms.clear"> & Text} params @param {CallContext} call */
async function fill({ value, clear, force, ...params }, call) {
  const where = await locate(params.selector, params, call);
  const what = { where, until: patienceOf(params, call), text: { value, clear, force } };
  const filled = await onRefocused(call, where, what.until, () => act(call, FILL, what));
  return { ref: where.ref, ...filled };
}

/**
 * The state of a box that was clicked, once the page shows it.
 * @param {CallContext} call @param {Wanted} what where: brought up to date when the page draws the box anew
 * @param {{want: boolean, before: Checked, name: string}} known
 * @returns {Promise<{checked?: Checked, name?: string}>} without a state: the box is gone
 */
async function afterClick(call, { where, until }, known) {
  for (;;) {
    try {
      return await inPage(call, where, "forms.awaitChecked", { ...known, timeout_ms: Math.min(STATE_MS, timeLeft(until)) });
    } catch (error) {
      if (isGone(error) || (isChangedElement(error) && !await follow(call, where, until))) return {};
      if (!isChangedElement(error)) throw error;
    }
  }
}

/** Result where the box, or its page, went away with the click. @param {string} [note] */
const stateUnknown = (note) => ({
  done: "Clicked the box",
  note: joinNotes(note, "the box is not there any more, so its state is not known; take a new snapshot"),
});

/** Result where the page tells no state. @param {string} before its name @param {string} [now] @param {string} [note] */
function stateUntold(before, now = before, note = undefined) {
  const change = now === before ? "is the same as before" : `changed from ${said(`"${before}"`)} to ${said(`"${now}"`)}`;
  return { done: "Clicked it", note: joinNotes(note, `its state is not told by the page; its name ${change}`) };
}

/** @param {string} element @param {string} [note] */
const unclicked = (element, note) => new TabwireError("invalid_element_state", `${said(element)} was not changed: ${note}`);

/** @param {Params<"forms.check">} params @param {CallContext} call @param {boolean} want */
async function setChecked(params, call, want) {
  const where = await locate(params.selector, params, call);
  const until = patienceOf(params, call);
  const before = await inPage(call, where, "forms.checkState", { want });
  if (before.checked === want) {
    return { ref: where.ref, input: await chooseInput(call, false), checked: want, changed: false };
  }
  const box = { ...where, local: before.ref };
  let last = before.checked;
  for (let clicks = 0; clicks < MAX_CLICKS; clicks += 1) {
    const { done, ...clicked } = await clickLocated(call, box, { force: params.force, until });
    if (clicked.dialog) return { ref: where.ref, ...clicked };
    const { checked, name } = await afterClick(call, { where: box, until }, { want, before: last, name: before.name });
    if (checked === undefined) return { ref: where.ref, ...clicked, ...stateUnknown(clicked.note) };
    if (checked === want) {
      call.observation?.noteChoice({ documentId: box.frame.documentId, local: box.local, ref: where.ref, checked });
      return { ref: where.ref, ...clicked, checked, changed: true };
    }
    if (done) throw unclicked(before.element, clicked.note);
    if (checked === null) return { ref: where.ref, ...clicked, ...stateUntold(before.name, name, clicked.note) };
    if (checked === last || typeof before.checked === "boolean") break;
    last = checked;
  }
  throw new TabwireError("invalid_element_state",
    `${said(before.element)} was clicked but is still ${want ? "unchecked" : "checked"} ${STATE_MS / 1000} s later: the page ` +
    `refuses the change, or takes longer for it. Look at its state before you click it again`);
}

/** @param {Params<"forms.check">} params @param {CallContext} call */
const check = (params, call) => setChecked(params, call, true);

/** @param {Params<"forms.check">} params @param {CallContext} call */
const uncheck = (params, call) => setChecked(params, call, false);

/** @param {Params<"forms.select">} params @param {CallContext} call */
async function select({ selector, value, label, index, ...params }, call) {
  const where = await locate(selector, params, call);
  const choice = Object.fromEntries(Object.entries({ value, label, index }).filter(([, one]) => one !== undefined));
  if (Object.keys(choice).length !== 1)
    throw invalid("select needs exactly one of value, label, index");
  const until = patienceOf(params, call);
  const run = (/** @type {boolean} */ may_decline) => onRefocused(call, where, until, () => endedBy(call, where, () =>
    actInPage(call, where, "forms.select", { ...choice, may_decline, timeout_ms: timeLeft(until) })));
  const input = noteInput(call, "dom");
  const withChoice = (/** @type {{selected?: string[], changed: boolean}} */ chosen) => {
    const { frame: { documentId }, local, ref } = where;
    if (chosen.changed) call.observation?.noteChoice({ documentId, local, ref, selected: chosen.selected });
    return { ref, input, ...chosen };
  };
  const chosen = await run(call.client.input === "auto");
  if (!chosen.declined) return withChoice(chosen);
  // The choice opens a dialog, which can be reported only with the debugger attached.
  const result = await runTrusted(call, () => run(false), undefined).catch((error) => {
    if (!error.data?.attach) throw error;
    return run(false);
  });
  return withChoice(result);
}

/** @param {CallContext} call @param {Wanted} what */
const focusByScript = (call, { where, until }) => actInPage(call, where, "forms.focus", { timeout_ms: timeLeft(until) });

/** Focus moves by script in every mode; with the debugger a page in the background gets its focus events as well. */
const FOCUS = {
  trusted: (/** @type {Send} */ _, /** @type {CallContext} */ call, /** @type {Wanted} */ what) => focusByScript(call, what),
  dom: focusByScript,
};

/** @param {Params<"forms.focus">} params @param {CallContext} call */
async function focus(params, call) {
  const where = await locate(params.selector, params, call);
  return { ref: where.ref, ...await act(call, FOCUS, { where, until: patienceOf(params, call) }) };
}

/** @param {Params<"forms.fill_form">} params */
const filesIn = ({ fields }) => fields.flatMap(({ files = [] }) => files);

const FORM = {
  /** @param {Params<"forms.fill_form">} params */
  sensitive: (params) => (filesIn(params).length ? ["uploads"] : []),
  /** @param {Params<"forms.fill_form">} params @param {import("../../types").TabCall} call */
  reaches: (params, { tab }) => filesReached(filesIn(params), tab),
};

/** @type {import("../../types").Handlers<"forms">} */
export const handlers = {
  "forms.fill": Object.assign(fill, { startsLate: true }),
  "forms.fill_form": Object.assign(fillForm, FORM),
  "forms.clear": (params, call) => fill({ ...params, value: "", clear: true, force: false }, call),
  "forms.check": Object.assign(check, { startsLate: true }),
  "forms.uncheck": Object.assign(uncheck, { startsLate: true }),
  "forms.select": select,
  "forms.focus": focus,
};
