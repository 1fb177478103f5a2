/*
 * The tools that documents publish (WebMCP), asked in the page's own world: `document.modelContext` in Chromium where it is
 * switched on, the same made by a polyfill elsewhere. Everything that comes from there is the page's word.
 */
import { inOwnWorld } from "../page/injected-script.js";

/** @typedef {import("../../types").TabCall} TabCall */
/**
 * @typedef {object} PublishedTool
 * @property {string} name
 * @property {string} [title]
 * @property {string} description
 * @property {unknown} [input_schema]
 * @property {boolean} [read_only]
 */
/**
 * @typedef {object} Published
 * @property {boolean} hasRegistry whether the document can publish tools at all
 * @property {PublishedTool[]} tools
 * @property {number} left_out
 * @property {string} [thrown] in place of a list
 */
/**
 * @typedef {object} Called
 * @property {unknown} [answer] of the tool, as JSON or text; the beginning of its text where that is too long
 * @property {number} [length] characters of the whole answer, where it is cut
 * @property {boolean} [unread] its answer is no JSON
 * @property {unknown} [thrown]
 * @property {boolean} [missing]
 */
/** @typedef {{foreign: true}} Foreign the call may not act there, which inOwnWorld throws */
/** @template Answer @typedef {import("../page/injected-script.js").MaybeLate<Answer>} MaybeLate */

/** No page is read at any length: 100 tools with a schema of 16,000 characters each are more than a model can use. */
const LIMITS = { tools: 100, name: 200, description: 2_000, schema: 16_000 };

/** Chrome's words for a frame that was removed while a script ran in it. */
const REMOVED = /^Frame with ID \d+ was removed/;

/**
 * Runs in the page, where every getter and every function may be the page's; `location` never is.
 * @param {string[]|null} origins the only ones where the call may act
 * @param {string|null} only @param {typeof LIMITS} limits
 * @param {string} event that tells the outcome in a page that is loading
 * @returns {MaybeLate<Published|Foreign>}
 */
const listInPage = (origins, only, limits, event) => {
  let isHere = !origins;
  // No method: those of arrays may be the page's.
  for (let at = 0; origins && at < origins.length; at += 1) isHere ||= origins[at] === location.origin;
  if (!isHere) return { foreign: true };
  /** The first characters of a text. @param {unknown} text @param {number} most */
  const cut = (text, most) => String(text ?? "").slice(0, most);
  /** A schema travels as JSON. @param {unknown} schema */
  const schemaOf = (schema) => {
    const json = typeof schema === "string" ? schema : JSON.stringify(schema);
    return json && json.length <= limits.schema ? JSON.parse(json) : undefined;
  };
  const list = async () => {
    /** @type {any} */
    const registry = /** @type {any} */ (document).modelContext ?? /** @type {any} */ (navigator).modelContext;
    const lister = registry?.getTools ?? registry?.listTools;
    if (typeof lister !== "function") return { hasRegistry: Boolean(registry), tools: [], left_out: 0 };
    const found = [...await lister.call(registry)];
    const wanted = only === null ? found : found.filter((tool) => tool.name === only);
    const tools = wanted.slice(0, limits.tools).map((tool) => {
      const { title, annotations } = tool;
      const schema = schemaOf(tool.inputSchema);
      return {
        name: cut(tool.name, limits.name),
        ...(title && { title: cut(title, limits.name) }),
        description: cut(tool.description, limits.description),
        ...(schema !== undefined && { input_schema: schema }),
        ...(annotations && typeof annotations.readOnlyHint === "boolean" && { read_only: annotations.readOnlyHint }),
      };
    });
    return { hasRegistry: true, tools, left_out: wanted.length - tools.length };
  };
  const failed = (/** @type {unknown} */ error) => {
    let thrown = "something that has no words";
    try {
      thrown = cut(error, limits.description);
    } catch { /* An object may forbid it. */ }
    return { hasRegistry: true, tools: [], left_out: 0, thrown };
  };
  const { dispatchEvent } = EventTarget.prototype;
  const Told = CustomEvent;
  const target = window;
  const running = list().catch(failed);
  if (document.readyState === "complete") return running;
  target.addEventListener(`${event}?`, () => {
    void running.then((outcome) => dispatchEvent.call(target, new Told(event, { detail: JSON.stringify(outcome) })));
  }, { once: true });
  return { isLate: true };
};

/**
 * Runs in the page like listInPage. Chromium takes the arguments as an object, polyfills of the earlier draft as JSON text.
 * @param {string[]|null} origins @param {string} name @param {Record<string, unknown>} args
 * @param {number} most characters of an answer: one of many megabytes ends the connection to the bridge, or the page's process
 * @param {string} event
 * @returns {MaybeLate<Called|Foreign>}
 */
