/*
 * Watches this document for a condition. A watch answers once with what is there now, and then each time that changes:
 * the worker adds up the frames of the tab.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.wait) return;

  const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };
  /** Changes of what is visible that are no DOM mutation. */
  const EVENTS = ["input", "change", "toggle", "load", "transitionend", "animationstart", "animationend", "focusin", "focusout", "resize"];
  /** Media queries, :hover and the like change without any event. Only a safety net, so that a hidden tab's slow timers do not matter. */
  const RECHECK_MS = 500;
  /** A check may take this share of the page's time: after one of 10 ms the next comes 40 ms later. */
  const REST_FACTOR = 4;

  /** kind → what is there now, as plain data. @type {Record<string, (condition: any, memory: any) => object>} */
  const LOOKS = {
    selector({ selector }, memory) {
      memory.parsed ??= tw.selectors.parse(selector);
      return countVisible(tw.selectors.findAll(memory.parsed));
    },
    ref({ local, mustExist }, memory) {
      const element = resolveOnce(local, mustExist, memory);
      return countVisible(element?.isConnected ? [element] : []);
    },
    text({ source, flags }, memory) {
      memory.pattern ??= new RegExp(source, flags);
      const text = document.body ? tw.dom.cached(() => tw.text.visibleText(document.body)) : "";
      return { found: memory.pattern.test(text) };
    },
  };

  function countVisible(elements) {
    const visible = tw.dom.cached(() => elements.filter((element) => tw.visibility.isVisible(element)));
    return { attached: elements.length, visible: visible.length };
  }

  /** The element is held while the watch lasts: that it is renamed meanwhile does not end its being there. */
  function resolveOnce(local, mustExist, memory) {
    if (memory.element !== undefined) return memory.element;
    try {
      memory.element = tw.refs.resolve(local);
    } catch (error) {
      if (mustExist || error.data?.cause === "renamed") throw error;
      memory.element = null;
    }
    return memory.element;
  }

  /** @type {Map<string, Watch>} */
  const watches = new Map();

  class Watch {
    constructor(condition) {
      this.condition = condition;
      this.memory = {};
      this.isQueued = false;
      this.nextAllowed = 0;
      this.state = this.look();
      this.answer = null;
      this.channel = new MessageChannel();
      this.channel.port1.onmessage = () => this.check();
      this.listening = new AbortController();
      this.observer = new MutationObserver(() => this.queue());
      this.observeRoots();
      const options = { capture: true, passive: true, signal: this.listening.signal };
      for (const type of EVENTS) addEventListener(type, () => this.queue(), options);
      this.timer = setInterval(() => this.queue(), RECHECK_MS);
    }

    look() {
      const began = performance.now();
      const seen = LOOKS[this.condition.kind](this.condition, this.memory);
      const ended = performance.now();
      this.nextAllowed = ended + (ended - began) * REST_FACTOR;
      return JSON.stringify({ ...seen, frames: window.length });
    }

    observeRoots() {
      this.observer.observe(document, OBSERVED);
      for (const element of tw.dom.walkElements(document)) {
        const root = tw.dom.shadowRootOf(element);
        if (root) this.observer.observe(root, OBSERVED);
      }
    }

    queue() {
      if (this.isQueued) return;
      this.isQueued = true;
      const rest = this.nextAllowed - performance.now();
      if (rest > 1) setTimeout(() => this.channel.port2.postMessage(null), rest);
      else this.channel.port2.postMessage(null);
    }

    check() {
      this.isQueued = false;
      if (this.listening.signal.aborted) return;
      this.observeRoots();
      const state = this.look();
      if (state === this.state) return;
      this.state = state;
      this.answer?.(state);
    }

    /** The state as soon as it differs from the one the worker knows. */
    next(known) {
      if (known !== this.state) return this.state;
      return new Promise((resolve) => (this.answer = resolve));
    }

    close() {
      clearInterval(this.timer);
      this.listening.abort();
      this.observer.disconnect();
      this.channel.port1.close();
      this.answer?.(this.state);
    }
  }

  /**
   * @param {{id: string, condition: {kind: string}, known?: string}} args  `known`: the state answered last
   * @returns {string | Promise<string>}
   */
  function flip({ id, condition, known }) {
    let watch = watches.get(id);
    if (!watch) watches.set(id, (watch = new Watch(condition)));
    return watch.next(known);
  }

  function stop({ id }) {
    watches.get(id)?.close();
    watches.delete(id);
  }

  tw.wait = { flip, stop };
  tw.commands["wait.flip"] = flip;
  tw.commands["wait.stop"] = stop;
})();
