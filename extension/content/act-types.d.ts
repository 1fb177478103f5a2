/* Data of acts in a page, and of what they change. */

/** Condition that an element must meet before it is acted on. */
type Check = "visible" | "enabled" | "editable" | "stable" | "receives";

/** Request of the worker for an element that the pointer is to act on. */
interface PointerRequest {
  target: TargetArgs;
  checks: Check[];
  force?: boolean;
  /** Whether to scroll, in the frames around this one as well. */
  reveals?: boolean;
  /** Whether to aim at a word of an editor's text, in place of the middle of its box. */
  at_word?: boolean;
  timeout_ms?: number;
}

/**
 * An element that the pointer may act on now. `obstacle`: why a press at the point does not reach it, where checks are skipped;
 * `shown`: the part of the viewport that is shown; `slot`: of the frame whose document gets the press.
 */
interface PreparedTarget {
  point?: Point;
  description: string;
  obstacle?: string;
  slot?: FrameSlot;
  shown: Box;
}

/** A key as events describe it. `text`: what it writes. */
interface KeyStroke {
  key: string;
  code: string;
  keyCode: number;
  location: number;
  text?: string;
}

/** A scroller and where it is now; `dx`, `dy`: how far it has moved, where that is known. */
interface Scrolled {
  element: string;
  x: number;
  y: number;
  dx?: number;
  dy?: number;
}
