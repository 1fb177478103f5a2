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
 * @property {string} origin
 * @property {boolean} hasRegistry whether the document can publish tools at all
 * @property {PublishedTool[]} tools
 * @property {number} left_out
 * @property {string} [thrown] in place of a list
 */
/** @typedef {{answer?: unknown, thrown?: string, missing?: boolean}} Called the answer of a tool, as JSON or text */

/** No page is read at any length: 100 tools with a schema of 16,000 characters each are more than a model can use. */
const LIMITS = { tools: 100, name: 200, description: 2_000, schema: 16_000 };

/**
 * Runs in the page, where every getter and every function may be the page's.
 * @param {string|null} only @param {typeof LIMITS} limits
 * @returns {Promise<Published>}
 */
const listInPage = async (only, limits) => {
  const origin = self.origin;
  /** @type {any} */
  const registry = /** @type {any} */ (document).modelContext ?? /** @type {any} */ (navigator).modelContext;
  const lister = registry?.getTools ?? registry?.listTools;
  if (typeof lister !== "function") return { origin, hasRegistry: Boolean(registry), tools: [], left_out: 0 };
  /** The first characters of a text. @param {unknown} text @param {number} most */
  const cut = (text, most) => String(text ?? "").slice(0, most);
  /** A schema travels as JSON. @param {unknown} schema */
  const schemaOf = (schema) => {
    const json = typeof schema === "string" ? schema : JSON.stringify(schema);
    return json && json.length <= limits.schema ? JSON.parse(json) : undefined;
  };
  try {
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
    return { origin, hasRegistry: true, tools, left_out: wanted.length - tools.length };
  } catch (error) {
    return { origin, hasRegistry: true, tools: [], left_out: 0, thrown: cut(error, limits.description) };
  }
};

/**
 * Runs in the page. Chromium takes the arguments as an object, polyfills of the earlier draft as JSON text.
 * @param {string} name @param {Record<string, unknown>} args
 * @returns {Promise<Called>}
 */
const callInPage = async (name, args) => {
  /** @type {any} */
  const registry = /** @type {any} */ (document).modelContext ?? /** @type {any} */ (navigator).modelContext;
  try {
    const lister = registry?.getTools ?? registry?.listTools;
    const tool = typeof lister === "function" && [...await lister.call(registry)].find((one) => one.name === name);
    if (!tool) return { missing: true };
    const { executeTool: execute, callTool } = registry;
    if (typeof execute !== "function") return { answer: await callTool.call(registry, { name, arguments: args }) };
    const isBuiltIn = /\{\s*\[native code\]\s*\}\s*$/.test(Function.prototype.toString.call(execute));
    const answer = await execute.call(registry, tool, isBuiltIn ? args : JSON.stringify(args));
    // What is no JSON would be lost on the way.
    return { answer: typeof answer === "string" ? answer : JSON.parse(JSON.stringify(answer) ?? "null") };
  } catch (error) {
    return { thrown: String(error).slice(0, 2_000) };
  }
};

/**
 * The tools of one document.
 * @param {TabCall} call @param {number} frameId @param {string|null} only the name of the tool that is wanted
 */
export const toolsIn = async (call, frameId, only) => (await inOwnWorld(call, frameId, listInPage, [only, LIMITS])).answer;

/**
 * Calls a tool of one document.
 * @param {TabCall} call @param {number} frameId @param {string} name @param {Record<string, unknown>} args
 */
export const callToolIn = async (call, frameId, name, args) =>
  (await inOwnWorld(call, frameId, callInPage, [name, args])).answer;
