/*
 * Messages to clients about their calls: replies, and that the user is asked something. The passwords of pages are struck
 * out here.
 */
import { sendToClient } from "../base/clients.js";
import { onAsked } from "../rules/consent.js";
import { fitToTell } from "../rules/redaction.js";
import { strikeOut, strikeOutcome } from "../rules/secret-values.js";
import { mayClientAnswer } from "../rules/site-rules.js";
import { told } from "../rules/addresses.js";
import { fitToFrame } from "./reply-size.js";

/** @typedef {import("../../types").Outcome} Outcome */
/** @typedef {import("../../types").Request} Request */
/** @typedef {import("../../types").Client} Client */

onAsked(({ clientId, id, what, where }, { id: call, clock }) => sendToClient(clientId, {
  type: "event", method: "permission.asked",
  params: {
    call, question: id, ...strikeOut({ what, where }).value, from_client: mayClientAnswer(), wait_ms: clock.askingLeft(),
  },
}));

/**
 * Says that the user has answered a question of a call: the bridge measures the time of the call, too.
 * @param {Client} client @param {number} call its id
 */
export function tellSettled(client, call) {
  sendToClient(client.id, { type: "event", method: "permission.settled", params: { call } });
}

/** @param {Client} client @param {number} id @param {Outcome} outcome that may leave */
export function reply(client, id, outcome) {
  sendToClient(client.id, { ...outcome, id });
}

/** Answers an act that was asked for before. @param {Client} client @param {Request} request @param {Outcome} recorded */
export function replyAgain(client, request, recorded) {
  reply(client, request.id, strikeOutcome(recorded, request));
}

/**
 * An outcome as it may leave for the client and the log.
 * @param {Outcome} outcome @param {Request} request @param {import("../../types").CallContext} [call]
 */
export function outgoing(outcome, request, call) {
  const struck = strikeOutcome(Object.assign(outcome, { about: aboutOf(call) }), request);
  return fitToFrame(fitToTell(struck, request), request.method);
}

/**
 * Tab, address and subject of a call, for the log of the client that made it.
 * @param {import("../../types").CallContext} [call]
 * @returns {import("../../types").About}
 */
function aboutOf(call) {
  const { id, url } = call?.tab ?? {};
  return { ...(id !== undefined && { tabId: id, url: url && told({ url }, id).url }), ...call?.subject.facts };
}
