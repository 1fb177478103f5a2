/*
 * The one global of the content scripts. Every other content file adds one member or its commands to it, once: the ordered
 * list can be injected again at any time.
 */
(() => {
// An element of this id is seen under the same name.
if (Object.hasOwn(globalThis, "__tabwire")) return;

/** An error with a wire code; crosses to the worker as {error: {code, message, data}}. */
class CodedError extends Error {
  /** @param {string} code @param {string} message @param {Record<string, unknown>} [data] */
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const wrap = (/** @type {unknown} */ result) => ({ result });

/** @param {Partial<ContentError> | null | undefined} error */
const wrapError = (error) => ({
  error: {
    code: error?.code && typeof error.code === "string" ? error.code : "unknown_error",
    message: error?.message ?? String(error),
    ...(error?.data === undefined ? {} : { data: error.data }),
  },
});

/** The last step of an act brings along what the act has changed. @param {unknown} result */
const withCount = async (result) => ({ result, counted: await tw.effects.counted() });

/** Content files that have run. @type {Set<string>} */
const added = new Set();

const tw = /** @type {ContentNamespace} */ ({
  version: 1,

  add(file, content) {
    if (added.has(file)) return;
    content(tw);
    added.add(file);
  },

  commands: {},

  queries: {},

  error: (code, message, data) => new CodedError(code, message, data),

  said: (text) => `\uE010${String(text).replace(/[\uE000-\uF8FF]/g, "")}\uE011`,

  call(name, args) {
    const known = Object.hasOwn(tw.queries, name) ? tw.queries : tw.commands;
    const command = Object.hasOwn(known, name) ? known[name] : null;
    if (!command) return wrapError(tw.error("unknown_command", `the page has no function "${name}"; reload it`));
    try {
      tw.clobbered.look(document);
      const objection = tw.sensitiveFields?.objection(name, args);
      if (objection) return wrapError(objection);
      if (args?.act) tw.actStart.receive(args.act);
      // The target is described before the act, because it may be gone afterwards.
      const target = args?.describes && args.target ? tw.elementIdentity.describe(args.target.ref) : undefined;
      const told = (/** @type {CallReply} */ reply) => {
        if (args?.act) tw.effects.stepped(reply);
        const secrets = tw.sensitiveFields?.secrets();
        return { ...reply, ...(target && { target }), ...(secrets && { secrets }) };
      };
      const result = command(/** @type {never} */ (args ?? {}));
      if (args?.ends_act) return Promise.resolve(result).then(withCount, wrapError).then(told);
      return result instanceof Promise ? result.then(wrap, wrapError).then(told) : told(wrap(result));
    } catch (error) {
      return wrapError(/** @type {Partial<ContentError>} */ (error));
    }
  },
});

Object.defineProperty(globalThis, "__tabwire", { value: tw, enumerable: false, configurable: true });
})();
