/*
 * Recordings of what a person does, step by step: one for each client, of a tab and of those that are opened from it. What pages
 * and the browser tell becomes the list of steps here; a later step may replace an earlier one, as the next letter in a field
 * does. Recordings outlive the worker. They end with their tab, with their client, or when the person stops or pauses.
 */
import { PERSON, isAttachedClient, releaseForAbsent } from "../base/clients.js";
import { CallGrants, ownCall } from "../rules/call-parts.js";
import { Signal } from "../base/signal.js";
import { persistedEntries, ready } from "../base/state.js";
import { onTabClosed } from "../base/tabs.js";
import { mayTell } from "../rules/addresses.js";
import { BY_PERSON } from "../rules/permissions.js";
import { onClientStop, onPause } from "../rules/stop.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("../base/protocol-types").Result<"steps.record">["steps"][number]} Step */
/** @typedef {Step & {key: string, at: number}} KeptStep key: what replaces it names it so; at: epoch ms */
/**
 * A step as a page tells it, with the keys of those that it replaces.
 * @typedef {Pick<Step, "method"|"params"|"target"|"variable"|"kind"> & {key: string, replaces?: string[]}} Told
 */
/**
 * @typedef {object} Recording
 * @property {Client} client
 * @property {number} tabId
 * @property {number[]} opened tabs that were opened from it
 * @property {KeptStep[]} steps
 * @property {number} last number of the newest step
 * @property {string|null} ended why it takes no more steps
 */

const MAX_STEPS = 2_000;
/** A client that is not back by then is gone. */
const RETURN_MS = 8_000;

/** Client id → its recording. @type {ReturnType<typeof persistedEntries<Recording>>} */
const recordings = persistedEntries("steps.");
/** @type {Signal<[recording: Recording]>} */
const changed = new Signal();
/** Calls a listener when a recording has another step, or has ended. */
export const onSteps = changed.add;
/** @type {Signal<[recording: Recording]>} */
const over = new Signal();
/** Calls a listener when a recording has ended. */
export const onRecordingEnd = over.add;

const all = () => recordings.entries().map(([, recording]) => recording);

/** The recording of a client, also one that has ended. @param {Client} client */
export const recordingOf = ({ id }) => recordings.get(id);

/** Tabs of a recording. @param {Recording} recording */
export const tabsOf = ({ tabId, opened }) => [tabId, ...opened];

/** The recording that goes on in a tab. @param {number|undefined} tabId */
export const recordingIn = (tabId) =>
  all().find((recording) => !recording.ended && tabId !== undefined && tabsOf(recording).includes(tabId));

/** @param {Client} client @param {number} tabId @param {string} url @returns {Promise<Recording>} */
export async function begin(client, tabId, url) {
  const recording = { client, tabId, opened: [], steps: [], last: 0, ended: null };
  await recordings.set(client.id, recording);
  if (url && url !== "about:blank") await add(recording, tabId, { key: "start", method: "navigation.navigate", params: { url } });
  return recording;
}

/** @param {Recording} recording */
async function save(recording) {
  await recordings.set(recording.client.id, recording);
  changed.emit(recording);
}

/**
 * Adds a step to a recording.
 * @param {Recording} recording @param {number} tab @param {Told} told
 * @param {string} [place] the document in which its keys mean something
 */
export async function add(recording, tab, { key, replaces = [], ...told }, place = "") {
  const { steps } = recording;
  const replaced = new Set([key, ...replaces].map((one) => `${place} ${one}`));
  // Only the newest steps: what has happened in between would come before its cause.
  while (steps.length && replaced.has(steps[steps.length - 1].key)) steps.pop();
  recording.last += 1;
  steps.push({ ...told, number: recording.last, tab, key: `${place} ${key}`, at: Date.now() });
  if (steps.length >= MAX_STEPS) await end(recording, `${MAX_STEPS} steps are recorded, which is the most`);
  else await save(recording);
}

/**
 * Notes what came of the newest step.
 * @param {Recording} recording @param {number} tab @param {NonNullable<Step["observed"]>} observed
 */
export async function observe(recording, tab, observed) {
  const step = recording.steps.at(-1);
  if (step?.tab !== tab || step.key === " start") return;
  const tabs = [...step.observed?.new_tabs ?? [], ...observed.new_tabs ?? []];
  step.observed = { ...step.observed, ...observed, ...(tabs.length && { new_tabs: tabs }) };
  await save(recording);
}

/** @param {Recording} recording @param {number} opener @param {number} tabId */
export async function addTab(recording, opener, tabId) {
  if (tabsOf(recording).includes(tabId)) return;
  recording.opened.push(tabId);
  await observe(recording, opener, { new_tabs: [{ tabId, url: "" }] });
  await save(recording);
}

/** @param {Recording} recording @param {string} why */
export async function end(recording, why) {
  if (recording.ended) return;
  recording.ended = why;
  over.emit(recording);
  await save(recording);
}

/** @param {Client} client */
export async function forget({ id }) {
  const recording = recordings.get(id);
  await recordings.remove([id]);
  if (recording) changed.emit(recording);
}

/**
 * The context of work in the pages of a recording that no call does.
 * @param {Client} client whose recording it is
 * @param {number} limit ms it may take
 * @returns {CallContext}
 */
export const workFor = (client, limit) =>
  ({ ...ownCall(client.id, limit), client, grants: new CallGrants(client.id === PERSON.id ? [BY_PERSON] : []) });

/** Steps as they go over the wire. @param {Recording} recording @param {number} after @returns {Step[]} */
export const stepsAfter = ({ steps }, after) =>
  steps.filter(({ number }) => number > after).map(({ key: _key, at: _at, ...step }) => step);

/** Whether a page may be told of. @param {string|undefined} url @param {number} tabId */
export const isTold = (url, tabId) => mayTell(url ?? "", tabId);

onTabClosed(async (tabId) => {
  await ready;
  const recording = recordingIn(tabId);
  if (recording?.tabId === tabId) return end(recording, "its tab was closed");
  if (recording) recording.opened = recording.opened.filter((id) => id !== tabId);
  return undefined;
});
const endAll = async (/** @type {string} */ why) => {
  await ready;
  await Promise.all(all().map((recording) => end(recording, why)));
};
onPause(() => endAll("the person paused or stopped Tabwire"));
onClientStop((clientId) => Promise.all(all().filter(({ client }) => client.id === clientId)
  .map((recording) => end(recording, "the person stopped this client"))));
releaseForAbsent(RETURN_MS, async () => {
  for (const recording of all()) {
    if (isAttachedClient(recording.client.id)) continue;
    await end(recording, "its client is gone");
    await forget(recording.client);
  }
});
