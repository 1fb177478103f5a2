/*
 * The guard of trusted pointer input: between measuring an element and pressing the button the page may change, so the
 * press is let through only when it lands on the element.
 */
(() => {
  const tw = globalThis.__tabwire;
  if ("input.arm" in tw.commands) return;

  const { accepts, breathe, describe, heldElement, hitAt, point, pointerTarget, prepare } = tw.actionability;
  const GUARDED = [
    "pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu", "dragstart",
  ];
  const LIFETIME_MS = 3000;
  const MENU_MS = 2000;
  /** @type {{listeners: AbortController, seen: boolean, blockedBy: string | null, timer: number} | null} */
  let guard = null;

  function disarm() {
    guard?.listeners.abort();
    clearTimeout(guard?.timer);
    guard = null;
  }

  /**
   * Lets the coming press through only when it lands on `el`; otherwise stops it before the page sees it.
   * @param {Element | null} el
   */
  function arm(el) {
    disarm();
    const listeners = new AbortController();
    /** @type {NonNullable<typeof guard>} */
    const state = { listeners, seen: false, blockedBy: null, timer: setTimeout(disarm, LIFETIME_MS) };
    const check = (/** @type {Event} */ event) => {
      if (!event.isTrusted) return;
      if (!state.seen && (event.type === "pointerdown" || event.type === "mousedown")) {
        const { clientX: x, clientY: y } = /** @type {MouseEvent} */ (event);
        const hit = /** @type {Element | undefined} */ (hitAt({ x, y }) ?? event.composedPath()[0]);
        if (!el || !accepts(el, hit ?? null)) state.blockedBy = hit?.nodeType === Node.ELEMENT_NODE ? describe(hit) : "the page";
      }
      state.seen = true;
      if (!state.blockedBy) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    for (const type of GUARDED) addEventListener(type, check, { capture: true, signal: listeners.signal });
    keepMenuClosed(listeners.signal);
    guard = state;
  }

  /** A native context menu would stay open over the page with nobody to close it. @param {AbortSignal} signal */
  function keepMenuClosed(signal) {
    addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  }

  tw.commands["input.keepMenuClosed"] = () => {
    keepMenuClosed(AbortSignal.timeout(MENU_MS));
    return {};
  };

  /** @param {{target: TargetArgs | null}} args null: no press may land in this frame */
  tw.commands["input.arm"] = ({ target }) => {
    const el = target ? pointerTarget(heldElement(target)) : null;
    arm(el);
    return { point: el && point(el) };
  };

  /** Where to press, measured and guarded in one go. @param {PointerRequest} request */
  tw.commands["input.aim"] = async (request) => {
    const prepared = await prepare(request);
    arm(pointerTarget(heldElement(request.target)));
    return prepared;
  };

  /** Answers after the tasks that the page has queued at the coming of the pointer: a veil put up there counts. */
  tw.commands["input.arrived"] = async () => {
    await breathe();
    return {};
  };

  /** @param {{ends?: boolean}} args ends: unless the press was stopped the act is over, and what it changed is told as well */
  tw.commands["input.verdict"] = async ({ ends = false }) => {
    const state = guard;
    disarm();
    const seen = { seen: state?.seen ?? true, blocked_by: state?.blockedBy ?? null };
    return ends && !seen.blocked_by ? { ...seen, counted: await tw.effects.end() } : seen;
  };
})();
