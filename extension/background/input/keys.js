/*
 * The keyboard: a US layout as data, key names with their everyday spellings, and combinations such as Control+Shift+p.
 */
import { invalid } from "../base/errors.js";

/** @typedef {{key: string, code: string, keyCode: number, text?: string, location: number, isKeypad?: boolean}} KeyStroke */
/** @typedef {[code: string, keyCode: number, character: string, withShift: string]} CharacterKey */
/** @typedef {[key: string, code: string, keyCode: number, location?: number, text?: string]} NamedKey */

/** @type {CharacterKey[]} */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) =>
  [`Key${letter.toUpperCase()}`, letter.toUpperCase().charCodeAt(0), letter, letter.toUpperCase()]);
/** @type {CharacterKey[]} */
const DIGITS = [...")!@#$%^&*("].map((shifted, digit) => [`Digit${digit}`, 48 + digit, String(digit), shifted]);
/** @type {CharacterKey[]} */
const CHARACTERS = [
  ...LETTERS,
  ...DIGITS,
  ["Space", 32, " ", " "],
  ["Semicolon", 186, ";", ":"],
  ["Equal", 187, "=", "+"],
  ["Comma", 188, ",", "<"],
  ["Minus", 189, "-", "_"],
  ["Period", 190, ".", ">"],
  ["Slash", 191, "/", "?"],
  ["Backquote", 192, "`", "~"],
  ["BracketLeft", 219, "[", "{"],
  ["Backslash", 220, "\\", "|"],
  ["BracketRight", 221, "]", "}"],
  ["Quote", 222, "'", '"'],
];
const LEFT = 1;
const RIGHT = 2;
const KEYPAD = 3;
/** @type {NamedKey[]} */
const NAMED = [
  ["Enter", "Enter", 13, 0, "\r"],
  ["Tab", "Tab", 9],
  ["Escape", "Escape", 27],
  ["Backspace", "Backspace", 8],
  ["Delete", "Delete", 46],
  ["Insert", "Insert", 45],
  ["ArrowLeft", "ArrowLeft", 37],
  ["ArrowUp", "ArrowUp", 38],
  ["ArrowRight", "ArrowRight", 39],
  ["ArrowDown", "ArrowDown", 40],
  ["Home", "Home", 36],
  ["End", "End", 35],
  ["PageUp", "PageUp", 33],
  ["PageDown", "PageDown", 34],
  ["Control", "ControlLeft", 17, LEFT],
  ["Control", "ControlRight", 17, RIGHT],
  ["Shift", "ShiftLeft", 16, LEFT],
  ["Shift", "ShiftRight", 16, RIGHT],
  ["Alt", "AltLeft", 18, LEFT],
  ["Alt", "AltRight", 18, RIGHT],
  ["Meta", "MetaLeft", 91, LEFT],
  ["Meta", "MetaRight", 92, RIGHT],
  ["CapsLock", "CapsLock", 20],
  ["NumLock", "NumLock", 144],
  ["ScrollLock", "ScrollLock", 145],
  ["Pause", "Pause", 19],
  ["PrintScreen", "PrintScreen", 44],
  ["ContextMenu", "ContextMenu", 93],
  ...Array.from({ length: 24 }, /** @returns {NamedKey} */ (_, i) => [`F${i + 1}`, `F${i + 1}`, 112 + i]),
  ...Array.from({ length: 10 }, /** @returns {NamedKey} */ (_, i) => [String(i), `Numpad${i}`, 96 + i, KEYPAD, String(i)]),
  ["Enter", "NumpadEnter", 13, KEYPAD, "\r"],
  ["*", "NumpadMultiply", 106, KEYPAD, "*"],
  ["+", "NumpadAdd", 107, KEYPAD, "+"],
  ["-", "NumpadSubtract", 109, KEYPAD, "-"],
  [".", "NumpadDecimal", 110, KEYPAD, "."],
  ["/", "NumpadDivide", 111, KEYPAD, "/"],
];
/** @type {Record<string, string>} */
const ALIASES = {
  esc: "Escape", return: "Enter", del: "Delete", ins: "Insert", spacebar: "Space", left: "ArrowLeft", right: "ArrowRight",
  up: "ArrowUp", down: "ArrowDown", pgup: "PageUp", pgdn: "PageDown", pagedn: "PageDown", ctrl: "Control", cmd: "Meta",
  command: "Meta", win: "Meta", windows: "Meta", super: "Meta", option: "Alt", opt: "Alt", plus: "+", controlleft: "ControlLeft",
};
/** Bits of the debugger's `modifiers`. @type {Record<string, number>} */
export const MODIFIER_BITS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/** Character → its key, and whether Shift is held for it. @type {Map<string, {stroke: KeyStroke, shift: boolean}>} */
const byCharacter = new Map();
/** Name (key or code) → key. @type {Map<string, KeyStroke>} */
const byName = new Map();
/** A character key → the same key with Shift. @type {Map<string, KeyStroke>} */
const shifted = new Map();

for (const [code, keyCode, plain, upper] of CHARACTERS) {
  const stroke = { key: plain, code, keyCode, text: plain, location: 0 };
  const above = { ...stroke, key: upper, text: upper };
  byCharacter.set(plain, { stroke, shift: false });
  if (upper !== plain) byCharacter.set(upper, { stroke: above, shift: true });
  byName.set(code, stroke);
  shifted.set(code, above);
}
for (const [key, code, keyCode, location = 0, text] of NAMED) {
  const stroke = { key, code, keyCode, location, ...(text ? { text } : {}), ...(location === KEYPAD ? { isKeypad: true } : {}) };
  if (!byName.has(code)) byName.set(code, stroke);
  if (location !== KEYPAD && !byName.has(key)) byName.set(key, stroke);
}
const byLowerName = new Map([...byName].map(([name, stroke]) => [name.toLowerCase(), stroke]));

