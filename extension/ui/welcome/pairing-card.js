/**
 * The question whether a program on this computer may have a key of this browser, with the code that the program must show, too;
 * and what to do while nobody asks.
 */
import { armLate } from "../shared/control.js";
import { attempt, copyText, find, make } from "../shared/elements.js";
import { ask, listen } from "../shared/worker.js";
import { INSTALL_COMMAND } from "../../background/base/protocol.js";

/** @typedef {import("../../background/panel/pairing-request.js").PairingState} PairingState */

let shown = "";

/** @param {string} request @param {Record<string, unknown>} more */
const send = (request, more) => void attempt(find("#pairing-problem"), () => ask(request, more));

/** Button for a person's own press only. @param {string} text @param {string} request @param {Record<string, unknown>} [more] */
const button = (text, request, more = {}) => make("button", {
  type: "button", textContent: text, data: { request }, onclick: ({ isTrusted }) => { if (isTrusted) send(request, more); },
});

const SAME = "Claude, or the program that you have asked to use this browser, must show this code in its answer. A terminal in " +
  "which you have typed ";
const OTHERWISE = "If it shows another one, or if you have asked nothing of a program, do not allow it: another one then " +
  "pretends to be Tabwire, and would work in this browser.";

/** @param {string} code */
function question(code) {
  const allow = button("Allow", "allowPairing", { code });
  allow.className = "main";
  armLate(allow);
  return [
    make("h3", { textContent: "Allow tabwire on this computer?" }),
    make("p", {}, SAME, make("code", { textContent: INSTALL_COMMAND }), " shows it as well:"),
    make("p", { className: "code", textContent: `${code.slice(0, 3)} ${code.slice(3)}`, id: "pairing-code" }),
    make("p", { className: "soft", textContent: OTHERWISE }),
    make("div", { className: "actions" }, button("Don't allow", "refusePairing", { code }), allow),
  ];
}

const TRY = "“Open example.com in my browser and tell me what it says.”";

function instruction() {
  const copied = make("span", { role: "status" });
  const onclick = () => copyText(INSTALL_COMMAND, copied);
  return [
    make("p", { textContent: `Claude Desktop: open the Tabwire bundle (.mcpb) there, then ask: ${TRY} Its answer shows a code, ` +
      "and so does this page, which asks you." }),
    make("p", { textContent: "Other programs: type this in a terminal on this computer. It shows the code." }),
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
  // The card is made anew: a button that was armed for one code is not armed for the next.
  find("#pairing-card").replaceChildren(...(state.name === "paired" ? [] : CONTENT[state.name](state)));
  find("#pairing-card").classList.toggle("card", state.name === "asking");
}

/** Shows the card in its place, `#pairing`. */
export function startPairing() {
  listen("pairing", show);
}
