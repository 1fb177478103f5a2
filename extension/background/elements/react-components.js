/**
 * Runs in the page's own world, as text: it may use nothing from outside itself but its parameters.
 *
 * Components of React around an element, the innermost first: by the fibers that React notes on elements. Of two fibers for one
 * component the one that is shown now is taken. Getters of the page are not called.
 * @param {(owner: any, key: string) => any} own value of an own data property
 * @param {any[]} nodes the element and what is around it
 * @returns {any[]}
 */
export function reactComponents(own, nodes) {
  const MAX_FIBERS = 5_000, MAX_SIBLINGS = 20_000, MAX_HOOKS = 40;
  const fiberOn = (/** @type {any} */ node) => {
    const key = Object.keys(node).find((name) => /^__react(Fiber|InternalInstance)\$/.test(name));
    return key && own(node, key);
  };
  const at = nodes.findIndex(fiberOn);
  if (at < 0) return [];
  const path = [];
  for (let fiber = fiberOn(nodes[at]); fiber && path.length < MAX_FIBERS; fiber = own(fiber, "return")) path.unshift(fiber);
  const chain = [own(own(path[0], "stateNode"), "current") ?? path[0]];
  for (const fiber of path.slice(1)) {
    const twin = own(fiber, "alternate");
    let child = own(chain[0], "child");
    for (let left = MAX_SIBLINGS; child && left && child !== fiber && child !== twin; left -= 1) child = own(child, "sibling");
    chain.unshift(child ?? fiber);
  }
  const definitionOf = (/** @type {any} */ type) => (typeof type === "function" ? type : own(type, "render"));
  const nameOf = (/** @type {any} */ type) => [own(type, "displayName"), own(definitionOf(type), "displayName"),
    own(definitionOf(type), "name")].find((name) => typeof name === "string" && name) ?? "";
  const stateOf = (/** @type {any} */ fiber) => {
    if (own(own(fiber, "stateNode"), "updater")) return own(fiber, "memoizedState");
    /** @type {Record<string, any>} */
    const state = Object.create(null);
    let hook = own(fiber, "memoizedState");
    for (let number = 1; hook && number <= MAX_HOOKS; hook = own(hook, "next"))
      if (typeof own(own(hook, "queue"), "dispatch") === "function") state[`#${number++}`] = own(hook, "memoizedState");
    return state;
  };
  const isDevelopment = Object.hasOwn(chain[0], "_debugOwner");
  const owners = new Set();
  for (let owner = own(chain[0], "_debugOwner"); owner && owners.size < MAX_FIBERS;) {
    owners.add(owner);
    owner = own(owner, "_debugOwner") ?? own(owner, "owner");
  }
  const made = (/** @type {any} */ fiber) => own(fiber, "_debugStack") ?? own(fiber, "debugStack") ?? own(fiber, "_debugSource");
  const common = { framework: "React", at, isDevelopment };
  const around = chain.slice(1).filter((fiber) => typeof definitionOf(own(fiber, "type")) === "function").map((fiber) => ({
    ...common, relation: owners.delete(fiber) || owners.delete(own(fiber, "alternate")) ? "owner" : "around",
    name: nameOf(own(fiber, "type")), definition: definitionOf(own(fiber, "type")), made: made(fiber), key: own(fiber, "key"),
    props: own(fiber, "memoizedProps"), state: stateOf(fiber),
  }));
  // Components of a server have no fiber here.
  const served = [...owners].filter((owner) => typeof own(owner, "name") === "string").map((owner) => ({
    ...common, relation: "owner", name: own(owner, "name"), server: own(owner, "env") ?? "Server", made: made(owner),
  }));
  return [{ ...common, relation: "element", name: "", made: made(chain[0]) }, ...around, ...served];
}
