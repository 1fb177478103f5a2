/*
 * Reasons why an element looks as it does: the cascade of its properties with places in the style sheets, and through their maps
 * in the sources that these were built from. The domain CSS of the debugger is on only while it is asked.
 */
import { getOrMake } from "../base/maps.js";
import { onEvent } from "../debugger/attachment.js";
import { enableStyles, releaseStyles } from "../debugger/style-tracking.js";
import { makeQueue } from "../base/turns.js";
import { TabMap } from "../base/tabs.js";
import { redact } from "../rules/redaction.js";
import { Positions } from "../sources/positions.js";
import { Cascade, reasonOf } from "./cascade.js";
import { askedElement, withHeld } from "./held-element.js";
import { isPartOf } from "./style-properties.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("./held-element.js").Held} Held */
/** @typedef {import("./cascade.js").Declaration} Declaration */
/** @typedef {import("./cascade.js").Block} Block */
/** @typedef {import("./cascade.js").Written} Written */
/** @typedef {import("../base/protocol-types").StyleDeclaration} Told */
/** @typedef {import("../base/protocol-types").StyledProperty} Property */
/** @typedef {import("../base/protocol-types").StyleVariable} Variable */
/** @import { Protocol } from "../debugger/commands" */
/** @typedef {Map<string, Protocol.CSS.CSSStyleSheetHeader>} Sheets */
/** @typedef {{names: string[], declarations: Declaration[]}} Group properties that the same declarations decide */
/** @typedef {{cascade: Cascade, computed: Map<string, string>, chain: string[], sheets: Sheets, positions: Positions}} Look */
/** @typedef {import("../base/protocol-types").Params<"elements.styles">} Wanted */

const MAX_OVERRIDDEN = 6;
const MAX_INVALID = 20;
const MAX_VALUE = 160;
const MAX_VARIABLES = 12;
const SIDES = ["top", "right", "bottom", "left"];
const VARIABLE = /var\(\s*(--[^\s,)]+)/g;

/** Tab → its looks, in turn: a domain that is on already tells no style sheets. @type {TabMap<ReturnType<typeof makeQueue>>} */
const queues = new TabMap();

/** @param {Wanted} wanted @param {TabCall} call */
export function stylesOf(wanted, call) {
  const tabId = call.tab.id;
  return getOrMake(queues, tabId, makeQueue)(async () => {
    const { where, facts: { chain, flow, ...layout } } = await askedElement(wanted, "elements.layout", call);
    const styles = await withHeld(where, call, (held) => withStyles(held, call, async (sheets, { matched, computedStyle }) => {
      const cascade = new Cascade(matched, flow);
      const computed = new Map(computedStyle.map(({ name, value }) => [name, value]));
      const positions = new Positions(await asScripts(held, sheets), call);
      return toldStyles(wanted, { cascade, computed, chain, sheets, positions });
    }));
    return { tabId, ref: where.ref, ...layout, ...styles };
  });
}

/**
 * Runs `work` with the rules that match an element, while the style sheets can be asked for their text.
 * @template T
 * @param {Held} held @param {TabCall} call
 * @param {(sheets: Sheets, found: {matched: Protocol.CSS.GetMatchedStylesForNodeResponse,
 *   computedStyle: Protocol.CSS.CSSComputedStyleProperty[]}) => Promise<T>} work
 */
async function withStyles({ send, session, objectIds: [objectId] }, call, work) {
  /** @type {Sheets} */
  const sheets = new Map();
  const stop = onEvent(call.tab.id, (method, params, from) => {
    if (method === "CSS.styleSheetAdded" && from === session) sheets.set(params.header.styleSheetId, params.header);
  });
  try {
    await enableStyles(call.tab.id, session, send);
    await send("DOM.getDocument", { depth: 0 });
    const { nodeId } = await send("DOM.requestNode", { objectId });
    const [matched, { computedStyle }] = await Promise.all([
      send("CSS.getMatchedStylesForNode", { nodeId }), send("CSS.getComputedStyleForNode", { nodeId }),
    ]);
    return await work(sheets, { matched, computedStyle });
  } finally {
    stop();
    await releaseStyles(call.tab.id, send);
  }
}

