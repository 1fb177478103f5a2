/*
 * The one global of the content scripts. Every other content file is an IIFE that adds one member to it and returns
 * at once when that member exists, so that the ordered list can be injected again at any time.
 */
(() => {
  // An element of this id is seen under the same name.
  if (Object.hasOwn(globalThis, "__tabwire")) return;

  /** An error with a wire code; crosses to the worker as {error: {code, message, data}}. */
  class ContentError extends Error {
    constructor(code, message, data) {
      super(message);
      this.code = code;
      this.data = data;
    }
  }

  const wrap = (result) => ({ result });

  const wrapError = (error) => ({
    error: {
      code: error?.code && typeof error.code === "string" ? error.code : "unknown_error",
      message: error?.message ?? String(error),
      ...(error?.data === undefined ? {} : { data: error.data }),
    },
  });

  const tw = {
    version: 1,

    /** @type {Record<string, (args: any) => any>} wire method or "<file>.<verb>" → function */
    commands: {},

    /**
     * @param {string} code a wire error code
     * @param {string} message what happened and what to do next
     * @param {object} [data]
     * @returns {ContentError}
     */
    error: (code, message, data) => new ContentError(code, message, data),

    /**
     * A page's words inside a sentence of ours, between marks that the bridge turns into a fence.
     * @param {unknown} text
     */
    said: (text) => `\uE010${String(text).replace(/[\uE000-\uF8FF]/g, "")}\uE011`,

    /**
     * Runs a registered command. Never throws and never rejects. With `describes` the reply says what element its target is.
     * @param {string} name
     * @param {any} [args]
     * @returns {{result: unknown} | {error: object} | Promise<{result: unknown} | {error: object}>}
     */
    call(name, args) {
      const command = Object.hasOwn(tw.commands, name) ? tw.commands[name] : null;
      if (!command) return wrapError(tw.error("unknown_command", `the page has no function "${name}"`));
      try {
        tw.clobbered.look(document);
        const objection = tw.sensitive?.objection(name, args);
        if (objection) return wrapError(objection);
        if (args?.act) tw.onset.receive(args.act);
        // Before the act: it may be gone afterwards.
        const target = args?.describes ? tw.identity.describe(args.target.ref) : undefined;
        const told = (reply) => (target ? { ...reply, target } : reply);
        const result = command(args ?? {});
        return typeof result?.then === "function" ? result.then(wrap, wrapError).then(told) : told(wrap(result));
      } catch (error) {
        return wrapError(error);
      }
    },
  };

  Object.defineProperty(globalThis, "__tabwire", { value: tw, enumerable: false, configurable: true });
})();