/** @param {string} name */
function strokeOf(name) {
  const character = byCharacter.get(name);
  if (character) return character;
  const named = byName.get(name) ?? byName.get(ALIASES[name.toLowerCase()] ?? "") ?? byLowerName.get(name.toLowerCase());
  if (named) return { stroke: named, shift: false };
  const alias = byCharacter.get(ALIASES[name.toLowerCase()] ?? "");
  if (alias) return alias;
  if ([...name].length === 1) return { stroke: { key: name, code: "", keyCode: 0, text: name, location: 0 }, shift: false };
  throw invalid(
    `there is no key "${name}". Use a character, or Enter, Tab, Escape, Backspace, Delete, Space, ArrowUp …, Home, End, ` +
    `PageUp, F1-F12; join modifiers with "+": Control+Shift+p`,
  );
}

/** @param {string} combination */
function splitCombination(combination) {
  // "+" is a key as well: "Control++", "+".
  const parts = combination === "+" ? ["+"] : combination.endsWith("++")
    ? [...combination.slice(0, -2).split("+"), "+"] : combination.split("+");
  if (!combination || parts.some((part) => part === "")) {
    throw invalid(`"${combination}" is not a key combination. Write it like Control+a or Shift+Tab`);
  }
  return parts;
}

/**
 * Reads a key or combination.
 * @param {string} combination such as "a", "Enter", "Control+Shift+p"
 * @param {boolean} isMac
 * @returns {{modifiers: KeyStroke[], stroke: KeyStroke}}
 */
export function parseKeys(combination, isMac) {
  const names = splitCombination(combination === " " ? "Space" : combination)
    .map((name) => (name === "ControlOrMeta" || name === "CommandOrControl" ? (isMac ? "Meta" : "Control") : name));
  const modifiers = names.slice(0, -1).map((name) => strokeOf(name).stroke);
  for (const modifier of modifiers) {
    if (!(modifier.key in MODIFIER_BITS)) {
      throw invalid(`"${modifier.key}" in "${combination}" is not a modifier; use Control, Alt, Shift, Meta`);
    }
  }
  const { stroke } = strokeOf(/** @type {string} */ (names.at(-1)));
  const hasShift = modifiers.some(({ key }) => key === "Shift");
  return { modifiers, stroke: hasShift ? shifted.get(stroke.code) ?? stroke : stroke };
}

/**
 * Whether a combination pastes in some browser, by trusted keys or by DOM events.
 * @param {ReturnType<typeof parseKeys>} keys
 */
export function isPaste({ modifiers, stroke }) {
  const isHeld = (/** @type {string} */ name) => modifiers.some(({ key }) => key === name);
  if (stroke.code === "Insert") return isHeld("Shift");
  return stroke.code === "KeyV" && (isHeld("Control") || isHeld("Meta"));
}

/**
 * Text as the key strokes of a typist; {insert} for what has no key on this keyboard.
 * @param {string} text
 * @returns {Array<{stroke?: KeyStroke, shift?: boolean, insert?: string}>}
 */
export function strokesOfText(text) {
  /** @type {Record<string, string>} */
  const named = { "\n": "Enter", "\t": "Tab" };
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return [...graphemes.segment(text.replace(/\r\n?/g, "\n"))].map(({ segment }) => {
    if (named[segment]) return { stroke: byName.get(named[segment]), shift: false };
    return byCharacter.get(segment) ?? { insert: segment };
  });
}

/** @type {Record<string, string>} */
const SHORTCUTS = {
  a: "selectAll", c: "copy", v: "paste", x: "cut", z: "undo", "shift+z": "redo", y: "redo", "shift+v": "pasteAndMatchStyle",
};
/** Editing commands of the Mac for keys that no menu handles. Shift extends the selection. @type {Record<string, string[]>} */
const MAC_MOTIONS = {
  ArrowLeft: ["moveLeft", "moveWordLeft", "moveToLeftEndOfLine"],
  ArrowRight: ["moveRight", "moveWordRight", "moveToRightEndOfLine"],
  ArrowUp: ["moveUp", "moveToBeginningOfParagraph", "moveToBeginningOfDocument"],
  ArrowDown: ["moveDown", "moveToEndOfParagraph", "moveToEndOfDocument"],
};
/** @type {Record<string, string[]>} */
const MAC_DELETIONS = {
  Backspace: ["deleteBackward", "deleteWordBackward", "deleteToBeginningOfLine"],
  Delete: ["deleteForward", "deleteWordForward", "deleteToEndOfLine"],
};

/**
 * The editing commands a combination stands for; the debugger's key events do not pass the browser's own shortcuts.
 * @param {KeyStroke} stroke
 * @param {number} modifiers bits
 * @param {boolean} isMac
 * @returns {string[]}
 */
export function editingCommands(stroke, modifiers, isMac) {
  const main = isMac ? MODIFIER_BITS.Meta : MODIFIER_BITS.Control;
  const shift = (modifiers & MODIFIER_BITS.Shift) !== 0;
  const rest = modifiers & ~MODIFIER_BITS.Shift;
  if (rest === main) {
    const command = SHORTCUTS[`${shift ? "shift+" : ""}${stroke.key.toLowerCase()}`];
    if (command) return [command];
  }
  if (!isMac) return [];
  const column = { 0: 0, [MODIFIER_BITS.Alt]: 1, [MODIFIER_BITS.Meta]: 2 }[rest];
  const motion = MAC_MOTIONS[stroke.key]?.[column ?? -1];
  if (motion) return [shift ? `${motion}AndModifySelection` : motion];
  const deletion = MAC_DELETIONS[stroke.key]?.[column ?? -1];
  return deletion ? [deletion] : [];
}