const callInPage = (origins, name, args, most, event) => {
  let isHere = !origins;
  for (let at = 0; origins && at < origins.length; at += 1) isHere ||= origins[at] === location.origin;
  if (!isHere) return { foreign: true };
  const run = async () => {
    /** @type {any} */
    const registry = /** @type {any} */ (document).modelContext ?? /** @type {any} */ (navigator).modelContext;
    const lister = registry?.getTools ?? registry?.listTools;
    const tool = typeof lister === "function" && [...await lister.call(registry)].find((one) => one.name === name);
    if (!tool) return { missing: true };
    const { executeTool: execute } = registry;
    const Own = /** @type {any} */ (globalThis).ModelContext;
    const isBuiltIn = typeof Own === "function" && registry instanceof Own;
    const answer = typeof execute === "function"
      ? await execute.call(registry, tool, isBuiltIn ? args : JSON.stringify(args))
      : await registry.callTool({ name, arguments: args });
    try {
      // Values that are no JSON would be lost on the way.
      const text = typeof answer === "string" ? answer : JSON.stringify(answer) ?? "null";
      if (text.length > most) return { answer: text.slice(0, most), length: text.length };
      return { answer: typeof answer === "string" ? answer : JSON.parse(text) };
    } catch {
      return { answer: null, unread: true };
    }
  };
  const failed = (/** @type {unknown} */ error) => {
    let thrown = "something that has no words";
    try {
      thrown = String(error).slice(0, 2_000);
    } catch { /* An object may forbid it. */ }
    return { thrown };
  };
  const { dispatchEvent } = EventTarget.prototype;
  const Told = CustomEvent;
  const target = window;
  const running = run().catch(failed);
  if (document.readyState === "complete") return running;
  target.addEventListener(`${event}?`, () => {
    void running.then((outcome) => dispatchEvent.call(target, new Told(event, { detail: JSON.stringify(outcome) })));
  }, { once: true });
  return { isLate: true };
};

/**
 * The outcome of one of them, from a document where the call may act.
 * @template Answer
 * @param {TabCall} call @param {number} frameId
 * @param {(...args: never[]) => MaybeLate<Answer|Foreign>} func @param {unknown[]} args
 */
async function ask(call, frameId, func, args) {
  const { answer, ...where } = await inOwnWorld(call, frameId, func, [call.onlyOrigins ?? null, ...args]);
  return { ...where, answer: /** @type {Answer|undefined} */ (answer) };
}

/**
 * A list held against the limits once more: where it was made, the page may have replaced what applies them.
 * @param {any} answer @param {string|null} only
 * @returns {Published}
 */
function checked({ hasRegistry, tools, left_out: left, thrown }, only) {
  const unread = { hasRegistry: true, tools: [], left_out: 0 };
  if (thrown !== undefined) return { ...unread, thrown: textOf(thrown) };
  const isList = Array.isArray(tools) && tools.every((tool) =>
    [tool?.name, tool?.description, tool?.title ?? ""].every((text) => typeof text === "string"));
  if (!isList) return { ...unread, thrown: "it is no list of tools" };
  const wanted = tools.filter(({ name }) => only === null || name === only);
  const kept = wanted.slice(0, LIMITS.tools).map(({ name, title, description, input_schema: schema, read_only: isReading }) => ({
    name: name.slice(0, LIMITS.name),
    ...(title && { title: title.slice(0, LIMITS.name) }),
    description: description.slice(0, LIMITS.description),
    ...(schema !== undefined && JSON.stringify(schema).length <= LIMITS.schema && { input_schema: schema }),
    ...(typeof isReading === "boolean" && { read_only: isReading }),
  }));
  const others = Number.isSafeInteger(left) && left > 0 ? left : 0;
  return { hasRegistry: Boolean(hasRegistry), tools: kept, left_out: wanted.length - kept.length + others };
}

/** @param {unknown} words of a page */
const textOf = (words) => (typeof words === "string" ? words.slice(0, LIMITS.description) : "something that is no text");

/**
 * The tools of one document; undefined where it gave no answer.
 * @param {TabCall} call @param {number} frameId @param {string|null} only the name of the tool that is wanted
 */
export async function toolsIn(call, frameId, only) {
  const { origin, answer } = await ask(call, frameId, listInPage, [only, LIMITS]);
  return answer && { ...checked(answer, only), origin };
}

/**
 * Calls a tool of one document.
 * @param {TabCall} call @param {number} frameId @param {string} name @param {Record<string, unknown>} args
 * @param {number} most characters of its answer that the page passes on
 * @returns {Promise<{documentId: string, answer?: Called & {thrown?: string}}>} without an answer where it gave none
 */
export async function callToolIn(call, frameId, name, args, most) {
  const { documentId, answer } = await ask(call, frameId, callInPage, [name, args, most]).catch((error) => {
    if (REMOVED.test(error.message)) return { documentId: "", answer: undefined };
    throw error;
  });
  if (!answer) return { documentId };
  const length = Number.isSafeInteger(answer.length) ? answer.length : undefined;
  return { documentId, answer: { ...answer, length, thrown: answer.thrown === undefined ? undefined : textOf(answer.thrown) } };
}
