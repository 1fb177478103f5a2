/*
 * Counts what an act changes in this frame: DOM mutations (shadow trees on the way to the target included), value and
 * scroll events, focus, address and title. Stands between effects.begin and effects.end of the worker.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.effects) return;

  const MUTATION_CAP = 10_000;
  const DRAIN_LIMIT_MS = 4;
  const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };
  /** Events on whose way closed shadow trees are found before the page's own handlers change them. */
  const ACT_EVENTS = ["pointerdown", "mousedown", "click", "keydown", "focusin", "input", "change", "drop", "dragstart"];
  /** Changes a MutationObserver cannot see. */
  const STATE_EVENTS = ["input", "change", "scroll", "toggle", "submit", "play", "pause"];

  /** @typedef {ReturnType<typeof open>} Count */
  /** @type {Count | null} */
  let current = null;

  function open() {
    const listening = new AbortController();
    const record = {
      mutations: 0,
      events: 0,
      active: tw.dom.activeElementDeep(),
      url: location.href,
      title: document.title,
      observer: new MutationObserver((records) => count(record, records)),
      listening,
    };
    record.observer.observe(document, OBSERVED);
    const options = { capture: true, passive: true, signal: listening.signal };
    for (const type of ACT_EVENTS) addEventListener(type, (event) => observeRoots(record, event.target), options);
    for (const type of STATE_EVENTS) addEventListener(type, () => (record.events += 1), options);
    return record;
  }

  /** @param {Count} record @param {MutationRecord[]} records */
  function count(record, records) {
    record.mutations += records.filter((each) => !tw.dom.isOwnChange(each)).length;
    if (record.mutations >= MUTATION_CAP) record.observer.disconnect();
  }

  /**
   * From the host the window sees into its shadow trees, as deep as the focused or hit element lies.
   * @param {Count} record
   * @param {EventTarget | null} target
   */
  function observeRoots(record, target) {
    for (let host = target; host instanceof Element; ) {
      const root = tw.dom.shadowRootOf(host);
      if (!root) return;
      record.observer.observe(root, OBSERVED);
      host = root.activeElement;
    }
  }

  const hop = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

  /**
   * Lets tasks queued by the act run first: form submission, framework renders, and timers of no delay. A hidden tab's
   * timers may be a second late, so its tasks are all that is waited for there.
   */
  async function drainTasks() {
    const end = performance.now() + DRAIN_LIMIT_MS;
    let hasTimedOut = false;
    setTimeout(() => (hasTimedOut = true));
    await hop();
    do await hop(); while (!hasTimedOut && performance.now() < end);
  }

  /** @param {Count} record */
  function close(record) {
    count(record, record.observer.takeRecords());
    record.observer.disconnect();
    record.listening.abort();
    tw.actStart.rest();
  }

  /** @param {Element | null} element */
  const isFrame = (element) => /^i?frame$/.test(element?.localName ?? "");

  /** @param {Element | null} element */
  function describe(element) {
    if (!element || element === document.body || element === document.documentElement) return "none";
    const role = tw.roles.roleOf(element);
    const name = tw.names.nameOf(element);
    return name ? `${role} ${JSON.stringify(name.slice(0, 80))}` : role;
  }

  /**
   * @param {{sign?: {id: string, events: string[]}, shows?: {title: string}, weighs?: boolean, pause?: number}} args  pause: so
   *   many ms must have passed since the person's own input; nothing begins before
   */
  function begin({ sign, shows, weighs = false, pause = 0 }) {
    const since = tw.presence.sinceInput();
    if (since < pause) return { begun: false, since, active: describe(tw.dom.activeElementDeep()) };
    if (current) close(current);
    if (shows) tw.pageMarks.show(shows);
    current = open();
    if (sign) tw.actStart.expect(sign);
    const calls = weighs && tw.activation.mayCallForPerson();
    return { begun: true, focus_kind: tw.sensitiveFields.focusKind(), origin: self.origin, address: location.href, calls };
  }

  async function end() {
    const record = current;
    tw.pageMarks.rest();
    if (!record) return {};
    await drainTasks();
    close(record);
    if (current === record) current = null;
    const active = tw.dom.activeElementDeep();
    return {
      mutations: record.mutations,
      events: record.events,
      // The frame inside names what has the focus.
      focus: active !== record.active && !isFrame(active) ? describe(active) : undefined,
      url: location.href,
      urlBefore: record.url,
      title: document.title,
      titleBefore: record.title,
    };
  }

  tw.effects = { end, isUnderWay: () => current !== null };
  tw.queries["effects.begin"] = begin;
  tw.queries["effects.end"] = end;
})();
