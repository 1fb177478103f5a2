/*
 * What a user can act on beyond roles: handlers in the markup, focusable or draggable boxes, editors, boxes with a hand
 * cursor, boxes that scroll.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.clickable) return;

  const HANDLERS = ["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "contextmenu", "keydown", "drop"];
  const HANDLED = HANDLERS.map((type) => `[on${type}]`).join();
  const MARKED = `[tabindex],[contenteditable],[draggable],${HANDLED}`;
  const NO_FACTS = Object.freeze({});

  /** Native elements a user acts on. */
  const NATIVE = new Set(["a", "area", "button", "input", "select", "textarea", "summary", "option", "canvas", "video", "audio", "iframe"]);

  /** https://w3c.github.io/aria/#widget_roles and the roles Chrome lets a user act on like them */
  const WIDGETS = new Set([
    "button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
    "radio", "scrollbar", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox", "treeitem",
  ]);

  function isNative(element, tag) {
    if (!NATIVE.has(tag)) return false;
    if (tag === "a" || tag === "area") return element.hasAttribute("href");
    if (tag === "summary") return tw.roles.isDetailsSummary(element);
    return tag !== "input" || element.type !== "hidden";
  }

  const isEditingHost = (element) => {
    const value = element.getAttribute("contenteditable");
    return value !== null && value.toLowerCase() !== "false";
  };

  /**
   * @param {HTMLElement} element with attributes
   * @returns {{clickable?: boolean, focusable?: boolean, editable?: boolean, draggable?: boolean}}
   */
  function markedFacts(element) {
    if (!element.matches(MARKED)) return NO_FACTS;
    return {
      clickable: element.matches(HANDLED),
      focusable: element.tabIndex >= 0 && element.hasAttribute("tabindex"),
      editable: isEditingHost(element),
      draggable: element.getAttribute("draggable") === "true",
    };
  }

  const SCROLLS = /auto|scroll/;

  /**
   * Computed cursor and overflow of elements with the same place in the structure (tags and classes from the root down),
   * asked once: a style look-up per element would cost as much as the rest of a snapshot.
   */
  class StylePath {
    constructor(isPointer, isScroller) {
      this.isPointer = isPointer;
      this.isScroller = isScroller;
      this.below = null;
    }

    /** @param {Element} element a child @param {string} tag @param {boolean} hasAttributes */
    step(element, tag, hasAttributes) {
      this.below ??= new Map();
      let byClass = this.below.get(tag);
      if (!byClass) this.below.set(tag, (byClass = new Map()));
      const key = hasAttributes ? keyOf(element) : "";
      let next = byClass.get(key);
      if (!next) byClass.set(key, (next = StylePath.of(element)));
      return next;
    }

    static of(element) {
      const style = getComputedStyle(element);
      return new StylePath(style.cursor === "pointer", SCROLLS.test(style.overflow));
    }
  }

  function keyOf(element) {
    const names = element.getAttribute("class") ?? "";
    const style = element.getAttribute("style");
    const isOwn = (style !== null && /cursor|overflow/.test(style)) || element.id;
    return isOwn ? `${names}#${element.id};${style}` : names;
  }

  /** @param {Element} element whose overflow lets it scroll */
  function scrolls(element) {
    return element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1;
  }

  tw.clickable = { WIDGETS, isNative, markedFacts, StylePath, scrolls, NO_FACTS };
})();
