/*
 * The recording that the person begins in the side panel, without any client asking for it. The test is written by a bridge, as
 * every test is: any that is connected will do, and until one is, the steps are kept.
 */
import { PERSON, attachedClients, sendToClient } from "../base/clients.js";
import { within } from "../base/deadline.js";
import { answerUi } from "../base/ui-requests.js";
import { strikeOut } from "../rules/secret-values.js";
import { currentPause, pauseKnown } from "../rules/stop.js";
import { finish, record } from "./recorded-tabs.js";
import { forget, recordingIn, recordingOf, stepsAfter, workFor } from "./step-recordings.js";

/** @typedef {import("./step-recordings.js").Step} Step */
/** @typedef {{tabId: number, count: number, last: number, isOn: boolean, ended: string}} PersonRecording ended: why, in words */
/** @typedef {{file: string, text: string}} WrittenTest */
/** @typedef {Partial<WrittenTest> & {id: string, problem?: string}} Answer */

const BEGIN_MS = 4_000;
/** Time for one bridge to write the test: on a busy machine it imports the generator first. */
const WRITE_MS = 8_000;
const MAX_ASKED = 2;
const ENDED = "you ended it";
const IS_PAUSED = "Tabwire is paused; resume it first";
const NO_DIALOGS = "Dialogs are not recorded: DevTools or another extension holds this tab";
const SILENT = "the program that is connected did not write the test; it may hang, or be of an older version: start it again";

/** Question → takes its answer. @type {Map<string, (answer: Answer) => void>} */
const questions = new Map();

/** State of the recording for the panel; null for none. @returns {PersonRecording|null} */
export function personRecording() {
  const recording = recordingOf(PERSON);
  if (!recording) return null;
  const { tabId, steps, last, ended } = recording;
  return { tabId, count: steps.length, last, isOn: !ended, ended: ended === ENDED ? "" : ended ?? "" };
}

/** @param {{tabId: number}} wish */
async function start({ tabId }) {
  await pauseKnown;
  if (currentPause()) throw new Error(IS_PAUSED);
  const tab = /** @type {chrome.tabs.Tab & {id: number}} */ (await chrome.tabs.get(tabId));
  const other = recordingIn(tabId);
  if (other) {
    throw new Error(other.client.id === PERSON.id ? "this tab is recorded already" : `${other.client.name} records this tab`);
  }
  const before = recordingOf(PERSON);
  if (before && !before.ended) throw new Error("another tab is recorded; stop that first");
  const { hasDialogs } = await record(tab, { ...workFor(PERSON, BEGIN_MS), tab });
  return { note: hasDialogs ? "" : NO_DIALOGS };
}

async function stop() {
  const recording = recordingOf(PERSON);
  if (recording) await finish(recording, ENDED);
  return {};
}

/** Has one bridge write the test. @param {string} client @param {string} language @param {Step[]} steps */
async function writtenBy(client, language, steps) {
  const id = crypto.randomUUID();
  /** @type {PromiseWithResolvers<Answer>} */
  const { promise, resolve } = Promise.withResolvers();
  questions.set(id, resolve);
  sendToClient(client, { type: "event", method: "steps.write", params: strikeOut({ id, language, steps }).value });
  const late = () => { throw new Error(SILENT); };
  const { file, text, problem } = await within(promise, WRITE_MS, late).finally(() => questions.delete(id));
  if (file === undefined || text === undefined) throw new Error(problem ?? SILENT);
  return { file, text };
}

/**
 * Has the test of the recording written.
 * @param {{language: string}} wish
 * @returns {Promise<WrittenTest>} rejects with what the person is told
 */
async function write({ language }) {
  const recording = recordingOf(PERSON);
  if (!recording) throw new Error("nothing is recorded");
  const steps = stepsAfter(recording, 0);
  let problem = new Error("no program is connected");
  for (const client of attachedClients().slice(0, MAX_ASKED)) {
    try {
      return await writtenBy(client, language, steps);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** A bridge has written a test. @param {Answer} answer */
export const testWritten = (answer) => questions.get(answer?.id)?.(answer);

/*
 * Messages for the side panel: {type: "recordPerson", tabId}, {type: "endPersonRecording"}, {type: "dropPersonRecording"}, and
 * {type: "writeTest", language}, which is answered with a WrittenTest.
 */
answerUi({
  recordPerson: start,
  endPersonRecording: stop,
  async dropPersonRecording() {
    await stop();
    await forget(PERSON);
    return {};
  },
  writeTest: write,
});
