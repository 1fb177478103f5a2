/* Where a snapshot's walk stands, and what is around it. */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.places) return;
  const { Step } = tw.items;
  const { boxOf } = tw.unseen;

  const isApart = (element) => /^(absolute|fixed)$/.test(getComputedStyle(element).position);

  /** What is done when the walk leaves a place. */
  const [MUTE, DISSOLVING, LINE] = [0, 1, 2];

  /** What nobody sees holds nothing that is seen, but for boxes that are laid out beside it. */
  function unseenIn(above, element, path) {
    const around = above === null ? "" : above.unseen;
    if (around !== "" && !(around === "small" && isApart(element))) return around;
    return path.box === "" || element === path.element ? path.box : boxOf(getComputedStyle(element), element);
  }

  /** Where the capture stands. */
  class Place extends Step {
    constructor(above) {
      super(above);
      this.begin(above, null, null, 0);
    }

    begin(above, element, path, start) {
      this.above = above;
      this.element = element;
      this.path = path;
      this.start = start;
      this.depth = above ? above.depth : 0;
      this.cover = above ? above.cover : "";
      this.isInAction = above !== null && above.isInAction;
      /** Why nobody sees what is in it: "" when it is seen. */
      this.unseen = path === null ? (above === null ? "" : above.unseen) : unseenIn(above, element, path);
      this.isMute = false;
      this.kind = DISSOLVING;
      this.isItem = false;
      this.hasCover = false;
      this.line = null;
      this.name = "";
      this.found = undefined;
      this.surroundings = null;
      this.next = null;
      this.list = null;
      this.index = 0;
      return this;
    }
  }

  /** The text runs of an item, without those of the items in it: what is around the elements in it. */
  class Stretch {
    constructor({ chunks, items }, { element, isSemantic }, start) {
      this.isSemantic = isSemantic;
      this.element = element;
      this.chunks = chunks;
      this.items = items;
      this.start = start;
      this.end = start;
    }

    words() {
      const { chunks, items, start, end } = this;
      const inner = items.filter((one) => one.start >= start && one.end <= end && one.of !== this);
      return chunks.slice(start, end).filter((_, index) => !inner.some((one) => one.start <= index + start && index + start < one.end));
    }
  }

  tw.places = { Place, Stretch, MUTE, DISSOLVING, LINE };
})();
