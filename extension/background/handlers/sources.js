/** Sources of a tab: scripts that run, and what they were built from. */
import { whilePaused } from "../breakpoints/paused-tool.js";
import { lookClosely } from "../console/log.js";
import { expressionOf } from "../console/report.js";
import { matches } from "../console/text-pattern.js";
import { assertNoDialog } from "../debugger/blocked-page.js";
import { withScripts } from "../sources/parsed-scripts.js";
import { answerAbout } from "../sources/source-answers.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../sources/parsed-scripts.js").Script} Script */
/** @typedef {import("../sources/parsed-scripts.js").KnownDocuments} KnownDocuments */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

/** @param {Params<"sources.sources">} wanted @param {TabCall} call */
async function sources(wanted, call) {
  const expression = expressionOf(wanted);
  const test = (/** @type {string[]} */ texts) => matches(/** @type {RegExp} */ (expression), texts, call.tab.id, call);
  const answer = (/** @type {Script[]} */ scripts, /** @type {KnownDocuments} */ documents) =>
    answerAbout(wanted, scripts, documents, expression && { expression, test }, call);
  const atPause = whilePaused(call, answer);
  if (atPause) return atPause;
  await assertNoDialog(call);
  // The look at the console joins frames of other sites and workers, and knows their documents.
  return lookClosely(call.tab.id, call, (log, send) => withScripts(call.tab.id, send, answer, log.documents));
}

/** @type {import("../../types").Handlers<"sources">} */
export const handlers = { "sources.sources": sources };
