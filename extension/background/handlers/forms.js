/* Forms: text, boxes, lists, focus. */
import { said, TabwireError } from "../base/errors.js";
import { locate } from "../page/element-lookup.js";
import { parseKeys } from "../debugger/keys.js";
import { call as callPage, perform } from "../page/content-calls.js";
import { patienceOf } from "../debugger/pointer.js";
import { act, chooseInput, noteInput, runTrusted } from "../debugger/trusted-input.js";
import { isMac, pressKeys } from "../debugger/typing.js";
import { clickLocated } from "./input.js";

/** @typedef {import("../../types").CallContext} CallContext */

const GONE = new Set(["stale_element_reference", "no_such_frame"]);
/** How long a page may take to show the new state of a box it controls itself. */
const STATE_MS = 1500;
/** A box between two states may need a second click. */
const MAX_CLICKS = 2;

const inPage = (call, where, name, args = {}) =>
  callPage(call.tab.id, where.frame, name, { target: { ref: where.local }, ...args }, call);

const actInPage = (call, where, name, args = {}) =>
  perform(call.tab.id, where.frame, name, { target: { ref: where.local }, ...args }, call);

const timeLeft = (until) => Math.max(0, until - Date.now());

async function insert(send, text, call) {
  if (text === "") await pressKeys(send, parseKeys("Delete", false), call);
  else await send("Input.insertText", { text });
}

/** Code editors have carets of their own, which only their keys move. */
async function caretByKey(send, intent, call) {
  const mac = await isMac();
  const combination = intent === "select" ? "ControlOrMeta+a" : mac ? "Meta+ArrowDown" : "Control+End";
  await pressKeys(send, parseKeys(combination, mac), call);
}

/** Text by trusted input; what an editor did not take that way is tried in the other ways it may accept. */
async function fillTrusted(send, call, where, args) {
  const started = await actInPage(call, where, "forms.startFill", { ...args, prepares: true });
  if (started.done) return { value: started.value ?? "" };
  if (started.by_key) await caretByKey(send, started.by_key, call);
  await insert(send, started.text, call);
  const holds = () => inPage(call, where, "forms.fillHolds");
  if (started.kind !== "text" && !await holds()) {
    if (args.clear) {
      await caretByKey(send, "select", call);
      await insert(send, started.text, call);
    }
    if (!await holds()) await actInPage(call, where, "forms.pasteFill");
  }
  return inPage(call, where, "forms.endFill");
}

/** An editor that took no text from a script is filled with trusted input, where the client leaves the choice to us. */
function escalate(error, call, { clear }, trusted) {
  const isEditor = error.code === "invalid_element_state" && ["rich", "code"].includes(error.data?.kind);
  if (!isEditor || !clear || call.client.input !== "auto") throw error;
  return runTrusted(call, trusted).then((result) => ({ ...result, input: "trusted" }));
}

async function fillField(params, call, value) {
  const where = await locate(params.selector, params, call);
  const until = patienceOf(params, call);
  const args = () => ({ value, clear: params.clear ?? true, force: params.force ?? false, timeout_ms: timeLeft(until) });
  const trusted = (send) => fillTrusted(send, call, where, args());
  const dom = (may_decline) => () =>
    actInPage(call, where, "forms.fill", { ...args(), may_decline }).catch((error) => escalate(error, call, args(), trusted));
  const filled = await act(call, { trusted, dom: dom(call.client.input === "auto") });
  const result = filled.declined ? await act(call, { needsTrusted: true, trusted, dom: dom(false) }) : filled;
  return { ref: where.ref, ...result };
}

async function afterClick(call, where, local, want, until) {
  try {
    return await inPage(call, { ...where, local }, "forms.awaitChecked", { want, timeout_ms: Math.min(STATE_MS, timeLeft(until)) });
  } catch (error) {
    if (GONE.has(error.code)) return { checked: want, note: "the page replaced the box; take a new snapshot to see its state" };
    throw error;
  }
}

async function setChecked(params, call, want) {
  const where = await locate(params.selector, params, call);
  const until = patienceOf(params, call);
  const before = await inPage(call, where, "forms.checkState", { want });
  if (before.checked === want) {
    return { ref: where.ref, input: await chooseInput(call, false), checked: want, changed: false };
  }
  const options = { force: params.force, until };
  let last = before.checked;
  for (let clicks = 0; clicks < MAX_CLICKS; clicks += 1) {
    const clicked = await clickLocated(call, { ...where, local: before.ref }, options);
    if (clicked.dialog) return { ref: where.ref, ...clicked };
    const { checked, note } = await afterClick(call, where, before.ref, want, until);
    if (checked === want) return { ref: where.ref, ...clicked, checked, changed: true, ...(note ? { note } : {}) };
    if (checked === last || before.checked !== "mixed") break;
    last = checked;
  }
  throw new TabwireError("invalid_element_state",
    `${said(before.element)} was clicked but stays ${want ? "unchecked" : "checked"}; the page refused the change`);
}

/** @param {import("../base/protocol-types").Params<"forms.select">} params @param {CallContext} call */
async function select({ selector, value, label, index, ...params }, call) {
  const where = await locate(selector, params, call);
  const choice = Object.fromEntries(Object.entries({ value, label, index }).filter(([, one]) => one !== undefined));
  if (Object.keys(choice).length !== 1) throw new TabwireError("invalid_argument", "select needs exactly one of value, label, index");
  const until = patienceOf(params, call);
  const run = (may_decline) => actInPage(call, where, "forms.select", { ...choice, may_decline, timeout_ms: timeLeft(until) });
  const input = noteInput(call, "dom");
  const chosen = await run(call.client.input === "auto");
  if (!chosen.declined) return { ref: where.ref, input, ...chosen };
  // It opens a dialog, and only with the debugger attached the dialog can be told of.
  const result = await runTrusted(call, () => run(false)).catch((error) => {
    if (!error.data?.attach) throw error;
    return run(false);
  });
  return { ref: where.ref, input, ...result };
}

/** Focus moves by script in every mode; with the debugger a page in the background gets its focus events as well. */
async function focus(params, call) {
  const where = await locate(params.selector, params, call);
  const timeout_ms = timeLeft(patienceOf(params, call));
  const run = () => actInPage(call, where, "forms.focus", { timeout_ms });
  return { ref: where.ref, ...await act(call, { trusted: run, dom: run }) };
}

/** @type {import("../../types").Handlers<"forms">} */
export const handlers = {
  "forms.fill": (params, call) => fillField(params, call, params.value),
  "forms.clear": (params, call) => fillField(params, call, ""),
  "forms.check": (params, call) => setChecked(params, call, true),
  "forms.uncheck": (params, call) => setChecked(params, call, false),
  "forms.select": select,
  "forms.focus": focus,
};
