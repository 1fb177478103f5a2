/**
 * The question whether a program on this computer may have a key of this browser, with the code that the terminal must show, too;
 * and what to do while nobody asks.
 */
import { armLate } from "../shared/control.js";
import { copyText, find, make, say } from "../shared/elements.js";
import { ask, listen } from "../shared/worker.js";
import { INSTALL_COMMAND } from "../../background/base/protocol.js";

/** @typedef {import("../../background/panel/pairing-request.js").PairingState} PairingState */

let shown = "";

/** @param {string} request @param {Record<string, unknown>} more */
const send = (request, more) => void ask(request, more)
  .then(() => say(find("#pairing-problem"), ""), (error) => say(find("#pairing-problem"), error.message));

/** Only a person's own press counts. @param {string} text @param {string} request @param {Record<string, unknown>} [more] */
const button = (text, request, more = {}) => make("button", {
  type: "button", textContent: text, data: { request }, onclick: ({ isTrusted }) => { if (isTrusted) send(request, more); },
});

const SAME = " must show this code:";
const OTHERWISE = "If it shows another one, or if you have typed nothing in a terminal, do not allow it: another program then " +
  "pretends to be Tabwire, and would work in this browser.";

/** @param {string} code */
function question(code) {
  const allow = button("Allow", "allowPairing", { code });
  allow.className = "main";
  armLate(allow);
  return [
    make("h3", { textContent: "Allow tabwire on this computer?" }),
    make("p", {}, "The terminal in which you have typed ", make("code", { textContent: INSTALL_COMMAND }), SAME),
    make("p", { className: "code", textContent: `${code.slice(0, 3)} ${code.slice(3)}`, id: "pairing-code" }),
    make("p", { className: "soft", textContent: OTHERWISE }),
    make("div", { className: "actions" }, button("Don't allow", "refusePairing", { code }), allow),
  ];
}

function instruction() {
  const copied = make("span", { role: "status" });
  const onclick = () => copyText(INSTALL_COMMAND, copied);
  return [
    make("p", { textContent: "Type this in a terminal on this computer. This page then shows a code, and asks you." }),
    make("p", { className: "actions" }, make("code", { textContent: INSTALL_COMMAND }),
      make("button", { type: "button", textContent: "Copy the command", onclick }), copied),
  ];
}

const UNKNOWN_KEY = "The programs that were found on this computer do not know the key of this browser: it was taken back, or " +
  "they belong to another user. A new key takes the place of the one there is.";

/** @type {Record<Exclude<PairingState["name"], "paired">, (state: PairingState) => HTMLElement[]>} */
const CONTENT = {
  looking: instruction,
  asking: ({ code = "" }) => question(code),
  joining: () => [make("p", { textContent: "Connecting…" })],
  done: () => [make("p", { textContent: "This browser is connected with this computer ✓" })],
  found: () => [make("p", { textContent: "A program on this computer waits for this browser." }),
    make("div", { className: "actions" }, button("Connect", "lookForBridge"))],
  several: ({ words = "" }) => again(words),
  ended: ({ words = "" }) => again(words),
  other_copy: ({ words = "" }) => [make("p", { textContent: words })],
  unknown_key: () => [make("p", { textContent: UNKNOWN_KEY }),
    make("div", { className: "actions" }, button("Connect anew", "lookForBridge", { anew: true }))],
};

/** @param {string} words */
const again = (words) => [make("p", { textContent: words }),
  make("div", { className: "actions" }, button("Look again", "lookForBridge"))];

/** @param {PairingState} state */
function show(state) {
  const looks = JSON.stringify(state);
  if (looks === shown) return;
  shown = looks;
  find("#pairing").hidden = state.name === "paired";
  find("#pairing").dataset.state = state.name;
  // Made anew: a button that was armed for one code is not armed for the next.
  find("#pairing-card").replaceChildren(...(state.name === "paired" ? [] : CONTENT[state.name](state)));
  find("#pairing-card").classList.toggle("card", state.name === "asking");
}

/** Shows it in its place, `#pairing`. */
export function startPairing() {
  listen("pairing", show);
}
