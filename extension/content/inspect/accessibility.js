/*
 * Findings of axe-core in this document. The worker puts the library into this world when it is first asked for. The library
 * sends nothing, does not look into frames, which are asked themselves, and restores the position of scrolling.
 */
import { codedError } from "../base/errors.js";
import { collapse, cut } from "../dom/text.js";
import { tagged } from "./named-elements.js";

/** The rule that asks for the library in each frame. */
const FRAMES = "frame-tested";
/** Rules that a whole page has to keep, and a frame in it need not. */
const OF_PAGES = ("aria-hidden-body bypass document-title html-has-lang landmark-one-main meta-viewport meta-viewport-large " +
  "page-has-heading-one region").split(" ");
const MAX_NODES = 300;
const MAX_MARKUP = 160;
const MAX_PROBLEM = 240;
const HEADING = /^Fix (any|all) of the following:$/;

/** The run before: the library refuses a second one beside it. @type {Promise<unknown>} */
let last = Promise.resolve();

/** The reasons without the library's headings. @param {string|undefined} summary */
function problemOf(summary = "") {
  const lines = summary.split("\n").map((line) => collapse(line)).filter((line) => line && !HEADING.test(line));
  return cut(lines.join("; "), MAX_PROBLEM);
}

/** @param {AxeNode} node */
const told = ({ element, html, failureSummary }) => ({
  element: element instanceof Element
    ? tagged(element) : cut(html, MAX_MARKUP),
  problem: problemOf(failureSummary),
});

/** @param {AxeResult} result */
const toldRule = ({ id, impact, help, helpUrl, nodes }) => ({
  rule: id, impact: impact ?? "minor", help, url: helpUrl, count: nodes.length, nodes: nodes.slice(0, MAX_NODES).map(told),
});

/** @param {string[]|undefined} rules ids or tags */
function restriction(rules) {
  if (!rules) return {};
  const known = globalThis.axe.getRules();
  const unknown = rules.filter((rule) => !known.some(({ ruleId, tags }) => ruleId === rule || tags.includes(rule)));
  if (unknown.length) {
    throw codedError("invalid_argument",
      `axe-core has no rule or tag ${unknown.join(", ")}; use ids such as color-contrast or tags such as wcag2aa`);
  }
  const chosen = known.filter(({ ruleId, tags }) => rules.some((rule) => rule === ruleId || tags.includes(rule)));
  return { runOnly: { type: "rule", values: chosen.map(({ ruleId }) => ruleId) } };
}

/** @param {{rules?: string[]}} asked */
async function run({ rules }) {
  const left = window === window.top ? [FRAMES] : [FRAMES, ...OF_PAGES];
  const { violations, incomplete, passes } = await globalThis.axe.run(document, {
    elementRef: true, iframes: false, preload: false, resultTypes: ["violations"], ...restriction(rules),
    rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])),
  });
  return { violations: violations.map(toldRule), incomplete: incomplete.map(({ id }) => id), passes: passes.length };
}

/** @param {{rules?: string[]}} asked */
export const accessibility = (asked) => {
  const answer = last.then(() => run(asked));
  last = answer.catch(() => {});
  return answer;
};
