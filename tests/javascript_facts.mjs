// Facts about JavaScript files, for tests/walls.py: {path: text} as JSON on stdin, {path: facts} as JSON on stdout.
import { readFileSync } from "node:fs";
import { parse, VisitorKeys } from "espree";

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

const children = (node) => (VisitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []).filter(Boolean);

/** The source text of a call's target, such as chrome.tabs.onRemoved.addListener. */
const nameOf = (node) => (node.type === "MemberExpression" && !node.computed
  ? `${nameOf(node.object)}.${node.property.name}`
  : node.type === "ChainExpression" ? nameOf(node.expression) : node.name ?? "?");

const declared = (node) => (node.declarations ? node.declarations.map(({ id }) => id.name) : [node.id.name]);

const VISITS = {
  ImportDeclaration: (node, facts) => facts.imports.push([node.source.value, node.specifiers.map(({ imported }) => imported?.name ?? "*")]),
  ImportExpression: (node, facts) => facts.imports.push([node.source.value ?? "?", ["*"]]),
  ExportNamedDeclaration(node, facts) {
    if (node.source) facts.imports.push([node.source.value, node.specifiers.map(({ local }) => local.name)]);
    facts.exports.push(...(node.declaration ? declared(node.declaration) : node.specifiers.map(({ exported }) => exported.name)));
  },
  CallExpression(node, facts) {
    const name = nameOf(node.callee);
    if (/^chrome\..*\.addListener$/.test(name)) facts.listeners.push(name);
    facts.calls.push(name);
  },
  MemberExpression: (node, facts) => node.computed && facts.calls.push(`${nameOf(node.object)}.*`),
  NewExpression: (node, facts) => facts.calls.push(`new ${nameOf(node.callee)}`),
  Literal: (node, facts) => /^[A-Z]\w+\.[a-z]\w+$/.test(node.value) && facts.calls.push(node.value),
  ObjectExpression: (node, facts) => facts.keys.push(node.properties.map(({ key }) => key?.value ?? key?.name ?? "?").filter((key) => typeof key === "string")),
  ArrayExpression: (node, facts) => facts.keys.push(node.elements.map((one) => one?.value).filter((value) => typeof value === "string")),
};

function visit(node, facts, isCalled) {
  VISITS[node.type]?.(node, facts);
  // The function around a content file is its scope, not a function of its own.
  if (FUNCTIONS.has(node.type) && !isCalled) {
    facts.functions.push([node.id?.name ?? `line ${node.loc.start.line}`, node.loc.end.line - node.loc.start.line + 1]);
  }
  const isScope = node.type === "CallExpression" && nameOf(node.callee) === "globalThis.__tabwire.add";
  for (const child of children(node)) visit(child, facts, isScope || (node.type === "CallExpression" && child === node.callee));
}

function factsOf(text) {
  const facts = { imports: [], exports: [], functions: [], listeners: [], calls: [], keys: [], types: [] };
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "module", loc: true, comment: true });
  visit(tree, facts, false);
  for (const { value } of tree.comments) {
    for (const [, specifier, name] of value.matchAll(/import\("(\.[^"]+)"\)(?:\.(\w+))?/g)) facts.types.push([specifier, name ?? "*"]);
  }
  return facts;
}

const files = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, factsOf(text)]))));
