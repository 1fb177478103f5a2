/*
 * The snapshot of one document: one walk over the flat tree that writes one line per element worth a line. Refs are
 * printed as markers, frames as slots; the worker puts numbers and the texts of the child frames in.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.snapshot) return;
  const { Walk, TEXTLESS, isItem, itemFrom, chunksOf } = tw.items;
  const { collapse, harmless, printable, quote, breaksText } = tw.text;
  const { WIDGETS, isNative, markedFacts, StylePath, scrolls, NO_FACTS } = tw.clickable;

  const words = (text) => new Set(text.split(" "));
  /** Whatever role these have without a role attribute, they get no line for it. */
  const PLAIN = words("div span b i u s small font center tbody bdi bdo big tt nobr wbr em strong code sub sup mark del ins kbd samp var abbr cite label");
  /** Roles that need no look at the context, for elements without attributes. */
  const QUICK = { h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", p: "paragraph", ul: "list", ol: "list" };
  const INERT = Object.freeze({ isActionable: false, mark: "" });
  const ACTIONABLE = Object.freeze({ isActionable: true, mark: "" });
  /** Roles that only shape text or layout: their children move up. */
  const DISSOLVED = words("generic none presentation strong emphasis code subscript superscript deletion insertion mark time rowgroup text sectionheader sectionfooter legend caption label");
  const NAMED_BY_CONTENT = words("link button heading option tab menuitem menuitemcheckbox menuitemradio checkbox radio switch treeitem gridcell columnheader rowheader summary tooltip");
  const CONTAINERS = words("list listitem paragraph group table row cell article figure form region definition term blockquote navigation main banner contentinfo complementary search");
  const REFERRED = words("heading img image listitem row gridcell option dialog alertdialog treeitem tabpanel rowheader columnheader");
  /** Containers that get a ref when they have a name, or always. */
  const LANDMARKS = words("main navigation banner contentinfo complementary search form region");
  const MEDIA = words("canvas video audio");
  const CAPTIONS = words("legend caption figcaption");
  const MAX_OPTIONS = 60;
  const INDENT = "  ";
  const { RANGES, NONE } = tw.wording;

  /** Where the walk stands: a link per element on the way down. */
  class Place {
    constructor(above, element, depth, cover, path, isInAction, start) {
      this.above = above;
      this.element = element;
      this.depth = depth;
      this.cover = cover;
      this.path = path;
      this.isInAction = isInAction;
      this.start = start;
      this.name = "";
      this.found = undefined;
      this.surroundings = null;
    }
  }

  class Capture extends Walk {
    constructor(options) {
      super();
      this.isInteractive = options.mode === "interactive";
      this.isCompact = Boolean(options.compact);
      this.withText = options.include_text !== false && !this.isInteractive;
      this.withBounds = Boolean(options.include_bounds);
      this.isWhole = !options.roots && options.mode !== "focused";
      this.maxDepth = options.depth ?? Infinity;
      // A frame keeps an active element of its own while the focus is elsewhere.
      this.active = window === window.top || document.hasFocus() ? tw.dom.activeElementDeep() : null;
      this.lines = [];
      this.pending = "";
      /** Elements whose edge lies between the last text and the next. */
      this.edges = [];
      /** All text runs in order, and the stretches of them that are items: what refs are compared by later. */
      this.chunks = [];
      this.items = [];
      this.refs = 0;
      this.notes = { hidden: 0, cut: 0, rows: [], canvases: 0 };
    }

    /** @param {Element} root */
    run(root) {
      const top = this.isWhole && !this.isInteractive && window === window.top ? 1 : 0;
      if (top) this.lines.push(document.title ? `- document ${quote(printable(document.title))}` : "- document");
      const path = StylePath.of(root.parentElement ?? root);
      this.element(root, new Place(null, null, top, "", path, false, 0));
      this.flush(top, "");
    }

    text(data) {
      this.chunks.push(data);
      if (this.edges.length) this.edge(data);
      this.pending += data;
    }

    /** Text of neighbouring boxes stands apart even where no white space is written between them. */
    edge(data) {
      const { edges, pending } = this;
      this.edges = [];
      if (pending !== "" && !/\s$/.test(pending) && !/^\s/.test(data) && edges.some(breaksText)) this.pending += " ";
    }

    flush(depth, cover) {
      if (this.pending === "") return;
      const text = this.takeText(cover);
      if (text) this.lines.push(`${INDENT.repeat(depth)}- text: ${text}`);
    }

    takeText(cover) {
      const text = this.withText ? collapse(this.pending) : "";
      this.pending = "";
      this.edges.length = 0;
      return text && !(cover && cover.includes(text)) ? harmless(text) : "";
    }

    hidden() {
      this.notes.hidden += 1;
    }

    visible(element, tag, hasAttributes, above) {
      const path = above.path.step(element, tag, hasAttributes);
      let role = this.roleOf(element, tag, hasAttributes);
      const facts = this.factsOf(element, tag, role, hasAttributes, above, path);
      if (facts.isActionable && role === "generic") role = tw.refs.roleOf(element);
      const place = new Place(above, element, above.depth, above.cover, path, above.isInAction, this.chunks.length);
      if (!this.hasLine(element, tag, role, facts)) this.dissolve(element, tag, place);
      else if (above.depth < this.maxDepth) this.line(element, tag, role, facts, place);
      else this.notes.cut += 1;
      if (place.surroundings) place.surroundings.end = this.chunks.length;
      if (isItem(element, hasAttributes)) this.items.push({ start: place.start, end: this.chunks.length, of: place.surroundings });
    }

    itemAt(place) {
      if (place.element === null || place.element.localName === "body") return null;
      if (place.found === undefined) place.found = itemFrom(place.element, place.above ? this.itemAt(place.above) : null);
      return place.found;
    }

    /** What is around the element, as `tw.refs` keeps it; undefined where this walk does not see the whole item. */
    surroundings(element, place) {
      if (this.maxDepth !== Infinity || !this.isWhole) return undefined;
      const item = isItem(element) ? { element, isSemantic: true } : this.itemAt(place.above);
      if (!item) return null;
      let at = place;
      while (at.element !== item.element) at = at.above;
      at.surroundings ??= this.stretch(item, at.start);
      return at.surroundings;
    }

    /** The text runs from `start` to where the item ends, without those of the items in it. */
    stretch(item, start) {
      const { chunks, items } = this;
      const found = { isSemantic: item.isSemantic, element: new WeakRef(item.element), end: start };
      found.words = () => {
        const { end } = found;
        const inner = items.filter((one) => one.start >= start && one.end <= end && one.of !== found);
        return chunks.slice(start, end).filter((_, index) =>
          !inner.some((one) => one.start <= index + start && index + start < one.end));
      };
      return found;
    }

    roleOf(element, tag, hasAttributes) {
      if (PLAIN.has(tag) && !(hasAttributes && element.hasAttribute("role"))) return "generic";
      if (!hasAttributes && QUICK[tag]) return QUICK[tag];
      return tw.refs.roleOf(element);
    }

    /** @returns {{isActionable: boolean, mark: string}} mark: words like [clickable] */
    factsOf(element, tag, role, hasAttributes, place, path) {
      const isNativeControl = isNative(element, tag);
      const isWidget = isNativeControl || WIDGETS.has(role);
      const marked = hasAttributes && !isWidget ? markedFacts(element) : NO_FACTS;
      const isPointer = path.isPointer && !place.path.isPointer && !place.isInAction;
      const scrollable = path !== place.path && path.isScroller && !isWidget && tag !== "body" && tag !== "html" && scrolls(element);
      const clickable = !isWidget && (marked.clickable || isPointer || (tag === "label" && this.isStandIn(element)));
      let mark = "";
      if (clickable) mark += " [clickable]";
      if (clickable && tag === "label") mark += this.standInMark(element);
      if (marked.editable && role !== "textbox") mark += " [editable]";
      if (marked.draggable) mark += " [draggable]";
      if (scrollable) mark += " [scrollable]";
      const isActionable = isWidget || mark !== "" || Boolean(marked.focusable) || MEDIA.has(role) || role === "iframe";
      if (mark !== "") return { isActionable, mark };
      return isActionable ? ACTIONABLE : INERT;
    }

    /** A label is what people click when the control it belongs to is not there to be clicked. */
    isStandIn(label) {
      return label.control !== null && !tw.visibility.isRendered(label.control);
    }

    standInMark({ control }) {
      if (!control) return "";
      const role = tw.roles.roleOf(control);
      return ` [for=${role}]${tw.wording.statesOf(control, control.localName, role, "").words}`;
    }

    hasLine(element, tag, role, { isActionable }) {
      if (isActionable) return true;
      if (this.isInteractive || DISSOLVED.has(role)) return false;
      return !(this.isCompact && CONTAINERS.has(role) && !tw.refs.nameOf(element, role));
    }

    dissolve(element, tag, place) {
      this.edges.push(element);
      const cover = this.coverOf(element, tag, place);
      if (cover) {
        this.flush(place.depth, place.cover);
        place.cover = cover;
      }
      this.children(element, tag, place);
      if (cover) this.flush(place.depth, cover);
      this.edges.push(element);
    }

    /** Text of the element that is on another line already: a label's on its control's, a caption's on its box's. */
    coverOf(element, tag, place) {
      if (tag === "label") return this.labelCover(element);
      return CAPTIONS.has(tag) ? place.above.name : "";
    }

    labelCover(label) {
      const control = label.control;
      if (!control || !tw.visibility.isRendered(control)) return "";
      return tw.refs.nameOf(control, tw.roles.roleOf(control));
    }

    line(element, tag, role, facts, place) {
      const { depth, cover } = place;
      this.flush(depth, cover);
      const name = tw.refs.nameOf(element, role);
      if ((role === "img" || role === "image") && cover && name && cover.includes(name)) return;
      const index = this.lines.length;
      const { cut } = this.notes;
      this.lines.push("");
      const hasRef = facts.isActionable || REFERRED.has(role) || (LANDMARKS.has(role) && name !== "");
      const ref = hasRef ? this.refOf(element, role, name, place) : "";
      const { words: stateWords, states } = hasRef || RANGES.has(role) ? tw.wording.statesOf(element, tag, role, name) : NONE;
      const value = tw.wording.valueOf(element, tag, role, states);
      place.depth = this.isInteractive ? 0 : depth + 1;
      place.cover = NAMED_BY_CONTENT.has(role) ? name : "";
      place.name = name;
      place.isInAction ||= facts.isActionable;
      const slot = this.inside(element, tag, role, place, value);
      this.finish(element, index, { role, name, ref, value, slot, depth, isCut: this.notes.cut > cut, words: stateWords + facts.mark }, place);
    }

    refOf(element, role, name, place) {
      return ` [ref=${tw.refs.marker(tw.refs.refShown(element, role, name, this.surroundings(element, place)))}]`;
    }

    /** Walks what is inside; returns the slot marker of a frame. */
    inside(element, tag, role, place, value) {
      if (tw.frames.FRAMES.has(tag)) return this.frame(element, tag, place);
      if (tag === "select") this.options(element, place);
      else if (value && RANGES.has(role)) this.chunks.push(...chunksOf(element));
      else if (!TEXTLESS.has(tag)) this.children(element, tag, place);
      if (tag === "canvas") this.notes.canvases += 1;
      return "";
    }

    frame(element, tag, place) {
      const slot = tw.frames.slotOf(element);
      if (slot === null) {
        this.children(element, tag, place);
        return "";
      }
      if (!this.withBounds) return `\uE004${slot}\uE005`;
      const { x, y, scale } = tw.frames.contentBox(element);
      return `\uE004${slot}|${x},${y},${scale}\uE005`;
    }

    options(select, place) {
      if (place.depth >= this.maxDepth) return;
      place.isInAction = true;
      const shown = [...select.options].slice(0, MAX_OPTIONS);
      for (const option of shown) if (tw.visibility.isRendered(option)) this.element(option, place);
      const rest = select.options.length - shown.length;
      if (rest > 0) this.lines.push(`${INDENT.repeat(place.depth)}- text: … ${rest} more options`);
    }

    finish(element, index, { role, name, ref, value, slot, depth, isCut, words: marks }, place) {
      const hasLines = this.lines.length > index + 1;
      let text = "";
      if (hasLines) this.flush(place.depth, place.cover);
      else text = this.takeText(place.cover);
      if (!hasLines && !text && !value && !name && !ref && !isCut) {
        this.lines.length = index;
        return;
      }
      let head = `${INDENT.repeat(depth)}- ${role === "none" ? "generic" : role}`;
      let shown = name;
      if (!shown && DISSOLVED.has(role) && !hasLines) [shown, text] = this.shownText(element, text);
      if (shown) head += ` ${quote(shown)}`;
      head += ref + marks;
      if (element === this.active && element !== document.body) head += " [active]";
      if (this.withBounds && ref) head += tw.wording.boxOf(element);
      if (slot) head += `${this.frameUrl(element)}${slot}`;
      if (value) head += `: ${quote(printable(value))}`;
      else if (text) head += role === "paragraph" ? `: ${quote(text)}` : `: ${text}`;
      this.lines[index] = head;
      if (ref) this.refs += 1;
      this.noteRows(element, role, name);
    }

    /** What stands on a clickable box serves as its name. */
    shownText(element, text) {
      return [text || this.withText ? text : tw.text.cut(printable(tw.text.visibleText(element)), 80), ""];
    }

    frameUrl(element) {
      const url = element.getAttribute("src") ?? element.getAttribute("data") ?? "";
      return url && !/^(about|blob|data|javascript):/.test(url) ? ` [url=${tw.text.cut(printable(url), 100)}]` : "";
    }

    /** Rows a virtual list says it has but does not render. */
    noteRows(element, role, name) {
      if (!element.hasAttribute("aria-rowcount")) return;
      const total = Number(element.getAttribute("aria-rowcount"));
      const rendered = element.querySelectorAll("tr,[role=row]").length;
      if (total > rendered) this.notes.rows.push(`${total - rendered} of ${total} rows of ${role}${name ? ` ${quote(name)}` : ""} not rendered`);
    }
  }

  function rootsOf(options) {
    if (options.roots) return options.roots.map((local) => tw.refs.resolve(local));
    const root = document.body ?? document.documentElement;
    if (options.mode !== "focused") return root ? [root] : [];
    const active = tw.dom.activeElementDeep();
    return active && active !== document.documentElement ? [active] : [root];
  }

  /**
   * The lines of this document.
   * @param {{mode?: string, depth?: number, compact?: boolean, include_text?: boolean, include_bounds?: boolean, roots?: number[], nonce?: string}} options
   */
  function capture(options) {
    const roots = rootsOf(options);
    const work = new Capture(options);
    tw.dom.cached(() => {
      for (const root of roots) work.run(root);
    });
    const answer = {
      title: document.title,
      url: location.href,
      viewport: `${window.innerWidth}x${window.innerHeight}`,
      text: work.lines.join("\n"),
      refs: work.refs,
      notes: work.notes,
      focus: options.mode === "focused" && roots[0] !== document.body,
    };
    if (window === window.top) return { ...answer, path: [] };
    const path = tw.frames.pathOf(options.nonce);
    return typeof path?.then === "function" ? path.then((found) => ({ ...answer, path: found })) : { ...answer, path };
  }

  tw.snapshot = { capture };
  tw.commands["snapshot.capture"] = capture;
})();
