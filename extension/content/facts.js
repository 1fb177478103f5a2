/* What can be done with an element, as a snapshot says it. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.facts) return;
  const { WIDGETS, isNative, isScriptLink, markedFacts, scrolls, NO_FACTS } = tw.clickable;

  const MEDIA = new Set(["canvas", "video", "audio"]);
  const INERT = Object.freeze({ isActionable: false, isAction: false, mark: "" });
  const WIDGET = Object.freeze({ isActionable: true, isAction: true, mark: "" });
  const FOCUSABLE = Object.freeze({ isActionable: true, isAction: false, mark: "" });

  /**
   * @param {Element} element
   * @param {string} tag
   * @param {string} role
   * @param {boolean} hasAttributes
   * @param {any} above the place around it
   * @param {any} path its computed style
   * @param {any} listeners null: not to be asked
   * @returns {{isActionable: boolean, isAction: boolean, mark: string}} isAction: what is in it acts as a part of it; mark: words like [clickable]
   */
  function factsOf(element, tag, role, hasAttributes, above, path, listeners) {
    const isWidget = isNative(element, tag) || WIDGETS.has(role);
    const marked = hasAttributes && !isWidget ? markedFacts(element) : NO_FACTS;
    const hand = path.hand !== above.path.hand && !isWidget ? path.hand : "";
    const heard = listeners === null || isWidget ? tw.listeners.NOTHING : listeners.marksOf(element, tag);
    const scrollable = path !== above.path && path.isScroller && !isWidget && tag !== "body" && tag !== "html" && scrolls(element);
    const clickable = !isWidget && !isDoubled(element, tag) && (marked.clickable || (hand === "click" && !above.isInAction) || heard.clickable ||
      (tag === "label" && isStandIn(element)) || (hasAttributes && !above.isInAction && isScriptLink(element, tag)));
    let mark = "";
    if (clickable) mark += " [clickable]";
    if (clickable && tag === "label") mark += standInMark(/** @type {HTMLLabelElement} */ (element));
    if (marked.editable && role !== "textbox") mark += " [editable]";
    if (marked.draggable || hand === "drag" || heard.draggable) mark += " [draggable]";
    mark += heard.mark;
    if (scrollable) mark += " [scrollable]";
    if (mark === "" && marked.focusable && role === "generic") mark = " [focusable]";
    if (mark !== "") return { isActionable: true, isAction: isWidget || hand === "click" || tag === "label", mark };
    if (isWidget) return WIDGET;
    return marked.focusable || MEDIA.has(role) || role === "iframe" ? FOCUSABLE : INERT;
  }

  /** A label of a control that is there says nothing that is not on the control's line. */
  const isDoubled = (/** @type {any} */ element, tag) => tag === "label" && element.control !== null && !isStandIn(element);

  /** A label is what people click when the control it belongs to is not there to be clicked. */
  function isStandIn(label) {
    return label.control !== null && !tw.visibility.isRendered(label.control);
  }

  function standInMark({ control }) {
    if (!control) return "";
    const role = tw.roles.roleOf(control);
    return ` [for=${role}]${tw.wording.statesOf(control, control.localName, role, "").words}`;
  }

  tw.facts = { factsOf };
})();
