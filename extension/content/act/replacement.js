/* Elements that the page draws in the place of one that an act was on its way to. */
(() => {
  const tw = globalThis.__tabwire;
  if ("actionability.follow" in tw.commands) return;

  const { deadlineFrom, heldBox, nextChange, pointerTarget } = tw.actionability;

  /** @param {DOMRect} a @param {DOMRect} b @returns {boolean} whether one box is, by more than half, where the other was */
  function isSamePlace(a, b) {
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return width > 0 && height > 0 && width * height * 2 > Math.max(a.width * a.height, b.width * b.height);
  }

  /**
   * The element that the page has drawn in the place of the one an act has aimed at: role, name, item and place agree. The page
   * may need a moment for it.
   * @param {{target: TargetArgs, timeout_ms: number}} args
   */
  tw.commands["actionability.follow"] = async ({ target, timeout_ms }) => {
    const box = heldBox(target);
    if (!box) return { ref: null };
    const find = () => tw.refs.successorOf(target.ref, (el) => isSamePlace(pointerTarget(el).getBoundingClientRect(), box));
    const deadline = deadlineFrom(timeout_ms);
    let el = find();
    while (!el && await nextChange(document.documentElement, null, deadline)) el = find();
    return { ref: el ? tw.refs.refFor(el) : null };
  };
})();
