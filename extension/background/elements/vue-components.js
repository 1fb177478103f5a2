/**
 * Runs in the page's own world, as text: it may use nothing from outside itself but its parameters.
 *
 * Components of Vue 3 around an element, the innermost first. Development builds note them on elements; in production builds the
 * tree of an app is walked from its container. Getters of the page are not called.
 * @param {(owner: any, key: string) => any} own value of an own data property
 * @param {any[]} nodes the element and what is around it
 * @returns {any[]}
 */
export function vueComponents(own, nodes) {
  const MAX_NODES = 200_000, MAX_CHAIN = 1_000;
  const hasTree = (/** @type {any} */ node) => own(node, "__vue_app__") && own(node, "_vnode");
  /** @param {any} tree @param {any} element */
  const renderedBy = (tree, element) => {
    const open = [{ vnode: tree, by: null }];
    for (let left = MAX_NODES; open.length && left; left -= 1) {
      const { vnode, by } = /** @type {{vnode: any, by: any}} */ (open.pop());
      const component = own(vnode, "component"), branch = own(own(vnode, "suspense"), "activeBranch");
      if (component) open.push({ vnode: own(component, "subTree"), by: component });
      else if (branch) open.push({ vnode: branch, by });
      else if (own(vnode, "el") === element && typeof own(vnode, "type") === "string") return by;
      const children = own(vnode, "children");
      if (!component && Array.isArray(children)) for (const child of children) open.push({ vnode: child, by });
    }
    return null;
  };
  const root = nodes.find(hasTree);
  const instanceOn = (/** @type {any} */ node) =>
    own(node, "__vueParentComponent") ?? (root && node !== root ? renderedBy(own(root, "_vnode"), node) : null);
  let instance = null;
  const last = root ? nodes.indexOf(root) : nodes.length;
  const at = nodes.slice(0, last).findIndex((node) => (instance = instanceOn(node)));
  if (at < 0) return [];
  const FUNCTIONS = ["setup", "render", "data", "created", "mounted"];
  const definitionOf = (/** @type {any} */ type, /** @type {any} */ component) => {
    const functions = [type, ...FUNCTIONS.map((name) => own(type, name)), ...Object.values(Object.getOwnPropertyDescriptors(
      own(type, "methods") ?? {})).map(({ value }) => value), own(component, "render")];
    return functions.find((one) => typeof one === "function");
  };
  const stateOf = (/** @type {any} */ component) => {
    /** @type {Record<string, any>} */
    const state = Object.create(null);
    const setup = own(component, "devtoolsRawSetupState") ?? own(component, "setupState") ?? {};
    for (const key of Object.keys(setup)) {
      const noted = own(setup, key);
      const isRef = own(noted, "__v_isRef") === true;
      const value = isRef ? own(noted, "_value") : noted;
      // A computed value that nothing has read is not known yet.
      const isTold = typeof value !== "function" && !key.startsWith("__") && !(isRef && value === undefined);
      if (isTold) state[key] = value;
    }
    return state;
  };
  const isDevelopment = own(nodes[at], "__vueParentComponent") === instance;
  const chain = [];
  for (; instance && chain.length < MAX_CHAIN; instance = own(instance, "parent")) chain.push(instance);
  return chain.map((component, number) => ({
    framework: "Vue", at, isDevelopment, relation: number ? "around" : "owner",
    name: own(own(component, "type"), "name") ?? own(own(component, "type"), "__name") ?? "",
    definition: definitionOf(own(component, "type"), component), file: own(own(component, "type"), "__file"),
    key: own(own(component, "vnode"), "key"), props: own(component, "props"), state: stateOf(component),
    data: own(component, "data"),
  }));
}

/**
 * Runs in the page's own world, as text. Components of Vue 2: it notes them on the elements that they begin with, in all builds.
 * @param {(owner: any, key: string) => any} own value of an own data property
 * @param {any[]} nodes the element and what is around it
 * @returns {any[]}
 */
export function vue2Components(own, nodes) {
  const MAX_CHAIN = 1_000;
  const at = nodes.findIndex((node) => own(node, "__vue__"));
  if (at < 0) return [];
  const inherited = (/** @type {any} */ object, /** @type {string} */ key) => {
    let holder = object;
    while (holder && !Object.hasOwn(holder, key)) holder = Object.getPrototypeOf(holder);
    return own(holder, key);
  };
  const chain = [];
  for (let vm = own(nodes[at], "__vue__"); vm && chain.length < MAX_CHAIN; vm = own(vm, "$parent")) chain.push(vm);
  const isDevelopment = chain.some((vm) => inherited(own(vm, "$options"), "__file") !== undefined);
  return chain.map((vm, number) => {
    const options = own(vm, "$options");
    const methods = Object.values(Object.getOwnPropertyDescriptors(inherited(options, "methods") ?? {}));
    const functions = [inherited(options, "render"), ...methods.map(({ value }) => value)];
    return {
      framework: "Vue 2", at, isDevelopment, relation: number ? "around" : "owner",
      name: inherited(options, "name") ?? inherited(options, "_componentTag") ?? (own(vm, "$parent") ? "" : "Root"),
      definition: functions.find((one) => typeof one === "function"), file: inherited(options, "__file"),
      key: own(own(vm, "$vnode"), "key"), props: own(vm, "_props"), state: own(vm, "_data"),
    };
  });
}
