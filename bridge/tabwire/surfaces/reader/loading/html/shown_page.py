"""JavaScript that reads a page as the browser shows it: without what styles hide, with what is in shadow roots."""

_FUNCTIONS = r"""
  const named = (tags) => new Set(tags.split(" "));
  const RAW = named("SCRIPT STYLE TEMPLATE NOSCRIPT IFRAME OBJECT EMBED SVG CANVAS VIDEO AUDIO");
  const IN_HEAD = named("TITLE META BASE");
  const EMPTY = named("AREA BASE BR COL FRAME HR IMG INPUT LINK META SOURCE TRACK WBR");
  const INLINE = named("A ABBR B CITE CODE EM FONT I LABEL MARK SMALL SPAN STRONG TIME U");
  const LEFT_OUT = new Set(["style", "hidden", "popover"]);
  const LONGEST_ATTRIBUTE = 2000, AWAY_PX = -500, FADED = 0.05, TINY_PX = 1;
  const escaped = (text) => text.replace(/[&<>"\u00a0]/g, (one) => `&#${one.charCodeAt(0)};`);
  const isEmptyRect = (clip) => /^rect\((0|1)(px)?,? (0|1)(px)?,? (0|1)(px)?,? (0|1)(px)?\)$/.test(clip);
  const isEmptyPath = (path) => /^inset\((5\d|[6-9]\d|100)%\)$|^circle\(0(px|%)?\b/.test(path);
  const isTimed = (times) => times.split(",").some((time) => parseFloat(time) > 0);
  const mayAppear = (style) => style.animationName !== "none" || isTimed(style.transitionDuration);
  const isHidden = (style, element) => {
    if (style.display === "none" || isEmptyPath(style.clipPath)) return true;
    // Closed details are shown by a press; what is hidden until it is found is not.
    if (style.contentVisibility === "hidden") return true;
    // Pages fade in what comes into view.
    if (parseFloat(style.opacity) < FADED && !mayAppear(style)) return true;
    if (style.position !== "absolute" && style.position !== "fixed") return false;
    if (isEmptyRect(style.clip) || ["left", "top", "right"].some((side) => parseFloat(style[side]) <= AWAY_PX)) return true;
    return style.overflow !== "visible" && (element.clientWidth <= 1 || element.clientHeight <= 1);
  };
  const hasLetters = (style) =>
    style.visibility === "visible" && parseFloat(style.fontSize) >= TINY_PX && !(parseFloat(style.textIndent) <= AWAY_PX);
  const attributesOf = (element) => {
    let written = "";
    for (const { name, value } of element.attributes) {
      const isKept = !LEFT_OUT.has(name) && !name.startsWith("on") && value.length <= LONGEST_ATTRIBUTE;
      if (isKept && /^[a-z][\w:.-]*$/i.test(name)) written += ` ${name}="${escaped(value)}"`;
    }
    return written;
  };
  const childrenOf = (node) => {
    if (node.shadowRoot) return node.shadowRoot.childNodes;
    const assigned = node.localName === "slot" ? node.assignedNodes({ flatten: true }) : [];
    return assigned.length ? assigned : node.childNodes;
  };
  const tagOf = ({ localName }) => {
    // What is shown is no closed dialog, whatever its attributes are.
    if (localName === "dialog") return "div";
    return localName === "slot" || !/^[a-z][\w-]*$/.test(localName) ? "span" : localName;
  };
  const shown = () => {
    const parts = ["<!DOCTYPE html>"];
    // The last is written next; an end of an element is a string. No recursion: pages nest as deep as they like.
    const waiting = [{ node: document.documentElement, letters: true }];
    while (waiting.length) {
      const next = waiting.pop();
      if (typeof next === "string") {
        parts.push(next);
        continue;
      }
      const { node, letters } = next;
      if (node.nodeType === Node.TEXT_NODE) parts.push(letters ? escaped(node.data) : " ");
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      const name = node.localName.toUpperCase();
      const isHead = node === document.head || node.parentNode === document.head;
      if (RAW.has(name) || (isHead && node !== document.head && !IN_HEAD.has(name))) continue;
      const style = isHead ? null : getComputedStyle(node);
      if (style && node !== document.documentElement && isHidden(style, node)) continue;
      const tag = tagOf(node);
      // Boxes made of inline elements are apart on the screen.
      const gap = style && INLINE.has(name) && style.display !== "inline" && style.display !== "contents" ? " " : "";
      parts.push(`${gap}<${tag}${attributesOf(node)}>`);
      // The first line break in it means nothing to a parser.
      if (tag === "pre" || tag === "textarea" || tag === "listing") parts.push("\n");
      if (EMPTY.has(name)) continue;
      waiting.push(`</${tag}>${gap}`);
      const inner = style ? hasLetters(style) : true;
      const children = childrenOf(node);
      for (let at = children.length - 1; at >= 0; at -= 1) waiting.push({ node: children[at], letters: inner });
    }
    return parts.join("");
  };
  // Some pages hide themselves until a script of another site has come, which may never happen.
  const unveil = () => {
    let isVeiled = false;
    for (const element of [document.documentElement, document.body].filter(Boolean)) {
      const show = (property, value) => {
        isVeiled = true;
        element.style.setProperty(property, value, "important");
      };
      const { visibility, display, opacity } = getComputedStyle(element);
      if (visibility !== "visible") show("visibility", "visible");
      if (display === "none") show("display", "block");
      if (parseFloat(opacity) < FADED) show("opacity", "1");
    }
    return isVeiled;
  };
  // What is kept here, or asked for by scripts, may be the user's own although the page itself was asked for without cookies.
  const isPersonal = () => {
    const asked = performance.getEntriesByType("resource").map(({ initiatorType }) => initiatorType);
    try {
      return localStorage.length > 0 || asked.includes("fetch") || asked.includes("xmlhttprequest");
    } catch {
      return true;
    }
  };
  const sumOf = (text) => {
    let sum = 0;
    for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0;
    return `${text.length} ${sum}`;
  };
"""

SHOWN_HTML = f"""(() => {{{_FUNCTIONS}
  const isVeiled = unveil();
  const html = shown();
  return [sumOf(html), isPersonal(), isVeiled, html].join("\\n");
}})()"""
"""Expression: four texts, joined by line breaks. The first differs between states of the page; the second is `true` where the
page may show what is the user's only, the third where it hid all of itself; the fourth is the HTML of what the page shows."""

_REWRITTEN = f"""new Promise((resolve) => {{{_FUNCTIONS}
  const isOther = () => sumOf(shown()) !== "READ";
  const end = () => {{ observer.disconnect(); resolve(isOther()); }};
  const observer = new MutationObserver(() => {{ if (isOther()) end(); }});
  observer.observe(document, {{ subtree: true, childList: true, characterData: true, attributes: true }});
  if (isOther()) end();
  else setTimeout(end, LIMIT_MS);
}})"""


def rewritten(mark: str, limit_ms: int) -> str:
    """Expression: whether the page shows something else than before, now or within a time.

    Args:
        mark: First line of `SHOWN_HTML`.
        limit_ms: Longest wait, in milliseconds.
    """
    return _REWRITTEN.replace("READ", mark).replace("LIMIT_MS", str(limit_ms))
