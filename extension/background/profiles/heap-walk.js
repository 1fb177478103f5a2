/*
 * Functions that run in the page's own world, as text: they may use nothing from outside themselves. They read own data
 * properties by their descriptors, so that no getter of the page is called.
 */

/**
 * Counts the objects of `this` by constructor, and functions by name.
 * @this {any[]}
 * @returns {{groups: Array<[name: string, count: number]>, detached: number}}
 */
export function countObjects() {
  const native = /\{\s*\[native code\]\s*\}$/;
  const textOf = Function.prototype.toString;
  const own = (/** @type {any} */ owner, /** @type {string} */ key) =>
    (Object(owner) === owner ? Reflect.getOwnPropertyDescriptor(owner, key)?.value : undefined);
  const isConnected = Object.getOwnPropertyDescriptor(Node.prototype, "isConnected")?.get;
  const parentNode = Object.getOwnPropertyDescriptor(Node.prototype, "parentNode")?.get;
  /** @type {Map<any, string>} */
  const names = new Map();
  const nameOf = (/** @type {any} */ object) => {
    if (typeof object === "function") return `${own(object, "name") || "(anonymous)"}()`;
    const start = Reflect.getPrototypeOf(object);
    const known = names.get(start);
    if (known !== undefined) return known;
    let name = "";
    for (let at = start; at && !name; at = Reflect.getPrototypeOf(at)) {
      const maker = own(at, "constructor");
      if (typeof maker === "function") name = String(own(maker, "name") ?? "");
    }
    names.set(start, name || "(unnamed)");
    return name || "(unnamed)";
  };
  /** @type {Map<string, number>} */
  const counts = new Map();
  let detached = 0;
  for (const object of this) {
    try {
      const isNative = typeof object === "function" && native.test(textOf.call(object));
      if (isNative || own(own(object, "constructor"), "prototype") === object) continue;
      const name = nameOf(object).slice(0, 100);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      // Trees are counted by their roots: objects for what is inside live and go with the engine's collections.
      if (isConnected?.call(object) === false && !parentNode?.call(object)) detached += 1;
    } catch {
      // No node, or a proxy that refuses.
    }
  }
  return { groups: [...counts], detached };
}

/**
 * The functions of the page among the objects, whose variables the debugger can tell.
 * @this {any[]}
 * @param {number} most
 */
export function ownFunctions(most) {
  const textOf = Function.prototype.toString;
  const found = [];
  for (const object of this) {
    if (typeof object !== "function" || /\{\s*\[native code\]\s*\}$/.test(textOf.call(object))) continue;
    if (found.push(object) >= most) break;
  }
  return found;
}

/**
 * Walks from the globals to what they keep, the shortest way first, and tells by which properties and variables objects of some
 * constructors, and detached elements, are kept.
 * @this {any[]}
 * @param {string[]} wanted names of constructors, or of functions with brackets
 * @param {string[]} types of events, one for each listener
 * @param {number} count of functions
 * @param {...any} rest functions, the scopes of each, then target and function of each listener
 */
