/*
 * Text that is laid out and yet no person sees: faded to nothing, clipped to nothing, moved far away, without size, in the colour of
 * what it stands on. Asked of the computed style of a place in the structure, so that it costs next to nothing; what looks
 * suspicious there is looked at again at the element itself.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.unseen) return;

  /** Nobody scrolls there: menus that wait beside the page are nearer. */
  const AWAY_PX = -500;
  const FADED = 0.05;
  const NOTHING_LEFT = /^(inset\((50|[6-9]\d|1\d\d)(\.\d+)?%|circle\(0|ellipse\(0|polygon\(0(px|%)? 0(px|%)?(, 0(px|%)? 0(px|%)?)*\)|rect\(0)/;
  const CLIPPED = /^rect\((0|1)px,? (0|1)px,? (0|1)px,? (0|1)px\)/;
  const CUTS = /hidden|clip/;
  const TRANSPARENT = /^(rgba\(.*, 0\)|transparent)$/;
  const PICTURES = "img,picture,video,canvas,svg,iframe,object,embed";

  /** Of these the whole subtree is unseen; of the others only text directly in the element. */
  const WHOLE = new Set(["faded", "clipped", "away", "small"]);

  function isAway(style) {
    return parseFloat(style.left) <= AWAY_PX || parseFloat(style.top) <= AWAY_PX || parseFloat(style.right) <= AWAY_PX;
  }

  function isMovedAway(transform) {
    const numbers = /^matrix\(([^)]*)\)$/.exec(transform)?.[1].split(",").map(Number);
    return numbers !== undefined && (numbers[4] <= AWAY_PX || numbers[5] <= AWAY_PX || (numbers[0] === 0 && numbers[3] === 0));
  }

  /** @param {CSSStyleDeclaration} style */
  function boxOf(style) {
    if (parseFloat(style.opacity) < FADED) return "faded";
    if (style.position === "absolute" || style.position === "fixed") {
      if (CLIPPED.test(style.clip)) return "clipped";
      if (isAway(style)) return "away";
    }
    if (style.clipPath !== "none" && NOTHING_LEFT.test(style.clipPath)) return "clipped";
    if (style.transform !== "none" && isMovedAway(style.transform)) return "away";
    return CUTS.test(style.overflow) && (parseFloat(style.width) <= 1 || parseFloat(style.height) <= 1) ? "small" : "";
  }

  /** @param {CSSStyleDeclaration} style @param {string} background what it stands on; "": not known */
  function inkOf(style, background) {
    if (parseFloat(style.fontSize) < 1) return "tiny";
    if (parseFloat(style.textIndent) <= AWAY_PX) return "indented";
    const { color } = style;
    if (color !== background && !TRANSPARENT.test(color)) return "";
    return style.backgroundClip === "text" || style.textShadow !== "none" || style.webkitTextFillColor !== color ? "" : "blended";
  }

  /** What text stands on, as far as colours tell. @param {CSSStyleDeclaration} style @param {string} above that of the parent */
  function groundOf(style, above) {
    const own = style.backgroundColor;
    if (style.backgroundImage !== "none") return "";
    return TRANSPARENT.test(own) ? above : own;
  }

  /** What is behind everything; nothing is known where the browser may paint it dark. */
  const canvas = () => (/dark/.test(getComputedStyle(document.documentElement).colorScheme) ? "" : "rgb(255, 255, 255)");

  /**
   * Why text here may be unseen; "" when it is not. "small" ends at what is laid out apart.
   * @param {CSSStyleDeclaration} style
   * @param {string} background
   */
  const suspicionOf = (style, background) => boxOf(style) || inkOf(style, background);

  /** Ancestors to where the colour behind the element comes from. @param {Element} element */
  function* standsOn(element) {
    for (let at = element; at; at = tw.dom.composedParent(at)) {
      yield at;
      if (!TRANSPARENT.test(getComputedStyle(at).backgroundColor)) return;
    }
  }

  const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

  /** Whether pictures or generated boxes are painted where the element is: its colour says nothing then. @param {Element} element */
  function isOnPicture(element) {
    const box = element.getBoundingClientRect();
    let last = element;
    for (const at of standsOn(element)) {
      last = at;
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none" || /^(fixed|absolute|sticky)$/.test(style.position)) return true;
      if (["::before", "::after"].some((part) => getComputedStyle(at, part).content !== "none")) return true;
    }
    return [...last.querySelectorAll(PICTURES)].some((picture) => overlap(picture.getBoundingClientRect(), box));
  }

  /** The colour behind an element, whatever the walk knows of what is around it. @param {Element} element */
  function groundAt(element) {
    const last = [...standsOn(element)].at(-1) ?? element;
    const { backgroundColor } = getComputedStyle(last);
    return TRANSPARENT.test(backgroundColor) ? canvas() : backgroundColor;
  }

  /** The same for an element whose place in the structure is suspicious. @param {Element} element */
  function confirm(element) {
    const style = getComputedStyle(element);
    const found = boxOf(style) || inkOf(style, "");
    if (found !== "") return found;
    return suspicionOf(style, groundAt(element)) === "blended" && !isOnPicture(element) ? "blended" : "";
  }

  tw.unseen = { WHOLE, suspicionOf, confirm, groundOf, canvas };
})();
