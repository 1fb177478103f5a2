/*
 * An element in words that find it again in another session, for the log of what was done: by test id, by role and name, by a
 * CSS path.
 */
import { nameOf } from "../dom/names.js";
import * as secretValues from "../dom/secret-values.js";
import { collapse, cut } from "../dom/text.js";
import * as refs from "./refs.js";
import * as shownNames from "./shown-names.js";

const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];
const MAX_NAME = 200;
const MAX_DEPTH = 24;
/** @param {ParentNode} root @param {string} css */
const isOnly = (root, css) => root.querySelectorAll(css).length === 1;

/** Number of elements of its type before an element. @param {Element} element */
function twinsBefore(element) {
  let count = 0;
  for (let at = element.previousElementSibling; at; at = at.previousElementSibling) {
    if (at.localName === element.localName) count += 1;
  }
  return count;
}

/** A path from the nearest ancestor with an id of its own, within one document or shadow root. @param {Element} element */
function pathWithin(element) {
  const root = element.getRootNode();
  const steps = [];
  for (let at = /** @type {Element | null} */ (element); at && steps.length < MAX_DEPTH; at = at.parentElement) {
    if (at === document.documentElement) break;
    const id = at.id && `#${CSS.escape(at.id)}`;
    if (id && isOnly(root, id)) return [id, ...steps].join(" > ");
    const tag = CSS.escape(at.localName);
    steps.unshift(at.matches(":only-of-type") ? tag : `${tag}:nth-of-type(${twinsBefore(at) + 1})`);
  }
  return steps.join(" > ") || ":root";
}

/** Paths to an element: one in the document, one in each shadow root on the way, outermost first. @param {Element} element */
export function pathsOf(element) {
  const paths = [];
  for (let at = /** @type {Element | null} */ (element); at;) {
    paths.unshift(pathWithin(at));
    const root = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return paths;
}

/** @param {Element} element */
export function testIdOf(element) {
  const attribute = TEST_IDS.find((name) => element.getAttribute(name));
  return attribute ? { attribute, value: cut(/** @type {string} */ (element.getAttribute(attribute)), MAX_NAME) } : undefined;
}

/**
 * @param {number} local its number
 * @returns {ElementIdentity | undefined} undefined when it is gone
 */
export function describe(local) {
  const element = refs.elementOf(local);
  if (!element) return undefined;
  const role = shownNames.roleOf(element);
  const name = cut(collapse(nameOf(element)), MAX_NAME);
  const testId = testIdOf(element);
  return {
    tag: element.localName, role, name, ...(testId && { test_id: testId }), css: pathsOf(element),
    ...(window !== top && { frame: location.href }), secret: secretValues.kindOf(element, name) !== null,
  };
}
