/*
 * Folders for inputs that take them (`webkitdirectory`): Chrome reads them, because no script can give a file the path that it
 * has in its folder.
 */
import { invalid, said, TabwireError } from "../base/errors.js";
import { actInPage, inPage, timeLeft } from "../page/element-lookup.js";
import { withHeld } from "./held-element.js";

/** @typedef {import("../base/protocol-types").FileContent} FileContent */
/** @typedef {import("../../types").TabCall} TabCall */
/** @typedef {import("../page/element-lookup.js").Located} Located */

/** @param {TabwireError} error */
const notAllowed = ({ message }) => new TabwireError("unsupported_operation",
  `Chrome does not let the extension give it a folder (${said(message)}); give the files of the folder to an input without ` +
  "webkitdirectory, or allow access to file URLs on the extension's page in chrome://extensions");

/**
 * Puts a folder of this computer into an input.
 * @param {Located} where @param {FileContent[]} files with the folder alone @param {number} until epoch ms @param {TabCall} call
 */
export async function uploadFolder(where, [{ folder = "", name }, ...others], until, call) {
  if (others.length) throw invalid("a folder is given alone: leave the other files out");
  await actInPage(call, where, "input.awaitFolder", { timeout_ms: timeLeft(until) });
  await withHeld(where, call, ({ send, objectIds: [objectId] }) =>
    send("DOM.setFileInputFiles", { objectId, files: [folder] }).catch((error) => { throw notAllowed(error); }));
  const taken = await inPage(call, where, "input.takenFolder", { timeout_ms: timeLeft(until) });
  if (!taken.count)
    throw new TabwireError("invalid_element_state",
      `the browser found no files in the folder ${name}; if it runs on another computer, give the files one by one`);
  const note = taken.count > taken.files.length ? `${taken.count} files in all` : undefined;
  return { files: taken.files, ...(note && { note }) };
}
