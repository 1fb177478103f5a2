/*
 * Trusted keyboard input. Key events go to whatever has the focus, in whichever frame it is.
 */
import { editingCommands, MODIFIER_BITS } from "./keys.js";
import { focusForKeys } from "./key-holder.js";
import { insertLong } from "./dom-input.js";
import { joinNotes } from "../base/text.js";
import { pause } from "../base/deadline.js";

/** @typedef {import("../debugger/attachment.js").Send} Send */
/** @typedef {import("./keys.js").KeyStroke} KeyStroke */
/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {import("./dom-input.js").Target & {until: number}} Target  until: epoch ms, for the focus */

/** Time kept for the reply when a long text would not fit into the call. */
const REPLY_MARGIN_MS = 1500;

/** @type {string|undefined} */
let platform;

/** @returns {Promise<boolean>} whether this browser runs on a Mac */
export async function isMac() {
  platform ??= (await chrome.runtime.getPlatformInfo()).os;
  return platform === "mac";
}

/** @param {"keyDown"|"rawKeyDown"|"keyUp"} type @param {KeyStroke} stroke @param {number} modifiers */
function keyEvent(type, { key, code, keyCode, location, isKeypad = false }, modifiers) {
  return { type, modifiers, key, code, windowsVirtualKeyCode: keyCode, location, isKeypad };
}

/**
 * @param {Send} send
 * @param {KeyStroke} stroke
 * @param {{modifiers: number, mac: boolean, hold?: number, signal: AbortSignal}} options modifiers: bits of the keys that are
 *   held; hold: ms that the key stays down
 */
async function pressOnce(send, stroke, { modifiers, mac, hold = 0, signal }) {
  signal.throwIfAborted();
  try {
    await keyDown(send, stroke, modifiers, mac);
    if (hold) await pause(hold, signal);
  } finally {
    // The key goes up even when the call has ended meanwhile: no key stays down.
    await send("Input.dispatchKeyEvent", keyEvent("keyUp", stroke, modifiers & ~(MODIFIER_BITS[stroke.key] ?? 0)));
  }
}

/**
 * @param {Send} send
 * @param {KeyStroke} stroke
 * @param {number} modifiers bits of the keys that are held
 * @param {boolean} mac
 */
async function keyDown(send, stroke, modifiers, mac) {
  // A key writes nothing while Control, Alt or Meta is held.
  const text = (modifiers & ~MODIFIER_BITS.Shift) === 0 ? stroke.text : undefined;
  const isAccessKey = (modifiers & MODIFIER_BITS.Alt) !== 0 && stroke.text !== undefined;
  const commands = editingCommands(stroke, modifiers, mac);
  await send("Input.dispatchKeyEvent", {
    ...keyEvent(text || isAccessKey ? "keyDown" : "rawKeyDown", stroke, modifiers),
    ...(text && { text }),
    // Chrome finds the element of an access key by what the key would write without Alt.
    ...((text || isAccessKey) && { unmodifiedText: stroke.text }),
    ...(commands.length ? { commands } : {}),
  });
}

/**
 * Holds modifier keys down while `work` runs.
 * @template T
 * @param {Send} send
 * @param {KeyStroke[]} keys
 * @param {(bits: number) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function holding(send, keys, work) {
  /** @type {KeyStroke[]} */
  const held = [];
  let bits = 0;
  try {
    for (const key of keys) {
      bits |= MODIFIER_BITS[key.key];
      held.unshift(key);
      await send("Input.dispatchKeyEvent", keyEvent("rawKeyDown", key, bits));
    }
    return await work(bits);
  } finally {
    for (const key of held) {
      bits &= ~MODIFIER_BITS[key.key];
      await send("Input.dispatchKeyEvent", keyEvent("keyUp", key, bits)).catch(() => {});
    }
  }
}

/**
 * Presses a key or combination once.
 * @param {Send} send
 * @param {{modifiers: KeyStroke[], stroke: KeyStroke}} keys
 * @param {CallContext} call
 * @param {number} [hold] ms that the key stays down
 */
export async function pressKeys(send, { modifiers, stroke }, call, hold = 0) {
  const mac = await isMac();
  await holding(send, modifiers, async (bits) => {
    const own = MODIFIER_BITS[stroke.key] ?? 0;
    await pressOnce(send, stroke, { modifiers: bits | own, mac, hold, signal: call.signal });
  });
}

/**
 * Presses a key or combination, as often as is wished.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Target & {keys: {modifiers: KeyStroke[], stroke: KeyStroke}, repeat: number, delay: number,
 *   hold: number}} what  delay: ms between repeats; hold: ms that the key stays down
 */
export async function pressRepeatedly(send, call, { keys, repeat, delay, hold, ...what }) {
  const focused = await focusForKeys(call, what);
  for (let n = 0; n < repeat; n += 1) {
    if (n) await pause(delay, call.signal);
    await pressKeys(send, keys, call, hold);
  }
  return focused;
}

/**
 * Types text; characters without a key are inserted as an input method would.
 * @param {Send} send
 * @param {CallContext} call
 * @param {Target & {text: string, strokes: ReturnType<typeof import("./keys.js").strokesOfText>, delay: number}} what
 *   delay: ms between keys; shortened when the text would not fit into the call
 */
export async function typeText(send, call, { delay, ...what }) {
  const { strokes } = what;
  const inserted = await insertLong(call, what);
  if (inserted) return inserted;
  const focused = await focusForKeys(call, what);
  const share = Math.max(0, call.remaining() - REPLY_MARGIN_MS) / Math.max(1, strokes.length) - 5;
  const wait = Math.max(0, Math.min(delay, Math.floor(share)));
  for (const [index, { stroke, shift, insert }] of strokes.entries()) {
    if (index) await pause(wait, call.signal);
    if (!stroke) {
      await send("Input.insertText", { text: /** @type {string} */ (insert) });
      continue;
    }
    await pressOnce(send, stroke, { modifiers: shift ? MODIFIER_BITS.Shift : 0, mac: false, signal: call.signal });
  }
  const isHurried = wait < delay && strokes.length > 1;
  const note = joinNotes(focused.note, isHurried ? `typed with ${wait} ms between keys to end in time` : "");
  return { ...focused, ...(note && { note }) };
}
