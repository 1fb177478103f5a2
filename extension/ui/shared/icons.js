/** Icons of the extension's own pages, in the colour of the text beside them; each stands beside a word or in a named element. */

const SPACE = "http://www.w3.org/2000/svg";

/** Name → the paths of a drawing of 16 × 16. */
const PATHS = /** @satisfies {Record<string, string[]>} */ ({
  check: ["M3 8.5 6.5 12 13 4.5"],
  cog: ["M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z",
    "M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4"],
  copy: ["M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"],
  lock: ["M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2"],
  open: ["M9 2.5h4.5V7M13.5 2.5 7.5 8.5M6.5 3.5h-3v9h9v-3"],
  panel: ["M2 3h12v10H2zM9.5 3v10"],
  pause: ["M5.5 3v10M10.5 3v10"],
  ready: ["M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z"],
  record: ["M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z", "M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z"],
  stop: ["M4 4h8v8H4z"],
  tab: ["M1.5 12.5h13v-6H9L7.5 4h-6z"],
});

/** @typedef {keyof typeof PATHS} IconName */

/** @param {string} tag @param {Record<string, string>} attributes @param {...Element} children */
function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * An icon that is read by eyes alone.
 * @param {IconName} name
 */
export const icon = (name) => draw("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
  ...PATHS[name].map((d) => draw("path", { d })));

/** A program on the left, a page on the right, and no line between them yet. */
export const unconnected = () => draw("svg", {
  class: "drawing", viewBox: "0 0 120 72", fill: "none", stroke: "currentcolor", "stroke-width": "2", "aria-hidden": "true",
}, ...["M6 16h36v28H6zM16 52h16", "M78 12h36v44H78zM78 22h36", "M84 17h.1M90 17h.1M86 32h20M86 40h14"]
  .map((d) => draw("path", { d, "stroke-linecap": "round", "stroke-linejoin": "round" })),
draw("path", { d: "M48 34h24", "stroke-dasharray": "3 5" }));
