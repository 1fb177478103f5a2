/* The text beside a field that has no label: what people take for one. Said as a mark, because it is no accessible name. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.nearbyText) return;
  const { composedParent } = tw.dom;
  const { collapse, printable, quote, visibleText } = tw.text;

  const FIELDS = new Set("textbox searchbox combobox listbox spinbutton slider checkbox radio switch".split(" "));
  /** Fields whose label stands behind them. */
  const TICKED = new Set(["checkbox", "radio", "switch"]);
  /** Text on the other side of the edge of one of these belongs to something else. */
  const EDGES = "body,form,fieldset,main,section,article,dialog,tr,li,[role=row],[role=listitem],[role=dialog],[role=group]";
  const MAX_LEVELS = 4;
  const MAX_LENGTH = 60;
  /** Longer contents are no label, and are not read. */
  const MAX_CONTENT = 500;
  const SEEN = { visibilityProperty: true, opacityProperty: true };

  /** Whether a person sees what is written in an element, at its own place and in every one in it. @param {Element} element */
  const isSeen = (element) =>
    element.checkVisibility(SEEN) && [element, ...element.querySelectorAll("*")].every((part) =>
      tw.clickable.StylePath.of(part).inkOf(part) === "");

  /** A text, "" where there is none, null where no text beyond is meant for the field. @param {Node} node */
  function textOf(node) {
    if (node instanceof Element) {
      const { CONTROLS } = tw.clickable;
      if (node.matches(CONTROLS) || node.querySelector(CONTROLS) || (node.textContent ?? "").length > MAX_CONTENT) return null;
      return isSeen(node) ? visibleText(node) : "";
    }
    const isText = node.nodeType === Node.TEXT_NODE && node.parentElement !== null && isSeen(node.parentElement);
    return isText ? collapse(/** @type {Text} */ (node).data) : "";
  }

  /** The nearest text among the siblings on one side. @param {Node} node @param {"previousSibling" | "nextSibling"} side */
  function besides(node, side) {
    for (let at = node[side]; at; at = at[side]) {
      const text = textOf(at);
      if (text !== "") return text;
    }
    return "";
  }

  /** @param {Element} field @param {"previousSibling" | "nextSibling"} side */
  function nearest(field, side) {
    /** @type {Element | null} */
    let at = field;
    for (let left = MAX_LEVELS; at && left > 0 && (at === field || !at.matches(EDGES)); left -= 1, at = composedParent(at)) {
      const text = besides(at, side);
      if (text !== "") return text;
    }
    return "";
  }

  /**
   * @param {Element} field @param {SnapshotLine} line @param {boolean} withText  the texts around it have lines of their own
   * @returns {string} a mark, or nothing
   */
  function markOf(field, { role, name }, withText) {
    if (!FIELDS.has(role)) return "";
    if (name && (withText || name !== collapse(field.getAttribute("placeholder") ?? ""))) return "";
    const text = (TICKED.has(role) && nearest(field, "nextSibling")) || nearest(field, "previousSibling");
    return text && text.length <= MAX_LENGTH ? ` [near ${quote(printable(text))}]` : "";
  }

  tw.nearbyText = { markOf };
})();
