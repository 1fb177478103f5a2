/*
 * The browser's file chooser. Uploads through a button: the click opens the browser's file chooser, which is caught before anybody sees it, and the
 * files go straight into the input it was opened for.
 */
import { onEvent } from "./attachment.js";
import { said, TabwireError } from "../base/errors.js";
import { clickElement } from "./pointer.js";
import { within } from "../base/deadline.js";

/** A page may fetch something before it opens the chooser. */
const CHOOSER_MS = 1500;

/**
 * Runs in the page, on the input of the chooser.
 * @this {HTMLInputElement}
 * @param {any[]} files
 */
function setFiles(files) {
  const transfer = new DataTransfer();
  for (const { name, mime_type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name ?? "file", { type: mime_type ?? "" }));
  }
  this.files = transfer.files;
  const taken = [...this.files].map(({ name, size, type }) => ({ name, size, type }));
  this.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  this.dispatchEvent(new Event("change", { bubbles: true }));
  return taken;
}

/**
 * Keeps the browser's file chooser away while `work` runs: nobody could answer it.
 * @param {import("./attachment.js").Send} send
 * @param {import("../../types").CallContext} call
 * @param {(send: import("./attachment.js").Send) => Promise<any>} work gets commands that wait until the browser is ready for it
 * @param {number} [wait] ms for a chooser that the page opens late
 * @returns {Promise<{result: any, chooser: any}>} chooser: what the browser told about it, or null
 */
export async function withoutChooser(send, call, work, wait = 0) {
  let caught = null;
  let stop;
  const opened = new Promise((resolve) => {
    stop = onEvent(call.tab.id, (...[method, params]) => method === "Page.fileChooserOpened" && resolve((caught = params)));
  });
  const kept = send("Page.setInterceptFileChooserDialog", { enabled: true });
  const sendThen = async (method, params) => {
    await kept;
    return send(method, params);
  };
  try {
    const [result] = await Promise.all([work(sendThen), kept]);
    if (wait && !caught) await within(opened, wait);
    return { result, chooser: caught };
  } finally {
    stop();
    send("Page.setInterceptFileChooserDialog", { enabled: false }).catch(() => {});
  }
}

/**
 * Clicks an element and answers the file chooser it opens.
 * @param {import("./attachment.js").Send} send
 * @param {import("../../types").CallContext} call
 * @param {import("./pointer.js").Located} where
 * @param {object[]} files {name, mime_type, base64}
 * @param {number} until
 * @returns {Promise<{files: object[]} | null>} null when no chooser opened
 */
export async function uploadByChooser(send, call, where, files, until) {
  const { chooser } = await withoutChooser(send, call, (ready) => clickElement(ready, call, where, { until }), CHOOSER_MS);
  return chooser && answer(send, chooser, files);
}

async function answer(send, { backendNodeId, mode }, files) {
  if (files.length > 1 && mode === "selectSingle") {
    throw new TabwireError("invalid_argument", `the file chooser takes one file, not ${files.length}`);
  }
  const { object } = await send("DOM.resolveNode", { backendNodeId });
  const reply = await send("Runtime.callFunctionOn", {
    objectId: object.objectId, functionDeclaration: String(setFiles), arguments: [{ value: files }], returnByValue: true,
  });
  if (reply.exceptionDetails) throw new TabwireError("javascript_error", `the page did not take the files: ${said(reply.exceptionDetails.text)}`);
  return { files: reply.result.value };
}
