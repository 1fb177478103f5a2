/*
 * Keys by DOM events, for when the debugger cannot be had. Synthetic key events run the page's handlers but have none of
 * the browser's own effects, so the usual ones (text, Enter, Tab, deleting, select all) are carried out here.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.keyboard) return;

  const { breathe, describe, named, closest } = tw.actionability;
  const IMPLICIT_SUBMIT = "input:not([type=button], [type=reset], [type=file], [type=hidden], [type=image], [type=submit])";
  // https://html.spec.whatwg.org/#implicit-submission: without a submit button, a second field of these prevents it.
  const BLOCKS_SUBMIT = "input:not([type=checkbox], [type=radio], [type=button], [type=reset], [type=file], [type=hidden], [type=color], [type=range])";
  const CLICKED_BY_ENTER = "button, summary, a[href], input[type=button], input[type=submit], input[type=reset], input[type=image]";
  const CLICKED_BY_SPACE = "button, summary, input[type=button], input[type=submit], input[type=reset], input[type=checkbox], input[type=radio]";

  function focused() {
    return tw.dom.activeElementDeep() ?? document.body ?? document.documentElement;
  }

  function isEditable(el) {
    return el.isContentEditable || (el.matches("input, textarea") && !el.readOnly && !el.disabled);
  }

  function fire(el, type, { key, code, keyCode, location }, held, charCode = 0) {
    const event = new KeyboardEvent(type, {
      bubbles: true, cancelable: true, composed: true, view: window, key, code, location, charCode,
      keyCode: charCode || keyCode, which: charCode || keyCode,
      ctrlKey: held.includes("Control"), shiftKey: held.includes("Shift"), altKey: held.includes("Alt"), metaKey: held.includes("Meta"),
    });
    return el.dispatchEvent(event);
  }

  /**
   * Put text where the caret is, as an edit of the user: `beforeinput` first, then the browser's own editing.
   * @param {Element} el the focused element
   * @param {string} text
   * @returns {boolean} false when the page refused
   */
  function insertText(el, text) {
    const before = new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType: "insertText", data: text });
    if (!el.dispatchEvent(before)) return false;
    return document.execCommand("insertText", false, text);
  }

  /** The outermost editable element, which is where the focus goes. */
  function isEditingHost(el) {
    return el.isContentEditable && !el.parentElement?.isContentEditable;
  }

  function isTabbable(el) {
    if ((el.tabIndex < 0 && (el.hasAttribute("tabindex") || !isEditingHost(el))) || tw.actionability.isDisabled(el) || !tw.visibility.isVisible(el)) return false;
    const group = el.matches("input[type=radio]") && el.name ? el : null;
    if (!group || group.checked) return true;
    const peers = [...(el.form ?? el.getRootNode()).querySelectorAll(`input[type=radio][name="${CSS.escape(el.name)}"]`)];
    return !peers.some((peer) => peer.checked) && peers[0] === el;
  }

  /** Sequential focus navigation: positive tabindex first, in order, then the rest of the document. */
  function moveByTab(backwards) {
    const all = [...tw.dom.walkElements(document.documentElement)].filter(isTabbable);
    const order = [...all.filter((el) => el.tabIndex > 0).sort((a, b) => a.tabIndex - b.tabIndex), ...all.filter((el) => el.tabIndex === 0)];
    if (!order.length) return;
    const at = order.indexOf(focused());
    const next = at < 0 ? (backwards ? order.length - 1 : 0) : (at + (backwards ? -1 : 1) + order.length) % order.length;
    tw.dom.giveFocus(order[next]);
    if (order[next].matches("input") && order[next].select) order[next].select();
  }

  function submitOf(form) {
    return [...form.elements].find((el) => el.matches("button:not([type]), [type=submit], [type=image]"));
  }

  function pressEnter(el) {
    if (el.matches(CLICKED_BY_ENTER)) return el.click();
    if (el.matches("textarea") || el.isContentEditable) return insertText(el, "\n");
    if (!el.matches(IMPLICIT_SUBMIT) || !el.form) return undefined;
    const button = submitOf(el.form);
    if (button) return button.disabled ? undefined : button.click();
    return [...el.form.elements].filter((one) => one.matches(BLOCKS_SUBMIT)).length > 1 ? undefined : el.form.requestSubmit();
  }

  /** Delete the selection, or one character, as an edit of the user. */
  function deleteText(el, forward) {
    if (!isEditable(el)) return;
    const inputType = forward ? "deleteContentForward" : "deleteContentBackward";
    if (!el.dispatchEvent(new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType }))) return;
    document.execCommand(forward ? "forwardDelete" : "delete");
  }

  const DEFAULT_ACTIONS = {
    Enter: (el) => pressEnter(el),
    Tab: (el, held) => moveByTab(held.includes("Shift")),
    Backspace: (el) => deleteText(el, false),
    Delete: (el) => deleteText(el, true),
  };
  const SHORTCUTS = { a: "selectAll", c: "copy", x: "cut", v: "paste", z: "undo", y: "redo" };

  function runDefault(el, stroke, held) {
    const shortcut = held.some((name) => name === "Control" || name === "Meta") ? SHORTCUTS[stroke.key.toLowerCase()] : null;
    if (shortcut) return document.execCommand(shortcut);
    if (tw.keyActions.run(el, stroke, held)) return undefined;
    if (held.some((name) => name !== "Shift")) return undefined;
    if (DEFAULT_ACTIONS[stroke.key]) return DEFAULT_ACTIONS[stroke.key](el, held);
    if (stroke.text && isEditable(el)) return insertText(el, stroke.text);
    return undefined;
  }

  /** One press: keydown, keypress for what writes, the default action, keyup (Space clicks when it comes up). */
  function stroke(key, held) {
    const el = focused();
    const writes = key.text && !held.some((name) => name !== "Shift");
    const goesOn = fire(el, "keydown", key, held) && (!writes || fire(el, "keypress", key, held, key.text.codePointAt(0)));
    if (goesOn) runDefault(focused(), key, held);
    const now = focused();
    const isClicked = fire(now, "keyup", key, held) && goesOn && key.key === " " && now.matches(CLICKED_BY_SPACE);
    if (isClicked) now.click();
  }

  function pressHeld(modifiers, run) {
    const held = [];
    for (const modifier of modifiers) {
      held.push(modifier.key);
      fire(focused(), "keydown", modifier, held);
    }
    run(held);
    for (const modifier of [...modifiers].reverse()) {
      held.pop();
      fire(focused(), "keyup", modifier, held);
    }
  }

  tw.commands["keyboard.press"] = async ({ modifiers, stroke: key, repeat, act }) => {
    tw.onset.begin(act);
    for (let n = 0; n < repeat; n += 1) {
      await tw.halt.step(() => pressHeld(modifiers, (held) => stroke(key, held)), breathe);
    }
    return { focus: describe(focused()) };
  };

  tw.commands["keyboard.type"] = async ({ strokes, act }) => {
    tw.onset.begin(act);
    for (const { stroke: key, shift, insert } of strokes) {
      const write = () => (insert ? insertText(focused(), insert) : stroke(key, shift ? ["Shift"] : []));
      await tw.halt.step(write, breathe);
    }
    return { focus: describe(focused()) };
  };

  /** The field an element stands for: a label's control, the one thing inside a wrapper that takes the focus. */
  function fieldOf(el) {
    const label = closest(el, (node) => node.localName === "label");
    if (label?.control && !el.matches("input, textarea, select, [contenteditable]")) return label.control;
    if (el.tabIndex >= 0 || el.hasAttribute("tabindex") || el.isContentEditable) return el;
    const inside = [...tw.dom.walkElements(el)].filter((node) => node.tabIndex >= 0 && isTabbable(node));
    return inside.length === 1 ? inside[0] : el;
  }

  /** Focus an element by itself (no click), with the caret at the end where it had none. */
  tw.commands["keyboard.focus"] = async ({ target, timeout_ms }) => {
    const el = fieldOf(tw.refs.resolve(target.ref));
    await tw.actionability.ready(el, { checks: ["enabled"], deadline: tw.actionability.deadlineFrom(timeout_ms) });
    const had = focused();
    // The page itself: keys go to what has the focus, or to the body.
    const isPage = el === document.body || el === document.documentElement;
    if (isPage && !el.isContentEditable) return { element: describe(el) };
    const hadFocus = document.hasFocus() && tw.actionability.contains(el, had);
    if (!hadFocus) tw.dom.giveFocus(el);
    const now = focused();
    if (!tw.actionability.contains(el, now)) {
      throw tw.error("element_not_interactable", `${named(el)} does not take the focus. Give the field itself, or click it first`);
    }
    if (now !== had || (isPage && !hadFocus)) tw.keyboard.caretToEnd(now);
    return { element: describe(el) };
  };

  /**
   * Put the caret behind the text of a field.
   * @param {any} el
   */
  function caretToEnd(el) {
    if (el.matches("input, textarea")) {
      // Not for the types without a selection, such as email and number.
      if (el.selectionStart !== null) el.setSelectionRange(el.value.length, el.value.length);
    } else if (el.isContentEditable) {
      getSelection().selectAllChildren(el);
      getSelection().collapseToEnd();
    }
  }

  /**
   * Put the caret of a focused field behind its first `offset` characters.
   * @param {any} field
   * @param {number} offset
   */
  function caretTo(field, offset) {
    if (field.selectionStart !== null) return field.setSelectionRange(offset, offset);
    // The types without a selection of their own follow the one of the page.
    const selection = getSelection();
    selection.modify("move", "backward", "lineboundary");
    for (let n = 0; n < offset; n += 1) selection.modify("move", "forward", "character");
    return undefined;
  }

  tw.keyboard = { insertText, deleteText, caretToEnd, caretTo, focused, isEditable, isEditingHost };
})();