/**
 * Style sheets as scripts, whose maps are found in the same way.
 * @param {Pick<Held, "send"|"session">} held @param {Sheets} sheets @returns {Promise<Script[]>}
 */
export const asScripts = ({ send, session }, sheets) => Promise.all([...sheets.values()].map(async (header) => {
  const { styleSheetId, sourceURL: url, sourceMapURL, startLine, startColumn, endLine, endColumn } = header;
  // A map is kept by what its file holds: a later build has the same address.
  const hash = sourceMapURL ? await hashOf((await send("CSS.getStyleSheetText", { styleSheetId })).text) : "";
  return { scriptId: styleSheetId, session, url, sourceMapURL, startLine, startColumn, endLine, endColumn, hash };
}));

/** @param {string} text */
async function hashOf(text) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Wanted} wanted @param {Look} look */
async function toldStyles({ properties: names, max_properties: most }, look) {
  const groups = groupsOf(namesFor(names, look), look.cascade);
  const shown = groups.slice(0, most);
  const properties = await Promise.all(shown.map((group) => toldGroup(group, look)));
  const invalid = await Promise.all(invalidOf(look.cascade, names).map(({ block, written }) => told(block, written, look)));
  const more = groups.length - shown.length;
  const { notes } = look.positions;
  return {
    properties, ...(more > 0 && { more }), ...(invalid.length && { invalid }), ...(notes.length && { notes }),
  };
}

/**
 * The longhands that are asked for, or those that rules of the page have a say in.
 * @param {string[]|undefined} wanted @param {Look} look
 */
function namesFor(wanted, { cascade, computed }) {
  if (!wanted) return cascade.declared;
  const known = [...new Set([...computed.keys(), ...cascade.declared])];
  return [...new Set(wanted.flatMap((name) => {
    const parts = known.includes(name) ? [name] : known.filter((one) => isPartOf(name, one));
    return parts.length ? parts : [name];
  }))];
}

/**
 * Properties of one shorthand are told together where the same declarations decide them.
 * @param {string[]} names @param {Cascade} cascade
 */
function groupsOf(names, cascade) {
  /** @type {Map<Written|string, Group[]>} */
  const byWinner = new Map();
  for (const name of names) {
    const declarations = cascade.declarationsOf(name);
    const groups = byWinner.get(declarations[0]?.written ?? name) ?? [];
    const same = groups.find((group) => group.declarations.length === declarations.length &&
      group.declarations.every(({ written }, at) => written === declarations[at].written));
    if (same) same.names.push(name);
    else byWinner.set(declarations[0]?.written ?? name, [...groups, { names: [name], declarations }]);
  }
  return [...byWinner.values()].flat();
}

/** @param {Group} group @param {Look} look @returns {Promise<Property>} */
async function toldGroup({ names, declarations }, look) {
  const [winner, next] = declarations;
  const source = next && next.level > winner.level ? next : undefined;
  const others = declarations.slice(source ? 2 : 1);
  const overridden = await Promise.all(others.slice(0, MAX_OVERRIDDEN).map(async (one) => ({
    ...(await told(one.block, one.written, look)), why: reasonOf(winner, one), ...from(one, look),
  })));
  const more = others.length - overridden.length;
  const variables = winner ? await variablesOf(source ?? winner, look) : [];
  const toldWhole = async (/** @type {Declaration} */ one) =>
    ({ ...(await told(one.block, one.written, look)), ...from(one, look) });
  return {
    name: names.length > 1 && winner ? winner.written.name : names.join(", "), computed: cut(computedOf(names, look) || "(none)"),
    ...(names.length > 1 && { longhands: names }), ...(winner && { winner: await toldWhole(winner) }),
    ...(source && { source: await toldWhole(source) }),
    ...(overridden.length && { overridden }), ...(more > 0 && { more }), ...(variables.length && { variables }),
  };
}

