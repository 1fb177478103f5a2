// Facts about JavaScript files, for tests/walls.py: {path: text} as JSON on stdin, {path: facts} as JSON on stdout.
import { readFileSync } from "node:fs";
import { analyze } from "eslint-scope";
import { parse, VisitorKeys } from "espree";

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

const children = (node) => (VisitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []).filter(Boolean);

/** The source text of a call's target, such as chrome.tabs.onRemoved.addListener. */
const nameOf = (node) => (node.type === "MemberExpression" && !node.computed
  ? `${nameOf(node.object)}.${node.property.name}`
  : node.type === "ChainExpression" ? nameOf(node.expression) : node.name ?? "?");

const declared = (node) => (node.declarations ? node.declarations.map(({ id }) => id.name) : [node.id.name]);

/** Notes a member that is written, or the members that a pattern writes. */
function noteWrite(target, facts) {
  if (target.type === "AssignmentPattern") noteWrite(target.left, facts);
  else if (/Pattern$/.test(target.type)) for (const child of children(target)) noteWrite(child.value ?? child.argument ?? child, facts);
  if (target.type === "MemberExpression") facts.writes.push(nameOf(target));
}

const VISITS = {
  ImportDeclaration: (node, facts, namespaces) => facts.imports.push([
    node.source.value, node.specifiers.flatMap(({ type, imported, local }) =>
      (type === "ImportNamespaceSpecifier" ? namespaces.get(local.name) : imported?.name ?? "*")),
  ]),
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
  AssignmentExpression: (node, facts) => noteWrite(node.left, facts),
  UpdateExpression: (node, facts) => noteWrite(node.argument, facts),
  UnaryExpression: (node, facts) => node.operator === "delete" && noteWrite(node.argument, facts),
  MemberExpression: (node, facts) => node.computed && facts.calls.push(`${nameOf(node.object)}.*`),
  NewExpression: (node, facts) => facts.calls.push(`new ${nameOf(node.callee)}`),
  Literal: (node, facts) => /^[A-Z]\w+\.[a-z]\w+$/.test(node.value) && facts.calls.push(node.value),
  ObjectExpression: (node, facts) => facts.keys.push(node.properties.map(({ key }) => key?.value ?? key?.name ?? "?").filter((key) => typeof key === "string")),
  ArrayExpression: (node, facts) => facts.keys.push(node.elements.map((one) => one?.value).filter((value) => typeof value === "string")),
};

/** Name of a whole module → the names that are used of it; "*" where it is passed on as a whole. */
function namespacesOf(tree) {
  const parents = new Map();
  const note = (node) => { for (const child of children(node)) { parents.set(child, node); note(child); } };
  note(tree);
  const module = analyze(tree, { ecmaVersion: 2024, sourceType: "module" }).globalScope.childScopes[0];
  const whole = module.variables.filter(({ defs }) => defs[0]?.node.type === "ImportNamespaceSpecifier");
  return new Map(whole.map(({ name, references }) => [name, references.map(({ identifier }) => {
    const use = parents.get(identifier);
    return use.type === "MemberExpression" && !use.computed && use.object === identifier ? use.property.name : "*";
  })]));
}

function visit(node, facts, namespaces, isCalled) {
  VISITS[node.type]?.(node, facts, namespaces);
  // A function that is called at once is a scope, not a function of its own.
  if (FUNCTIONS.has(node.type) && !isCalled) {
    facts.functions.push([node.id?.name ?? `line ${node.loc.start.line}`, node.loc.end.line - node.loc.start.line + 1]);
  }
  for (const child of children(node)) visit(child, facts, namespaces, node.type === "CallExpression" && child === node.callee);
}

const OPENING = /^(MessageChannel|Worker)$/;
const LISTENING = /^(addEventListener|setTimeout|setInterval|observe)$/;

/** Whether an expression listens or opens something where it stands: functions are not entered. */
function opens(node) {
  if (FUNCTIONS.has(node.type)) return false;
  if (node.type === "NewExpression" && OPENING.test(node.callee.name)) return true;
  if (node.type === "CallExpression" && LISTENING.test(node.callee.name ?? node.callee.property?.name)) return true;
  return children(node).some(opens);
}

/** Whether a statement of a module does something besides declaring. */
function acts(statement) {
  const declared = statement.declaration ?? statement;
  if (declared.type === "VariableDeclaration") return declared.declarations.some(({ init }) => init && opens(init));
  return !/^(Import|Export)|Declaration$/.test(statement.type);
}

function factsOf(text) {
  const facts = { imports: [], exports: [], functions: [], listeners: [], calls: [], keys: [], writes: [], types: [], actions: [] };
  const tree = parse(text, { ecmaVersion: "latest", sourceType: "module", loc: true, range: true, comment: true });
  visit(tree, facts, namespacesOf(tree), false);
  facts.actions = tree.body.filter(acts).map(({ loc }) => loc.start.line);
  for (const { value } of tree.comments) {
    for (const [, specifier, name] of value.matchAll(/import\("(\.[^"]+)"\)(?:\.(\w+))?/g)) facts.types.push([specifier, name ?? "*"]);
  }
  return facts;
}

const files = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, factsOf(text)]))));
