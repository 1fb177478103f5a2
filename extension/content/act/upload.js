/* Files: into an input of type file, or dropped onto a place that takes them. Folders come from the browser. */
import { codedError } from "../base/errors.js";
import { named } from "../dom/element-summaries.js";
import { meantBy } from "../visibility/hit-testing.js";
import * as actStart from "./act-start.js";
import { breathe, deadlineFrom, heldElement, hold, ready } from "./actionability.js";
import { fireEdit } from "./edits.js";

/** @typedef {{name?: string, mime_type?: string, base64: string}} FileArgs */

/** @param {FileArgs} file */
function toFile({ name, mime_type, base64 }) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new File([bytes], name ?? "file", { type: mime_type ?? "" });
}

/** @param {FileArgs[]} files */
function toTransfer(files) {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(toFile(file));
  return transfer;
}

/** @param {Element | null | undefined} node @returns {node is HTMLInputElement} */
const isFile = (node) => Boolean(node?.matches("input[type=file]"));

const told = (/** @type {FileList} */ files) => [...files].map(({ name, size, type }) => ({ name, size, type }));

/**
 * A place that takes files only by drag and drop.
 * @param {{target: TargetArgs, files: FileArgs[], act?: ActStart}} args
 */
export const dropFiles = async ({ target, files, act }) => {
  const el = heldElement(target);
  const transfer = toTransfer(files);
  const box = el.getBoundingClientRect();
  const fields = {
    bubbles: true, cancelable: true, composed: true, dataTransfer: transfer,
    clientX: box.x + box.width / 2, clientY: box.y + box.height / 2,
  };
  actStart.begin(act);
  el.dispatchEvent(new DragEvent("dragenter", fields));
  const takes = !el.dispatchEvent(new DragEvent("dragover", fields));
  const dropped = !el.dispatchEvent(new DragEvent("drop", fields));
  await breathe();
  if (takes || dropped) return { files: told(transfer.files), note: "the files were dropped onto it" };
  throw codedError("invalid_element_state",
    `${named(el)} is no file input, opens no file chooser and takes no dropped files. Give the input of type file`);
};

/**
 * Puts the files into the input the element stands for; declines when it stands for none.
 * @param {{target: TargetArgs, files: FileArgs[], timeout_ms?: number, act?: ActStart}} args
 */
export const upload = async ({ target, files, timeout_ms, act }) => {
  const input = meantBy(hold(target), isFile);
  if (!input) return { declined: true };
  await ready(input, { checks: ["enabled"], deadline: deadlineFrom(timeout_ms) });
  if (files.length > 1 && !input.multiple && !input.webkitdirectory) {
    throw codedError("invalid_argument", `${named(input)} takes one file, not ${files.length}`);
  }
  const transfer = toTransfer(files);
  actStart.begin(act);
  input.files = transfer.files;
  const taken = told(/** @type {FileList} */ (input.files));
  fireEdit(input);
  await breathe();
  return { files: taken };
};

/** A reply names no more files of a folder. */
const MAX_TOLD = 100;

/** Resolves when the browser has put a folder into an input. */
let folderTaken = Promise.resolve();

/**
 * Holds an input for the debugger, which puts a folder into it.
 * @param {{target: TargetArgs, timeout_ms?: number, act?: ActStart}} args
 */
export const awaitFolder = async ({ target, timeout_ms, act }) => {
  const el = hold(target);
  const input = meantBy(el, isFile);
  if (!input?.webkitdirectory)
    throw codedError("invalid_argument", `${named(input ?? el)} takes no folder: it has no webkitdirectory. Give files`);
  await ready(input, { checks: ["enabled"], deadline: deadlineFrom(timeout_ms) });
  folderTaken = new Promise((resolve) => {
    for (const type of ["change", "cancel"]) input.addEventListener(type, () => resolve(), { once: true });
  });
  globalThis.__tabwireElements = new Map([[0, input]]);
  actStart.begin(act);
  return {};
};

/**
 * Files that the input has of the folder, once the browser has looked through it.
 * @param {{target: TargetArgs, timeout_ms: number}} args
 */
export const takenFolder = async ({ target, timeout_ms }) => {
  await Promise.race([folderTaken, new Promise((resolve) => setTimeout(resolve, timeout_ms))]);
  await breathe();
  const files = [.../** @type {FileList} */ (meantBy(heldElement(target), isFile)?.files ?? [])];
  const shown = files.slice(0, MAX_TOLD).map(({ webkitRelativePath: name, size, type }) => ({ name, size, type }));
  return { count: files.length, files: shown };
};
