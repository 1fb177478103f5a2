/*
 * Components of React, Vue and Svelte that an element is of, by what the frameworks keep on elements: names, places of the
 * definitions in the sources, and props and state as they are now. Nothing of the page is called.
 */
import { internalOf, inWorld } from "../debugger/remote-values.js";
import { framesIn } from "../debugger/stack-frames.js";
import { ValueReader, written } from "../debugger/shown-values.js";
import { withoutFieldSecrets } from "../page/secret-fields.js";
import { ANONYMOUS, FunctionPlaces } from "../sources/function-places.js";
import { withScripts } from "../sources/parsed-scripts.js";
import { Positions } from "../sources/positions.js";
import { askedElement, withHeld } from "./held-element.js";
import { reactComponents } from "./react-components.js";
import { frameworksInPage, svelteComponents } from "./svelte-components.js";
import { vue2Components, vueComponents } from "./vue-components.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("./held-element.js").Held} Held */
/** @typedef {import("../base/protocol-types").Component} Told */
/** @typedef {import("../base/protocol-types").ScopeVariable} Variable */
/** @typedef {import("../base/protocol-types").Params<"elements.components">} Wanted */
/** @import { Protocol } from "../debugger/commands" */
/** @typedef {Protocol.Runtime.RemoteObject} RemoteObject */
/** @typedef {Map<string, RemoteObject>} Members */
/** @typedef {import("../sources/function-places.js").Told} Definition */
/** @typedef {{held: Held, reader: ValueReader, positions: Positions, functions: FunctionPlaces, depth: number}} Look */

const READERS = [reactComponents, vueComponents, vue2Components, svelteComponents];
const MAX_MEMBERS = 20;
const MAX_VALUE = 300;
const MAX_TEXT = 300;
/** Functions of React that make elements, above the place that is meant. */
const MAKERS = /^(?:\w+\.)*(?:jsxs?(?:DEV|WithValidation\w*)?|createElement\w*|cloneElement|exports\.\w+|react[-_]stack[-_]top[-_]frame)$/;

/** Runs in the page's own world. @param {any} owner @param {string} key */
function ownValue(owner, key) {
  if (owner === null || (typeof owner !== "object" && typeof owner !== "function")) return undefined;
  return Reflect.getOwnPropertyDescriptor(owner, key)?.value;
}

/** @param {Wanted} wanted @param {TabCall} call */
export async function componentsOf(wanted, call) {
  const tabId = call.tab.id;
  const { where, facts: { element, path } } = await askedElement(wanted, "elements.path", call);
  const found = await withHeld(where, call, (held, sendToTab) => withScripts(tabId, sendToTab, async (scripts, documents) => {
    const { send, session, objectIds, page, objectGroup } = held;
    const nodes = await Promise.all(objectIds.map(async (one) => ({ objectId: await inWorld(send, one, page, objectGroup) })));
    const records = (await Promise.all(READERS.map((reader) => readBy(reader, held, nodes)))).flat()
      .sort((one, other) => one.get("at")?.value - other.get("at")?.value);
    const positions = await Positions.among(scripts, documents, call);
    const look = {
      held, positions, functions: new FunctionPlaces(positions), reader: new ValueReader(send, session), depth: wanted.depth,
    };
    const shown = records.slice(0, wanted.max_components);
    const components = [];
    // Values are read one after the other: they share what may be read in all.
    for (const record of shown) components.push(await toldComponent(record, path, look));
    const more = records.length - shown.length;
    const notes = [...await notesAbout(components, held), ...positions.notes];
    return { components, ...(more > 0 && { more }), ...(notes.length && { notes }) };
  }, held.documents));
  const { value, redacted } = await withoutFieldSecrets(found.components, where.frame.frameId, call, false);
  const components = /** @type {Told[]} */ (value);
  return { tabId, ref: where.ref, element, ...found, components, ...(redacted && { redacted }) };
}

/**
 * @param {Function} reader @param {Held} held @param {Array<{objectId?: string}>} nodes
 * @returns {Promise<Members[]>}
 */
async function readBy(reader, { send, page, objectGroup }, nodes) {
  const { result, exceptionDetails } = await send("Runtime.callFunctionOn", {
    functionDeclaration: `(...nodes) => (${reader})(${ownValue}, nodes)`,
    executionContextId: page, objectGroup, silent: true, arguments: nodes,
  });
  if (exceptionDetails || !result.objectId) return [];
  const records = await membersOf(send, result.objectId);
  return Promise.all([...records].filter(([name]) => /^\d+$/.test(name)).map(([, { objectId = "" }]) => membersOf(send, objectId)));
}

/** @param {Held["send"]} send @param {string} objectId @returns {Promise<Members>} */
async function membersOf(send, objectId) {
  const { result } = await send("Runtime.getProperties", { objectId, ownProperties: true });
  return new Map(result.flatMap(({ name, value }) => (value ? [[name, value]] : [])));
}

/** @param {RemoteObject|undefined} remote */
const textOf = (remote) => (remote?.type === "string" ? String(remote.value).slice(0, MAX_TEXT) : "");

/** @param {Members} record @param {string[]} path names of the nodes @param {Look} look @returns {Promise<Told>} */
async function toldComponent(record, path, look) {
  const at = Number(record.get("at")?.value);
  const place = await definitionOf(record, look);
  const made = await madeAt(record.get("made"), look);
  const props = await valuesOf([record.get("props")], look);
  const state = await valuesOf([record.get("state"), record.get("data")], look);
  const relation = /** @type {Told["relation"]} */ (textOf(record.get("relation")));
  const key = record.get("key")?.type === "number" ? String(record.get("key")?.value) : textOf(record.get("key"));
  const server = textOf(record.get("server"));
  const build = record.get("isDevelopment")?.value === true ? "development" : "production";
  return {
    framework: textOf(record.get("framework")), relation, name: relation === "element" ? path[at] ?? "" :
      nameOf(textOf(record.get("name")), place, build), on: path[at] ?? "", build,
    ...(place.place && { place: place.place, ...(place.built && { built: place.built }) }),
    ...(place.library && { library: true }), ...(made && { made }), ...(key && { key }), ...(server && { server }),
    ...(props.length && { props }), ...(state.length && { state }),
  };
}

