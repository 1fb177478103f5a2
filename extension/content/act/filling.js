/* Text into fields: which element takes it, how, and what the field holds afterwards. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.filling) return;

  const { breathe, closest, contains, deadlineFrom, describe, named, isDisabled, nextChange, ready } = tw.actionability;
  const TEXT_TYPES = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
  const VALUE_TYPES = new Set(["date", "month", "week", "time", "datetime-local", "color", "range"]);
  const OTHER_TOOLS = { checkbox: "check or uncheck", radio: "check", file: "upload", submit: "click", button: "click", reset: "click", image: "click" };
  /** Editors that keep their text outside of the DOM: only their own select-all key selects it. */
  const CODE_EDITORS = ".CodeMirror, .monaco-editor, .cm-editor, .ace_editor";
  const SELECT_ALL = { key: "a", code: "KeyA", keyCode: 65 };
  const TO_END = { mac: { key: "ArrowDown", code: "ArrowDown", keyCode: 40 }, other: { key: "End", code: "End", keyCode: 35 } };
  const SHOWN_CHARS = 500;
  const DRAWN_MS = 300;
  /** The browser inserts line by line, each with its events. */
  const MAX_BREAKS = 100;
  const CODE_LINES = ".CodeMirror-line, .view-line, .cm-line, .ace_line";
  const EDITABLE = "input, textarea, [contenteditable]:not([contenteditable=false])";
  const FORMATS = {
    date: "2024-02-29", month: "2024-02", week: "2024-W09", time: "13:30", "datetime-local": "2024-02-29T13:30",
    color: "#ff8800", range: "a number within min, max and step",
  };

  function editableWithin(el) {
    return [...tw.dom.walkElements(el)].filter((node) => node.matches(EDITABLE) && kindOf(node)
      && !(node.isContentEditable && node.parentElement?.isContentEditable));
  }

  function kindOf(el) {
    if (el.closest(CODE_EDITORS)) return "code";
    if (el.matches("textarea")) return "text";
    if (el.matches("input")) return TEXT_TYPES.has(el.type) ? "text" : VALUE_TYPES.has(el.type) ? "value" : null;
    return el.isContentEditable ? "rich" : null;
  }

  function notEditable(el) {
    const byKeys = /^(slider|spinbutton|scrollbar)$/.test(el.getAttribute("role") ?? "");
    const tool = el.localName === "select" ? "select" : byKeys ? "press (ArrowRight, ArrowLeft) or drag" : OTHER_TOOLS[el.type];
    return tw.error("element_not_editable", `${named(el)} takes no text. ${tool ? `Use ${tool} instead` : "Give an input, textarea or editable element"}`);
  }

  /** The field to fill: the element, its label's control, or the one editable element inside it. */
  function fieldOf(el) {
    const editor = el.closest(CODE_EDITORS);
    if (editor) {
      const inner = editor.querySelector("textarea, .cm-content, .native-edit-context");
      if (inner) return inner;
    }
    if (kindOf(el)) return editingHost(el);
    if (el.matches("input, select, button")) throw notEditable(el);
    const label = closest(el, (node) => node.localName === "label");
    if (label?.control && kindOf(label.control)) return label.control;
    const inside = editableWithin(el);
    if (inside.length === 1) return inside[0].closest(CODE_EDITORS) ? fieldOf(inside[0]) : inside[0];
    throw notEditable(el);
  }

  function editingHost(el) {
    if (!el.isContentEditable) return el;
    let host = el;
    while (host.parentElement?.isContentEditable && !host.hasAttribute("contenteditable")) host = host.parentElement;
    return host;
  }

  function squeeze(text) {
    return text.replace(/[\u200B\uFEFF]/g, "").replace(/\s+/g, " ").trim();
  }

  /** What was written into an editor; hints and buttons that it shows inside are no part of it. */
  function writtenIn(el) {
    const extras = [...el.querySelectorAll("[contenteditable=false]")].filter((node) => !node.parentElement.closest("[contenteditable=false]"));
    return extras.reduce((text, extra) => text.replace(extra.innerText, ""), el.innerText);
  }

  function textOf(el, kind) {
    if (kind === "text" || kind === "value") return el.value;
    const editor = kind === "code" ? el.closest(CODE_EDITORS) : null;
    if (!editor) return writtenIn(el);
    return [...editor.querySelectorAll(CODE_LINES)].map((line) => line.textContent).join("\n");
  }

  /** What the field would hold if it took `value` as it is. */
  function expectedIn(el, value) {
    return el.localName === "textarea" ? value.replace(/\r\n?/g, "\n") : value.replace(/[\r\n]/g, "");
  }

  function holds(el, kind, { expected, isTail }) {
    const now = textOf(el, kind);
    if (kind === "text") return now === expected;
    // Editors lay text out in blocks; long ones show only a part. Compare the words.
    const [shown, wanted] = [squeeze(now).replace(/ /g, ""), squeeze(expected).replace(/ /g, "")];
    return shown === wanted || (isTail && shown.endsWith(wanted)) || (kind === "code" && shown.length > 0 && wanted.startsWith(shown) && shown.length > wanted.length / 4);
  }

  function outcome(el, kind, { expected, before, isTail }) {
    const value = textOf(el, kind);
    const isHidden = el.type === "password";
    const shown = isHidden ? undefined : value;
    if (holds(el, kind, { expected, isTail })) return { value: shown };
    if (isDisabled(el)) {
      throw tw.error("element_not_interactable", `the page disabled ${named(el)} when it got the focus. Take a new snapshot: something has probably opened`);
    }
    const isRefused = value === before || (value === "" && expected !== "");
    const held = isHidden ? `${value.length} characters` : JSON.stringify(value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}…` : value);
    if (isRefused || kind !== "text") {
      throw tw.error("invalid_element_state", `${named(el)} did not take the text; it now holds ${tw.said(held)}`, isHidden ? undefined : { kind, value: value.slice(0, SHOWN_CHARS) });
    }
    return { value: shown, note: `the page changed the text: the field now holds ${tw.said(held)}` };
  }

  /** Only edits of text come as InputEvent; lists, pickers and files fire plain events. */
  function fireInput(el, type, edit) {
    const fields = { bubbles: true, composed: type !== "change" };
    return el.dispatchEvent(edit ? new InputEvent(type, { ...fields, ...edit }) : new Event(type, fields));
  }

  /** A value set by script is no edit for the browser: it fires no change when the field is left. */
  function changeWhenLeft(el) {
    if (!document.hasFocus() || tw.dom.activeElementDeep() !== el) return fireInput(el, "change");
    const done = new AbortController();
    el.addEventListener("change", () => done.abort(), { once: true, signal: done.signal });
    el.addEventListener("blur", () => {
      done.abort();
      fireInput(el, "change");
    }, { once: true, capture: true, signal: done.signal });
    return undefined;
  }

  function sameValue(type, asked, got) {
    if (type === "range") return Number(asked) === Number(got);
    if (type === "color") return asked.toLowerCase() === got;
    return got === asked || (got !== "" && got.startsWith(asked)) || (asked.startsWith(got) && got !== "");
  }

  function setValue(el, value) {
    const before = el.value;
    const asked = value.trim();
    tw.dom.giveFocus(el, { preventScroll: true });
    el.value = asked;
    if (asked !== "" && !sameValue(el.type, asked, el.value)) {
      el.value = before;
      throw tw.error("invalid_argument", `${named(el)} (type ${el.type}) cannot hold "${value}". Write it like ${FORMATS[el.type]}`);
    }
    if (el.value !== before) {
      fireInput(el, "input");
      fireInput(el, "change");
    }
    return { done: true, value: el.value };
  }

  async function fillTarget({ target, force, timeout_ms }) {
    const el = tw.refs.resolve(target.ref);
    const field = fieldOf(el);
    const kind = kindOf(field);
    const checks = kind === "code" ? ["enabled"] : ["visible", "enabled", "editable"];
    await ready(field, { checks, force, deadline: deadlineFrom(timeout_ms) });
    if (kind === "text" && field.type === "number") return { field, kind, isNumber: true };
    return { field, kind };
  }

  function select(field, kind, clear) {
    if (kind === "code") return;
    const hasCaret = kind !== "text" || field.selectionStart !== null;
    if (!clear && hasCaret) tw.keyboard.caretToEnd(field);
    else if (kind === "text") field.select();
    else if (kind === "rich") selectRich(field);
  }

  /** Code editors listen to the key of their own command; where the caret is in the DOM means nothing to them. */
  function selectByKey(field, clear) {
    const isMac = /mac/i.test(navigator.platform);
    const key = clear ? SELECT_ALL : isMac ? TO_END.mac : TO_END.other;
    const held = { ctrlKey: !isMac, metaKey: isMac, which: key.keyCode };
    field.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, composed: true, ...key, ...held }));
  }

  function selectRich(field) {
    document.execCommand("selectAll");
    const selection = getSelection();
    if (selection.rangeCount && contains(field, selection.anchorNode)) return;
    selection.selectAllChildren(field);
  }

  function plan(field, kind, { value, clear }) {
    const before = textOf(field, kind);
    const appends = !clear && before !== "";
    // Types without a caret (email, number) are refilled with old and new text together.
    const isWhole = appends && kind === "text" && field.selectionStart === null;
    const expected = kind === "text" ? expectedIn(field, appends ? before + value : value) : appends ? `${before}${value}` : value;
    // A code editor that shows nothing may not have drawn its text yet.
    const isTail = kind === "code" && !clear && !appends;
    return { before, expected, isTail, text: isWhole ? before + value : value, clear: clear || isWhole || (!appends && !isTail) };
  }

  function assertNumber(field, { expected }) {
    if (expected.trim() === "" || Number.isFinite(Number(expected.trim()))) return;
    throw tw.error("invalid_argument", `${named(field)} (type number) cannot hold "${expected}". Give a number`);
  }

  let filling = null;

  /** Make the field ready for text from the debugger: focused, its old text selected. Values are set right here. */
  tw.commands["forms.startFill"] = async (args) => {
    const { field, kind, isNumber } = await fillTarget(args);
    if (kind === "value") {
      tw.onset.begin(args.act);
      return setValue(field, args.value);
    }
    if (args.may_decline && tw.activation.opensDialog(field)) return { declined: true };
    const planned = plan(field, kind, args);
    if (isNumber) assertNumber(field, planned);
    if (args.prepares) tw.onset.assertWanted(args.act);
    else tw.onset.begin(args.act);
    field.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    tw.dom.giveFocus(field, { preventScroll: true });
    if (!contains(field, tw.dom.activeElementDeep())) {
      throw tw.error("element_not_interactable", `${named(field)} does not take the focus. Click it first`);
    }
    select(field, kind, planned.clear);
    filling = { field, kind, ...planned };
    // An editor learns of the new selection from an event that comes in a later task.
    if (kind === "rich") await breathe().then(breathe);
    const isEmpty = planned.before === "" && kind !== "code";
    return { done: planned.text === "" && isEmpty, prepared: args.prepares, kind, text: planned.text, by_key: kind === "code" ? (planned.clear ? "select" : "append") : undefined };
  };

  /** Whether the text is there; editors that draw it in the next frame show it a moment later. */
  tw.commands["forms.fillHolds"] = async () => {
    const { field, kind } = filling;
    const deadline = Date.now() + DRAWN_MS;
    for (let look = 0; look < 4 && !holds(field, kind, filling); look += 1) await breathe();
    while (field.isConnected && !holds(field, kind, filling) && await nextChange(field, null, deadline));
    return holds(field, kind, filling);
  };

  tw.commands["forms.endFill"] = async () => {
    const { field, kind } = filling;
    if (kind !== "text") await tw.commands["forms.fillHolds"]();
    if (!field.isConnected) return { note: "the field was replaced while it was filled; take a new snapshot" };
    return { element: describe(field), ...outcome(field, kind, filling) };
  };

  function paste(field, text) {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    field.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true, clipboardData: data }));
  }

  /** Replace the selection by paste: the way into editors that accept nothing else from a script. */
  tw.commands["forms.pasteFill"] = async ({ act } = { act: undefined }) => {
    tw.onset.begin(act);
    const { field, kind, text, clear } = filling;
    select(field, kind, clear);
    if (kind === "code") selectByKey(field, clear);
    await breathe().then(breathe);
    paste(tw.dom.activeElementDeep() ?? field, text);
    await breathe();
    return {};
  };

  function setText(field, expected) {
    const edit = { inputType: "insertReplacementText", data: expected };
    if (!fireInput(field, "beforeinput", { ...edit, cancelable: true })) return;
    field.value = expected;
    fireInput(field, "input", edit);
    changeWhenLeft(field);
  }

  /** Edit like a user where the browser can (undo and the native change event are kept), else set the value. */
  async function editText({ field, kind, text, expected, clear }) {
    // The page may have switched it off when it got the focus.
    if (isDisabled(field)) return;
    if (kind === "code") selectByKey(field, clear);
    if (text === "") tw.keyboard.deleteText(field, false);
    else if (kind === "text" && text.split("\n").length > MAX_BREAKS) setText(field, expected);
    else tw.keyboard.insertText(field, text);
    if (kind === "text" && field.value !== expected && field.value === filling.before) setText(field, expected);
    await breathe();
  }

  tw.commands["forms.fill"] = async (args) => {
    const started = await tw.commands["forms.startFill"](args);
    if (started.declined) return started;
    if (started.done) return { value: started.value ?? "" };
    await editText(filling);
    if (filling.kind !== "text" && !await tw.commands["forms.fillHolds"]()) await tw.commands["forms.pasteFill"]();
    return tw.commands["forms.endFill"]();
  };

  tw.filling = { fieldOf, fireInput, squeeze };
})();
