/**
 * Runs in the page's own world, as text: it may use nothing from outside itself but its parameters.
 *
 * Components of Svelte around an element, the innermost first, as development builds note them: the place of each element, since
 * Svelte 5 with the components around it, before it only by the elements around it. Getters of the page are not called.
 * @param {(owner: any, key: string) => any} own value of an own data property
 * @param {any[]} nodes the element and what is around it
 * @returns {any[]}
 */
export function svelteComponents(own, nodes) {
  const MAX_CHAIN = 1_000;
  const meta = (/** @type {any} */ node) => own(node, "__svelte_meta");
  const at = nodes.findIndex((node) => own(meta(node), "loc"));
  if (at < 0) return [];
  // Svelte 4 counts lines from 0, and notes the number of the character as well; both count columns from 0.
  const placed = (/** @type {any} */ loc) => ({
    fileName: own(loc, "file"), lineNumber: own(loc, "line") + (own(loc, "char") === undefined ? 0 : 1),
    columnNumber: own(loc, "column") + 1,
  });
  const common = { framework: "Svelte", at, isDevelopment: true };
  const tagOf = (/** @type {any} */ file) => String(file).replace(/^.*\//, "").replace(/\.svelte$/, "");
  const loc = own(meta(nodes[at]), "loc");
  const found = [{ ...common, relation: "element", name: "", made: placed(loc) }];
  let file = own(loc, "file");
  const told = (/** @type {any} */ by, /** @type {string} */ name) => found.push(/** @type {any} */ ({
    ...common, relation: found.length > 1 ? "around" : "owner", name: name || tagOf(file), file,
    ...(by && { made: placed(by) }),
  }));
  let above = own(meta(nodes[at]), "parent");
  if (above === undefined) {
    const files = nodes.slice(at).map((node) => own(own(meta(node), "loc"), "file")).filter(Boolean);
    for (file of new Set(files)) told(null, "");
    return found;
  }
  for (let left = MAX_CHAIN; above && left; left -= 1, above = own(above, "parent")) {
    if (own(above, "type") !== "component") continue;
    told(above, own(above, "componentTag"));
    file = own(above, "file");
  }
  told(null, "");
  return found;
}

/**
 * Runs in the page's own world, as text. The frameworks that run in a page, for an element that has nothing of theirs.
 * @param {(owner: any, key: string) => any} own value of an own data property
 * @returns {string[]}
 */
export function frameworksInPage(own) {
  const MAX_ELEMENTS = 20_000;
  const hasContainer = (/** @type {RegExp} */ pattern) => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
    for (let left = MAX_ELEMENTS; left && walker.nextNode(); left -= 1)
      if (Object.keys(walker.currentNode).some((key) => pattern.test(key))) return true;
    return false;
  };
  const found = [
    hasContainer(/^(__reactContainer\$|_reactRootContainer$)/) && "React",
    (own(window, "__VUE__") || hasContainer(/^__vue(_app)?__$/)) && "Vue",
    own(window, "__svelte") && "Svelte",
  ];
  return found.filter((name) => typeof name === "string");
}
