// Errors that JavaScript files make: {path: text} as JSON on stdin, [{path, line, code, texts}] as JSON on stdout.
import { readFileSync, writeFileSync } from "node:fs";
import { parse, VisitorKeys } from "espree";

const children = (node) => (VisitorKeys[node.type] ?? []).flatMap((key) => node[key] ?? []).filter(Boolean);

const product = (lists) => lists.reduce((whole, list) => whole.flatMap((start) => list.map((end) => start + end)), [""]);

/** All texts that an expression can be, with `{…}` for what is only known while it runs. */
function textsOf(node, source) {
  if (node.type === "Literal") return [String(node.value)];
  if (node.type === "ConditionalExpression") return [node.consequent, node.alternate].flatMap((one) => textsOf(one, source));
  if (node.type === "BinaryExpression" && node.operator === "+") return product([node.left, node.right].map((one) => textsOf(one, source)));
  if (node.type === "TemplateLiteral") {
    const ends = node.expressions.map((one) => textsOf(one, source));
    return product(node.quasis.flatMap(({ value }, index) => [[value.cooked], ends[index] ?? [""]]));
  }
  return [`{${source.slice(node.start, node.end).replace(/\s+/g, " ")}}`];
}

const nameOf = ({ type, object, property, name, computed }) => (type === "MemberExpression" && !computed ? `${nameOf(object)}.${property.name}` : name ?? "?");

const isFunction = ({ type }) => /Function/.test(type);

/** Names of the functions that make an error from a text they are given → where that text is among their arguments, and the code. */
const makers = new Map();

function visit(node, found, file, around) {
  const own = isFunction(node) ? { name: node.id?.name ?? around.assigned, parameters: node.params.map((one) => (one.left ?? one).name) } : around;
  const assigned = node.type === "VariableDeclarator" ? node.id.name : null;
  const made = /^(NewExpression|CallExpression)$/.test(node.type) && nameOf(node.callee);
  if (made === "TabwireError" || made === "codedError") {
    const [code, message] = node.arguments;
    const at = message?.type === "Identifier" ? own.parameters?.indexOf(message.name) ?? -1 : -1;
    if (at >= 0 && own.name) makers.set(own.name, { at, code: textsOf(code, file.text)[0] });
    else if (message) found.push({ path: file.path, line: node.loc.start.line, code: textsOf(code, file.text).join(" or "), texts: textsOf(message, file.text) });
  }
  for (const child of children(node)) visit(child, found, file, { ...own, assigned: assigned ?? (isFunction(child) ? around.assigned : null) });
}

function visitCalls(node, found, file) {
  const maker = node.type === "CallExpression" && makers.get(nameOf(node.callee));
  if (maker && node.arguments[maker.at]) {
    found.push({ path: file.path, line: node.loc.start.line, code: maker.code, texts: textsOf(node.arguments[maker.at], file.text) });
  }
  for (const child of children(node)) visitCalls(child, found, file);
}

const files = Object.entries(JSON.parse(readFileSync(0, "utf8"))).map(([path, text]) => {
  const sourceType = /^\s*(import|export)\b/m.test(text) ? "module" : "script";
  return { path, text, tree: parse(text, { ecmaVersion: "latest", sourceType, loc: true }) };
});
const found = [];
for (const file of files) visit(file.tree, found, file, {});
for (const file of files) visitCalls(file.tree, found, file);
writeFileSync(1, JSON.stringify(found));
