/*
 * Storage of the origin of a document for the worker, in the frame of offscreen/origin-frame.html; anywhere else it does nothing.
 */
import { unknownOperation, wrap, wrapError } from "./base/errors.js";
import * as clobbered from "./dom/clobbered.js";
import { OPERATIONS } from "./base/storage.js";

/** @param {string} name @param {object} args */
function answer(name, args) {
  if (!Object.hasOwn(OPERATIONS, name)) return wrapError(unknownOperation(name));
  try {
    clobbered.look(document);
    return wrap(OPERATIONS[name](/** @type {never} */ (args)));
  } catch (error) {
    return wrapError(/** @type {Partial<ContentError>} */ (error));
  }
}

/** Answers the worker over a Port. */
function listen() {
  const port = chrome.runtime.connect(undefined, { name: "tabwire-origin-frame" });
  port.onMessage.addListener(({ id, name, args }) => port.postMessage({ id, ...answer(name, args) }));
}

const { ancestorOrigins } = location;
if (ancestorOrigins.length === 1 && ancestorOrigins[0] === `chrome-extension://${chrome.runtime.id}`) listen();
