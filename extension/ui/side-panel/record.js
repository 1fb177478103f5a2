/**
 * A test by showing it: the person records what they do in the tab that is looked at, and takes the test that a program writes of
 * it. The button that was pressed says what has become of it and stays where it is; what follows from it stands below.
 */
import { attempt, copyText, find, make, optionsOf, say, sayWithCode } from "../shared/elements.js";
import { icon } from "../shared/icons.js";
import { isUsable, nameTab, tabLink, titleOf, watchFront } from "../shared/open-tabs.js";
import { ask } from "../shared/worker.js";
import { count } from "../../background/base/text.js";

/** @typedef {import("../../background/panel/panel-state.js").PanelState} PanelState */
/** @typedef {import("../../background/steps/person-recording.js").WrittenTest} WrittenTest */

/** Time in which two bridges may write, one after the other. */
const WRITE_MS = 18_000;
const LANGUAGES = {
  pytest: "pytest", selenium: "Selenium (Python)", batch: "tabwire batch", steps: "tabwire replay (repairs itself)",
};
const WHAT = "What you do in the tab becomes a test. Passwords are not recorded.";
const NEEDS = "Your steps are kept until this browser closes. To have the test written, start a program that uses Tabwire, or "
  + "run this in a terminal:";
const IS_ON = "Recording. Act in the page; its bar has the test expect something.";
const COMMAND = "tabwire tabs";

/** @type {PanelState|null} */
let known = null;
/** @type {chrome.tabs.Tab|undefined} */
let front;
/** The test that is shown. @type {WrittenTest|null} */
let test = null;
/** Facts for which the last test was asked: another one of them asks for another one. */
let asked = "";

const button = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (find(`#${id}`));
const language = () => /** @type {HTMLSelectElement} */ (find("#record-language"));
const text = () => /** @type {HTMLTextAreaElement} */ (find("#record-text"));

/** @param {HTMLButtonElement} shown @param {"record"|"stop"|"check"} sign @param {string} words */
function label(shown, sign, words) {
  if (shown.textContent !== words) shown.replaceChildren(icon(sign), words);
}

/** The one button: begins, ends, and says that it has ended, so that a second press of it begins nothing. */
function drawButton() {
  const recording = known?.recording;
  const shown = button("record");
  shown.disabled = recording ? !recording.isOn : !isUsable(front) || Boolean(known?.pause);
  if (!recording) label(shown, "record", "Record this tab");
  else if (recording.isOn) label(shown, "stop", "Stop recording");
  else label(shown, "check", "Recorded");
  const title = find("#record-title");
  title.textContent = isUsable(front) ? titleOf(front ?? null) : "This page cannot be recorded";
  title.hidden = Boolean(recording);
}

function drawSteps() {
  const recording = known?.recording;
  const part = find("#record-steps");
  part.hidden = !recording;
  if (!recording) return;
  const { tabId } = recording;
  if (part.dataset.tab !== String(tabId)) {
    part.dataset.tab = String(tabId);
    find("#record-tab").replaceChildren(tabLink(tabId));
  }
  void nameTab(find("#record-tab .link"), tabId);
  say(find("#record-count"), `${count(recording.count, "step")} in`);
}

function drawTest() {
  const recording = known?.recording;
  const part = find("#record-test");
  part.hidden = !recording || recording.isOn;
  if (!recording || part.hidden) return;
  const isAlone = !known?.clients.length;
  find("#record-needs").hidden = !isAlone || test !== null;
  for (const id of ["record-copy", "record-save"]) button(id).disabled = !test;
  if (text().value !== (test?.text ?? "")) text().value = test?.text ?? "";
  find("#record-file").textContent = test ? test.file : "";
}

function draw() {
  drawButton();
  drawSteps();
  drawTest();
  if (known?.recording && !known.recording.isOn) void write(known.recording.last);
  else asked = "";
}

