/*
 * Elements that the worker has marked through the debugger, in this world: they get references. Marks are gone once asked for.
 */
import * as refs from "./refs.js";

/** @returns {Array<{key: number, ref: string}>} of the elements of this document that bear a mark */
export const marked = () => {
  const marks = Object.hasOwn(globalThis, "__tabwireElements") ? (globalThis.__tabwireElements ?? new Map()) : new Map();
  delete globalThis.__tabwireElements;
  return [...marks].flatMap(([key, node]) => {
    const element = node instanceof Element ? node : null;
    return element?.isConnected ? [{ key, ref: refs.marker(refs.refFor(element)) }] : [];
  });
};
