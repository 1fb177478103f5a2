/* Boxes, lists and focus. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.forms) return;

  const { breathe, closest, contains, deadlineFrom, describe, named, heldElement, nextChange, ready } = tw.actionability;
  const { fireInput, squeeze } = tw.filling;

  const CHECKABLE_ROLES = new Set(["checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"]);

  function isCheckable(el) {
    return el.matches("input[type=checkbox], input[type=radio]") || CHECKABLE_ROLES.has(el.getAttribute("role"));
  }

  function checkableOf(el) {
    if (isCheckable(el)) return el;
    const label = closest(el, (node) => node.localName === "label");
    if (label?.control && isCheckable(label.control)) return label.control;
    const outer = closest(el, isCheckable);
    const inside = [...tw.dom.walkElements(el)].filter(isCheckable);
    if (outer || inside.length === 1) return outer ?? inside[0];
    throw tw.error("invalid_element_state", `${named(el)} is not a checkbox, switch or radio button. Use click`);
  }

  /** true, false or "mixed" */
  function checkedOf(el) {
    if (el.matches("input")) return el.indeterminate ? "mixed" : el.checked;
    const state = el.getAttribute("aria-checked");
    return state === "mixed" ? "mixed" : state === "true";
  }

  const isRadio = (el) => el.type === "radio" || /radio$/.test(el.getAttribute("role") ?? "");

  tw.commands["forms.checkState"] = ({ target, want }) => {
    const el = checkableOf(tw.refs.resolve(target.ref));
    const checked = checkedOf(el);
    if (!want && checked !== false && isRadio(el)) {
      throw tw.error("invalid_element_state", `${named(el)} is a radio button: it cannot be unchecked. Check another one of its group`);
    }
    return { ref: tw.refs.refFor(el), checked, element: describe(el) };
  };

  /** Wait, by events, until the box is in the wanted state. */
  tw.commands["forms.awaitChecked"] = async ({ target, want, timeout_ms }) => {
    const el = heldElement(target);
    const deadline = deadlineFrom(timeout_ms);
    for (let look = 0; look < 4 && checkedOf(el) !== want; look += 1) await breathe();
    while (checkedOf(el) !== want && el.isConnected && await nextChange(el, null, deadline));
    return { checked: checkedOf(el), element: describe(el) };
  };

  const listOf = (value) => (Array.isArray(value) ? value : [value]);
  const labelOf = (option) => squeeze(option.label || option.text);
  const FINDERS = {
    value: (options, wanted) => options.find((o) => o.value === wanted) ?? options.find((o) => labelOf(o) === squeeze(wanted)),
    label: (options, wanted) => options.find((o) => labelOf(o) === squeeze(wanted)),
    index: (options, wanted) => options[wanted],
  };

  function selectOf(el) {
    const own = el.localName === "option" || el.localName === "optgroup" ? el.closest("select") : el;
    if (own.localName === "select") return own;
    const label = closest(el, (node) => node.localName === "label");
    if (label?.control?.localName === "select") return label.control;
    const inside = [...tw.dom.walkElements(el)].filter((node) => node.localName === "select");
    if (inside.length === 1) return inside[0];
    throw tw.error("invalid_element_state", `${named(el)} is not a select element. Click it to open its list, then click the option`);
  }

  /** @param {HTMLSelectElement} list @param {any} choice value, label or index */
  function findOptions(list, { value, label, index }) {
    const [kind, wanted] = value !== undefined ? ["value", value] : label !== undefined ? ["label", label] : ["index", index];
    const options = [...list.options];
    const names = listOf(wanted);
    const found = names.map((one) => FINDERS[kind](options, one));
    return { found, missing: names.filter((_, i) => !found[i]), kind };
  }

  function assertSelectable(list, found) {
    if (found.length > 1 && !list.multiple) {
      throw tw.error("invalid_argument", `${named(list)} takes one option, not ${found.length}`);
    }
    const disabled = found.find((option) => option.disabled || option.closest("optgroup")?.disabled);
    if (disabled) throw tw.error("element_not_interactable", `the option ${tw.said(`"${labelOf(disabled)}"`)} is disabled`);
  }

  function setOptions(list, found) {
    const before = [...list.selectedOptions];
    // A list that stands behind a widget opens it when focused.
    if (tw.actionability.point(list)) tw.dom.giveFocus(list, { preventScroll: true });
    const isSame = before.length === found.length && found.every((option) => option.selected);
    if (isSame) return false;
    if (list.multiple) for (const option of list.options) option.selected = found.includes(option);
    else found[0].selected = true;
    fireInput(list, "input");
    fireInput(list, "change");
    return true;
  }

  tw.commands["forms.select"] = async ({ target, timeout_ms, may_decline = false, act, ...choice }) => {
    const list = selectOf(tw.refs.resolve(target.ref));
    const deadline = deadlineFrom(timeout_ms);
    await ready(list, { checks: ["visible", "enabled"], deadline });
    if (may_decline && tw.activation.opensDialog(list)) return { declined: true };
    let wanted = findOptions(list, choice);
    while (wanted.missing.length && await nextChange(list, null, deadline)) wanted = findOptions(list, choice);
    if (wanted.missing.length) {
      const offered = [...list.options].slice(0, 30).map((option) => `"${labelOf(option)}" (${option.value})`).join(", ");
      throw tw.error("no_such_element", `${named(list)} has no option with ${wanted.kind} ${wanted.missing.map((m) => JSON.stringify(m)).join(", ")}. It has: ${tw.said(offered)}`);
    }
    assertSelectable(list, wanted.found);
    tw.onset.begin(act);
    const changed = setOptions(list, wanted.found);
    await breathe();
    const selected = [...list.selectedOptions];
    if (!wanted.found.every((option) => selected.includes(option)) && wanted.found.every((option) => option.isConnected)) {
      throw tw.error("invalid_element_state", `the page did not keep the choice; selected is now ${selected.length ? tw.said(selected.map((o) => `"${labelOf(o)}"`).join(", ")) : "nothing"}`);
    }
    return { selected: selected.map((option) => option.value), labels: selected.map(labelOf), changed };
  };

  tw.commands["forms.focus"] = async ({ target, timeout_ms, act }) => {
    const el = tw.refs.resolve(target.ref);
    await ready(el, { checks: ["enabled"], deadline: deadlineFrom(timeout_ms) });
    tw.onset.begin(act);
    const had = new AbortController();
    el.addEventListener("focus", () => had.abort(), { capture: true, signal: had.signal });
    tw.dom.giveFocus(el);
    const wasFocused = had.signal.aborted;
    had.abort();
    if (!contains(el, tw.dom.activeElementDeep())) {
      if (wasFocused) return { element: describe(el), note: "it had the focus, but the page moved it on" };
      throw tw.error("element_not_interactable", `${named(el)} cannot take the focus. Focus the field or button itself`);
    }
    return { element: describe(el) };
  };

  /** Choose an option of a closed list, which has no place to click. */
  tw.commands["forms.chooseOption"] = async ({ target, timeout_ms, act }) => {
    const option = heldElement(target);
    const list = option.closest("select");
    await ready(list, { checks: ["visible", "enabled"], deadline: deadlineFrom(timeout_ms) });
    assertSelectable(list, [option]);
    tw.onset.begin(act);
    setOptions(list, [option]);
    await breathe();
    return { element: describe(list), selected: [...list.selectedOptions].map((one) => one.value), note: "the list is closed: the option was selected without a click" };
  };

  tw.forms = { checkedOf };
})();
