(() => {
  const tw = globalThis.__tabwire;
  if (tw.actionability) return;

  const CENTER = [[0.5, 0.5]];
  const SPREAD = [...CENTER, [0.5, 0.25], [0.5, 0.75], [0.25, 0.5], [0.75, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];
  const WAKE_EVENTS = ["transitionend", "animationend", "resize", "load", "toggle"];
  const PAINT_ONLY = /^(opacity|color|background|border.*color|boxShadow|outline|filter|fill|stroke|textDecoration|visibility|caretColor|accentColor|cursor|backdropFilter)/i;
  /** Code editors take their text in a box nobody sees. */
  const CODE_EDITOR = ".CodeMirror, .monaco-editor, .ace_editor";
  const CODE_INPUT = ".CodeMirror textarea, .ace_editor textarea, .monaco-editor textarea, .monaco-editor .native-edit-context";
  const CODE_TEXT = ".CodeMirror-lines, .ace_content, .view-lines";
  const BUTTONS = "button, a[href], [role=button], [role=link], [role=menuitem]";
  const TAKES_FOCUS = "[role=combobox], [role=listbox], [aria-haspopup], [tabindex], input";
  const KEYFRAME_FIELDS = new Set(["offset", "computedOffset", "easing", "composite"]);

  /** Let other tasks of the page run; unlike timers this is not slowed down in hidden tabs. Rejects when a stop came meanwhile. */
  function breathe() {
    const { signal } = tw.halt;
    return new Promise((/** @type {(value?: any) => void} */ resolve, reject) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        channel.port1.close();
        if (signal.aborted) reject(signal.reason);
        else resolve();
      };
      channel.port2.postMessage(null);
    });
  }

  function contains(outer, inner) {
    return outer === inner || (inner !== null && tw.dom.composedContains(outer, inner));
  }

  function closest(el, matches) {
    for (let node = el; node; node = tw.dom.composedParent(node)) {
      if (node.nodeType === Node.ELEMENT_NODE && matches(node)) return node;
    }
    return null;
  }

  /** A short name of an element for messages: `<div class="veil"> "Loading"`. */
  function describe(el) {
    const own = el.getAttribute("id");
    const id = own ? ` id="${own}"` : "";
    const classes = (el.getAttribute("class") ?? "").trim().split(/\s+/).filter(Boolean).slice(0, 3).join(" ");
    const text = (el.getAttribute("aria-label") ?? el.textContent ?? "").replace(/\s+/g, " ").trim();
    const quoted = text ? ` "${text.length > 40 ? `${text.slice(0, 40)}…` : text}"` : "";
    return `<${el.localName}${id}${classes ? ` class="${classes}"` : ""}>${quoted}`;
  }

  /** The same in a sentence of ours. @param {Element} el */
  const named = (el) => tw.said(describe(el));

  function areaBoxes(area) {
    const map = area.closest("map");
    const image = map && document.querySelector(`img[usemap="#${CSS.escape(map.name)}"]`);
    const coords = (area.getAttribute("coords") ?? "").split(",").map(Number);
    if (!image || coords.length < 3) return image ? [image.getBoundingClientRect()] : [];
    const origin = image.getBoundingClientRect();
    if (coords.length === 3) {
      const [x, y, r] = coords;
      return [new DOMRect(origin.x + x - r, origin.y + y - r, 2 * r, 2 * r)];
    }
    const xs = coords.filter((_, i) => i % 2 === 0);
    const ys = coords.filter((_, i) => i % 2 === 1);
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return [new DOMRect(origin.x + left, origin.y + top, Math.max(...xs) - left, Math.max(...ys) - top)];
  }

  /** The boxes of an element in its frame's viewport; those of its content when it has none of its own. */
  function boxes(el) {
    if (el.localName === "area") return areaBoxes(el);
    const solid = (rects) => [...rects].filter((r) => r.width > 0 && r.height > 0);
    const own = solid(el.getClientRects());
    if (own.length) return own;
    const range = document.createRange();
    range.selectNodeContents(el);
    return solid(range.getClientRects());
  }

  /** The deepest element at a point, looking into open and closed shadow trees. */
  function hitAt(point) {
    let hit = null;
    for (let root = document; root; root = tw.dom.shadowRootOf(hit)) {
      const inner = root.elementFromPoint(point.x, point.y);
      if (!inner || inner === hit) return hit;
      hit = inner;
    }
    return hit;
  }

  /** Whether an event on `hit` is an event for `el`. */
  function accepts(el, hit) {
    if (!hit) return false;
    if (contains(el, hit)) return true;
    const label = closest(hit, (node) => node.localName === "label");
    if (label && label.control === el) return true;
    if (el.localName === "option" && hit === el.closest("select")) return true;
    const style = getComputedStyle(el);
    // Through an icon the click means what is around it; a button that takes none is switched off.
    return ((style.pointerEvents === "none" && !el.matches(BUTTONS)) || style.display === "contents") && contains(hit, el);
  }

  function clipToViewport(rect) {
    const width = document.documentElement.clientWidth || innerWidth;
    const left = Math.max(rect.left, 0);
    const top = Math.max(rect.top, 0);
    const right = Math.min(rect.right, width);
    const bottom = Math.min(rect.bottom, innerHeight);
    return right - left >= 1 && bottom - top >= 1 ? new DOMRect(left, top, right - left, bottom - top) : null;
  }

  /** Find a point of the element that takes events: {point} or {cover} or {} (nothing of it is in the viewport). */
  function probe(el, spread, wholeOnly) {
    let cover;
    for (const box of boxes(el)) {
      const seen = clipToViewport(box);
      if (!seen || (wholeOnly && seen.width * seen.height < box.width * box.height * 0.5)) continue;
      for (const [fx, fy] of spread) {
        const point = { x: seen.x + seen.width * fx, y: seen.y + seen.height * fy };
        const hit = hitAt(point);
        if (accepts(el, hit)) return { point };
        cover ??= hit ?? undefined;
      }
    }
    return { cover };
  }

  function reveal(el, block) {
    const boxed = el.getClientRects().length || !el.firstElementChild ? el : el.firstElementChild;
    boxed.scrollIntoView({ block, inline: block === "center" ? "center" : "nearest", behavior: "instant" });
  }

  /** A point that takes events, scrolling as little as needed; sticky bars are dodged by other alignments. */
  function aim(el, maySearch) {
    const still = probe(el, CENTER, true);
    if (still.point) return still;
    if (!maySearch && still.cover) return probe(el, SPREAD, false);
    let best = {};
    for (const block of ["center", "end", "start"]) {
      reveal(el, block);
      const found = probe(el, SPREAD, false);
      if (found.point) return found;
      if (!best.cover) best = found;
    }
    reveal(el, "center");
    return best;
  }

  /** A clickable point of the element in its frame's viewport, or null. */
  function point(el) {
    return aim(el, true).point ?? null;
  }

  /** Describes what takes the events at `at` instead of `el`; null when `el` itself does. */
  function covers(el, at) {
    const hit = hitAt(at);
    return accepts(el, hit) ? null : hit ? describe(hit) : "nothing (the point is outside of the page)";
  }

  /** An element without a box of its own is seen by its content. */
  function isVisible(el) {
    if (!boxes(el).length) return false;
    return tw.visibility.isVisible(el) || el.checkVisibility({ visibilityProperty: true });
  }

  function isDisabled(el) {
    const control = closest(el, (node) => node.matches("button, input, select, textarea, option, optgroup"));
    if (control?.matches(":disabled") && (control === el || control.localName === "button")) return true;
    return closest(el, (node) => node.getAttribute("aria-disabled") === "true") !== null;
  }

  function isReadonly(el) {
    if (el.matches("input, textarea") && el.readOnly) return true;
    return closest(el, (node) => node.getAttribute("aria-readonly") === "true") === el;
  }

  function movesLayout(animation) {
    const timing = animation.effect?.getComputedTiming();
    if (animation.playState !== "running" || !timing || !Number.isFinite(timing.endTime)) return false;
    return animation.effect.getKeyframes().some((frame) =>
      Object.keys(frame).some((name) => !KEYFRAME_FIELDS.has(name) && !PAINT_ONLY.test(name)));
  }

  function movingAnimations(el) {
    const found = [];
    for (let node = el; node; node = tw.dom.composedParent(node)) {
      if (node.getAnimations) found.push(...node.getAnimations().filter(movesLayout));
    }
    return found;
  }

  function within(deadline, promise) {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => resolve(false), Math.max(0, deadline - Date.now()));
    });
    return Promise.race([promise.then(() => true, () => true), late]).finally(() => clearTimeout(timer));
  }

  /** Resolves true when the element keeps its place; animations do not run in a hidden page, so they are not awaited there. */
  async function settle(el, deadline) {
    const moving = document.hidden ? [] : movingAnimations(el);
    if (moving.length) await tw.halt.unless(within(deadline, Promise.all(moving.map((a) => a.finished))));
    const before = el.getBoundingClientRect();
    await breathe();
    const after = el.getBoundingClientRect();
    return ["x", "y", "width", "height"].every((side) => before[side] === after[side]);
  }

  function rootsOf(el) {
    const roots = new Set([document]);
    for (let node = el; node; node = tw.dom.composedParent(node)) roots.add(node.getRootNode());
    return roots;
  }

  /** How often this document was left. One that was kept for going back must not go on with an act of before. */
  let departures = 0;
  addEventListener("pagehide", () => { departures += 1; });

  const left = () => tw.error("stale_element_reference", "the page was left. Take a new snapshot", { cause: "navigated" });

  /** Resolves true at the next change of the page that may matter to `el`, false at the deadline. Rejects at a stop. */
  function nextChange(el, cover, deadline) {
    const before = departures;
    const { signal: halted } = tw.halt;
    return new Promise((resolve, reject) => {
      const stop = new AbortController();
      const finish = (changed) => {
        if (stop.signal.aborted) return;
        stop.abort();
        observer.disconnect();
        clearTimeout(timer);
        if (halted.aborted) reject(halted.reason);
        else if (departures === before) resolve(changed);
        else reject(left());
      };
      const wake = () => breathe().then(() => finish(true), () => finish(false));
      halted.addEventListener("abort", () => finish(false), { signal: stop.signal });
      const observer = new MutationObserver(wake);
      const options = { subtree: true, childList: true, attributes: true, characterData: true };
      for (const root of new Set([...rootsOf(el), ...(cover ? rootsOf(cover) : [])])) observer.observe(root, options);
      for (const type of WAKE_EVENTS) addEventListener(type, wake, { capture: true, signal: stop.signal });
      for (const animation of document.getAnimations().filter(movesLayout).slice(0, 50)) animation.finished.then(wake, wake);
      const timer = setTimeout(() => finish(false), Math.max(0, deadline - Date.now()));
    });
  }

  const CHECKS = {
    visible: (el) => (isVisible(el) ? null : {
      code: "element_not_interactable",
      message: `${named(el)} is not visible. Take a new snapshot, or open what hides it first`,
    }),
    enabled: (el) => (isDisabled(el) ? {
      code: "element_not_interactable",
      message: `${named(el)} is disabled. Do first what the page asks for to enable it`,
    } : null),
    editable: (el) => (isReadonly(el) ? {
      code: "element_not_editable",
      message: `${named(el)} is read-only`,
    } : null),
    receives: (el, state) => {
      const { point: at, cover } = aim(el, !state.searched);
      state.searched = true;
      state.point = at;
      if (at) return null;
      if (closest(el, (node) => node.hasAttribute("inert"))) {
        return { code: "element_not_interactable", message: `${named(el)} is inert: it takes no events` };
      }
      if (getComputedStyle(el).pointerEvents === "none") {
        return { code: "element_not_interactable", message: `${named(el)} takes no clicks (pointer-events: none): it is probably switched off` };
      }
      return cover ? {
        code: "element_click_intercepted",
        message: `${named(el)} is covered by ${named(cover)}. Close or move what covers it, or use force`,
        cover,
      } : { code: "element_not_interactable", message: `${named(el)} is outside of the viewport and cannot be scrolled into it` };
    },
  };

  const unstable = (el) => ({ code: "timeout", message: `${named(el)} keeps moving. Use force to act all the same`, isMoving: true });

  function gone(el) {
    return tw.error("stale_element_reference", `${named(el)} was removed from the page. Take a new snapshot`, { cause: "removed" });
  }

  function firstProblem(el, checks, state) {
    if (!el.isConnected) throw gone(el);
    for (const name of Object.keys(CHECKS)) {
      const problem = checks.includes(name) ? CHECKS[name](el, state) : null;
      if (problem) return problem;
    }
    return null;
  }

  /**
   * Wait, by events, until an element is fit to be acted on.
   * @param {Element} el
   * @param {{checks: string[], force?: boolean, deadline: number}} options checks: visible, enabled, editable, stable, receives
   * @returns {Promise<{point?: {x: number, y: number}}>}
   */
  async function ready(el, { checks, force = false, deadline }) {
    if (force) {
      if (!el.isConnected) throw gone(el);
      return { point: checks.includes("receives") ? forcedPoint(el) : undefined };
    }
    const state = {};
    const began = departures;
    for (let waiting = true; ;) {
      const problem = firstProblem(el, checks.filter((name) => name !== "receives"), state)
        ?? (checks.includes("stable") && !await settle(el, deadline) ? unstable(el) : null)
        ?? firstProblem(el, checks.filter((name) => name === "receives"), state);
      if (departures !== began) throw left();
      if (!problem) {
        if (state.point) tw.signs.point(state.point);
        else tw.signs.pointTo(el);
        return { point: state.point };
      }
      if (!waiting) throw tw.error(problem.code, problem.message);
      if (problem.isMoving) waiting = Date.now() < deadline;
      else waiting = await nextChange(el, problem.cover, deadline);
    }
  }

  function forcedPoint(el) {
    const at = point(el);
    if (at) return at;
    const box = boxes(el)[0] ?? el.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  const isTiny = ({ width, height }) => width <= 1 || height <= 1;

  /** Made too small, transparent or clipped to be seen: how widgets put the list away that they were made from. */
  function isPutAway(el) {
    const { opacity, clip } = getComputedStyle(el);
    if (opacity === "0" || clip !== "auto" || isTiny(el.getBoundingClientRect())) return true;
    return closest(el.parentElement, (node) => isTiny(node.getBoundingClientRect()) && getComputedStyle(node).overflow !== "visible") !== null;
  }

  /** What a widget shows in place of the list it was made from: the next box that takes the focus. */
  function widgetOf(list) {
    if (!isPutAway(list)) return undefined;
    const near = [list.nextElementSibling, list.parentElement?.nextElementSibling].filter((node) => node && isVisible(node));
    return near.map((node) => (node.matches(TAKES_FOCUS) ? node : node.querySelector(TAKES_FOCUS))).find((node) => node && isVisible(node));
  }

  /** What people see of a control that is itself not to be seen. */
  const STAND_INS = [
    { controls: "input[type=checkbox], input[type=radio], input[type=file]", find: (el) => [...el.labels].find(isVisible) },
    { controls: CODE_INPUT, find: (el) => el.closest(CODE_EDITOR).querySelector(CODE_TEXT) },
    { controls: "select", find: widgetOf },
  ];

  /** The element a pointer act should aim at: the visible stand-in of a form control that is itself not to be seen. */
  function pointerTarget(el) {
    const standIn = STAND_INS.find(({ controls }) => el.matches(controls))?.find;
    const seen = !standIn || (isVisible(el) && probe(el, CENTER, false).point);
    if (seen) return el;
    const label = standIn(el);
    if (!label || (probe(el, SPREAD, false).point && getComputedStyle(el).opacity !== "0")) return el;
    return label;
  }

  let held = null;

  /** The element of an act, proved once: hovering or clicking may rename it before the act has ended. */
  function hold(target) {
    const el = tw.refs.resolve(target.ref);
    held = { ref: target.ref, el };
    return el;
  }

  /** The element an earlier step of the same act was proved to mean. */
  function heldElement(target) {
    return held?.ref === target.ref && held.el.isConnected ? held.el : hold(target);
  }

  /** The frame's clock: a deadline from a duration given by the caller. */
  function deadlineFrom(timeoutMs) {
    return Date.now() + Math.max(0, timeoutMs ?? 5000);
  }

  tw.commands["actionability.prepare"] = async ({ target, checks, force, timeout_ms }) => {
    const el = hold(target);
    const deadline = deadlineFrom(timeout_ms);
    if (el.localName === "option" && !boxes(el).length && el.closest("select")) {
      throw tw.error("element_not_interactable", `${named(el)} is in a closed list. Use select on ${named(el.closest("select"))}`, { closed_list: true });
    }
    const aimed = pointerTarget(el);
    // Disabled is a state of the control, not of the label that stands in for it.
    if (aimed !== el) await ready(el, { checks: checks.filter((c) => c === "enabled"), force, deadline });
    const { point: at } = await ready(aimed, { checks, force, deadline });
    return { point: at, description: describe(el), viewport: { width: innerWidth, height: innerHeight } };
  };

  tw.actionability = { ready, point, covers, describe, named, breathe, boxes, hitAt, accepts, contains, closest, nextChange, settle, isDisabled, pointerTarget, deadlineFrom, hold, heldElement };
})();
