/*
 * The clients that hold tabs, as people and other clients see them: by a name that tells them apart, a colour, and their tab
 * groups.
 */
import { Signal } from "../base/signal.js";
import { persisted, ready } from "../base/state.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {{dark: string, light: string}} Hue */
/** @typedef {{name: string, number: number, colour: string, groups: number[]}} Holder  number: tells clients of one name apart */

const MAX_NAME = 40;
/**
 * Chrome's colours of groups, without grey, which looks like nobody's: as CSS, dark enough for white text, light enough for dark.
 * @type {Record<string, Hue>}
 */
const HUES = {
  blue: { dark: "#1a73e8", light: "#8ab4f8" },
  green: { dark: "#188038", light: "#81c995" },
  purple: { dark: "#9334e6", light: "#c58af9" },
  orange: { dark: "#b25400", light: "#fcad70" },
  cyan: { dark: "#007b83", light: "#78d9ec" },
  pink: { dark: "#d01884", light: "#ff8bcb" },
  red: { dark: "#d93025", light: "#f28b82" },
  yellow: { dark: "#8a5a00", light: "#fdd663" },
};
const COLOURS = Object.keys(HUES);

/** Client id → how it is shown, from its connection to its end. */
const holders = persisted("leases.holders", /** @type {Record<string, Holder>} */ ({}));
/** @type {Signal<[clientId: string]>} */
const renamed = new Signal();
/** Calls a listener when a client has got a name, or another one. */
export const onRenamed = renamed.add;

/**
 * Name, number and colour under which a client is shown; absent before it has connected.
 * @param {string} clientId
 * @returns {Holder | undefined}
 */
export const holder = (clientId) => holders.get()[clientId];

/** The colour of a client on a light and on a dark ground. @param {string|undefined} clientId @returns {Hue|undefined} */
export const hueOf = (clientId = "") => HUES[holders.get()[clientId]?.colour];

/**
 * The client a tab group is for.
 * @param {number} groupId
 * @returns {string | undefined} its id
 */
export const ownerOf = (groupId) => Object.keys(holders.get()).find((id) => holders.get()[id].groups.includes(groupId));

/**
 * Name of a client for people and models.
 * @param {string} clientId
 */
export function labelOf(clientId) {
  const { name, number } = holders.get()[clientId] ?? { name: "another client", number: 1 };
  return number > 1 ? `${name} ${number}` : name;
}

/** @returns {string[]} the ids of the clients that are connected, or were a moment ago */
export const allHolders = () => Object.keys(holders.get());

/**
 * Takes a client in, or notes what it calls itself now.
 * @param {Client} client
 */
export function introduce(client) {
  const { id } = client;
  const name = client.name.slice(0, MAX_NAME);
  if (holders.get()[id]?.name !== name) show(id, name);
  client.label = labelOf(id);
}

/** @param {string} id @param {string} name */
function show(id, name) {
  const known = holders.get()[id];
  const others = Object.entries(holders.get()).filter(([other]) => other !== id).map(([, each]) => each);
  const numbers = new Set(others.filter((each) => each.name === name).map(({ number }) => number));
  let number = 1;
  while (numbers.has(number)) number += 1;
  // A client that had no group gets the colour of its name: nobody has seen its old colour.
  const seen = known?.groups.length ? known : { colour: colourFor(name, others), groups: [] };
  void holders.put(id, { ...seen, name, number });
  renamed.emit(id);
}

/**
 * A client of one name has the same colour every day, unless another one has it just now.
 * @param {string} name
 * @param {Holder[]} others
 */
function colourFor(name, others) {
  const first = [...name].reduce((sum, letter) => (sum * 31 + /** @type {number} */ (letter.codePointAt(0))) % 9973, 0);
  const inOrder = COLOURS.map((_, at) => COLOURS[(first + at) % COLOURS.length]);
  return inOrder.find((colour) => others.every((other) => other.colour !== colour)) ?? inOrder[0];
}

/**
 * A client has connected, or says another name.
 * @param {Client} client
 */
export async function rename(client) {
  await ready;
  introduce(client);
}

/**
 * Notes that a group belongs to a client.
 * @param {string} clientId
 * @param {number} groupId
 */
export async function noteOwnGroup(clientId, groupId) {
  const { groups } = holders.get()[clientId];
  if (groups.includes(groupId)) return;
  groups.push(groupId);
  await holders.save();
}

/**
 * Forgets a client that is gone.
 * @param {string} clientId
 */
export const dropHolder = (clientId) => void holders.drop(clientId);
