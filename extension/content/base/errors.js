/* Errors with a wire code, and marks around a page's words in their messages. */

/** An error with a wire code; crosses to the worker as {error: {code, message, data}}. */
class CodedError extends Error {
  /** @param {string} code @param {string} message @param {Record<string, unknown>} [data] */
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * An error with a wire code.
 * @param {string} code
 * @param {string} message says what happened and what to do next
 * @param {Record<string, unknown>} [data]
 * @returns {ContentError}
 */
export const codedError = (code, message, data) => new CodedError(code, message, data);

/** The error for an operation that is not there. @param {string} name */
export const unknownOperation = (name) => codedError("unknown_command", `the page has no function "${name}"; reload it`);

/** Characters of our marks, which a page's words do not contain as they are. */
const MARKS = /[\uE000\uE001\uE010\uE011]/g;

const escaped = (/** @type {string} */ mark) => `\\u${mark.charCodeAt(0).toString(16)}`;

/** A page's words inside a sentence of ours, between marks that the bridge turns into a fence. @param {unknown} text */
export const pageText = (text) => `\uE010${String(text).replace(MARKS, escaped)}\uE011`;

/** A reply with a result. @param {unknown} result */
export const wrap = (result) => ({ result });

/** A reply with an error. @param {Partial<ContentError> | null | undefined} error */
export const wrapError = (error) => ({
  error: {
    code: error?.code && typeof error.code === "string" ? error.code : "unknown_error",
    message: error?.message ?? String(error),
    ...(error?.data === undefined ? {} : { data: error.data }),
  },
});
