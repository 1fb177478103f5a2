/* What the browser does by itself for keys that move: the caret, the value of a control, the page. For keys by DOM events. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.keyActions) return;

  /** key → [direction, how far, how far with Control] */
  const CARET = {
    ArrowLeft: ["backward", "character", "word"], ArrowRight: ["forward", "character", "word"],
    ArrowUp: ["backward", "line", "paragraph"], ArrowDown: ["forward", "line", "paragraph"],
    Home: ["backward", "lineboundary", "documentboundary"], End: ["forward", "lineboundary", "documentboundary"],
  };
  const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
  const PAGE_SHARE = 0.875;
  const LINE_PX = 40;
  /** key → [share of the view, px] */
  const SCROLLS = {
    PageDown: [PAGE_SHARE, 0], PageUp: [-PAGE_SHARE, 0], " ": [PAGE_SHARE, 0], ArrowDown: [0, LINE_PX], ArrowUp: [0, -LINE_PX],
    End: [0, Number.MAX_SAFE_INTEGER], Home: [0, -Number.MAX_SAFE_INTEGER],
  };

  function fireEdit(el) {
    el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    el.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function moveCaret({ key }, held) {
    const [direction, near, far] = CARET[key];
    const isFar = held.some((name) => name !== "Shift");
    getSelection().modify(held.includes("Shift") ? "extend" : "move", direction, isFar ? far : near);
  }

  function stepValue(el, step) {
    const before = el.value;
    if (step > 0) el.stepUp();
    else el.stepDown();
    if (el.value !== before) fireEdit(el);
  }

  function stepOption(list, by) {
    const options = [...list.options].filter((option) => !option.disabled && !option.closest("optgroup")?.disabled);
    const next = options[options.indexOf(list.selectedOptions[0]) + by];
    if (!next || list.multiple) return;
    next.selected = true;
    fireEdit(list);
  }

  function stepRadio(el, by) {
    const all = [...(el.form ?? el.getRootNode()).querySelectorAll("input[type=radio]")];
    const group = all.filter((one) => one.name === el.name && one.form === el.form && !one.disabled);
    const next = group[(group.indexOf(el) + by + group.length) % group.length];
    tw.dom.giveFocus(next);
    next.click();
  }

  function scrollPage(el, { key }) {
    const scroller = tw.scrolling.scrollerOf(el, "y");
    const [share, px] = SCROLLS[key];
    scroller.scrollBy({ top: share * scroller.clientHeight + px, behavior: "instant" });
  }

  function closeTopmost() {
    const open = [...document.querySelectorAll("dialog:modal, :popover-open:not([popover=manual])")].at(-1);
    if (open instanceof HTMLDialogElement && open.matches(":modal")) (open.requestClose ?? open.close).call(open);
    else if (open instanceof HTMLElement) open.hidePopover();
  }

  /** [which elements, which keys, what happens]; the first that fits is it */
  const ACTIONS = /** @type {Array<[(el: any) => boolean, object, (el: any, stroke: any, held: string[]) => void]>} */ ([
    [() => true, { Escape: true }, () => closeTopmost()],
    [(el) => el.matches("input[type=range]"), STEPS, (el, { key }) => stepValue(el, STEPS[key])],
    [(el) => el.matches("input[type=number]"), { ArrowUp: 1, ArrowDown: -1 }, (el, { key }) => stepValue(el, STEPS[key])],
    [(el) => el.matches("input[type=radio]"), STEPS, (el, { key }) => stepRadio(el, -STEPS[key] * (/Up|Down/.test(key) ? 1 : -1))],
    [(el) => el.localName === "select", STEPS, (el, { key }) => stepOption(el, -STEPS[key] * (/Up|Down/.test(key) ? 1 : -1))],
    [(el) => tw.keyboard.isEditable(el), CARET, (el, stroke, held) => moveCaret(stroke, held)],
    [(el) => !tw.keyboard.isEditable(el) && !el.matches("button, summary, select, input"), SCROLLS, scrollPage],
  ]);

  /**
   * Do what a key does by itself.
   * @param {Element} el the focused element
   * @param {{key: string}} stroke
   * @param {string[]} held modifiers
   * @returns {boolean} whether it is such a key
   */
  function run(el, stroke, held) {
    const found = ACTIONS.find(([fits, keys]) => stroke.key in keys && fits(el));
    if (!found) return false;
    found[2](el, stroke, held);
    return true;
  }

  tw.keyActions = { run };
})();