/** Has the test written, where it is not yet. @param {number} last */
async function write(last) {
  const wish = `${last} ${language().value}`;
  if (asked === wish || !known?.clients.length) return;
  asked = wish;
  test = null;
  const problem = find("#record-problem");
  say(problem, "");
  find("#record-again").hidden = true;
  try {
    const answer = /** @type {WrittenTest} */ (await ask("writeTest", { language: language().value }, WRITE_MS));
    if (asked !== wish) return;
    test = answer;
  } catch (error) {
    if (asked !== wish) return;
    sayWithCode(problem, `Not written: ${/** @type {Error} */ (error).message}`);
    find("#record-again").hidden = false;
  }
  drawTest();
}

async function press() {
  const isOn = Boolean(known?.recording?.isOn);
  say(find("#record-problem"), "");
  await attempt(find("#record-problem"), async () => {
    const { note = "" } = /** @type {{note?: string}} */ (
      isOn ? await ask("endPersonRecording") : await ask("recordPerson", { tabId: front?.id }));
    // That it has ended is said where it is seen. The button is disabled then; who uses the keyboard goes on with what has come.
    if (isOn) language().focus({ preventScroll: true });
    else say(find("#record-said"), note ? `${IS_ON} ${note}.` : IS_ON);
  }, "Not done: ");
}

async function drop() {
  test = null;
  say(find("#record-said"), "");
  say(find("#record-problem"), "");
  await ask("dropPersonRecording");
  button("record").focus({ preventScroll: true });
}

function save() {
  if (!test) return;
  const url = URL.createObjectURL(new Blob([test.text], { type: "text/plain" }));
  make("a", { href: url, download: test.file }).click();
  URL.revokeObjectURL(url);
  say(find("#record-said"), `Saved as ${test.file}.`);
}

/** @param {PanelState} state */
export function showRecording(state) {
  const before = known?.recording;
  known = state;
  const { recording } = state;
  if (recording && !recording.isOn && before?.isOn !== false) {
    say(find("#record-said"), recording.ended ? `The recording has ended: ${recording.ended}.` : "The recording has ended.");
  }
  draw();
}

/** Puts the part into its place, `#record-part`, and keeps it up to date. */
export function startRecord() {
  const told = make("p", { id: "record-said", role: "status", className: "soft" });
  const copy = () => { if (test) copyText(test.text, told); };
  find("#record-part").append(
    make("h2", { id: "record-heading", textContent: "A test by showing it" }),
    make("p", { className: "soft", textContent: WHAT }),
    make("div", { className: "actions" },
      make("button", { id: "record", type: "button", onclick: () => void press() }),
      make("small", { id: "record-title", className: "soft" })),
    make("p", { id: "record-steps", hidden: true },
      make("span", { id: "record-count" }), " ", make("span", { id: "record-tab" })),
    told,
    make("div", { id: "record-test", hidden: true },
      make("label", { textContent: "Write it for" },
        make("select", { id: "record-language", onchange: draw }, ...optionsOf(LANGUAGES))),
      make("div", { id: "record-needs", className: "notice", hidden: true }, make("p", { textContent: NEEDS }),
        make("code", { textContent: COMMAND })),
      make("label", {}, make("span", { textContent: "The test " }), make("small", { id: "record-file", className: "soft" }),
        make("textarea", { id: "record-text", readOnly: true, rows: 10, spellcheck: false, wrap: "off" })),
      make("div", { className: "actions" },
        make("button", { id: "record-copy", type: "button", onclick: copy }, icon("copy"), "Copy"),
        make("button", { id: "record-save", type: "button", textContent: "Save", onclick: save }),
        make("button", { id: "record-drop", type: "button", className: "plain", textContent: "Discard",
          onclick: () => void drop() }))),
    make("p", { id: "record-problem", role: "alert", className: "problem" }),
    make("button", { id: "record-again", type: "button", textContent: "Try again", hidden: true,
      onclick: () => { asked = ""; draw(); } }));
  watchFront((tab) => {
    front = tab;
    drawButton();
  });
}
