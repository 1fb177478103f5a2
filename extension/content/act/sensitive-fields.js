/*
 * Fields that hold what only their owner should give away: passwords, payment details, one-time codes. Text goes into one of
 * them only when the call says that its owner allows that kind; the question is asked here, where the field is.
 */
globalThis.__tabwire.add("act/sensitive-fields", (tw) => {
  const FIELDS = "input, textarea, select, [contenteditable]";
  /** Kind → autofill tokens that say so. */
  const TOKENS = {
    payment: /(^|\s)cc-[a-z-]+/,
    one_time_code: /(^|\s)one-time-code(\s|$)/,
    password: /(^|\s)(current|new)-password(\s|$)/,
  };
  /** Kind → names, ids, labels of fields that do not say so to the browser. */
  const NAMES = {
    payment:
      /card.?(num|no\b)|credit.?card|debit.?card|(^|[^a-z])(cvv|cvc|csc)2?([^a-z]|$)|security.?code|(^|[^a-z])iban([^a-z]|$)/i,
    one_time_code: /(^|[^a-z])(otp|totp|2fa|mfa)([^a-z]|$)|one.?time.?(code|pass)|verification.?code|passcode/i,
    password: /passw|passphrase|(^|[^a-z])pin([^a-z]|$)/i,
  };

  /** @param {Record<string, RegExp>} table @param {(shape: RegExp) => boolean} test */
  const firstOf = (table, test) => Object.keys(table).find((kind) => test(table[kind])) ?? null;

  /**
   * Kind of secret that a field is for: its content is not told, and text goes in only where its owner allows it.
   * @param {Element|null|undefined} field
   * @param {string} [name] its accessible name, where it is known already
   * @returns {string|null} "password", "payment" or "one_time_code"
   */
  function kindOf(field, name) {
    if (!field?.matches?.(FIELDS)) return null;
    const autocomplete = (field.getAttribute("autocomplete") ?? "").toLowerCase();
    const said = firstOf(TOKENS, (token) => token.test(autocomplete));
    if (said) return said;
    const isInput = field instanceof HTMLInputElement;
    if (
      isInput &&
      ["button", "submit", "reset", "checkbox", "radio", "file", "image", "color", "range", "search"].includes(field.type)
    )
      return null;
    // Texts that name the field where people and programs look.
    const words = [field.id, field.getAttribute("name"), field.getAttribute("placeholder"), name ?? tw.names.nameOf(field)]
      .filter(Boolean)
      .join("\n");
    const named = firstOf(NAMES, (shape) => shape.test(words));
    if (isInput && field.type === "password") return named ?? "password";
    if (named) return named;
    const veil = getComputedStyle(field).getPropertyValue("-webkit-text-security");
    return veil !== "" && veil !== "none" ? "password" : null;
  }

  /** The field an element stands for: itself, a label's control, the one field inside a wrapper. @param {Element|null} element */
  function fieldOf(element) {
    if (!element || element.matches(FIELDS)) return element;
    const label = element.closest("label");
    if (label?.control) return label.control;
    const inside = element.querySelectorAll(FIELDS);
    return inside.length === 1 ? inside[0] : element;
  }

  /** @param {CallArgs} [args] */
  const target = (args) => (args?.target?.ref === undefined ? null : fieldOf(tw.refs.elementOf(args.target.ref)));
  const focus = () => tw.dom.activeElementDeep();

  /** Commands that put text into a field → the field. @type {Record<string, (args?: CallArgs) => Element | null>} */
  const ENTERING = {
    "forms.fill": target,
    "forms.startFill": target,
    "forms.select": target,
    "keyboard.focus": target,
    "keyboard.press": focus,
    "keyboard.type": focus,
  };

  /**
   * The reason why a command must not begin yet; null: it may begin.
   * @param {string} name
   * @param {CallArgs} [args]
   * @returns {ContentError | null} for the worker
   */
  function objection(name, args) {
    if (!Object.hasOwn(ENTERING, name)) return null;
    const field = ENTERING[name](args);
    const kind = kindOf(field);
    if (!field || !kind || args?.allowed?.includes(kind)) return null;
    return tw.error("sensitive", `${tw.actionability.describe(field)} is a field for ${kind}`,
      { kind, origin: self.origin, address: location.href, name: tw.names.nameOf(field) });
  }

  /**
   * The focused element, for keys that go there without a look: "frame" stands for something in a frame. A name is given for a
   * field for a secret.
   */
  function focused() {
    const element = focus();
    const kind = /^i?frame$/.test(element?.localName ?? "") ? "frame" : kindOf(element);
    return { focus_kind: kind, ...(element && kind && kind !== "frame" && { focus_name: tw.names.nameOf(element) }) };
  }

  /** Values of the fields for secrets in this document. */
  tw.queries["sensitiveFields.values"] = () => {
    const inputs = tw.dom.elementsMatching(document, "input");
    const fields = inputs.filter((element) => element instanceof HTMLInputElement && kindOf(element));
    return { values: fields.map((field) => /** @type {HTMLInputElement} */ (field).value).filter((value) => value !== "") };
  };

  tw.sensitiveFields = { kindOf, objection, focused };
});
