/*
 * The part of a document that is shown. In a page that the user has pinched it is smaller than the layout viewport, and moves
 * in it. Elements and events count from the layout viewport, the debugger's pointer counts from the part that is shown.
 */
/**
 * The part of the layout viewport that is shown, without scroll bars. `scale`: by which it is enlarged; `ratio`: pixels of the
 * screen per CSS pixel in it.
 */
export function shown() {
  const { offsetLeft: x = 0, offsetTop: y = 0, width = innerWidth, height = innerHeight, scale = 1 } = visualViewport ?? {};
  return { x, y, width, height, scale, ratio: devicePixelRatio * scale };
}

/** The place of that part in the page. */
export const inPage = () => ({ x: visualViewport?.pageLeft ?? scrollX, y: visualViewport?.pageTop ?? scrollY });
