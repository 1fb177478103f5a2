/** Facts about CSS properties for the cascade: which ones are inherited, what shorthands stand for, which sides are meant. */

/** @import { Protocol } from "../debugger/commands" */

/** Properties that elements have from those around them (CSS specifications, "Inherited: yes"). */
export const INHERITED = new Set((
  "accent-color border-collapse border-spacing caption-side caret-color color color-scheme cursor direction empty-cells " +
  "font-family font-feature-settings font-kerning font-language-override font-optical-sizing font-palette font-size " +
  "font-size-adjust font-stretch font-style font-synthesis-small-caps font-synthesis-style font-synthesis-weight " +
  "font-variant-alternates font-variant-caps font-variant-east-asian font-variant-emoji font-variant-ligatures " +
  "font-variant-numeric font-variant-position font-variation-settings font-weight forced-color-adjust hyphenate-character " +
  "hyphenate-limit-chars hyphens image-orientation image-rendering interpolate-size letter-spacing line-break line-height " +
  "list-style-image list-style-position list-style-type orphans overflow-wrap paint-order pointer-events " +
  "print-color-adjust quotes ruby-align ruby-position scrollbar-color speak stroke stroke-dasharray stroke-dashoffset " +
  "stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width fill fill-opacity fill-rule tab-size " +
  "text-align text-align-last text-anchor text-autospace text-combine-upright text-decoration-skip-ink text-emphasis-color " +
  "text-emphasis-position text-emphasis-style text-indent text-orientation text-rendering text-shadow text-size-adjust " +
  "text-spacing-trim text-transform text-underline-offset text-underline-position text-wrap-mode text-wrap-style " +
  "visibility white-space-collapse widows word-break word-spacing writing-mode -webkit-font-smoothing " +
  "-webkit-text-fill-color -webkit-text-stroke-color -webkit-text-stroke-width -webkit-locale -webkit-user-modify"
).split(" "));

const KEYWORDS = new Set(["inherit", "initial", "unset", "revert", "revert-layer"]);

/** The CSS-wide keyword that a value is; "" for another value. @param {string} value */
export function keywordOf(value) {
  const word = value.replace(/\s*!important\s*$/i, "").trim().toLowerCase();
  return KEYWORDS.has(word) ? word : "";
}

const VERTICAL_SIDES = { start: "top", end: "bottom" };

/**
 * The physical name of a property that names a side by the flow of text, where lines run across; else the name as it is.
 * @param {string} name @param {string} flow such as "horizontal-tb ltr"
 */
export function physicalName(name, flow) {
  const [mode, direction] = flow.split(" ");
  if (mode !== "horizontal-tb" || name.startsWith("--")) return name;
  const size = /^((?:min-|max-)?)(inline|block)-size$/.exec(name);
  if (size) return size[1] + (size[2] === "inline" ? "width" : "height");
  const side = /^(margin|padding|inset|border|scroll-margin|scroll-padding)-(inline|block)-(start|end)(-\w+)?$/.exec(name);
  if (!side) return name;
  const [, what, axis, end, part = ""] = side;
  const across = (end === "start") === (direction !== "rtl") ? "left" : "right";
  const at = axis === "block" ? VERTICAL_SIDES[/** @type {"start"|"end"} */ (end)] : across;
  return what === "inset" ? at : `${what}-${at}${part}`;
}

/** Longhands that do not begin with the name of their shorthand. @type {Record<string, RegExp>} */
const OTHERWISE_NAMED = {
  font: /^line-height$/, border: /^border-/, inset: /^(top|right|bottom|left)$/, "place-items": /^(align|justify)-items$/,
  "place-content": /^(align|justify)-content$/, "place-self": /^(align|justify)-self$/, "flex-flow": /^flex-(direction|wrap)$/,
  gap: /^(row|column)-gap$/, "border-radius": /^border-.*-radius$/, "border-color": /^border-.*-color$/,
  "border-width": /^border-.*-width$/, "border-style": /^border-.*-style$/, "grid-area": /^grid-(row|column)-/, all: /./,
  "text-wrap": /^text-wrap-/, "white-space": /^(white-space-collapse|text-wrap-mode)$/,
};

/**
 * Whether a name is a part of a shorthand.
 * @param {string} shorthand @param {string} longhand
 */
export const isPartOf = (shorthand, longhand) =>
  longhand.startsWith(`${shorthand}-`) || (OTHERWISE_NAMED[shorthand]?.test(longhand) ?? false);

/**
 * Longhands that a declaration sets. Chrome leaves the longhands of a shorthand open that is written with var() or a keyword.
 * @param {Protocol.CSS.CSSProperty} property @param {Protocol.CSS.CSSStyle} style the block around it
 * @returns {Array<{name: string, value: string}>}
 */
export function longhandsOf({ name, value, longhandProperties }, { cssProperties }) {
  if (longhandProperties?.length) return longhandProperties;
  const isOpen = /var\(|env\(|attr\(/.test(value) || keywordOf(value) !== "";
  if (name.startsWith("--") || !isOpen) return [{ name, value }];
  const parts = cssProperties.filter((one) => !one.range && isPartOf(name, one.name));
  return parts.length ? parts.map((one) => ({ name: one.name, value })) : [{ name, value }];
}
