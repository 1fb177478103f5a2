/*
 * Fingerprints of elements: what tells an element from others without a selector, kept with each recorded step, so that it is
 * found again on a page that has changed. What is typed into fields is no part of it.
 */
globalThis.__tabwire.add("find/fingerprints", (tw) => {
const { collapse, cut, visibleText, NOT_TEXT } = tw.text;
const { composedParent } = tw.dom;
const { score } = tw.fingerprintScore;

const MAX_TEXT = 80;
const MAX_BESIDE = 40;
const MAX_ITEM = 80;
const MAX_CLASSES = 8;
const MAX_LEVELS = 4;
const MAX_SIBLINGS = 20;
const MAX_TWINS = 5_000;
/** Elements whose text is what somebody types or chooses. */
const TYPED = "input,textarea,select,[contenteditable]";
const LANDMARKS = new Set("banner complementary contentinfo form main navigation region search dialog alertdialog".split(" "));
const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading],legend,caption,summary";
/** An id or class with such a part was made by a program: another one the next time. */
const MADE = /\d{3,}|[0-9a-f]{8}/i;

/** Elements that are looked at closely. */
const MAX_CLOSE = 40;
/** Elements that are looked at in all, and the time for that. */
const MAX_LOOKED = 20_000;
const MAX_LOOK_MS = 1_500;
const MAX_CANDIDATES = 3;
/** The least likeness that is worth a look. */
const PROPOSED = 0.4;

/** The end of a text, or its beginning, where it is long. @param {string} text @param {"before"|"after"} side */
const shortened = (text, side) => (side === "before" ? text.slice(-MAX_BESIDE) : text.slice(0, MAX_BESIDE)).trim();

/** Whether a text is partly typed by somebody. Values of fields are no text. @param {Element} element */
const hasEditor = (element) => element.querySelector("[contenteditable]") !== null;

/** @param {Node} node */
function said(node) {
  if (node.nodeType === Node.TEXT_NODE) return collapse(/** @type {Text} */ (node).data);
  if (!(node instanceof Element) || tw.dom.isOwn(node)) return "";
  const isTyped = node.matches(TYPED);
  if (!isTyped && NOT_TEXT.has(node.localName)) return "";
  const written = node.getAttribute("aria-label") ?? node.getAttribute("placeholder") ?? "";
  return (isTyped || hasEditor(node) ? "" : visibleText(node)) || collapse(written);
}

/** The nearest text before or after an element. @param {Element} element @param {"before"|"after"} side */
function beside(element, side) {
  const next = side === "before" ? "previousSibling" : "nextSibling";
  /** @type {Element | null} */
  let at = element;
  for (let level = 0; at && level < MAX_LEVELS && at.localName !== "body"; level += 1, at = composedParent(at)) {
    let left = MAX_SIBLINGS;
    for (let node = /** @type {Node | null} */ (at[next]); node && left > 0; node = node[next], left -= 1) {
      const text = said(node);
      if (text) return shortened(text, side);
    }
  }
  return "";
}

/** The heading under which an element stands. @param {Element} element */
function headingOf(element) {
  for (let at = /** @type {Element | null} */ (element); at && at.localName !== "body"; at = composedParent(at)) {
    let left = MAX_SIBLINGS;
    for (let one = at.previousElementSibling; one && left > 0; one = one.previousElementSibling, left -= 1) {
      const heading = one.matches(HEADINGS) ? one : [...one.querySelectorAll(HEADINGS)].at(-1);
      if (heading) return cut(visibleText(heading), MAX_TEXT);
    }
  }
  return "";
}

/** @param {Element} element */
function landmarkOf(element) {
  for (let at = composedParent(element); at; at = composedParent(at)) {
    const role = tw.refs.roleOf(at);
    if (LANDMARKS.has(role)) return cut(`${role} ${collapse(tw.names.nameOf(at))}`.trim(), MAX_TEXT);
  }
  return "";
}

/** Words of the row, list item or card around an element. @param {Element} element */
function itemOf(element) {
  const item = tw.itemContext.itemOf(element);
  if (!item || item.element === element || hasEditor(item.element)) return "";
  return cut(collapse(tw.itemContext.chunksOf(item.element).join(" ")), MAX_ITEM);
}

/** @param {Element} element */
const wordsOf = (element) => `${element.getAttribute("aria-label") ?? ""} ${collapse(element.textContent ?? "")}`;

/** Place among the elements that say the same, and their number, where it is not the only one. @param {Element} element */
function turnOf(element) {
  const root = /** @type {Document|ShadowRoot} */ (element.getRootNode());
  const alike = [...root.querySelectorAll(element.localName)].slice(0, MAX_TWINS);
  const own = wordsOf(element);
  const twins = alike.filter((other) => other === element || wordsOf(other) === own);
  if (!twins.includes(element)) return [twins.length, twins.length + 1];
  return twins.length > 1 ? [twins.indexOf(element), twins.length] : undefined;
}

/** Centre in the document, in CSS pixels. @param {Element} element */
function placeOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [Math.round(x + scrollX + width / 2), Math.round(y + scrollY + height / 2)];
}

