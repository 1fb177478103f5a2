/* Colours as numbers: what a computed colour is, what it is on top of another one, and how far two are apart for a person. */
const PLAIN = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/;
const MAX_KNOWN = 2000;
/** @type {Map<string, Colour>} */
const known = new Map();
/** @type {OffscreenCanvasRenderingContext2D | null} */
let pixel = null;

/** Colours in other spaces than sRGB: the browser converts them. @param {string} text @returns {Colour} */
function painted(text) {
  pixel ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (pixel === null) return [0, 0, 0, 1];
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = text;
  pixel.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = pixel.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

/** @param {string} text a computed colour @returns {Colour} red, green, blue (0 to 255) and alpha (0 to 1) */
export function parse(text) {
  const found = known.get(text);
  if (found) return found;
  const plain = PLAIN.exec(text);
  /** @type {Colour} */
  const colour = plain ? [Number(plain[1]), Number(plain[2]), Number(plain[3]), Number(plain[4] ?? 1)] : painted(text);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, colour);
  return colour;
}

const ANY = /rgba?\([^)]*\)|(?:oklch|oklab|lch|lab|color)\([^)]*\)/g;

/** All colours of a computed image. @param {string} image */
export const allIn = (image) => (image.match(ANY) ?? []).map(parse);

/** @param {Colour} top @param {number} alpha @param {Colour} ground opaque @returns {Colour} */
export const over = (top, alpha, ground) => {
  const mixed = [0, 1, 2].map((index) => top[index] * alpha + ground[index] * (1 - alpha));
  return [mixed[0], mixed[1], mixed[2], 1];
};

/** @param {number} part */
const linear = (part) => (part <= 10.31 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);

/** @param {Colour} colour */
const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio, 1 to 21 @param {Colour} one @param {Colour} other */
export function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The largest difference in one of the three parts. @param {Colour} one @param {Colour} other */
export const distance = (one, other) => Math.max(...[0, 1, 2].map((index) => Math.abs(one[index] - other[index])));
