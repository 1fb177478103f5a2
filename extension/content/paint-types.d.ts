/* Painting of elements: colours, clipping, covers, and hidden text. */

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
type StylePath = import("./visibility/clickable.js").StylePath;
