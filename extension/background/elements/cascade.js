/*
 * The cascade of an element (CSS Cascading and Inheritance 5), from the rules that Chrome says match it: which declaration of a
 * property wins, which ones it overrides, and why. No browser is needed here.
 */
import { INHERITED, keywordOf, longhandsOf, physicalName } from "./style-properties.js";

/** @import { Protocol } from "../debugger/commands" */
/** @typedef {Protocol.CSS.GetMatchedStylesForNodeResponse} Matched */
/** @typedef {Protocol.CSS.RuleMatch} RuleMatch */
/** @typedef {Protocol.CSS.CSSStyle} CssStyle */
/** @typedef {[number, number, number]} Specificity */
/** @typedef {"browser"|"attribute"|"author"|"injected"|"inline"} Origin */
/**
 * A block of declarations: a rule, or what an element says itself.
 * @typedef {object} Block
 * @property {Origin} origin
 * @property {string} selector
 * @property {string[]} conditions at-rules around it
 * @property {string} group tree and cascade layer
 * @property {string} layer "" outside of layers
 * @property {Specificity} [specificity]
 * @property {string} [sheet]
 * @property {CssStyle} style
 */
/** @typedef {{name: string, value: string, text?: string, range?: Protocol.CSS.SourceRange}} Written */
/**
 * @typedef {{name: string, value: string, important: boolean, written: Written, block: Block, rank: number,
 *   level: number}} Declaration
 */
/**
 * @typedef {{level: number, blocks: Block[], byName: Map<string, Declaration[]>, invalid: Array<{block: Block,
 *   written: Written}>}} Level
 */

const MAX_SELECTOR = 120;

/** @param {RuleMatch} match @returns {Block} */
function blockOfRule({ rule, matchingSelectors }) {
  const { origin, selectorList, styleSheetId, style, layers = [], originTreeScopeNodeId = 0 } = rule;
  const selectors = matchingSelectors.map((at) => selectorList.selectors[at]).filter(Boolean);
  const specificities = selectors.flatMap(({ specificity: own }) =>
    (own ? [/** @type {Specificity} */ ([own.a, own.b, own.c])] : []));
  const layer = layers.map(({ text }) => text).reverse().join(".");
  const named = selectors.map(({ text }) => text).join(", ") || selectorList.text;
  return {
    origin: origin === "user-agent" ? "browser" : origin === "injected" ? "injected" : "author",
    selector: named.slice(0, MAX_SELECTOR), conditions: conditionsOf(rule), layer, style, sheet: styleSheetId,
    group: `${origin === "user-agent" ? "" : originTreeScopeNodeId} ${layer}`, specificity: specificities.sort(compare).at(-1),
  };
}

/** @param {Protocol.CSS.CSSRule} rule */
function conditionsOf({ media = [], supports = [], containerQueries = [], layers = [], scopes = [] }) {
  const told = (/** @type {string} */ name, /** @type {Array<{text: string}>} */ all) =>
    all.map(({ text }) => `@${name} ${text}`);
  const rules = media.filter(({ source }) => source === "mediaRule" || source === "importRule");
  return [
    ...told("media", rules), ...told("supports", supports), ...told("container", containerQueries),
    ...told("layer", layers), ...told("scope", scopes),
  ].map((condition) => condition.slice(0, MAX_SELECTOR));
}

