/*
 * The item an element belongs to (row, list item, repeated box) and the words in it. Together with role and name they
 * tell whether an element still stands for what it stood for when it was shown.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.items) return;
  const { cache, memo, composedChildren, composedParent, shadowRootOf } = tw.dom;

  const ITEM_TAGS = new Set(["li", "tr", "option", "article", "dd", "dt"]);
  const ITEM_ROLES = new Set(["row", "listitem", "option", "treeitem", "article", "menuitem", "tab", "comment"]);
  /** Lines of data: any other word in one makes it another line. Other items may gain words (a message, a badge). */
  const STRICT = new Set(["tr", "option", "row", "treeitem"]);
  const CELLS = new Set(["td", "th", "gridcell", "cell", "columnheader", "rowheader"]);
  const MAX_DISTANCE = 12;
  /** A repeated box this close inside another item is a part of it (a cell in a row made of divs). */
  const PART_DISTANCE = 2;
  const SKIPPED = new Set("script style template noscript head meta link title base param source track datalist".split(" "));
  const SVG_CONTENT = "text,a,foreignObject,[role],[tabindex],[onclick]";
  const FOCUSABLE =
    "a[href],button:not([disabled]),input:not([disabled]):not([type=hidden]),select:not([disabled]),textarea:not([disabled]),[tabindex]:not([tabindex^='-'])";
  const VISIBLE = { visibilityProperty: true };

  /** @typedef {{element: Element, isSemantic: boolean, distance: number}} Item */

  const itemCache = cache();

  const roleAttribute = (element) => element.getAttribute("role")?.trim().toLowerCase();

  /** @param {Element} element @param {boolean} [mayHaveRole] */
  function isItem(element, mayHaveRole = element.hasAttributes()) {
    const role = mayHaveRole ? roleAttribute(element) : null;
    return role ? ITEM_ROLES.has(role) : ITEM_TAGS.has(element.localName);
  }

  /** @param {Element} element an item */
  const isStrict = (element) => STRICT.has(roleAttribute(element) ?? element.localName);

  /** What comes after the first class is mostly a state ("row", "row active"). */
  const kindOf = (element) => (element.getAttribute("class") ?? "").trim().split(/\s/, 1)[0];

  const isTwin = (element, sibling) =>
    sibling !== null && sibling.localName === element.localName && kindOf(sibling) === kindOf(element);

  const isRepeated = (element) =>
    (isTwin(element, element.nextElementSibling) || isTwin(element, element.previousElementSibling)) &&
    !CELLS.has(roleAttribute(element) ?? element.localName);

  const isPage = (element) => element.localName === "body" || element.localName === "html";

  /**
   * The item at or above an element, from the one above its parent.
   * @param {Element} element
   * @param {Item | null} above
   * @returns {Item | null}
   */
  function itemFrom(element, above) {
    if (isItem(element)) return { element, isSemantic: true, distance: 0 };
    const isPart = above !== null && above.distance < PART_DISTANCE;
    if (!isPart && isRepeated(element)) return { element, isSemantic: false, distance: 0 };
    return above !== null && above.distance < MAX_DISTANCE ? { ...above, distance: above.distance + 1 } : null;
  }

  function itemAt(element) {
    if (isPage(element)) return null;
    const parent = composedParent(element);
    return itemFrom(element, parent ? memo(itemCache, parent, itemAt) : null);
  }

  /** @param {Element} element @returns {Item | null} the row, list item or repeated box the element belongs to */
  function itemOf(element) {
    if (isItem(element)) return { element, isSemantic: true, distance: 0 };
    const parent = composedParent(element);
    return parent && memo(itemCache, parent, itemAt);
  }

  /**
   * A walk over what is shown under an element: the one rule of what counts, for snapshots and for comparing items.
   * Subclasses say what to do with text and elements.
   */
  class Walk {
    children(element, tag, place) {
      if (tag === "details" && !element.open) return this.closed(element, place);
      if (tag === "slot" || shadowRootOf(element)) {
        for (const child of composedChildren(element)) this.node(child, place);
        return undefined;
      }
      for (let child = element.firstChild; child; child = child.nextSibling) this.node(child, place);
      return undefined;
    }

    /** Closed details still tell that a text node of theirs is rendered; only the summary is. */
    closed(details, place) {
      const summary = details.querySelector(":scope > summary");
      if (summary) this.element(summary, place);
    }

    node(node, place) {
      if (node.nodeType === 3) this.text(node.data);
      else if (node.nodeType === 1) this.element(node, place);
    }

    element(element, place) {
      const tag = element.localName;
      if (SKIPPED.has(tag)) return;
      if (tag === "br") {
        this.text(" ");
        return;
      }
      if (!element.checkVisibility(VISIBLE) && !this.isShownOtherwise(element, tag, place)) return;
      const hasAttributes = element.hasAttributes();
      if (hasAttributes && this.isExcluded(element)) return;
      if (tag === "svg" && !isSvgWorthwhile(element)) return;
      this.visible(element, tag, hasAttributes, place);
    }

    /** No box of its own (options, display: contents): shown all the same. visibility: hidden may hold visible elements. */
    isShownOtherwise(element, tag, place) {
      const isRendered = tw.visibility.isRendered(element);
      if (isRendered && getComputedStyle(element).visibility === "visible") return true;
      if (element.firstChild || tag === "input") this.hidden();
      if (isRendered) for (const child of composedChildren(element)) if (child.nodeType === 1) this.element(child, place);
      return false;
    }

    /** aria-hidden is ignored around what can take focus. */
    isExcluded(element) {
      if (!tw.visibility.isMarkedHidden(element)) return false;
      if (!element.hasAttribute("inert") && (element.matches(FOCUSABLE) || element.querySelector(FOCUSABLE))) return false;
      this.hidden();
      return true;
    }

    hidden() {}

    /** @param {string} data */
    text(data) {
      throw new Error(`nothing is done with "${data}"`);
    }

    /** @param {Element} element @param {string} tag @param {boolean} hasAttributes @param {any} place */
    visible(element, tag, hasAttributes, place) {
      this.children(element, tag, place);
    }
  }

  const isSvgWorthwhile = (element) =>
    element.hasAttribute("role") || element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby") ||
    element.querySelector(`title,${SVG_CONTENT}`) !== null;

  const TEXTLESS = new Set(["input", "textarea", "iframe", "frame"]);

  /** Collects the text runs of an item; items inside it speak for themselves. */
  class WordWalk extends Walk {
    constructor(root) {
      super();
      this.root = root;
      this.chunks = [];
    }

    text(data) {
      this.chunks.push(data);
    }

    visible(element, tag) {
      if (TEXTLESS.has(tag) || (element !== this.root && isItem(element))) return;
      this.children(element, tag, null);
    }
  }

  /**
   * The text runs shown in an element.
   * @param {Element} element
   * @returns {string[]}
   */
  function chunksOf(element) {
    const walk = new WordWalk(element);
    walk.element(element, null);
    return walk.chunks;
  }

  tw.items = { Walk, TEXTLESS, isItem, isStrict, itemFrom, itemOf, chunksOf };
})();
