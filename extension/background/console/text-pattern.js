/*
 * Finds the texts that a regular expression of the caller matches. Some expressions take practically for ever on some texts,
 * and nothing can stop them in the worker: those run beside the page, where the debugger ends them.
 */
import { dialogError } from "../debugger/blocked-page.js";
import { pendingDialog, withDebugger } from "../debugger/attachment.js";
import { invalid } from "../base/errors.js";

/** @typedef {import("../../types").CallContext} CallContext */

const LIMIT_MS = 1_000;
const WORLD = "tabwire-pattern";

/**
 * @param {string} pattern  text of a regular expression, or /text/flags
 * @returns {RegExp}
 */
export function compiled(pattern) {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(pattern) ?? [null, pattern, ""];
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw invalid(`pattern is not a regular expression; write one of JavaScript (${error.message})`);
  }
}

/**
 * @param {RegExp} expression
 * @param {string[]} texts
 * @param {number} tabId
 * @param {CallContext} call
 * @returns {Promise<boolean[]>}
 */
export async function matches(expression, texts, tabId, call) {
  if (!texts.length || !/[*+?{]/.test(expression.source)) return texts.map((text) => expression.test(text));
  const dialog = pendingDialog(tabId);
  if (dialog) throw dialogError(dialog);
  return withDebugger(tabId, call, async (send) => {
    const { frameTree } = await send("Page.getFrameTree");
    const { executionContextId } = await send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: WORLD });
    const list = JSON.stringify(texts);
    const script = `${list}.map((text) => new RegExp(${JSON.stringify(expression.source)}, "${expression.flags}").test(text))`;
    const options = { expression: script, contextId: executionContextId, returnByValue: true, timeout: LIMIT_MS };
    const { result, exceptionDetails } = await send("Runtime.evaluate", options).catch((error) => {
      if (error.code !== "unknown_error") throw error;
      return { result: undefined, exceptionDetails: error };
    });
    if (exceptionDetails || !Array.isArray(result?.value)) {
      throw invalid(
        `pattern takes longer than ${LIMIT_MS} ms to search the texts; simplify it (no repetition inside a repetition)`,
      );
    }
    return result.value;
  });
}