/** @param {Specificity} one @param {Specificity} other */
const compare = (one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

/** @param {Origin} origin @param {string} selector @param {CssStyle|undefined} style @returns {Block[]} */
const ofElement = (origin, selector, style) =>
  (style?.cssProperties.length ? [{ origin, selector, conditions: [], group: origin, layer: "", style }] : []);

/**
 * The blocks of an element, the weakest first, as long as nothing is !important.
 * @param {{inlineStyle?: CssStyle, attributesStyle?: CssStyle, matchedCSSRules?: RuleMatch[]}} matched
 */
function blocksOf({ inlineStyle, attributesStyle, matchedCSSRules = [] }) {
  const rules = matchedCSSRules.map(blockOfRule);
  return [
    ...rules.filter(({ origin }) => origin === "browser"),
    ...ofElement("attribute", "presentational attributes", attributesStyle),
    ...rules.filter(({ origin }) => origin !== "browser"), ...ofElement("inline", "style attribute", inlineStyle),
  ];
}

/** @param {Block[]} blocks @param {number} level 0: the element, 1: the one around it @param {string} flow @returns {Level} */
function levelOf(blocks, level, flow) {
  /** @type {Level} */
  const found = { level, blocks, byName: new Map(), invalid: [] };
  const groups = [...new Set(blocks.map(({ group }) => group))];
  blocks.forEach((block, at) => {
    const { cssProperties } = block.style;
    // Behind what is written Chrome lists each longhand again.
    const isPlaced = cssProperties.some(({ range }) => range);
    const written = cssProperties.filter(({ range, disabled }) => !disabled && (range || !isPlaced));
    for (const property of written) {
      if (property.parsedOk === false) {
        found.invalid.push({ block, written: property });
        continue;
      }
      for (const { name: longhand, value } of longhandsOf(property, block.style)) {
        const name = physicalName(longhand, flow);
        const important = property.important ?? false;
        const rank = important ? importantRank(block, groups, at, blocks.length) : at;
        const one = { name, value, important, written: property, block, rank, level };
        found.byName.set(name, [...(found.byName.get(name) ?? []), one]);
      }
    }
  });
  for (const [name, all] of found.byName) found.byName.set(name, sorted(all));
  return found;
}

/**
 * Rank of an important declaration: the order of origins, trees and layers is the other way round.
 * @param {Block} block @param {string[]} groups
 */
function importantRank({ origin, group }, groups, at = 0, count = 0) {
  const tier = origin === "browser" ? 3 : origin === "inline" ? 2 : 1;
  return (tier * (groups.length + 1) + (groups.length - groups.indexOf(group))) * (count + 1) + at;
}

/** The winner first; of two in one block the later one. @param {Declaration[]} all */
const sorted = (all) => all.map((one, at) => ({ one, at }))
  .sort((a, b) => Number(b.one.important) - Number(a.one.important) || b.one.rank - a.one.rank || b.at - a.at)
  .map(({ one }) => one);

/** Reason why a declaration does not win. @param {Declaration} winner @param {Declaration} loser */
export function reasonOf(winner, loser) {
  if (winner.important && !loser.important) return `the other one is !important`;
  if (winner.block === loser.block) return "a later declaration of the same block";
  if (winner.block.origin === "browser") return "the browser's own !important rule is stronger";
  if (winner.block.origin === "inline") return "the style attribute is stronger";
  if (loser.block.origin === "attribute") return "attributes are weaker than rules";
  if (winner.block.layer !== loser.block.layer) {
    const named = (/** @type {string} */ layer) => (layer ? `layer ${layer}` : "no layer");
    return `${named(loser.block.layer)} is weaker than ${named(winner.block.layer)}${winner.important ? " for !important" : ""}`;
  }
  if (winner.block.group !== loser.block.group) return "the rule of the other tree is stronger";
  const [own = [0, 0, 0], other = [0, 0, 0]] = [loser.block.specificity, winner.block.specificity];
  return compare(own, other) < 0 ? `less specific: ${own.join(",")} < ${other.join(",")}` : "a later rule of the same weight";
}

/** The cascade of an element and those around it. */
export class Cascade {
  /** @param {Matched} matched @param {string} flow writing mode and direction of the element */
  constructor(matched, flow) {
    const inherited = matched.inherited ?? [];
    this.levels = [blocksOf(matched), ...inherited.map(blocksOf)].map((blocks, at) => levelOf(blocks, at, flow));
    const registered = matched.cssPropertyRegistrations ?? [];
    this.uninherited = new Set(registered.filter(({ inherits }) => !inherits).map(({ propertyName }) => propertyName));
  }

  /** @param {string} name */
  isInherited(name) {
    return name.startsWith("--") ? !this.uninherited.has(name) : INHERITED.has(name);
  }

  /**
   * The declarations of a property that count for the element, the winner first; empty where nobody declares it. Behind a winner
   * that says `inherit` comes the one that the value is from.
   * @param {string} name @param {number} [from] the level from which it is looked for
   * @returns {Declaration[]}
   */
  declarationsOf(name, from = 0) {
    const all = this.levels[from]?.byName.get(name) ?? [];
    const [winner] = all;
    // That a rule of the page overrides the browser's is no news.
    const own = winner && winner.block.origin !== "browser" ? all.filter(({ block }) => block.origin !== "browser") : all;
    const keyword = winner && keywordOf(winner.value);
    const isPassedOn = winner ? keyword === "inherit" || (keyword === "unset" && this.isInherited(name)) : this.isInherited(name);
    if (!isPassedOn || from + 1 >= this.levels.length) return own;
    const above = this.declarationsOf(name, from + 1);
    return winner ? [winner, ...above.slice(0, 1), ...own.slice(1)] : above;
  }

  /** Properties that rules of the page have a say in, those of the element first. @returns {string[]} */
  get declared() {
    const isOurs = (/** @type {Declaration} */ { block }) => block.origin !== "browser";
    const own = [...this.levels[0].byName].filter(([, all]) => all.some(isOurs)).map(([name]) => name);
    const names = new Set(this.levels.slice(1).flatMap(({ byName }) => [...byName.keys()]));
    const passed = [...names].filter((name) => !name.startsWith("--") && this.isInherited(name) && !own.includes(name))
      .filter((name) => this.declarationsOf(name).slice(0, 1).some(isOurs));
    return [...own.filter((name) => !name.startsWith("--")), ...passed, ...own.filter((name) => name.startsWith("--"))];
  }
}
