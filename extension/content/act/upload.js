/* Files: into an input of type file, or dropped onto a place that takes them. */
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
