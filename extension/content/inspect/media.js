/* Position of an element, for pictures of it. */
import { codedError } from "../base/errors.js";
import { isVisible } from "../dom/visibility.js";
import * as refs from "../find/refs.js";

/**
 * The element's box in this frame's viewport, after it was brought into view.
 * @param {{target: TargetArgs}} args
 */
export const box = ({ target }) => {
  const element = refs.resolve(target.ref);
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = element.getBoundingClientRect();
  const isEmpty = width <= 0 || height <= 0;
  if (isEmpty || !isVisible(element)) {
    throw codedError("element_not_interactable",
      `the element ${isEmpty ? "has no size" : "is not visible"}, so there is no picture of it; choose a visible element`);
  }
  return { x, y, width, height, frameView: { width: innerWidth, height: innerHeight } };
};
