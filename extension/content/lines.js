/*
 * The lines of a snapshot while they are written. Refs are numbered at the end, in reading order: until then a line may
 * still be dropped or become part of another one.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.lines) return;

  const FOLDED_INTO = new Set(["link", "button"]);
  const indents = [""];

  function indentOf(depth) {
    while (indents.length <= depth) indents.push(`${indents.at(-1)}  `);
    return indents[depth];
  }

  /** @typedef {{element: Element, role: string, name: string, item: any}} Shown what a ref stands for */

  class Line {
    constructor(depth, role) {
      this.depth = depth;
      this.role = role;
      /** Role and name as printed. */
      this.head = role;
      /** @type {Shown | null} */
      this.shown = null;
      this.tail = "";
      this.text = "";
      /** Nothing but a box around its content: no name, no state. */
      this.isPlain = false;
    }
  }

  class Lines {
    constructor() {
      /** @type {Line[]} */
      this.list = [];
    }

    get length() {
      return this.list.length;
    }

    cut(length) {
      this.list.length = length;
    }

    /** @param {number} depth @param {string} role @returns {Line} */
    add(depth, role) {
      const line = new Line(depth, role);
      this.list.push(line);
      return line;
    }

    addText(depth, text) {
      this.add(depth, "text").text = `: ${text}`;
    }

    /** The one line directly below the line at `index`, when there is exactly one. */
    onlyChild(index) {
      const { list } = this;
      const child = list[index + 1];
      for (let at = index + 2; at < list.length; at += 1) if (list[at].depth <= child.depth) return null;
      return child;
    }

    raise(from) {
      for (let at = from; at < this.list.length; at += 1) this.list[at].depth -= 1;
    }

    /** A list item around nothing but a link or a button is that link or button. */
    fold(index) {
      const child = this.onlyChild(index);
      if (!child || !FOLDED_INTO.has(child.role)) return;
      this.list.splice(index, 1);
      this.raise(index);
    }

    /** A paragraph that is the only thing in a box is the text of the box. */
    dissolveParagraph(index) {
      const child = this.onlyChild(index);
      if (child?.role !== "paragraph" || !child.isPlain) return;
      this.list[index].text = child.text;
      this.list.splice(index + 1, 1);
      this.raise(index + 1);
    }

    /** @returns {{text: string, refs: number}} */
    print() {
      const parts = [];
      let refs = 0;
      for (const { depth, head, shown, tail, text } of this.list) {
        let ref = "";
        if (shown) {
          refs += 1;
          ref = ` [ref=${tw.refs.marker(tw.refs.refShown(shown.element, shown.role, shown.name, shown.item))}]`;
        }
        parts.push(`${indentOf(depth)}- ${head}${ref}${tail}${text}`);
      }
      return { text: parts.join("\n"), refs };
    }
  }

  tw.lines = { Lines };
})();
