/* Position of an element, for pictures of it. */
globalThis.__tabwire.add("inspect/media", (tw) => {
/**
 * The element's box in this frame's viewport, after it was brought into view.
 * @param {{target: TargetArgs}} args
 */
tw.commands["media.box"] = ({ target }) => {
  const element = tw.refs.resolve(target.ref);
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const isEmpty = width <= 0 || height <= 0;
  if (isEmpty || !tw.visibility.isVisible(element)) {
    throw tw.error("element_not_interactable",
      `the element ${isEmpty ? "has no size" : "is not visible"}, so there is no picture of it; choose a visible element`);
  }
  return { x, y, width, height, frameView: { width: innerWidth, height: innerHeight } };
};
});
