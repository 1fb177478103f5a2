/** Elements of a page for debugging: styles, listeners, components, and an audit of all of them. */
import { allowedOf } from "../console/allowed-messages.js";
import { lookBack } from "../console/log.js";
import { isAttached } from "../debugger/attachment.js";
import { auditOf } from "../elements/audit.js";
import { componentsOf } from "../elements/components.js";
import { listenersOf } from "../elements/event-listeners.js";
import { stylesOf } from "../elements/styles.js";
import { chosen, requestsOf } from "../network/request-list.js";

/** @typedef {import("../../types").TabCall} TabCall */
/** @template {import("../base/protocol-types").Method} M @typedef {import("../base/protocol-types").Params<M>} Params */

const UNREAD_CONSOLE = "errors in the console are not counted here, which takes the debugger: console_messages lists them";

/** @param {Params<"elements.audit">} params @param {TabCall} call */
async function audit(params, call) {
  const found = await auditOf(params, call);
  const { chains } = await requestsOf(call);
  const { failed } = chosen(chains, { failed: true, max_requests: 1, offset: 0 });
  const errors = await consoleErrors(call);
  return {
    ...found, basics: [
      ...found.basics,
      told("failed_requests", failed, `failed requests: ${failed}; network_requests with failed: true lists them`),
      ...(errors === undefined ? [] : [
        told("console_errors", errors, `errors in the console: ${errors}; console_messages lists them`),
      ]),
    ],
    ...(errors === undefined && { notes: [UNREAD_CONSOLE] }),
  };
}

/** @param {string} name @param {number} count @param {string} detail */
const told = (name, count, detail) => /** @type {const} */ ({ name, level: count ? "error" : "ok", detail: count ? detail : "" });

/** Number of errors in the console; undefined where the person would see that the debugger is attached. @param {TabCall} call */
async function consoleErrors(call) {
  if (!call.client.launched && !isAttached(call.tab.id)) return undefined;
  const { list } = await lookBack(call.tab.id, call);
  return allowedOf(list, call).kept.filter(({ level }) => level === "error").length;
}

/** @type {import("../../types").Handlers<"elements">} */
export const handlers = {
  "elements.styles": stylesOf,
  "elements.event_listeners": listenersOf,
  "elements.components": componentsOf,
  "elements.audit": audit,
};
