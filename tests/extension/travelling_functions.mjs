// Functions of a bundle that are sent to pages as text: `executeScript({ func })`, `functionDeclaration`, expressions made of templates.
// Prints for each its name, the names that it uses of its file (there are none in a page), and whether it ran in an empty realm without
// asking for a name that pages do not have.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { analyze } from "eslint-scope";
import { parse, VisitorKeys } from "espree";
import globals from "globals";

const PAGE_NAMES = new Set([
  ...Object.keys(globals.browser), "chrome", "__tabwire", "__tabwireRun", "__tabwireToken", "__tabwirePermit", "__tabwireLifeline",
]);
const TIME_MS = 500;
const text = readFileSync(process.argv[2], "utf8");
const tree = parse(text, { ecmaVersion: "latest", sourceType: "module", range: true, loc: true });
const scopes = analyze(tree, { ecmaVersion: 2024, sourceType: "module" });

const children = (node) => (VisitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []).filter(Boolean);
const parents = new Map();
const nodes = [];
const note = (node) => {
  nodes.push(node);
  for (const child of children(node)) { parents.set(child, node); note(child); }
};
note(tree);

const variables = new Map(scopes.scopes.flatMap(({ references }) => references.map(({ identifier, resolved }) => [identifier, resolved])));
const isFunction = (node) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node?.type ?? "");

/** What a name stands for: a function, an array, or a parameter. */
function meant(variable) {
  const [def] = variable?.defs ?? [];
  if (def?.type === "FunctionName") return def.node;
  if (def?.type === "Variable" && def.node.id.type === "Identifier") return def.node.init;
  return null;
}

const found = new Set();
const seen = new Set();

/** Follows what is sent back to the functions it may be. */
function travels(node) {
  if (!node || seen.has(node)) return;
  seen.add(node);
  if (isFunction(node)) found.add(node);
  else if (node.type === "ConditionalExpression") [node.consequent, node.alternate].forEach(travels);
  else if (node.type === "Identifier") {
    const variable = variables.get(node);
    const [def] = variable?.defs ?? [];
    if (def?.type === "Parameter") follow(variable, def.node);
    else if (isFunction(meant(variable)) || meant(variable)?.type === "Identifier") travels(meant(variable));
  }
}

/** The arguments for a parameter, at all calls of its function by name; the items of an array of whose method it is the callback. */
function follow(parameter, owner) {
  const at = owner.params.findIndex((param) => [param, param.left].some((one) => one?.name === parameter.name));
  if (at < 0) return;
  const call = parents.get(owner);
  if (call?.type === "CallExpression" && call.callee.type === "MemberExpression" && call.callee.object.type === "Identifier") {
    for (const item of meant(variables.get(call.callee.object))?.elements ?? []) travels(item);
  }
  const named = owner.type === "FunctionDeclaration" ? owner.id : call?.type === "VariableDeclarator" ? call.id : null;
  const own = named && scopes.getDeclaredVariables(owner.type === "FunctionDeclaration" ? owner : call).find(({ name }) => name === named.name);
  for (const { identifier } of own?.references ?? []) {
    const use = parents.get(identifier);
    if (use.type === "CallExpression" && use.callee === identifier) travels(use.arguments[at]);
  }
}

const keyOf = (node) => node.key?.name ?? node.key?.value;
for (const node of nodes) {
  if (node.type === "Property" && keyOf(node) === "func") travels(node.value);
  if (node.type === "Property" && keyOf(node) === "functionDeclaration" && node.value.type === "CallExpression") travels(node.value.arguments[0]);
  if (node.type === "TemplateLiteral") node.expressions.forEach(travels);
}

/** Names that a function uses and does not have: of its file, and unknown ones. */
function lacking(node) {
  const inner = scopes.scopes.filter(({ block }) => block.range[0] >= node.range[0] && block.range[1] <= node.range[1]);
  return inner.flatMap(({ references }) => references).filter(({ identifier, resolved }) => {
    if (!resolved || resolved.defs.length === 0) return !PAGE_NAMES.has(identifier.name) && !globals.builtin.hasOwnProperty(identifier.name);
    const [{ name }] = resolved.defs;
    return name.range[0] < node.range[0] || name.range[1] > node.range[1];
  }).map(({ identifier }) => identifier.name);
}

/** Stands for whatever a page has: can be called, made, read, and iterated over without an end that does not come. */
const anything = new Proxy(function () {}, {
  get: (_, key) => (key === Symbol.iterator ? function* () {} : key === Symbol.toPrimitive ? () => "" : key === "then" ? undefined : anything),
  apply: () => anything,
  construct: () => anything,
  set: () => true,
  has: () => true,
});

const rejected = [];
process.on("unhandledRejection", (error) => rejected.push(error));

/** The error of running a function where pages' names stand for anything, if it is one of a name that is not there. */
async function missing(source) {
  // Promises that never rest are under the time limit as well.
  const realm = createContext({}, { microtaskMode: "afterEvaluate" });
  const own = new Set(runInContext("Object.getOwnPropertyNames(globalThis)", realm));
  for (const name of [...PAGE_NAMES, "anything"]) if (!own.has(name)) runInContext("(name, value) => { globalThis[name] = value; }", realm)(name, anything);
  rejected.length = 0;
  let thrown = null;
  try {
    const kind = runInContext(`globalThis.run = (${source}), typeof run`, realm, { timeout: TIME_MS });
    if (kind !== "function") return "is no expression of a function";
    runInContext("run.apply(anything, Array(8).fill(anything)), undefined", realm, { timeout: TIME_MS });
  } catch (error) {
    thrown = error;
  }
  await new Promise((resolve) => { setTimeout(resolve); });
  const wrong = [thrown, ...rejected].find((error) => error?.name === "ReferenceError" || error?.name === "SyntaxError");
  return wrong ? `${wrong.name}: ${wrong.message}` : "";
}

const nameOf = (node) => node.id?.name ?? parents.get(node)?.id?.name ?? keyOf(parents.get(node) ?? {}) ?? `line ${node.loc.start.line}`;
const results = [];
for (const node of found) results.push([nameOf(node), [...new Set(lacking(node))], await missing(text.slice(...node.range))]);
process.stdout.write(JSON.stringify(results), () => process.exit());
