/*
 * The guard of trusted pointer input: between measuring an element and pressing the button the page may change, so the
 * press is let through only when it lands on the element.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.pointerGuard) return;

  const { accepts, breathe, describe, heldElement, hitAt } = tw.actionability;
  const GUARDED = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "dragstart"];
  const LIFETIME_MS = 3000;
  const MENU_MS = 2000;
  let guard = null;

  function stopEvent(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function disarm() {
    guard?.listeners.abort();
    clearTimeout(guard?.timer);
    guard = null;
  }

  /** Lets the coming press through only when it lands on `el`; otherwise stops it before the page sees it. */
  function arm(el) {
    disarm();
    const state = { listeners: new AbortController(), seen: false, blockedBy: null };
    const check = (event) => {
      if (!event.isTrusted) return;
      if (!state.seen && (event.type === "pointerdown" || event.type === "mousedown")) {
        const hit = hitAt({ x: event.clientX, y: event.clientY }) ?? event.composedPath()[0];
        if (!el || !accepts(el, hit)) state.blockedBy = hit?.nodeType === Node.ELEMENT_NODE ? describe(hit) : "the page";
      }
      state.seen = true;
      if (state.blockedBy) stopEvent(event);
    };
    for (const type of GUARDED) addEventListener(type, check, { capture: true, signal: state.listeners.signal });
    keepMenuClosed(state.listeners.signal);
    state.timer = setTimeout(disarm, LIFETIME_MS);
    guard = state;
  }

  /** A native context menu would stay open over the page with nobody to close it. */
  function keepMenuClosed(signal) {
    addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  }

  tw.commands["input.keepMenuClosed"] = () => {
    keepMenuClosed(AbortSignal.timeout(MENU_MS));
    return {};
  };

  tw.commands["input.arm"] = ({ target }) => {
    const el = target ? tw.actionability.pointerTarget(heldElement(target)) : null;
    arm(el);
    return { point: el && tw.actionability.point(el) };
  };

  /** Where to press, measured and guarded in one go. */
  tw.commands["input.aim"] = async (args) => {
    const prepared = await tw.commands["actionability.prepare"](args);
    arm(tw.actionability.pointerTarget(heldElement(args.target)));
    return prepared;
  };

  /** Answers after the tasks that the page has queued at the coming of the pointer: a veil put up there counts. */
  tw.commands["input.arrived"] = async () => {
    await breathe();
    return {};
  };

  /** `ends`: unless the press was stopped the act is over, and what it changed is told along with the verdict. */
  tw.commands["input.verdict"] = async ({ ends = false }) => {
    const state = guard;
    disarm();
    const seen = { seen: state?.seen ?? true, blocked_by: state?.blockedBy ?? null };
    return ends && !seen.blocked_by ? { ...seen, counted: await tw.effects.end() } : seen;
  };

  tw.pointerGuard = { arm, disarm };
})();
