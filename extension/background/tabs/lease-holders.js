/*
 * The clients that hold tabs, as people and other clients see them: by a name that tells them apart, a colour, and their tab
 * groups.
 */
import { Signal } from "../base/signal.js";
import { persisted, ready } from "../base/state.js";

/** @typedef {import("../../types").Client} Client */
/** @typedef {{name: string, number: number, colour: string, groups: number[]}} Holder  number: tells clients of one name apart */

const MAX_NAME = 40;
/** Chrome's colours of groups, without grey, which looks like nobody's. */
const COLOURS = ["blue", "green", "purple", "orange", "cyan", "pink", "red", "yellow"];

/** Client id → how it is shown, from its first lease to its end. */
const holders = persisted("leases.holders", /** @type {Record<string, Holder>} */ ({}));
/** @type {Signal<[clientId: string]>} */
const renamed = new Signal();
/** Calls a listener when a client that holds tabs has another name. */
export const onRenamed = renamed.add;

/**
 * How a client is shown; absent before its first lease.
 * @param {string} clientId
 * @returns {Holder | undefined}
 */
export const holder = (clientId) => holders.get()[clientId];

/**
 * The client a tab group is for.
 * @param {number} groupId
 * @returns {string | undefined} its id
 */
export const ownerOf = (groupId) => Object.keys(holders.get()).find((id) => holders.get()[id].groups.includes(groupId));

/**
 * What people and models read as the name of a client that holds tabs.
 * @param {string} clientId
 */
export function labelOf(clientId) {
  const { name, number } = holders.get()[clientId] ?? { name: "another client", number: 1 };
  return number > 1 ? `${name} ${number}` : name;
}

/** @returns {string[]} the ids of the clients that hold tabs or held one */
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
  holders.get()[id] = known ? { ...known, name, number } : { name, number, colour: colourFor(name, others), groups: [] };
  void holders.save();
  if (known) renamed.emit(id);
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
 * A client says its name, or another one.
 * @param {Client} client
 */
export async function rename(client) {
  await ready;
  if (holders.get()[client.id]) introduce(client);
}

/**
 * A group is a client's.
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
 * A client is gone.
 * @param {string} clientId
 */
export function dropHolder(clientId) {
  delete holders.get()[clientId];
  void holders.save();
}