export function keptPaths(wanted, types, count, ...rest) {
  const MAX_SAMPLES = 200;
  const MAX_STEPS = 12;
  const LIMIT_MS = 8000;
  const end = performance.now() + LIMIT_MS;
  const own = (/** @type {any} */ owner, /** @type {string} */ key) => Reflect.getOwnPropertyDescriptor(owner, key)?.value;
  const getter = (/** @type {string} */ name) => Object.getOwnPropertyDescriptor(Node.prototype, name)?.get;
  const [isConnected, parentNode] = [getter("isConnected"), getter("parentNode")];
  const tagOf = Object.getOwnPropertyDescriptor(Element.prototype, "localName")?.get;
  const scopesOf = new Map(rest.slice(0, count).map((one, at) => [one, rest[count + at]]));
  const listeners = types.map((type, at) => ({ type, target: rest[count * 2 + at * 2], handler: rest[count * 2 + at * 2 + 1] }));
  const isObject = (/** @type {any} */ value) => (typeof value === "object" && value !== null) || typeof value === "function";
  const nameOf = (/** @type {any} */ object) => {
    if (typeof object === "function") return `${own(object, "name") || "(anonymous)"}()`;
    for (let at = Reflect.getPrototypeOf(object); at; at = Reflect.getPrototypeOf(at)) {
      const maker = own(at, "constructor");
      if (typeof maker === "function" && own(maker, "name")) return String(own(maker, "name"));
    }
    return "(unnamed)";
  };
  /** Object → what leads to it, and by which name. @type {Map<any, {from: any, by: string}|null>} */
  const found = new Map([[window, null]]);
  const queue = /** @type {any[]} */ ([window]);
  const reach = (/** @type {any} */ from, /** @type {any} */ value, /** @type {string} */ by) => {
    if (!isObject(value) || found.has(value)) return;
    found.set(value, { from, by });
    queue.push(value);
  };
  const readProperties = (/** @type {any} */ object) => {
    const isList = Array.isArray(object);
    // Chrome makes its own globals, which are not enumerable, as they are read.
    for (const key of object === window ? Object.keys(object) : Reflect.ownKeys(object)) {
      const value = own(object, /** @type {string} */ (key));
      if (isObject(value)) reach(object, value, isList && /^\d+$/.test(String(key)) ? "[]" : `.${String(key)}`);
    }
  };
  const readEntries = (/** @type {any} */ object) => {
    if (object instanceof Map) Map.prototype.forEach.call(object, (value, key) => {
      reach(object, value, " → value");
      reach(object, key, " → key");
    });
    if (object instanceof Set) Set.prototype.forEach.call(object, (value) => reach(object, value, " → member"));
  };
  const readScopes = (/** @type {any} */ object) => {
    const scopes = scopesOf.get(object);
    for (let at = 0; scopes && at < scopes.length; at += 1) {
      const scope = own(scopes[at], "object");
      if (!isObject(scope) || scope === window) continue;
      for (const key of Object.keys(scope)) {
        const value = own(scope, key);
        if (isObject(value)) reach(object, value, ` → variable ${key}`);
      }
    }
  };
  const attempt = (/** @type {() => void} */ run) => {
    try {
      run();
    } catch {
      // A proxy that refuses.
    }
  };
  reach(window, document, ".document");
  let isWhole = true;
  for (let at = 0; at < queue.length; at += 1) {
    if (at % 1024 === 1023 && performance.now() > end) {
      isWhole = false;
      break;
    }
    const object = queue[at];
    attempt(() => readProperties(object));
    attempt(() => readEntries(object));
    if (typeof object === "function") attempt(() => readScopes(object));
    for (const { type, target, handler } of listeners) if (target === object) reach(object, handler, ` → listener of ${type}`);
  }
  const isDetached = (/** @type {any} */ object) => {
    try {
      return isConnected?.call(object) === false;
    } catch {
      return false;
    }
  };
  const told = (/** @type {any} */ object) => {
    const tag = isDetached(object) && object instanceof Element ? `detached <${tagOf?.call(object)}>` : "";
    return tag || nameOf(object);
  };
  const pathTo = (/** @type {any} */ object) => {
    if (!found.has(object)) return "";
    const steps = [];
    for (let at = object, link = found.get(at); link && steps.length < 100; at = link.from, link = found.get(at))
      steps.unshift(`${link.by} (${told(at).slice(0, 60)})`);
    const half = MAX_STEPS / 2;
    const shown = steps.length > MAX_STEPS ? [...steps.slice(0, half), " → …", ...steps.slice(-half)] : steps;
    return `window${shown.join("")}`.slice(0, 800);
  };
  const pathsOf = (/** @type {any[]} */ objects) => {
    /** @type {Map<string, number>} */
    const paths = new Map();
    const step = Math.max(1, objects.length / MAX_SAMPLES);
    for (let at = 0; at < objects.length; at += step) {
      const path = pathTo(objects[Math.floor(at)]);
      paths.set(path, (paths.get(path) ?? 0) + 1);
    }
    return [...paths].sort((one, other) => other[1] - one[1]).map(([path, number]) => ({ path, count: number }));
  };
  const members = /** @type {Record<string, any[]>} */ (Object.fromEntries(wanted.map((name) => [name, []])));
  /** @type {any[]} */
  const roots = [];
  for (const object of this) attempt(() => {
    const name = nameOf(object).slice(0, 100);
    if (Object.hasOwn(members, name)) members[name].push(object);
    if (isDetached(object) && !parentNode?.call(object)) roots.push(object);
  });
  /** @type {Map<string, {element: string, count: number, elements: number, path: string}>} */
  const detached = new Map();
  for (const root of roots) attempt(() => {
    const [element, path] = [told(root).replace(/^detached /, ""), pathTo(root)];
    const one = detached.get(`${element}\n${path}`) ?? { element, count: 0, elements: 0, path };
    one.count += 1;
    one.elements += 1 + (root instanceof Element ? Element.prototype.querySelectorAll.call(root, "*").length : 0);
    detached.set(`${element}\n${path}`, one);
  });
  return {
    isWhole, paths: wanted.map((name) => pathsOf(members[name])),
    detached: [...detached.values()].sort((one, other) => other.elements - one.elements),
  };
}