/** @param {Element} element */
function hrefOf(element) {
  const written = element.getAttribute("href");
  return written ? cut(written.replace(/[?#].*$/, "").replace(/^https?:\/\/[^/]+/, ""), MAX_TEXT) : "";
}

/** @param {Element} element @param {string} name */
const attribute = (element, name) => cut(collapse(element.getAttribute(name) ?? ""), MAX_TEXT);

/** The part that costs little. @param {Element} element @returns {Fingerprint} */
function outer(element) {
  const role = tw.refs.roleOf(element);
  const { id, localName: tag } = element;
  const field = attribute(element, "name");
  return {
    tag, role, name: cut(collapse(tw.names.nameToFind(element, role)), MAX_TEXT),
    test_id: tw.elementIdentity.testIdOf(element)?.value ?? "", id: MADE.test(id) ? "" : id,
    field: MADE.test(field) ? "" : field,
    type: tag === "input" ? /** @type {HTMLInputElement} */ (element).type : "", placeholder: attribute(element, "placeholder"),
    href: hrefOf(element), classes: [...element.classList].filter((name) => !MADE.test(name)).slice(0, MAX_CLASSES),
    frame: window === top ? "" : location.pathname,
  };
}

/** @param {Element} element */
function textOf(element) {
  const isEdited = /** @type {HTMLElement} */ (element).isContentEditable || hasEditor(element);
  if (element.matches(TYPED) || isEdited || tw.sensitiveFields.kindOf(element) !== null) return "";
  return cut(visibleText(element), MAX_TEXT);
}

/** @param {Element} element @param {Fingerprint} [known] its `outer` @returns {Fingerprint} */
function whole(element, known = outer(element)) {
  const [label = ""] = tw.text.labelTextsOf(element);
  const turn = turnOf(element);
  // In an editor, the texts around are typed as well.
  const around = /** @type {HTMLElement} */ (element).isContentEditable ? {} : {
    heading: headingOf(element), item: itemOf(element), before: beside(element, "before"), after: beside(element, "after"),
  };
  return {
    ...known, text: textOf(element), label: cut(label, MAX_TEXT), landmark: landmarkOf(element), ...around,
    ...(turn && { turn }), place: placeOf(element), path: tw.elementIdentity.pathsOf(element).join(" >>> "),
  };
}

/** @param {Fingerprint} all without what is empty; in the top document, the frame is none */
const kept = (all) => /** @type {Fingerprint} */ (Object.fromEntries(Object.entries(all)
  .filter(([key, value]) => key === "frame" || (value !== "" && !(Array.isArray(value) && !value.length)))));

/** @param {Element} element @returns {Fingerprint} */
const of = (element) => tw.dom.cached(() => kept(whole(element)));

/** @param {Element} element */
const isShown = (element) => tw.visibility.isVisible(element) || (element.localName === "input" &&
  [...(/** @type {HTMLInputElement} */ (element).labels ?? [])].some((label) => tw.visibility.isVisible(label)));

/** @typedef {{element: Element, known: Fingerprint}} Possible known: the part that costs little */

/**
 * Elements of this document that could be the recorded one.
 * @param {Fingerprint} recorded @returns {Generator<Possible, boolean>} whether all elements were looked at
 */
function* possible(recorded) {
  const until = performance.now() + MAX_LOOK_MS;
  let looked = 0;
  for (const element of tw.dom.walkElements(document)) {
    looked += 1;
    if (looked > MAX_LOOKED || performance.now() > until) return false;
    if (tw.dom.isOwn(element)) continue;
    const known = outer(element);
    const isLike = known.role === recorded.role || known.tag === recorded.tag ||
      (known.id && known.id === recorded.id) || (known.test_id && known.test_id === recorded.test_id);
    // Of many twins, those in the right surrounding are looked at closely.
    const around = recorded.item ? { item: itemOf(element), place: placeOf(element) } : { place: placeOf(element) };
    if (isLike && isShown(element)) yield { element, known: { ...known, ...around } };
  }
  return true;
}

/**
 * The elements of this document that are most like a recorded one, each with the selector that leads to it.
 * @param {{fingerprint: Fingerprint}} args
 */
tw.queries["fingerprints.nearest"] = ({ fingerprint }) => {
  return tw.dom.cached(() => {
    // All that tells twins apart is known of the close ones only.
    const { turn: _, ...loose } = fingerprint;
    /** @type {Array<Possible & {score: number}>} */
    const found = [];
    const looking = possible(fingerprint);
    let step = looking.next();
    for (; !step.done; step = looking.next()) {
      const { known } = step.value;
      const isInItem = known.item && known.item === fingerprint.item ? 1 : 0;
      found.push({ ...step.value, score: score(loose, known) + isInItem });
    }
    const roughly = found.sort((a, b) => b.score - a.score).slice(0, MAX_CLOSE);
    const close = roughly.map(({ element, known }) => ({ element, score: score(fingerprint, whole(element, known)) }))
      .filter((one) => one.score >= PROPOSED).sort((a, b) => b.score - a.score);
    const candidates = close.slice(0, MAX_CANDIDATES).map((one) => ({
      score: one.score, ref: tw.refs.marker(tw.refs.refFor(one.element)), target: tw.bestLocator.describe(one.element),
    }));
    return { candidates, isWhole: step.value };
  });
};

/** The likeness of an element to a recorded one. @param {{target: TargetArgs, fingerprint: Fingerprint}} args */
tw.queries["fingerprints.score"] = ({ target, fingerprint }) => {
  const element = tw.refs.elementOf(target.ref);
  return element ? tw.dom.cached(() => score(fingerprint, whole(element))) : 0;
};

tw.fingerprints = { of };
});
