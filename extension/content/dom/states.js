/* States and properties: only those that the role supports and that apply to the element. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.states) return;
  const { cache, cached, memo, composedParent, composedClosest } = tw.dom;
  const { roleOf } = tw.roles;
  const { nameOf, descriptionOf, tidy } = tw.names;
  const { set, record } = tw.roleTables;

  const disabledCache = cache();
  const disablingCache = cache();
  const gridCache = cache();

  const has = (element, name) => element.hasAttribute(name);
  const token = (element, name) => element.getAttribute(name)?.trim().toLowerCase() ?? "";
  const isTrue = (element, name) => token(element, name) === "true";
  const tag = (element) => element.localName;
  const isInput = (element, types) => tag(element) === "input" && types.has(element.type);

  const CHECK_INPUTS = set("checkbox radio");
  const CHECKABLE = set("checkbox menuitemcheckbox menuitemradio option radio switch treeitem");
  const CHECKED_BY_DEFAULT = set("checkbox menuitemcheckbox menuitemradio radio switch");
  const TWO_STATE = set("radio menuitemradio switch");

  function checked(element, role) {
    if (isInput(element, CHECK_INPUTS)) return element.indeterminate ? "mixed" : element.checked;
    if (!CHECKABLE.has(role)) return undefined;
    const value = token(element, "aria-checked");
    if (value === "true") return true;
    if (value === "mixed") return TWO_STATE.has(role) ? false : "mixed";
    return value === "false" || CHECKED_BY_DEFAULT.has(role) ? false : undefined;
  }

  const TRISTATE = { true: true, false: false, mixed: "mixed" };

  const pressed = (element) => (has(element, "aria-pressed") ? TRISTATE[token(element, "aria-pressed")] : undefined);

  const EXPANDABLE = set(`
    application button checkbox columnheader combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio row
    rowheader switch tab treeitem summary doc-backlink doc-biblioref doc-glossref doc-noteref`);

  function popoverOf(element) {
    if (tag(element) !== "button" && tag(element) !== "input") return null;
    const popover = has(element, "popovertarget") && element.popoverTargetElement;
    if (popover) return popover;
    return has(element, "commandfor") && /popover$/.test(token(element, "command")) ? element.commandForElement : null;
  }

  const isPopoverOpen = (popover) => has(popover, "popover") && popover.matches(":popover-open");

  function nativeExpanded(element) {
    if (tag(element) === "summary") return has(element.parentElement, "open");
    if (tag(element) === "select" && !element.multiple && element.size <= 1) return element.matches(":open");
    const popover = popoverOf(element);
    return popover ? isPopoverOpen(popover) : undefined;
  }

  function expanded(element, role) {
    if (!EXPANDABLE.has(role)) return undefined;
    const value = has(element, "aria-expanded") ? TRISTATE[token(element, "aria-expanded")] : undefined;
    return typeof value === "boolean" ? value : nativeExpanded(element) ?? (role === "combobox" ? false : undefined);
  }

  const SELECTABLE = set("columnheader gridcell option row rowheader tab treeitem");

  function selected(element, role) {
    if (tag(element) === "option" && role === "option") return element.selected;
    if (!SELECTABLE.has(role)) return undefined;
    const value = has(element, "aria-selected") ? TRISTATE[token(element, "aria-selected")] : undefined;
    return typeof value === "boolean" ? value : undefined;
  }

  // https://w3c.github.io/aria/#aria-disabled applies to descendants that can be operated
  const DISABLEABLE = set(`
    application button checkbox columnheader combobox grid gridcell group link listbox menu menubar menuitem
    menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox separator slider spinbutton
    switch tab tablist textbox toolbar tree treegrid treeitem summary`);

  const isAriaDisabled = (element) => has(element, "aria-disabled") && isTrue(element, "aria-disabled");

  // Spares the walk up for the many trees without the attribute.
  function mayDisable(root) {
    return root.querySelector("[aria-disabled]") !== null || Boolean(root.host && mayDisable(root.host.getRootNode()));
  }

  function isDisabledWithin(element) {
    if (isAriaDisabled(element)) return true;
    const parent = composedParent(element);
    return parent !== null && memo(disabledCache, parent, isDisabledWithin);
  }

  const NATIVE_DISABLEABLE = set("button fieldset input optgroup option select textarea");
  const NATIVE_OR_DISABLEABLE = new Set([...DISABLEABLE, ...NATIVE_DISABLEABLE]);

  function disabled(element, role) {
    if (NATIVE_DISABLEABLE.has(tag(element)) && element.matches(":disabled")) return true;
    if (token(element, "aria-disabled") !== "") return isAriaDisabled(element) ? true : undefined;
    if (!DISABLEABLE.has(role) || !memo(disablingCache, element.getRootNode(), mayDisable)) return undefined;
    return memo(disabledCache, element, isDisabledWithin) ? true : undefined;
  }

  const READONLY_ROLES = set(`
    checkbox columnheader combobox grid gridcell listbox menuitemcheckbox menuitemradio radiogroup rowheader searchbox
    slider spinbutton switch textbox treegrid`);
  const TEXT_TAGS = set("input textarea");
  const CELLS = set("columnheader gridcell rowheader");
  const GRIDS = set("grid treegrid");

  const gridOf = (element) => composedClosest(element, (ancestor) => GRIDS.has(roleOf(ancestor)));

  function readonly(element, role) {
    if (TEXT_TAGS.has(tag(element)) && has(element, "readonly")) return element.readOnly || undefined;
    if (!READONLY_ROLES.has(role)) return undefined;
    const value = token(element, "aria-readonly");
    if (value === "true") return true;
    if (value === "false" || !CELLS.has(role)) return undefined;
    const grid = memo(gridCache, composedParent(element), gridOf);
    return grid && isTrue(grid, "aria-readonly") ? true : undefined;
  }

  const REQUIRABLE = set(`
    checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox spinbutton switch textbox tree radio
    button`);
  const NATIVE_REQUIRABLE = set("input select textarea");

  function required(element, role) {
    if (NATIVE_REQUIRABLE.has(tag(element)) && has(element, "required") && element.required) return true;
    return REQUIRABLE.has(role) && isTrue(element, "aria-required") ? true : undefined;
  }

  const INVALID_WORDS = { grammar: "grammar", spelling: "spelling", "": undefined, false: undefined };

  function invalid(element) {
    if (has(element, "aria-invalid")) {
      const value = token(element, "aria-invalid");
      return value in INVALID_WORDS ? INVALID_WORDS[value] : true;
    }
    return NATIVE_REQUIRABLE.has(tag(element)) && element.matches(":user-invalid") ? true : undefined;
  }

  const POPUPS = record({ true: "menu", menu: "menu", listbox: "listbox", tree: "tree", grid: "grid", dialog: "dialog" });
  function haspopup(element, role) {
    const value = has(element, "aria-haspopup") ? token(element, "aria-haspopup") : "";
    if (role === "combobox") return value === "true" ? "true" : value === "false" ? undefined : POPUPS[value] ?? "listbox";
    return POPUPS[value];
  }

  const LEVELLED = set("heading listitem row treeitem comment");
  const HEADING = /^h([1-6])$/;

  const countAncestors = (element, role) => {
    let level = 1;
    for (let group = composedParent(element); group; group = composedParent(group)) {
      const groupRole = roleOf(group);
      if (groupRole === "group") level += 1;
      if (groupRole === role) break;
    }
    return level;
  };

  function level(element, role) {
    if (!LEVELLED.has(role)) return undefined;
    const own = Number.parseInt(element.getAttribute("aria-level") ?? "", 10);
    if (own > 0) return own;
    if (role === "treeitem") return countAncestors(element, "tree");
    if (role !== "heading") return undefined;
    return Number(HEADING.exec(tag(element))?.[1] ?? 2);
  }

  const CURRENT = set("page step location date time");

  function current(element) {
    const value = token(element, "aria-current");
    if (value === "" || value === "false" || value === "undefined") return undefined;
    return CURRENT.has(value) ? value : true;
  }

  const DIALOGS = set("dialog alertdialog");
  const isModal = (element) => isTrue(element, "aria-modal") || (tag(element) === "dialog" && element.matches(":modal"));
  const modal = (element) => isModal(element) || undefined;

  const EDITS_TEXT = set("textbox searchbox");
  function multiline(element, role) {
    if (tag(element) === "textarea") return true;
    if (!EDITS_TEXT.has(role)) return undefined;
    if (has(element, "aria-multiline")) return isTrue(element, "aria-multiline") || undefined;
    return role === "textbox" && tag(element) !== "input" && element.isContentEditable ? true : undefined;
  }

  const MULTISELECT = set("grid listbox tablist tree treegrid");
  const multiselectable = (element) =>
    (tag(element) === "select" ? element.multiple : isTrue(element, "aria-multiselectable")) || undefined;

  // Implicit values: https://w3c.github.io/aria/#aria-orientation
  const ORIENTED = record({
    listbox: "vertical", menu: "vertical", menubar: "horizontal", radiogroup: null, scrollbar: "vertical",
    separator: "horizontal", slider: "horizontal", tablist: "horizontal", toolbar: "horizontal", tree: "vertical", treegrid: null,
  });

  function orientation(element, role) {
    if (!(role in ORIENTED) || !has(element, "aria-orientation")) return undefined;
    const value = token(element, "aria-orientation");
    return value === "vertical" || value === "horizontal" ? value : undefined;
  }

  const RANGES = set("meter progressbar scrollbar separator slider spinbutton");
  const NATIVE_RANGES = set("input meter progress");
  /** @param {string | null} text */
  function number(text) {
    const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
    return Number.isNaN(value) ? undefined : value;
  }

  const isRange = (element, role) => RANGES.has(role) && (role !== "separator" || tw.roles.isFocusable(element));
  // A focusable separator and the sliders have a range even when the author gives none.
  const BOUNDED = set("meter progressbar scrollbar separator slider");
  const DEFAULT_BOUNDS = { min: 0, max: 100 };

  function nativeBound(element, side) {
    const own = number(element.getAttribute(side));
    if (tag(element) === "input") return own ?? (element.type === "range" ? DEFAULT_BOUNDS[side] : undefined);
    if (tag(element) === "progress") return side === "min" ? 0 : element.max;
    return tag(element) === "meter" ? element[side] : undefined;
  }

  function bound(element, role, side) {
    if (!isRange(element, role)) return undefined;
    const own = number(element.getAttribute(`aria-value${side}`));
    if (own !== undefined) return own;
    if (NATIVE_RANGES.has(tag(element))) return nativeBound(element, side);
    return BOUNDED.has(role) ? DEFAULT_BOUNDS[side] : undefined;
  }

  function nativeValue(element) {
    if (tag(element) === "progress") return element.position < 0 ? undefined : element.value;
    return number(String(element.value));
  }

  // https://w3c.github.io/aria/#authorErrorDefaultValuesTable
  function valuenow(element, role) {
    if (!isRange(element, role)) return undefined;
    if (NATIVE_RANGES.has(tag(element))) return nativeValue(element);
    const own = number(element.getAttribute("aria-valuenow"));
    if (own !== undefined) return own;
    if (role === "spinbutton") return 0;
    if (role === "progressbar" || role === "meter") return undefined;
    const [min, max] = [bound(element, role, "min"), bound(element, role, "max")];
    return min + (max - min) / 2;
  }

  const VALUED_TEXT = set("textbox searchbox combobox");
  const PASSWORD = set("password");

  function valuetext(element, role) {
    if (isRange(element, role)) return element.getAttribute("aria-valuetext") || undefined;
    if (!VALUED_TEXT.has(role) || isInput(element, PASSWORD)) return undefined;
    return tw.names.valueOf(element, role) || undefined;
  }

  const placeholder = (element) =>
    (TEXT_TAGS.has(tag(element)) && element.getAttribute("placeholder")) || element.getAttribute("aria-placeholder") || undefined;

  const SORTS = set("ascending descending other");
  const word = (name, words) => (element) => (words.has(token(element, name)) ? token(element, name) : undefined);
  const HEADERS = set("columnheader rowheader");

  const positive = (name) => (element) => {
    const value = Number.parseInt(element.getAttribute(name) ?? "", 10);
    return value > 0 ? value : undefined;
  };

  const COUNTED = set("article listitem menuitem menuitemcheckbox menuitemradio option radio row tab treeitem comment");

  const roledescription = (element) => tidy(element.getAttribute("aria-roledescription") ?? "") || undefined;
  const NAMED_ROLES = { has: (role) => role !== "generic" && role !== "none" };
  const ANY_ROLE = { has: () => true };
  const NO_ROLE = set("");
  const range = (side) => ({ roles: RANGES, read: (element, role) => bound(element, role, side) });

  // roles and tags: where the state can apply; always: those of them that can have it without an ARIA attribute.
  /** @type {Record<string, {roles: any, tags?: any, always?: any, read: (element: any, role: string) => any}>} */
  const RULES = {
    checked: { roles: CHECKABLE, tags: set("input"), always: ANY_ROLE, read: checked },
    pressed: { roles: set("button"), read: pressed },
    expanded: { roles: EXPANDABLE, always: set("button combobox input select summary"), read: expanded },
    selected: { roles: SELECTABLE, always: set("option"), read: selected },
    disabled: { roles: ANY_ROLE, always: NATIVE_OR_DISABLEABLE, read: disabled },
    readonly: { roles: READONLY_ROLES, tags: NATIVE_REQUIRABLE, always: set("columnheader gridcell rowheader"), read: readonly },
    required: { roles: REQUIRABLE, tags: NATIVE_REQUIRABLE, read: required },
    invalid: { roles: ANY_ROLE, read: invalid },
    haspopup: { roles: ANY_ROLE, always: set("combobox"), read: haspopup },
    level: { roles: LEVELLED, always: set("heading treeitem"), read: level },
    modal: { roles: DIALOGS, always: DIALOGS, read: modal },
    multiline: { roles: EDITS_TEXT, tags: set("textarea"), always: set("textarea textbox"), read: multiline },
    multiselectable: { roles: MULTISELECT, tags: set("select"), read: multiselectable },
    orientation: { roles: { has: (role) => role in ORIENTED }, read: orientation },
    valuemin: { ...range("min"), always: ANY_ROLE },
    valuemax: { ...range("max"), always: ANY_ROLE },
    valuenow: { roles: RANGES, always: ANY_ROLE, read: valuenow },
    valuetext: { roles: set([...RANGES, ...VALUED_TEXT].join(" ")), always: ANY_ROLE, read: valuetext },
    placeholder: { roles: VALUED_TEXT, tags: set("input textarea"), read: placeholder },
    current: { roles: ANY_ROLE, read: current },
    roledescription: { roles: NAMED_ROLES, read: roledescription },
    busy: { roles: ANY_ROLE, read: (element) => isTrue(element, "aria-busy") || undefined },
    sort: { roles: HEADERS, read: word("aria-sort", SORTS) },
    autocomplete: { roles: VALUED_TEXT, read: word("aria-autocomplete", set("inline list both")) },
    live: { roles: ANY_ROLE, read: word("aria-live", set("polite assertive")) },
    keyshortcuts: { roles: ANY_ROLE, read: (element) => element.getAttribute("aria-keyshortcuts") || undefined },
    posinset: { roles: COUNTED, read: positive("aria-posinset") },
    setsize: { roles: COUNTED, read: positive("aria-setsize") },
  };

  /** @type {string[]} */
  const NO_NAMES = [];
  const NATIVE_TAGS = set("button fieldset input optgroup option select textarea");
  /** What attributes of a native control say besides ARIA. */
  const NATIVE_STATES = set("readonly required invalid multiline multiselectable placeholder");
  /** @type {Set<string> | null} */
  const EVERY = null;
  /** By what is asked for, native tag and role. */
  const plans = new Map();

  function makePlan(wanted, native, role) {
    const possible = Object.entries(RULES).filter(([, rule]) => rule.roles.has(role) || (rule.tags ?? NO_ROLE).has(native));
    const all = possible.filter(([name]) => wanted === EVERY || wanted.has(name));
    const isAlways = ([, { always = NO_ROLE }]) => always.has(role) || always.has(native);
    return { always: all.filter(isAlways), native: all.filter((entry) => isAlways(entry) || NATIVE_STATES.has(entry[0])), all };
  }

  function planFor(wanted, native, role) {
    let byTag = plans.get(wanted);
    if (!byTag) plans.set(wanted, (byTag = new Map()));
    let byRole = byTag.get(native);
    if (!byRole) byTag.set(native, (byRole = new Map()));
    let plan = byRole.get(role);
    if (!plan) byRole.set(role, (plan = makePlan(wanted, native, role)));
    return plan;
  }

  const isAria = (name) => name.startsWith("aria-");

  /**
   * States and properties that apply, by their ARIA name without the prefix; false only where it says something.
   * @param {Element} element
   * @param {string} [role]
   * @param {Set<string> | null} [wanted] only these: a look at a state takes time
   * @returns {Record<string, string | number | boolean>}
   */
  function statesOf(element, role = roleOf(element), wanted = EVERY) {
    const native = NATIVE_TAGS.has(tag(element)) ? tag(element) : "";
    const plan = planFor(wanted, native, role);
    const states = {};
    const names = element.hasAttributes() ? element.getAttributeNames() : NO_NAMES;
    for (const [name, rule] of names.some(isAria) ? plan.all : native !== "" && names.length ? plan.native : plan.always) {
      const value = rule.read(element, role);
      if (value !== undefined && value !== null) states[name] = value;
    }
    return states;
  }

  function describeOpen(element) {
    const isHidden = tw.visibility.isAccessibilityHidden(element);
    const role = isHidden ? "none" : roleOf(element);
    const description = descriptionOf(element);
    return {
      role,
      name: nameOf(element),
      ...(description ? { description } : {}),
      states: { ...statesOf(element), ...(isHidden ? { hidden: true } : {}) },
    };
  }

  /**
   * Everything assistive technology would be told about one element. A hidden one has no role.
   * @param {Element} element
   * @returns {{role: string, name: string, description?: string, states: Record<string, string | number | boolean>}}
   */
  function describe(element) {
    return cached(() => describeOpen(element));
  }

  tw.states = { statesOf, describe };
})();
