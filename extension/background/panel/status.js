/*
 * Data that the popup shows and changes: whether every hop works, tried at the moment it asks, and this browser's name.
 */
import { count } from "../base/text.js";
import { connections, identity, newIdentity, probeClients, rename, wake } from "../wire/connection.js";
import { leases } from "../tabs/leases.js";
import { echoPage } from "../page/page-liveness.js";
import { OTHER_COPY, PAIR_STEP, isOtherCopy, readPairing } from "../wire/pairing.js";
import { waitingPorts } from "../wire/pairing-exchange.js";
import { currentPause } from "../rules/stop.js";
import { peekTab } from "../tabs/targets.js";
import { answerUi } from "../base/ui-requests.js";

/**
 * @typedef {{hop: "server" | "extension" | "worker" | "page", ok: boolean | null, detail: string, fix?: string, ms?: number}} Hop
 */
/** @typedef {ReturnType<typeof connections>["clients"][number]} ConnectedClient */

answerUi({
  async status() {
    wake();
    const [pairing, page, trips, browser] = await Promise.all([
      readPairing(), peekTab().then(echoPage), probeClients(), identity(),
    ]);
    const isAwaited = !pairing && (await waitingPorts()).length > 0;
    const { clients, refused } = connections();
    const servers = clients.flatMap((client) => {
      const trip = trips.get(client.port);
      return trip ? [serverHop(client, trip)] : [];
    });
    const hops = [
      pairingHop(pairing, isAwaited), ...(pairing && !servers.length ? [absenceHop(refused)] : []), ...servers,
      { hop: "page", ...page },
    ];
    return { hops, refused, browser, paused: currentPause() };
  },
  // Answers at once: how long this takes is the popup's round trip to the worker.
  echo: async ({ payload }) => ({ payload }),
  rename: ({ name }) => rename(name),
  newIdentity: () => newIdentity(),
});

/** @param {unknown} pairing @param {boolean} isAwaited whether a person waits for it elsewhere @returns {Hop} */
function pairingHop(pairing, isAwaited) {
  if (isOtherCopy) return { hop: "extension", ok: false, detail: "a copy under another id", fix: OTHER_COPY };
  if (pairing) return { hop: "extension", ok: true, detail: "paired" };
  const fix = isAwaited
    ? "A program on this computer waits for this browser: press Connect this browser, and compare the codes."
    : `This browser is not set up: ${PAIR_STEP}.`;
  return { hop: "extension", ok: false, detail: "not set up with this computer", fix };
}

/**
 * @param {ConnectedClient} client
 * @param {{ms?: number, silent_s?: number}} trip
 * @returns {Hop & {name: string, port: number, more: string[]}}
 */
function serverHop(client, { ms, silent_s }) {
  const { id, name, version, port } = client;
  const about = { hop: /** @type {const} */ ("server"), name: `${name} ${version}`.trim(), port };
  const held = leases().filter(({ clientId }) => clientId === id).length;
  const more = held ? [`works in ${count(held, "tab")}`] : [];
  if (ms !== undefined) return { ...about, ok: true, detail: "answers", ms, more };
  return {
    ...about, ok: false, detail: `does not answer; last heard of ${silent_s} s ago`, more,
    fix: `${name} is stopped or hangs: end it and start it again (\`tabwire doctor\` names its process).`,
  };
}

/**
 * Report on the connection while no client has joined.
 * @param {ReturnType<typeof connections>["refused"]} refused
 * @returns {Hop}
 */
function absenceHop(refused) {
  const detail = "no client is connected";
  const [problem] = refused.filter(({ is_foreign: isForeign }) => !isForeign);
  if (problem) {
    return {
      hop: "server",
      ok: false,
      detail,
      // Port and reason stand under Details.
      fix: `A program on this computer could not connect: ${PAIR_STEP} again.`,
    };
  }
  // Pairing again would not help: the programs there belong to somebody else.
  const others = refused.length
    ? "A program on this computer could not connect: it belongs to another user or home folder, which does no harm. " +
      `If it is yours, ${PAIR_STEP}.`
    : "";
  const fix = "No client is running: start one that uses `tabwire serve`, such as your MCP client.";
  return { hop: "server", ok: null, detail, fix: [fix, others].filter(Boolean).join(" ") };
}
