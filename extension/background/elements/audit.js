/*
 * An audit of a tab: what axe-core finds in each of its documents that may be read, and basics of its page. The library is put
 * only where it is asked for, into our own world, and never by the debugger.
 */
import { callAll, callWithDocument, injectFile } from "../page/content-calls.js";
import { publishAnswer } from "../page/refs.js";
import { timedOut } from "../base/errors.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../base/protocol-types").AuditFinding} Finding */
/** @typedef {import("../base/protocol-types").AuditRule} Rule */
/** @typedef {import("../base/protocol-types").BasicCheck} Check */
/**
 * @typedef {Omit<Rule, "impact"> & {impact: typeof IMPACTS[number], nodes: Array<{element: string, problem: string}>}} Violation
 */
/** @typedef {{violations: Violation[], incomplete: string[], passes: number}} Found what one document has answered */
/** @typedef {{frameId: number, documentId: string}} Frame */
/** @typedef {{rules?: string[], max_findings: number, offset: number}} Wanted */

const AXE = "extension/vendor/axe.min.js";
const IMPACTS = /** @type {const} */ (["critical", "serious", "moderate", "minor"]);

/** @param {Wanted} wanted @param {TabCall} call */
export async function auditOf({ rules, max_findings: most, offset }, call) {
  const tabId = call.tab.id;
  const answers = await callAll(tabId, "elements.basics", {}, call);
  const [top] = answers;
  if (top?.error && top.frameId === 0) throw top.error;
  const readable = answers.filter(({ value }) => value);
  const bare = readable.filter(({ value }) => !value.hasAxe).map(({ documentId }) => documentId);
  if (bare.length) await injectFile(tabId, bare, AXE);
  const found = await Promise.all(readable.map((frame) => inDocument(frame, rules, call)));
  const answered = found.filter((one) => one !== null);
  if (!answered.length)
    throw timedOut("the page could not be audited in time; try again when it is idle");
  const all = findingsOf(answered);
  const shown = all.findings.slice(offset, offset + most);
  const more = all.findings.length - offset - shown.length;
  const left = answers.length - answered.length;
  return {
    tabId, documents: answered.length, total: all.total, passes: all.passes, incomplete: all.incomplete,
    rules: all.rules, findings: shown, basics: await publishAnswer(tabId, top, top.value?.checks ?? []),
    ...(more > 0 && { more }), ...(left > 0 && { left_out: left }),
  };
}

/**
 * A frame that goes away meanwhile does not fail the audit of the others.
 * @param {Frame} frame @param {string[]|undefined} rules @param {TabCall} call
 */
async function inDocument({ documentId, frameId }, rules, call) {
  const { tab: { id: tabId } } = call;
  try {
    const { value } = await callWithDocument(tabId, { documentId, frameId }, "elements.accessibility", { rules }, call);
    return { frameId, found: /** @type {Found} */ (await publishAnswer(tabId, { documentId, frameId }, value)) };
  } catch (error) {
    if (frameId === 0) throw error;
    return null;
  }
}

/**
 * The findings of all documents, the gravest first, those of one rule together.
 * @param {Array<{frameId: number, found: Found}>} documents
 */
function findingsOf(documents) {
  const violations = documents.flatMap(({ frameId, found }) => found.violations.map((one) => ({ ...one, frameId })));
  const groups = [...Map.groupBy(violations, ({ rule }) => rule).values()]
    .sort(([one], [other]) => IMPACTS.indexOf(one.impact) - IMPACTS.indexOf(other.impact) || one.rule.localeCompare(other.rule));
  const rules = groups.map((same) => {
    const [{ rule, impact, help, url }] = same;
    return { rule, impact, help, url, count: same.reduce((sum, { count }) => sum + count, 0) };
  });
  /** @type {Finding[]} */
  const findings = groups.flatMap((same) => same.flatMap(({ rule, nodes, frameId }) =>
    nodes.map((node) => ({ rule, ...node, ...(frameId && { frameId }) }))));
  return {
    rules, findings, total: rules.reduce((sum, { count }) => sum + count, 0),
    passes: Math.max(...documents.map(({ found }) => found.passes)),
    incomplete: [...new Set(documents.flatMap(({ found }) => found.incomplete))],
  };
}
