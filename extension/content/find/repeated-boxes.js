/*
 * Boxes that repeat: a row among peers of one shape, as cards and lists without semantics are built. The parts of a page's frame
 * (an application and the box for its dialogs, header, main and footer) stand beside each other as well, but are no rows: the
 * words in one of them say nothing about which element is meant.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.repeatedBoxes) return;
  const { cache, memo } = tw.dom;

  const SPACE = /\s/;
  /** Peers besides the box itself; two boxes need to be built exactly alike. */
  const ENOUGH_PEERS = 2;
  /** Dividers and rows of another build may stand between: so many siblings are looked at in each direction. */
  const REACH = 6;
  const MAX_ELEMENTS = 120;
  const FRAME_PARTS = "main,nav,[role=main],[role=navigation],[role=menubar],[role=application]";
  const TOO_LARGE = 0;
  /** A shape is a hash of 32 bits, and in the lowest of its digits the count of elements. */
  const COUNTS = 256;
  const SPREAD = 0x9e3779b1;
  const LAST_WORD = /[_:.-]?[^_:.-]*$/;
  const NUMBER = /\d+$/;

  const shapeCache = cache();
  const peersCache = cache();

  /** What comes after the first class is mostly a state ("row", "row active"). @param {Element} element */
  function kindOf(element) {
    const names = element.hasAttributes() ? element.getAttribute("class") : null;
    return names === null ? "" : SPACE.test(names) ? names.trim().split(SPACE, 1)[0] : names;
  }

  /** @param {Element} element @param {Element | null} sibling @returns {sibling is Element} */
  const isTwin = (element, sibling) =>
    sibling !== null && sibling.localName === element.localName && kindOf(sibling) === kindOf(element);

  /** Whether a box of its kind stands beside it. @param {Element} element */
  const hasTwin = (element) =>
    isTwin(element, element.nextElementSibling) || isTwin(element, element.previousElementSibling);

  /** Tag → a number for it. @type {Map<string, number>} */
  const tags = new Map();

  /** @param {string} tag */
  function numberOf(tag) {
    let number = tags.get(tag);
    if (number === undefined) tags.set(tag, (number = Math.imul(tags.size + 1, SPREAD)));
    return number;
  }

  /**
   * The tags in a box in their order and depth as one number; TOO_LARGE for more than a row holds. It is put together from
   * those of the boxes in it, so that each element of a page is read once.
   * @param {Element} element
   * @returns {number}
   */
  function computeShape(element) {
    let shape = numberOf(element.localName);
    let count = 1;
    for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
      const inner = child.firstElementChild ? shapeOf(child) : (numberOf(child.localName) >>> 0) * COUNTS + 1;
      count += inner % COUNTS;
      if (inner === TOO_LARGE || count > MAX_ELEMENTS) return TOO_LARGE;
      shape = Math.imul(shape, SPREAD) ^ Math.trunc(inner / COUNTS);
    }
    return (shape >>> 0) * COUNTS + count;
  }

  /** @param {Element} element @returns {number} */
  const shapeOf = (element) => memo(shapeCache, element, computeShape);

  /** An id without what numbers it among its like ("user-Ann", "row_7", "ember12"). @param {Element} element */
  function stemOf(element) {
    const id = element.getAttribute("id") ?? "";
    const stem = id.replace(LAST_WORD, "");
    return stem === "" ? id.replace(NUMBER, "") : stem;
  }

  /** @param {Element | null} one @param {Element | null} other */
  const isSameKind = (one, other) => (one === null ? other === null : isTwin(one, other));

  /**
   * Whether two boxes are rows of one build: the same tags in them, or a class of their own and the same ends (a badge or a
   * message may stand between).
   * @param {Element} one
   * @param {Element} other
   */
  function isAlike(one, other) {
    const shape = shapeOf(other);
    if (shape === TOO_LARGE) return false;
    if (shape === shapeOf(one)) return true;
    if (kindOf(one) === "" || stemOf(one) !== stemOf(other)) return false;
    return isSameKind(one.firstElementChild, other.firstElementChild) || isSameKind(one.lastElementChild, other.lastElementChild);
  }

  /** @param {Element} element @param {"nextElementSibling" | "previousElementSibling"} towards */
  function countPeers(element, towards) {
    const found = { alike: 0, exact: 0 };
    let sibling = element[towards];
    for (let left = REACH; sibling && left > 0 && found.alike < ENOUGH_PEERS; left -= 1) {
      if (isTwin(element, sibling) && isAlike(element, sibling)) {
        found.alike += 1;
        if (shapeOf(sibling) === shapeOf(element)) found.exact += 1;
      }
      sibling = sibling[towards];
    }
    return found;
  }

  /** @param {Element} element */
  function computeRepeated(element) {
    if (shapeOf(element) === TOO_LARGE) return false;
    const [after, before] = [countPeers(element, "nextElementSibling"), countPeers(element, "previousElementSibling")];
    if (after.alike + before.alike < ENOUGH_PEERS && after.exact + before.exact === 0) return false;
    return element.querySelector(FRAME_PARTS) === null;
  }

  /**
   * Whether a box that has a twin is a row among peers: three or more of one shape, or two built exactly alike.
   * @param {Element} element
   */
  const isRepeated = (element) => element.firstElementChild !== null && memo(peersCache, element, computeRepeated);

  tw.repeatedBoxes = { isRepeated, hasTwin };
})();
