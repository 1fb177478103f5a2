/* Answers about found elements: for acts (one element, strictly), for the query tool, for locator chains. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.matches) return;
  const { parse, findAll, preferWhole, shadowRootsIn } = tw.selectors;
  const { collapse, cut, visibleText, matcher } = tw.text;

  const MAX_CANDIDATES = 6;
  const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };
  const VISUAL_EVENTS = ["transitionend", "animationend", "load", "toggle", "scroll", "resize", "input", "change"];

  /** Native controls are often drawn by their label while they are transparent or clipped themselves. */
  function isUsable(element) {
    if (tw.visibility.isVisible(element)) return true;
    return element.localName === "input" && tw.visibility.isRendered(element) &&
      [...(element.labels ?? [])].some((label) => tw.visibility.isVisible(label));
  }

  /** Of several, those that are not shut away (aria-hidden or inert behind a dialog), when there are any. */
  function preferOpen(elements) {
    if (elements.length < 2) return elements;
    const open = elements.filter((element) => !tw.visibility.isAccessibilityHidden(element));
    return open.length ? open : elements;
  }

  function summary(element) {
    const role = tw.refs.roleOf(element);
    const name = tw.refs.nameOf(element, role);
    const text = name ? "" : cut(visibleText(element), 60);
    return { ref: tw.refs.marker(tw.refs.refFor(element)), role, ...(name ? { name } : {}), ...(text ? { text } : {}) };
  }

  /**
   * The candidates for an act.
   * @param {{selector: string, watching?: boolean}} args watching: `changed` will be asked next
   */
  function find({ selector, watching }) {
    return tw.dom.cached(() => {
      const parsed = parse(selector);
      const all = findAll(parsed);
      const usable = preferWhole(parsed, preferOpen(all.filter(isUsable)));
      const shown = (usable.length ? usable : all).slice(0, MAX_CANDIDATES);
      return {
        stamp: watching ? watch() : 0,
        count: all.length,
        usable: usable.length,
        locals: shown.map((element) => tw.refs.refFor(element)),
        candidates: usable.length ? shown.map(summary) : [],
      };
    });
  }

  /** Counts changes of this document, from the first question on. */
  const changes = { count: 0, observer: null, listening: null, roots: new WeakSet(), waiting: new Set() };

  function onChange() {
    changes.count += 1;
    for (const resolve of changes.waiting) resolve();
    changes.waiting.clear();
  }

  function observe(root) {
    if (changes.roots.has(root)) return;
    changes.roots.add(root);
    changes.observer.observe(root, WATCHED);
    for (const type of VISUAL_EVENTS) root.addEventListener(type, onChange, { capture: true, passive: true, signal: changes.listening.signal });
  }

  /** Starts the watching. @returns {number} the count to give to `changed` */
  function watch() {
    changes.observer ??= new MutationObserver(onChange);
    changes.listening ??= new AbortController();
    observe(document);
    for (const root of shadowRootsIn(document)) observe(root);
    return changes.count;
  }

  /** Resolves when the document has changed since `stamp`. @param {{stamp: number}} args */
  function changed({ stamp }) {
    if (changes.count !== stamp) return true;
    return new Promise((resolve) => changes.waiting.add(() => resolve(true)));
  }

  /** Ends the watching when nothing waits any more. */
  function unwatch() {
    changes.observer?.disconnect();
    changes.listening?.abort();
    changes.observer = changes.listening = null;
    changes.roots = new WeakSet();
    onChange();
    return true;
  }

  function boundsOf(element) {
    const { x, y, width, height } = element.getBoundingClientRect();
    const round = (value) => Math.round(value * 100) / 100;
    return { x: round(x), y: round(y), width: round(width), height: round(height) };
  }

  const attributesOf = (element) => Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value]));

  /** A password is never given out, not even as an attribute. */
  function publicAttributes(element) {
    const attributes = attributesOf(element);
    if (element.localName === "input" && element.type === "password") delete attributes.value;
    else if (attributes.value) attributes.value = tw.identity.veiled(element, attributes.value);
    return attributes;
  }

  function valueOf(element) {
    if (!["input", "textarea", "select"].includes(element.localName)) return undefined;
    return element.type === "password" || element.type === "file" ? undefined : tw.identity.veiled(element, element.value);
  }

  function everything(element) {
    return {
      ref: tw.refs.marker(tw.refs.refFor(element)),
      ...tw.states.describe(element),
      tag: element.localName,
      text: visibleText(element),
      ...(valueOf(element) === undefined ? {} : { value: valueOf(element) }),
      attributes: publicAttributes(element),
      bounds: boundsOf(element),
      visible: isUsable(element),
    };
  }

  function attributeOf(element, name) {
    const value = element.getAttribute(name);
    return name === "value" && value ? tw.identity.veiled(element, value) : value;
  }

  const ANSWERS = {
    ref: summary,
    count: () => 1,
    text: (element) => visibleText(element),
    bounds: boundsOf,
    all: everything,
    attribute: (element, { attribute }) =>
      (element.localName === "input" && element.type === "password" && attribute === "value" ? null : attributeOf(element, attribute)),
  };

  /** For role: what assistive technology would be given; else: what is rendered. */
  const isShown = (element, by) =>
    by === "role"
      ? !tw.visibility.isAccessibilityHidden(element)
      : tw.visibility.isRendered(element) && getComputedStyle(element).visibility === "visible";

  /**
   * Where the matches stand among the child frames: how many before, between and after them.
   * @param {Element[]} elements in document order
   * @returns {Array<number | {slot: number | string}> | null} null: no child frames
   */
  function layoutOf(elements) {
    if (!window.length) return null;
    const wanted = new Set(elements);
    const layout = [];
    let run = 0;
    for (const element of tw.dom.walkElements(document)) {
      if (wanted.delete(element)) run += 1;
      const slot = tw.frames.FRAMES.has(element.localName) ? tw.frames.slotOf(element) : null;
      if (slot === null) continue;
      layout.push(run, { slot });
      run = 0;
    }
    return [...layout, run + wanted.size];
  }

  /** Adds where the matches stand, when it was asked for. */
  function arranged(answer, elements, nonce) {
    if (!nonce) return answer;
    const layout = layoutOf(elements);
    const path = tw.frames.pathOf(nonce);
    const whole = (found) => ({ ...answer, count: elements.length, layout, path: found });
    return typeof path?.then === "function" ? path.then(whole) : whole(path);
  }

  /**
   * @param {{by: string, value: string, options?: any, return?: string, attribute?: string, nonce?: string}} args
   * @returns {any} `answers`: one per match, in document order; with a nonce also where they stand
   */
  function query(args) {
    const { by, value, options = {} } = args;
    return tw.dom.cached(() => {
      const parsed = { kind: "semantic", strategy: by, value: by === "role" ? value.trim().toLowerCase() : value, options: { ...options } };
      const found = findAll(parsed).filter((element) => options.include_hidden || isShown(element, by));
      return arranged({ answers: found.map((element) => answerOf(element, args)) }, found, args.nonce);
    });
  }

  const unique = (elements) => [...new Set(elements)];

  function search(parsed, scope) {
    const shown = (elements) => elements.filter((element) => isShown(element, parsed.strategy));
    if (!scope) return shown(findAll(parsed));
    return unique(scope.flatMap((root) => shown(findAll(parsed, root))));
  }

  const semantic = (strategy) => (scope, { value = "", options = {} }) =>
    search({ kind: "semantic", strategy, value: strategy === "role" ? value.toLowerCase() : value, options }, scope);

  /** @param {Element[]} scope @param {{value?: string, options?: any}} step */
  function filter(scope, { value, options = {} }) {
    const { hasText = value, hasNotText, has } = options;
    const contains = (element, text) => matcher(text).test(visibleText(element));
    return scope.filter((element) =>
      (hasText === undefined || contains(element, hasText)) &&
      (hasNotText === undefined || !contains(element, hasNotText)) &&
      (has === undefined || search(typeof has === "string" ? parse(has) : stepSelector(has), [element]).length > 0));
  }

  const stepSelector = ({ method, value = "", options = {} }) =>
    method === "css" || method === "xpath" ? { kind: method, value } : { kind: "semantic", strategy: method, value, options };

  function within(scope, { value }) {
    if (!value) return scope;
    const around = search(parse(value));
    return scope ? scope.filter((element) => around.some((outer) => outer !== element && tw.dom.composedContains(outer, element))) : around;
  }

  /** step → (elements so far, or null at the start) → elements */
  const STEPS = {
    ...Object.fromEntries(["role", "text", "label", "placeholder", "testid"].map((strategy) => [strategy, semantic(strategy)])),
    css: (scope, { value }) => search({ kind: "css", value }, scope),
    xpath: (scope, { value }) => search({ kind: "xpath", value }, scope),
    nth: (scope, { value }) => [scope.at(Number(value))].filter(Boolean),
    first: (scope) => scope.slice(0, 1),
    last: (scope) => scope.slice(-1),
    filter,
    within,
  };

  const NEEDS_ELEMENTS = new Set(["nth", "first", "last", "filter"]);

  /** @param {{chain: Array<{method: string, value?: string, options?: object}>, watching?: boolean, nonce?: string}} args */
  function chain({ chain: steps, watching, nonce }) {
    return tw.dom.cached(() => {
      let scope = null;
      for (const step of steps) {
        if (!scope && NEEDS_ELEMENTS.has(step.method)) {
          throw tw.error("invalid_argument", `the chain cannot start with "${step.method}"; start with role, text, label, css …`);
        }
        scope = STEPS[step.method](scope, step);
      }
      const found = scope ?? [];
      const usable = preferOpen(found.filter(isUsable));
      const shown = nonce ? [] : (usable.length ? usable : found).slice(0, MAX_CANDIDATES);
      return arranged({
        stamp: watching ? watch() : 0,
        count: found.length,
        usable: usable.length,
        locals: shown.map((element) => tw.refs.refFor(element)),
        candidates: shown.map(summary),
      }, found, nonce);
    });
  }

  /** What `query` says of one element. @param {Element} element @param {{return?: string, attribute?: string}} wanted */
  const answerOf = (element, wanted) => ANSWERS[wanted.return ?? "ref"](element, wanted);

  tw.matches = { isUsable, collapse, answerOf };
  tw.commands["selectors.find"] = find;
  tw.commands["selectors.changed"] = changed;
  tw.commands["selectors.unwatch"] = unwatch;
  tw.commands["selectors.query"] = query;
  tw.commands["selectors.chain"] = chain;
})();
