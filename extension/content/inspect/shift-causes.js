/* Elements that may have caused a layout shift. The browser tells what moved, not what pushed it. */
const MAX_SEEN = 2_000;
const MAX_CAUSES = 3;
const ROUNDING_PX = 1;

/** @typedef {{node: Node|null, previousRect: DOMRectReadOnly, currentRect: DOMRectReadOnly}} Source */

const pixels = (/** @type {string} */ length) => Math.max(0, parseFloat(length) || 0);

/** Finds whether others make room for an element. @param {CSSStyleDeclaration} style */
const takesRoom = ({ display, position, float }) =>
  display !== "none" && display !== "contents" && !display.startsWith("inline") && float === "none" &&
  (position === "static" || position === "relative" || position === "sticky");

/**
 * Whether an element that came in, or grew from nothing, moves what follows it by so much: its height and, as far as they do
 * not collapse, its margins and those that meet at it.
 * @param {Element} element @param {number} distance
 */
function accountsFor(element, distance) {
  const { height } = element.getBoundingClientRect();
  if (height > distance + ROUNDING_PX || height * 2 < distance) return false;
  const style = getComputedStyle(element);
  if (!takesRoom(style)) return false;
  const { previousElementSibling: above, nextElementSibling: below } = element;
  const beside = [above && getComputedStyle(above).marginBottom, below && getComputedStyle(below).marginTop];
  const own = pixels(style.marginTop) + pixels(style.marginBottom);
  const margins = own + Math.max(...beside.map((margin) => pixels(margin ?? "")));
  return height + margins + ROUNDING_PX >= distance;
}

/** The outermost elements that account for a distance. @param {Iterable<Element>} roots @param {number} distance */
function within(roots, distance) {
  const found = [], open = [...roots].reverse();
  for (let left = MAX_SEEN; open.length && left && found.length <= MAX_CAUSES; left -= 1) {
    const element = /** @type {Element} */ (open.pop());
    if (accountsFor(element, distance)) found.push(element);
    else for (const child of [...element.children].reverse()) open.push(child);
  }
  return found;
}

/** Elements before an element, and before those that it is in. @param {Element} element */
function before(element) {
  const found = [];
  for (let at = /** @type {Element|null} */ (element); at; at = at.parentElement)
    for (let one = at.previousElementSibling; one; one = one.previousElementSibling) found.push(one);
  return found;
}

/**
 * Distance by which something was pushed down by what is before it, or grew by what is in it. The rectangles of the browser
 * end at the edges of the viewport: a length that reaches an edge is not known.
 * @param {Source} source
 */
function distancesOf({ node, previousRect, currentRect }) {
  const element = node instanceof Element ? node : node?.parentElement;
  if (!element?.isConnected || !previousRect.height || !currentRect.height) return null;
  const isWhole = (/** @type {DOMRectReadOnly} */ { top, bottom }) => top > 0 && bottom < innerHeight;
  const { height } = isWhole(currentRect) ? currentRect : element.getBoundingClientRect();
  return {
    element, pushed: previousRect.top > 0 && currentRect.top > 0 ? currentRect.top - previousRect.top : 0,
    grown: isWhole(previousRect) && element === node ? height - previousRect.height : 0,
  };
}

/**
 * Elements whose size accounts for a shift, as the page is now; none where several would do.
 * @param {Source[]} sources
 */
export function of(sources) {
  const known = sources.map(distancesOf).filter((one) => one !== null);
  const moved = new Set(known.map(({ element }) => element));
  const candidates = known.map(({ element, pushed, grown }) =>
    (pushed > ROUNDING_PX ? within(before(element), pushed) : grown > ROUNDING_PX ? within(element.children, grown) : [])
      .filter((one) => !moved.has(one)));
  const found = candidates.find(({ length }) => length) ?? [];
  return found.length > MAX_CAUSES ? [] : found;
}
