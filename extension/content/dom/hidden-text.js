/*
 * Text that is laid out and yet no person sees: faded to nothing, clipped to nothing, moved far away, without size, in the colour
 * of
 * what it stands on. It is asked once for each place in the structure, not for each element; what looks suspicious there is
 * looked
 * at again at the element itself.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.hiddenText) return;

  /** Nobody scrolls there: menus that wait beside the page are nearer. */
  const AWAY_PX = -500;
  const FADED = 0.05;
  const NOTHING_LEFT =
    /^(inset\((50|[6-9]\d|1\d\d)(\.\d+)?%|circle\(0|ellipse\(0|polygon\(0(px|%)? 0(px|%)?(, 0(px|%)? 0(px|%)?)*\)|rect\(0)/;
  const CLIPPED = /^rect\((0|1)px,? (0|1)px,? (0|1)px,? (0|1)px\)/;
  const CUTS = /hidden|clip/;
  const TRANSPARENT = /^(rgba\(.*, 0\)|transparent)$/;
  /** Of colours this light the ground is always looked at, of others where the page's author wrote them beside the text. */
  const LIGHT = /^rgba?\((2[3-5]\d), (2[3-5]\d), (2[3-5]\d)/;
  const WHITE = "rgb(255, 255, 255)";
  const MAX_NEIGHBOURS = 50;
  const PICTURES = "img,picture,video,canvas,svg,iframe,object,embed";

  const OFFSETS = /** @type {const} */ (["left", "top", "right"]);
  const MOVED = /transform|translate|scale/;

  /**
   * Moved to where nobody scrolls, as it is written; what is merely scrolled out of a box is not.
   * @param {CSSStyleDeclaration} style
   */
  function isMovedAway({ transform, scale, translate }) {
    if (scale === "0" || parseFloat(translate) <= AWAY_PX) return true;
    const numbers = transform === "none" ? undefined : /^matrix\(([^)]*)\)$/.exec(transform)?.[1].split(",").map(Number);
    return numbers !== undefined && (numbers[4] <= AWAY_PX || numbers[5] <= AWAY_PX || (numbers[0] === 0 && numbers[3] === 0));
  }

  /**
   * Why nothing in a box is seen, "" when it is: "faded", "clipped", "away", or "small", which what is laid out apart escapes.
   * @param {CSSStyleDeclaration} style
   * @param {Element} element
   */
  function boxOf(style, element) {
    const { opacity, clipPath, position, overflow } = style;
    if (opacity !== "1" && parseFloat(opacity) < FADED) return "faded";
    if (clipPath !== "none" && NOTHING_LEFT.test(clipPath)) return "clipped";
    if (position === "absolute" || position === "fixed") {
      if (CLIPPED.test(style.clip)) return "clipped";
      if (OFFSETS.some((side) => parseFloat(style[side]) <= AWAY_PX)) return "away";
    }
    // A look at every transform would cost more than all the rest.
    if (MOVED.test(element.getAttribute("style") ?? "") && isMovedAway(style)) return "away";
    return overflow !== "visible" &&
      CUTS.test(overflow) &&
      style.display !== "inline" &&
      (element.clientHeight <= 1 || element.clientWidth <= 1)
      ? "small"
      : "";
  }

  /** What is behind everything; "" where the browser may paint it dark. */
  const canvas = () => (/dark/.test(getComputedStyle(document.documentElement).colorScheme) ? "" : WHITE);

  /** Ancestors to where the colour behind the element comes from. @param {Element} element */
  function* standsOn(element) {
    for (let at = /** @type {Element | null} */ (element); at; at = tw.dom.composedParent(at)) {
      yield at;
      if (!TRANSPARENT.test(getComputedStyle(at).backgroundColor)) return;
    }
  }

  /** @param {Element} element */
  function groundAt(element) {
    const last = [...standsOn(element)].at(-1) ?? element;
    const { backgroundColor } = getComputedStyle(last);
    return TRANSPARENT.test(backgroundColor) ? canvas() : backgroundColor;
  }

  /** @param {DOMRect} one @param {DOMRect} other */
  const overlap = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  /**
   * Whether a neighbour of an element is painted under a box, as the ground of a heading often is.
   * @param {Element} element
   * @param {DOMRect} box
   */
  function isOnNeighbour(element, box) {
    const neighbours = [...(element.parentElement?.children ?? [])].slice(0, MAX_NEIGHBOURS);
    return neighbours.flatMap((one) => (one === element ? [] : [one, ...Array.from(one.children).slice(0, 1)])).some((one) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(one);
      return (backgroundImage !== "none" || !TRANSPARENT.test(backgroundColor)) && overlap(one.getBoundingClientRect(), box);
    });
  }

  /**
   * Whether pictures or generated boxes are painted where the element is: its colour says nothing then.
   * @param {Element} element
   */
  function isOnPicture(element) {
    const box = element.getBoundingClientRect();
    let last = element;
    for (const at of standsOn(element)) {
      last = at;
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none" || /^(fixed|absolute|sticky)$/.test(style.position)) return true;
      if (at !== document.body && isOnNeighbour(at, box)) return true;
      if (["::before", "::after"].some((part) => getComputedStyle(at, part).content !== "none")) return true;
    }
    return [...last.querySelectorAll(PICTURES)].some((picture) => overlap(picture.getBoundingClientRect(), box));
  }

  /** @param {Element | null} element */
  const writesColour = (element) => /color|background/.test(element?.getAttribute("style") ?? "");

  /** @param {CSSStyleDeclaration} style @param {Element} element */
  function isBlended(style, element) {
    const { color } = style;
    const isClear = color.charCodeAt(3) === 97 && TRANSPARENT.test(color);
    if (!isClear && !LIGHT.test(color) && !writesColour(element) && !writesColour(element.parentElement)) return false;
    if (!isClear && color !== groundAt(element)) return false;
    if (style.backgroundClip === "text" || style.textShadow !== "none" || style.webkitTextFillColor !== color) return false;
    return isClear || !isOnPicture(element);
  }

  /**
   * Why text directly in an element is not seen; "" when it is.
   * @param {Element} element
   * @param {CSSStyleDeclaration} [style] its own
   */
  function inkOf(element, style = getComputedStyle(element)) {
    if (parseFloat(style.fontSize) < 1) return "tiny";
    if (parseFloat(style.textIndent) <= AWAY_PX) return "away";
    return isBlended(style, element) ? "blended" : "";
  }

  tw.hiddenText = { boxOf, inkOf };
})();
