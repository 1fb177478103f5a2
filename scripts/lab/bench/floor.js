/*
 * The cheapest thing of a snapshot's shape: one walk over elements and text, checkVisibility(), six attributes where an
 * element has any, a role by tag, a reference per control, and the whole text as one string. An open shadow tree is
 * walked in place of its host's children. No accessible-name rules, no states, no frames.
 */
(() => {
  const ROLES = { a: "link", button: "button", input: "textbox", h3: "heading", li: "listitem", ul: "list", p: "paragraph" };
  const CONTROLS = new Set(["a", "button", "input"]);
  const ATTRIBUTES = ["role", "aria-label", "title", "alt", "placeholder", "aria-hidden"];
  const indents = Array.from({ length: 64 }, (_, depth) => "  ".repeat(depth));

  const labelOf = (element) => {
    if (!element.hasAttributes()) return "";
    let label = "";
    for (const name of ATTRIBUTES) label ||= element.getAttribute(name) ?? "";
    return label;
  };

  return () => {
    const lines = [];
    let refs = 0;
    const walk = (element, depth) => {
      if (!element.checkVisibility()) return;
      const tag = element.localName;
      const isControl = CONTROLS.has(tag);
      const name = labelOf(element) || (isControl ? element.textContent.trim() : "");
      const ref = isControl ? ` [ref=@e${++refs}]` : "";
      lines.push(`${indents[depth]}- ${ROLES[tag] ?? "generic"} ${JSON.stringify(name)}${ref}`);
      for (let node = (element.shadowRoot ?? element).firstChild; node; node = node.nextSibling) {
        if (node.nodeType === 1) walk(node, depth + 1);
        else if (node.nodeType === 3 && !isControl) {
          const text = node.data.trim();
          if (text) lines.push(`${indents[depth + 1]}- text: ${text}`);
        }
      }
    };
    walk(document.body, 0);
    return lines.join("\n");
  };
})()
