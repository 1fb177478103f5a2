/** Acts in the words of a viewer. What was entered is not told: it may be a secret. */

/** @typedef {import("./effects.js").EndedAct} EndedAct */

/** An address as people read it; queries may carry secrets. @param {string} url */
function place(url) {
  try {
    const { host, pathname, protocol } = new URL(url);
    return host ? `${host}${pathname === "/" ? "" : pathname}` : protocol;
  } catch {
    return "";
  }
}

const point = (/** @type {{x: number, y: number}|undefined} */ at) => (at ? `${Math.round(at.x)}, ${Math.round(at.y)}` : "");

/** What an act was done to. @param {EndedAct} act */
const object = ({ params, result }) => result?.element?.replace(/<([\w-]+)>/, "$1") ?? params.selector ?? point(params.coordinates);

const on = (/** @type {string} */ verb) => (/** @type {EndedAct} */ act) => `${verb} ${object(act)}`;

const WORDS = /** @type {Record<string, (act: EndedAct) => string>} */ ({
  "input.click": on("Click"),
  "input.dblclick": on("Double-click"),
  "input.hover": on("Hover over"),
  "input.type": (act) => (object(act) ? `Type into ${object(act)}` : "Type"),
  "input.press": ({ params }) => `Press ${params.key}`,
  "input.drag": ({ params }) => `Drag ${params.source ?? point(params.source_coordinates)} to ${params.target ?? point(params.target_coordinates)}`,
  "input.scroll": (act) => `Scroll ${act.params.direction ?? act.params.position ?? `to ${object(act)}`}`,
  "input.upload": on("Upload to"),
  "forms.fill": on("Fill"),
  "forms.check": on("Check"),
  "forms.uncheck": on("Uncheck"),
  "forms.select": on("Select in"),
  "forms.clear": on("Clear"),
  "forms.focus": on("Focus"),
  "navigation.navigate": ({ params, result }) => `Go to ${place(result?.url ?? params.url)}`,
  "navigation.back": () => "Go back",
  "navigation.forward": () => "Go forward",
  "navigation.reload": () => "Reload",
  "script.evaluate": () => "Run a script",
});

/**
 * @param {EndedAct} act
 * @returns {string}
 */
export function wordsFor(act) {
  const words = (WORDS[act.method]?.(act) ?? act.method.replace(".", " ")).trim();
  const { dialog } = act.effects ?? {};
  return dialog ? `${words} → ${dialog.type}: ${dialog.message}` : words;
}
