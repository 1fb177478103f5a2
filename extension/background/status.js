/*
 * What the popup shows and changes: the connections of this browser and its name.
 */
import { connections, identity, newIdentity, rename, wake } from "./connection.js";
import { PAIR_STEP, readPairing } from "./pairing.js";

/** Request of the popup → answer. */
const ANSWERS = /** @type {Record<string, (message: any) => Promise<any>>} */ ({
  async status() {
    wake();
    const pairing = await readPairing();
    const { clients, refused } = connections();
    return { paired: Boolean(pairing), clients, refused, browser: await identity(), next_step: nextStep(pairing, clients, refused) };
  },
  rename: ({ name }) => rename(name),
  newIdentity: () => newIdentity(),
});

/**
 * @param {unknown} pairing
 * @param {Array<unknown>} clients
 * @param {Array<{port: number}>} refused
 */
function nextStep(pairing, clients, refused) {
  if (!pairing) return `This browser is not paired: ${PAIR_STEP}.`;
  if (clients.length) return "";
  if (refused.length) return `A program on port ${refused[0].port} does not share this browser's key: ${PAIR_STEP} again.`;
  return "No client is running: start one that uses `tabwire serve`, such as your MCP client.";
}

/**
 * Listener of runtime.onMessage. Pages and their content scripts get no answer, only the extension's own popup.
 * @param {any} message
 * @param {chrome.runtime.MessageSender} sender
 * @param {(answer: any) => void} sendResponse
 * @returns {boolean} whether an answer follows
 */
export function answerPopup(message, sender, sendResponse) {
  const isPopup = sender.id === chrome.runtime.id && sender.url?.startsWith(chrome.runtime.getURL("extension/popup/"));
  const answer = isPopup && Object.hasOwn(ANSWERS, message?.type) && ANSWERS[message.type];
  if (!answer) return false;
  answer(message).then(sendResponse, (error) => sendResponse({ error: String(error) }));
  return true;
}
