/*
 * Numbers for elements, and the proof that a number still means the element that was shown: same document, same role,
 * same name, and the same text around it. The last one matters where a page redraws a list by re-using its nodes: the
 * Delete button of row B is then still there, but it would delete row C.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.refs) return;
  const { itemOf, isItem, chunksOf } = tw.items;

  const MAX_CHUNKS = 60;
  const MAX_CANDIDATES = 5;
  const LETTER = /\p{L}/u;

  /** @typedef {{isSemantic: boolean, element: WeakRef<Element>, words: () => string[]}} Surroundings words: the text runs then */
  /** @typedef {{local: number, element: Element | WeakRef<Element>, role: string, name: string, item: null | Surroundings}} Shown */

  /** Content scripts have their own wrappers of the page's nodes, so the page cannot see this key. */
  const SHOWN = Symbol("shown");
  const SWEEP_FROM = 1000;
  /** @type {Map<number, Shown>} */
  const byLocal = new Map();
  let sweepAt = SWEEP_FROM;
  let last = 0;

  /** @param {Element} element @returns {Surroundings | null} */
  function surroundings(element) {
    const item = itemOf(element);
    if (!item) return null;
    const chunks = chunksOf(item.element);
    return { isSemantic: item.isSemantic, element: new WeakRef(item.element), words: () => chunks };
  }

  /** The item shown then, as it reads now; the nearest item now when the element has left it. */
  function surroundingsNow(before, element) {
    const item = before?.element.deref();
    if (!item?.isConnected || !tw.dom.composedContains(item, element)) return surroundings(element);
    const chunks = chunksOf(item);
    return { ...before, words: () => chunks };
  }

  /** Roles whose name is their text when they hold one text node and no attribute says otherwise. */
  const NAMED_BY_TEXT = new Set([
    "link", "button", "heading", "option", "tab", "menuitem", "cell", "gridcell", "columnheader", "rowheader", "treeitem",
  ]);

  /** A row would repeat its cells, a paragraph itself: their text is shown as text. */
  const NAMED_BY_AUTHOR_ONLY = new Set(["generic", "cell", "row", "listitem", "paragraph", "blockquote", "definition", "term"]);

  /**
   * The name a snapshot shows and a ref remembers: the accessible name; most elements that are named by their text hold exactly one text node, which needs no walk.
   * @param {Element} element
   * @param {string} role
   */
  function nameOf(element, role) {
    if (NAMED_BY_AUTHOR_ONLY.has(role) && !tw.roles.isNamedByAuthor(element)) return "";
    if (NAMED_BY_TEXT.has(role)) {
      const child = element.firstChild;
      if (child?.nodeType === Node.TEXT_NODE && child === element.lastChild && !isLabelled(element) && !tw.cssContent.mayGenerate(element)) {
        const text = tw.text.collapse(child.nodeValue);
        if (text) return text;
      }
    }
    return tw.text.collapse(tw.names.nameOf(element));
  }

  const isLabelled = (element) =>
    element.hasAttributes() && (element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby"));

  /**
   * The number of an element in this document; stays with it. Remembers what the element looks like now.
   * @param {Element} element
   * @param {string} [role]
   * @param {string} [name]
   * @param {Surroundings | null} [item]
   * @returns {number}
   */
  function refFor(element, role = tw.roles.roleOf(element), name = nameOf(element, role), item = surroundings(element)) {
    let shown = element[SHOWN];
    if (shown) {
      Object.assign(shown, { role, name, item });
      return shown.local;
    }
    shown = { local: ++last, element, role, name, item };
    element[SHOWN] = shown;
    byLocal.set(shown.local, shown);
    if (byLocal.size > sweepAt) sweep();
    return shown.local;
  }

  /** Elements that left the page are held weakly from here on: the page may put them back, or drop them. */
  function sweep() {
    for (const shown of byLocal.values()) {
      if (shown.element instanceof WeakRef || shown.element.isConnected) continue;
      shown.element = new WeakRef(shown.element);
      shown.item = null;
    }
    sweepAt = Math.max(SWEEP_FROM, byLocal.size * 2);
  }

  const held = ({ element }) => (element instanceof WeakRef ? element.deref() : element);

  /** @param {number} local @returns {string} the marker the worker turns into @eN */
  const marker = (local) => `\uE000${local}\uE001`;

  const describe = (role, name) => (name ? `${role} ${JSON.stringify(tw.text.cut(name, 120))}` : role);

  function stale(shown, cause, message, data) {
    return tw.error("stale_element_reference", `${marker(shown.local)} ${message}`, { cause, ...data });
  }

  function removed(shown) {
    const twins = shown.role === "generic" && !shown.name ? [] : tw.selectors.byRoleAndName(shown.role, shown.name);
    const candidates = twins.slice(0, MAX_CANDIDATES).map((element) => marker(refFor(element)));
    const what = describe(shown.role, shown.name);
    if (!candidates.length) return stale(shown, "removed", `(${what}) was removed from the page; take a new snapshot`);
    return stale(shown, "replaced",
      `(${what}) was replaced; now like it: ${candidates.join(", ")}. Check which one is meant, or take a new snapshot`,
      { candidates });
  }

  function significant(chunks, own) {
    const trimmed = chunks.map((chunk) => chunk.trim());
    return trimmed.filter((chunk) => chunk && !own.has(chunk)).slice(0, MAX_CHUNKS);
  }

  function isContained(before, now) {
    const rest = [...now];
    return before.every((chunk) => {
      const index = rest.indexOf(chunk);
      if (index >= 0) rest.splice(index, 1);
      return index >= 0;
    });
  }

  const hasLetter = (chunk) => LETTER.test(chunk);

  /**
   * Whether the text around the element is what was shown. Numbers alone do not count where there are words (a counter
   * may tick); a box that is an item only by looks may gain text (a validation message).
   */
  function isSameItem(before, now, element, name) {
    if (!before) return true;
    if (!now) return false;
    const own = new Set(isItem(element) ? [] : [name, ...chunksOf(element).map((chunk) => chunk.trim())]);
    const [old, current] = [significant(before.words(), own), significant(now.words(), own)];
    if (!before.isSemantic) return isContained(old.filter(hasLetter), current.filter(hasLetter));
    const inWords = old.some(hasLetter) || current.some(hasLetter);
    const pick = (chunks) => (inWords ? chunks.filter(hasLetter) : chunks).join("\n");
    return pick(old) === pick(current);
  }

  function checkShown(shown, element) {
    const role = tw.roles.roleOf(element);
    const name = nameOf(element, role);
    if (role !== shown.role || name !== shown.name) {
      throw stale(shown, "renamed",
        `was ${describe(shown.role, shown.name)} and is ${describe(role, name)} now; if that is still the one you mean, take a new snapshot and use its ref`,
        { was: { role: shown.role, name: shown.name }, is: { role, name } });
    }
    const now = surroundingsNow(shown.item, element);
    if (!isSameItem(shown.item, now, element, name)) {
      const reads = (item) => tw.text.cut(tw.text.collapse(item.words().join(" ")), 120);
      throw stale(shown, "renamed",
        `(${describe(role, name)}) was in the item that read "${reads(shown.item)}"; that item reads "${now ? reads(now) : "something else"}" now; take a new snapshot and choose again`,
        { item: { was: reads(shown.item), is: now ? reads(now) : null } });
    }
  }

  /**
   * The element of a number, when it is still what was shown under it.
   * @param {number} local
   * @returns {Element}
   */
  function resolve(local) {
    const shown = byLocal.get(local);
    if (!shown) {
      throw tw.error("stale_element_reference", "the ref was given out before the page's scripts were replaced; take a new snapshot",
        { cause: "removed" });
    }
    const element = held(shown);
    return tw.dom.cached(() => {
      if (!element?.isConnected || element.ownerDocument !== document) throw removed(shown);
      checkShown(shown, element);
      return element;
    });
  }

  /**
   * The element of a number while it is in the page, whatever it looks like by now: for looking at the outcome of an act
   * on it. An act itself starts with `resolve`.
   * @param {number} local
   * @returns {Element | null}
   */
  function elementOf(local) {
    const shown = byLocal.get(local);
    const element = shown && held(shown);
    return element?.isConnected ? element : null;
  }

  tw.commands["refs.check"] = ({ ref }) => {
    resolve(ref);
    return true;
  };

  tw.refs = { refFor, resolve, elementOf, marker, nameOf };
})();
