/* The options of a closed list, one line each. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.choices) return;
  const { quote } = tw.text;

  const isOut = (element) => getComputedStyle(element).display === "none";

  function writeOption(option, lines, depth) {
    const line = lines.add(depth, "option");
    line.head = `option ${quote(tw.refs.nameOf(option, "option"))}`;
    if (option.matches(":disabled")) line.tail += " [disabled]";
    if (option.selected) line.tail += " [selected]";
  }

  /**
   * @param {HTMLSelectElement} select
   * @param {any} lines
   * @param {number} depth
   * @param {number} limit options
   */
  function write(select, lines, depth, limit) {
    let left = limit;
    const visit = (parent, at) => {
      for (const child of parent.children) {
        if (left <= 0) return;
        if (child.localName === "option") {
          if (isOut(child)) continue;
          left -= 1;
          writeOption(child, lines, at);
        } else if (child.localName === "optgroup" && !isOut(child)) {
          const group = lines.add(at, "group");
          group.head = `group ${quote(tw.refs.nameOf(child, "group"))}`;
          if (child.disabled) group.tail = " [disabled]";
          visit(child, at + 1);
        } else if (child.firstElementChild) visit(child, at);
      }
    };
    visit(select, depth);
  }

  tw.choices = { write };
})();