/**
 * Computed values of properties that are told together; those of four sides as CSS writes them.
 * @param {string[]} names @param {Look} look
 */
function computedOf(names, { computed }) {
  const valueOf = (/** @type {string|undefined} */ name) => computed.get(name ?? "") ?? "";
  const [top, right, bottom, left] = SIDES.map((side) => valueOf(names.find((name) => name.split("-").includes(side))));
  if (names.every((name) => valueOf(name) === valueOf(names[0]))) return valueOf(names[0]);
  if (names.length !== SIDES.length || !top || !right || !bottom || !left)
    return names.map((name) => `${name} ${valueOf(name)}`).join(", ");
  if (left !== right) return [top, right, bottom, left].join(" ");
  return top !== bottom ? [top, right, bottom].join(" ") : `${top} ${right}`;
}

/** @param {{level: number}} declaration @param {Look} look */
const from = ({ level }, { chain }) => (level ? { inherited_from: chain[level] ?? "an element around it" } : {});

/** @param {string} value */
function cut(value) {
  const text = redact(value.replace(/\s+/g, " ").trim()).value;
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}

/** A declaration with its place. @param {Block} block @param {Written} written @param {Look} look @returns {Promise<Told>} */
async function told(block, { name, value, range }, look) {
  const { origin, selector, conditions } = block;
  return {
    declaration: cut(`${name}: ${value}`), selector, origin, ...(conditions.length && { conditions }),
    ...(await placeOf(block, range, look)),
  };
}

/**
 * @param {Block} block @param {Protocol.CSS.SourceRange|undefined} range in the style sheet @param {Look} look
 * @returns {Promise<{place?: string, built?: string}>}
 */
async function placeOf({ sheet }, range, { sheets, positions }) {
  const header = sheet && range ? sheets.get(sheet) : undefined;
  if (!sheet || !header || !range) return {};
  if (header.isConstructed) return { place: "a style sheet made by a script" };
  // What scripts insert has no place in a file.
  if (header.isMutable && !header.sourceMapURL) return { place: "a rule inserted by a script" };
  const line = header.startLine + range.startLine;
  const column = range.startColumn + (range.startLine ? 0 : header.startColumn);
  const { session } = positions.scripts.find(({ scriptId }) => scriptId === sheet) ?? {};
  const { told: frame } = await positions.place({ name: "", url: header.sourceURL, line, column, scriptId: sheet, session });
  return { place: frame.place, ...(frame.built && { built: frame.built }) };
}

/** The custom properties that a declaration uses, and those that these use. @param {Declaration} winner @param {Look} look */
async function variablesOf(winner, look) {
  /** @type {Variable[]} */
  const variables = [];
  const seen = new Set();
  const open = usedIn(winner.written.value).map((name) => ({ name, level: winner.level }));
  for (let next = open.shift(); next && variables.length < MAX_VARIABLES; next = open.shift()) {
    const { name, level } = next;
    if (seen.has(name)) continue;
    seen.add(name);
    const [found] = look.cascade.declarationsOf(name, level);
    if (!found) {
      const value = look.computed.get(name);
      variables.push(value === undefined ? { name } : { name, value: cut(value) });
      continue;
    }
    const { selector, place, built } = await told(found.block, found.written, look);
    variables.push({
      name, value: cut(found.value), selector, ...(place && { place }), ...(built && { built }), ...from(found, look),
    });
    open.push(...usedIn(found.value).map((used) => ({ name: used, level: found.level })));
  }
  return variables;
}

/** @param {string} value */
const usedIn = (value) => [...value.matchAll(VARIABLE)].map(([, name]) => name);

/**
 * Declarations of the element's own rules that Chrome does not understand.
 * @param {Cascade} cascade @param {string[]} [wanted]
 */
const invalidOf = ({ levels: [own] }, wanted) => own.invalid
  .filter(({ block, written: { name } }) =>
    block.origin !== "browser" && (!wanted || wanted.some((one) => one === name || isPartOf(one, name))))
  .slice(0, MAX_INVALID);
