/** The window with the questions to the owner of the browser: shows what the worker says is open, and sends the answers. */

/** @typedef {import("../background/consent.js").Shown} Shown */

/** A key or a click that was on its way to something else when a question came is no answer to it. */
const ARMING_MS = 500;

const list = /** @type {HTMLUListElement} */ (document.getElementById("questions"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const template = /** @type {HTMLTemplateElement} */ (document.getElementById("question"));
let armedAt = performance.now() + ARMING_MS;
let isLost = false;

const port = chrome.runtime.connect(/** @type {any} */ ({ name: "consent" }));

/** @param {string} id @param {string} answer */
async function answer(id, answer) {
  const reply = await chrome.runtime.sendMessage({ type: "answerQuestion", id, answer }).catch((error) => ({ error: String(error) }));
  if (reply?.error) state.textContent = `Not answered: ${reply.error}`;
}

/** @param {Shown} question @returns {HTMLElement} */
function toItem(question) {
  const item = /** @type {HTMLElement} */ (/** @type {DocumentFragment} */ (template.content.cloneNode(true)).firstElementChild);
  item.dataset.id = question.id;
  const heading = /** @type {HTMLElement} */ (item.querySelector("h2"));
  heading.textContent = `May a program ${question.what}?`;
  heading.id = `heading-${question.id}`;
  /** @type {HTMLElement} */ (item.querySelector("section")).setAttribute("aria-labelledby", heading.id);
  /** @type {HTMLElement} */ (item.querySelector(".answers")).setAttribute("aria-labelledby", heading.id);
  for (const fact of item.querySelectorAll("[data-fact]")) {
    const name = /** @type {HTMLElement} */ (fact).dataset.fact;
    fact.textContent = String(question[/** @type {keyof Shown} */ (name)] ?? "");
  }
  if (!question.detail) for (const part of item.querySelectorAll("[data-if=detail]")) part.remove();
  if (question.site === "*") /** @type {HTMLElement} */ (item.querySelector("[data-answer=site]")).textContent = "Always allow";
  if (question.site === "*") /** @type {HTMLElement} */ (item.querySelector("[data-answer=never]")).textContent = "Never";
  /** @type {HTMLElement} */ (item.querySelector("[data-late]")).hidden = question.isWaiting;
  return item;
}

/** @param {Shown[]} questions */
function show(questions) {
  const known = new Map([...list.children].map((item) => [/** @type {HTMLElement} */ (item).dataset.id, item]));
  // What stays is left where it is: the focus may be in it.
  for (const [id, item] of known) if (!questions.some((question) => question.id === id)) item.remove();
  for (const question of questions) {
    const item = known.get(question.id);
    if (item) /** @type {HTMLElement} */ (item.querySelector("[data-late]")).hidden = question.isWaiting;
    else list.append(toItem(question));
  }
  if (questions.some(({ id }) => !known.has(id))) armedAt = performance.now() + ARMING_MS;
  state.textContent = questions.length === 1 ? "A program waits for your answer." : `${questions.length} questions wait for your answer.`;
  document.title = questions.length ? `${questions.length === 1 ? "A question" : `${questions.length} questions`} – Tabwire` : "Tabwire asks you";
  if (!questions.length) window.close();
}

list.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("button");
  const item = /** @type {HTMLElement|null} */ (button?.closest("li"));
  if (!button || !item || !event.isTrusted || isLost || performance.now() < armedAt) return;
  answer(/** @type {string} */ (item.dataset.id), /** @type {string} */ (button.dataset.answer));
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape") window.close();
});
addEventListener("focus", () => { armedAt = Math.max(armedAt, performance.now() + ARMING_MS); });

port.onMessage.addListener(({ questions }) => show(questions));
port.onDisconnect.addListener(() => {
  isLost = true;
  list.replaceChildren();
  state.textContent = "The extension was started anew, and this question was lost. The program has been told; it may ask again. You can close this window.";
});

export {};
