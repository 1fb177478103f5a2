/* Fields whose content a recording leaves out. */
import { nameOf } from "../dom/names.js";
import { kindOf } from "../dom/secret-values.js";

/** Fields that held a secret once: a page may show what was typed. @type {WeakSet<Element>} */
const secrets = new WeakSet();

/** @param {Element} field */
export function isSecret(field) {
  if (kindOf(field, nameOf) !== null) secrets.add(field);
  return secrets.has(field);
}
