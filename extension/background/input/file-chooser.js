/*
 * Uploads through a button: the click opens the browser's file chooser, which is caught before anybody sees it, and the files
 * go straight into the input it was opened for.
 */
import { dropFiles } from "./dom-input.js";
import { pressElement, withoutChooser } from "./pointer.js";
import { invalid, said, TabwireError, unsupported } from "../base/errors.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../../types").WholeFile} WholeFile */
/** @typedef {{where: import("../page/element-lookup.js").Located, files: WholeFile[], until: number}} Upload */

/** A page may fetch something before it opens the chooser. */
const CHOOSER_MS = 1500;

/**
 * Runs in the page, on the input of the chooser.
 * @this {HTMLInputElement}
 * @param {WholeFile[]} files
 */
function setFiles(files) {
  const transfer = new DataTransfer();
  for (const { name, mime_type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type: mime_type }));
  }
  this.files = transfer.files;
  const taken = [.../** @type {FileList} */ (this.files)].map(({ name, size, type }) => ({ name, size, type }));
  this.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  this.dispatchEvent(new Event("change", { bubbles: true }));
  return taken;
}

/**
 * Uploads files with trusted input: clicks the element and answers the file chooser that opens; without one they are dropped on
 * it.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Upload} what
 */
export async function uploadByChooser(send, call, { where, files, until }) {
  const { chooser } = await withoutChooser(send, call, (ready) => pressElement(ready, call, where, { until }), CHOOSER_MS);
  return chooser ? answer(send, chooser, files) : dropFiles(call, { where, files });
}

/** @param {Send} send @param {{backendNodeId?: number, mode: string}} chooser @param {WholeFile[]} files */
async function answer(send, { backendNodeId, mode }, files) {
  if (backendNodeId === undefined)
    throw unsupported("the page opened a file picker of the browser (showOpenFilePicker), which takes no files from an " +
      "extension. Ask the user to choose the file, or look for an input of type file or a place to drop it");
  if (files.length > 1 && mode === "selectSingle") {
    throw invalid(`the file chooser takes one file, not ${files.length}`);
  }
  const { object } = await send("DOM.resolveNode", { backendNodeId });
  const reply = await send("Runtime.callFunctionOn", {
    objectId: object.objectId, functionDeclaration: String(setFiles), arguments: [{ value: files }], returnByValue: true,
  });
  if (reply.exceptionDetails)
    throw new TabwireError("javascript_error", `the page did not take the files: ${said(reply.exceptionDetails.text)}`);
  return { files: reply.result.value };
}
