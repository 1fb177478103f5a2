/* Painting of elements: colours, clipping, covers, and hidden text. */
interface ContentNamespace {
  colours: {
    parse(text: string): Colour;
    allIn(image: string): Colour[];
    over(top: Colour, alpha: number, ground: Colour): Colour;
    contrast(one: Colour, other: Colour): number;
    distance(one: Colour, other: Colour): number;
  };
  covers: {
    isFaceOf(field: Element, hit: Element): boolean;
    isCover(style: CSSStyleDeclaration): boolean;
    under(covers: Iterable<Element>): Set<Element>;
  };
  clipping: {
    isPathEmpty(clipPath: string, element: Element): boolean;
    isRectEmpty(clip: string): boolean;
    isMaskedOut(style: CSSStyleDeclaration): boolean;
  };
  letterPaint: {
    isTinted(style: CSSStyleDeclaration): boolean;
    tinted(element: Element, ink: Colour, ground: Colour): [Colour, Colour];
    blurOf(element: Element): number;
    isBehindViewer(element: Element): boolean;
    isDrawn(element: Element): element is SVGGraphicsElement;
    scaleOf(element: SVGGraphicsElement): number;
    fillOf(style: CSSStyleDeclaration): Colour | null;
    groundOfDrawing(element: Element, behind: Colour | null): Colour | null;
  };
  hiddenText: {
    fadeOf(style: CSSStyleDeclaration): number;
    boxOf(style: CSSStyleDeclaration, element: Element): string;
    groundOf(style: CSSStyleDeclaration, behind: () => Colour | null): Colour | null;
    groundAt(element: Element | null): Colour | null;
    overlap(one: DOMRect, other: DOMRect): boolean;
    isTurned(element: Element, style: CSSStyleDeclaration): boolean;
    inkOf(element: Element, style: CSSStyleDeclaration, around: InkAround): string;
    frameOf(frame: Element, around: InkAround): string;
  };
}

/** Red, green, blue (0 to 255) and alpha (0 to 1). */
type Colour = [number, number, number, number];

/** Effects on a text of its element and the boxes around it. */
interface InkAround {
  /** Opacity of it and the boxes around it together. */
  fade: number;
  /** Whether one of them may be painted in another size. */
  isTurned: boolean;
  /** Whether a filter or a blend mode may change its colours. */
  isTinted: boolean;
  /** The colour behind it; null if unknown. */
  standsOn(): Colour | null;
}

/** Computed style of elements with the same place in the structure. */
interface StylePath {
  element: Element;
  hand: string;
  isScroller: boolean;
  isSkipped: boolean;
  box: string;
  transform: string;
  isApart: boolean;
  isCover: boolean;
  boxAt(element: Element): string;
  step(element: Element, tag: string, hasAttributes: boolean): StylePath;
  inkOf(element: Element): string;
  /** The reason why no person can read the document in a frame of this place; "" when it can be read. */
  frameAt(frame: Element): string;
  holds(): boolean;
}
