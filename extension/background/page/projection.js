/*
 * Projections of the viewport of a frame onto another one: a matrix of nine numbers, row by row, for points (x, y, 1).
 */

/** @typedef {number[]} Projection */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {width: number, height: number}} Rect */

/** The projection of a viewport onto itself. @type {Projection} */
export const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/**
 * @param {Projection} outer
 * @param {Projection} inner
 * @returns {Projection} the inner one first, then the outer one
 */
export const composeProjections = (outer, inner) => IDENTITY.map((_, at) => {
  const row = 3 * Math.floor(at / 3);
  return [0, 1, 2].reduce((sum, step) => sum + outer[row + step] * inner[3 * step + (at % 3)], 0);
});

/** @param {Projection} projection @param {Point} point @returns {Point} */
export function project([a, b, c, d, e, f, g, h, i], { x, y }) {
  const depth = g * x + h * y + i;
  return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };
}

/** @param {Projection} projection @param {Rect} rect @returns {Rect} the box around the projected rectangle */
export function projectRect(projection, { x, y, width, height }) {
  const corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    .map(([left, top]) => project(projection, { x: left, y: top }));
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