/**
 * The name that a component was written with: builds for production shorten those of functions. One without a name is called by
 * its file, as the tools of Vue and Svelte do.
 * @param {string} noted @param {Partial<Definition>} definition @param {Told["build"]} build
 */
function nameOf(noted, { name = "", place = "" }, build) {
  const written = build === "production" ? name || noted : noted || name;
  return written || (/([^/]+)\.(?:vue|svelte)\b/.exec(place)?.[1] ?? "(anonymous)");
}

/**
 * The place of a definition: that of its function, or the file that the framework has noted, where no map leads to it.
 * @param {Members} record @param {Look} look
 * @returns {Promise<Partial<Definition>>}
 */
async function definitionOf(record, { held, positions, functions }) {
  const file = textOf(record.get("file"));
  const { objectId } = record.get("definition") ?? {};
  const noted = file ? { place: positions.short(file) } : {};
  if (!objectId) return noted;
  const location = (await internalOf(held.send, objectId, "[[FunctionLocation]]"))?.value;
  if (!location) return noted;
  const { scriptId, lineNumber, columnNumber } = location;
  const script = positions.scripts.find((one) => one.scriptId === scriptId && one.session === held.session);
  const functionName = textOf(record.get("name"));
  if (!script?.url) return noted;
  const { name, ...told } = await functions.told({ functionName, url: script.url, scriptId, lineNumber, columnNumber });
  const named = { ...told, ...(name !== ANONYMOUS && { name }) };
  return told.built || !file ? named : { ...named, place: noted.place, built: told.place };
}

/**
 * The place at which an element or a component is written: noted by the framework, or the first frame of its stack that is of no
 * library.
 * @param {RemoteObject|undefined} made @param {Look} look
 */
async function madeAt(made, { held, positions }) {
  if (!made?.objectId && made?.type !== "string") return "";
  if (made.subtype !== "error" && made.objectId) {
    const noted = await membersOf(held.send, made.objectId);
    const file = textOf(noted.get("fileName"));
    const [line, column] = ["lineNumber", "columnNumber"].map((name) => noted.get(name)?.value);
    return file && [positions.short(file), line, column].filter((part) => part !== undefined).join(":");
  }
  const frames = framesIn(made.description ?? String(made.value), held.session);
  const own = frames.filter(({ name }) => !MAKERS.test(name));
  for (const frame of own) {
    const { told } = await positions.place(frame);
    if (!told.library && !/\/node_modules\//.test(told.place)) return told.place;
  }
  return "";
}

/**
 * Members of objects in words. Those of a proxy, as Vue has them, are read from behind it, without its traps.
 * @param {Array<RemoteObject|undefined>} objects @param {Look} look
 * @returns {Promise<Variable[]>}
 */
async function valuesOf(objects, { reader, depth }) {
  /** @type {Variable[]} */
  const values = [];
  for (const object of objects) {
    if (!object?.objectId || values.length >= MAX_MEMBERS) continue;
    const { own } = await behind(reader, object.objectId);
    // Elements inside a component are no value of it.
    const told = own.filter(({ name, value, enumerable }) => enumerable && !(name === "children" && value?.type === "object"));
    for (const { name, value, get } of told.slice(0, MAX_MEMBERS - values.length)) {
      const text = value ? written(await reader.read(value, depth), () => "") : get ? "[getter]" : "undefined";
      values.push({ name: name.slice(0, MAX_TEXT), value: text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text });
    }
    if (told.length > MAX_MEMBERS) values.push({ name: "…", value: `${told.length - MAX_MEMBERS} more` });
  }
  return values;
}

/** @param {ValueReader} reader @param {string} objectId */
async function behind(reader, objectId) {
  let members = await reader.members(objectId);
  for (let layers = 3; layers; layers -= 1) {
    const target = members.internal.find(({ name }) => name === "[[Target]]")?.value;
    if (!target?.objectId) break;
    members = await reader.members(target.objectId);
  }
  return members;
}

/** Words about what is not there. @param {Told[]} components @param {Held} held @returns {Promise<string[]>} */
async function notesAbout(components, { send, page }) {
  const kinds = new Set(components.map(({ framework, build }) => `${framework} ${build}`));
  const notes = [];
  if (kinds.has("React production"))
    notes.push("this is a production build of React: it keeps no owners and no places of elements, names may be shortened");
  if (kinds.has("Vue production"))
    notes.push("this is a production build of Vue: it keeps no file names, and variables of <script setup> may be missing");
  if (components.some(({ framework }) => framework === "Vue 2"))
    notes.push("Vue 2 keeps values behind getters, which are not called here: evaluate reads them");
  if (kinds.has("Svelte development")) notes.push("Svelte keeps props and state in closures: breakpoints and paused show them");
  if (components.length) return notes;
  const { result } = await send("Runtime.callFunctionOn", {
    functionDeclaration: `() => (${frameworksInPage})(${ownValue}).join(", ")`, executionContextId: page, silent: true,
  });
  const there = textOf(result);
  if (!there) return ["no data of React, Vue or Svelte on the element and around it, nor elsewhere in its document"];
  return [`${there} runs in this document, but keeps nothing on the element and around it: ${there === "Svelte"
    ? "production builds of Svelte keep no data of components" : "the element is not theirs, or of a build without such data"}`];
}
