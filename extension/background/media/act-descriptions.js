/** Acts as a viewer reads them. What was entered is left out: it may be a secret. */
import { METHODS } from "../base/protocol.js";
import { sentenceOf } from "../base/text.js";

/** @typedef {import("../base/acts.js").EndedAct} EndedAct */
/** @typedef {{x: number, y: number}} Point */

/** An address as people read it; queries may carry secrets. @param {string} url */
function place(url) {
  try {
    const { host, pathname, protocol } = new URL(url);
    return host ? `${host}${pathname === "/" ? "" : pathname}` : protocol;
  } catch {
    return "";
  }
}

/**
 * Facts of an act that a caption may name besides its parameters.
 * @type {Record<string, (act: EndedAct) => string|Point|undefined>}
 */
const FACTS = {
  target: ({ params, result }) =>
    result?.element?.replace(/<([\w-]+)(>|[^>]*>(?= "))/, "$1") ?? params.selector ?? params.coordinates ?? params.target,
  address: ({ params, result }) => place(result?.url ?? params.url ?? ""),
};

/** @param {string} names alternatives, separated by slashes @param {EndedAct} act */
function valueOf(names, act) {
  const values = names
    .split("/")
    .map((name) => (Object.hasOwn(FACTS, name) ? FACTS[name](act) : act.params[/** @type {keyof typeof act.params} */ (name)]));
  const value = values.find((one) => one !== undefined) ?? "";
  return typeof value === "object" ? `${Math.round(value.x)}, ${Math.round(value.y)}` : String(value);
}

/**
 * @param {EndedAct} act
 * @returns {string} the first alternative of its caption whose values are all known, else its title
 */
export function describeAct(act) {
  const { caption = act.method.replace(".", " "), title } = METHODS[act.method];
  const text = sentenceOf(caption, (names) => valueOf(names, act)) ?? title;
  const { dialog } = act.effects ?? {};
  return dialog ? `${text} → ${dialog.type}: ${dialog.message}` : text;
}
