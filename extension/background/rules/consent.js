/*
 * Questions to the owner of this browser: about sensitive acts, and about sites whose rule says that they be asked. They are
 * asked in a window of the extension, which no page can reach, and only what is clicked there is an answer.
 */
import { onClientGone } from "../base/clients.js";
import { Signal } from "../base/signal.js";
import { clientName, visibleText } from "../base/text.js";
import { TabwireError } from "../base/errors.js";
import { declareQuestions, hideQuestionWindow, onQuestionWindowClosed, showQuestionWindow } from "../base/question-window.js";
import { WHOLE_BROWSER, keepAnswer, mayClientAnswer } from "./site-rules.js";
import { SENSITIVE_KINDS } from "./kinds.js";
import { siteName } from "./site-pattern.js";
import { answerUi } from "../base/ui-requests.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {"once"|"site"|"never"|"later"} OwnerAnswer once: this call; site, never: for good; later: not now */
/** @typedef {{kind: string, site: string, detail?: string}} Wanted site: or WHOLE_BROWSER */
/**
 * @typedef {object} Shown a question as it is shown
 * @property {string} id
 * @property {string} client who asks, as it calls itself
 * @property {string} kind
 * @property {string} what what it wants to do, in words
 * @property {string} where the site, in words
 * @property {string} site
 * @property {string} reason why, as the client says; an empty text where it says nothing
 * @property {string} detail of this call: an empty text, or what a script is, which files
 * @property {number} since epoch ms
 * @property {boolean} isWaiting whether a call waits for the answer; else it is for the next one
 */
/** @typedef {{resolve: () => void, reject: (error: TabwireError) => void}} Waiting */
/** @typedef {Shown & {clientId: string, waiting: Set<Waiting>, isPut: boolean}} Question isPut: whether it was in the window */

/** Kind → what is wanted, for people. */
export const KINDS = /** @type {Record<string, string>} */ ({
  read: "read this site",
  act: "act on this site",
  ...SENSITIVE_KINDS,
});
/** Kept of a call's deadline to say that nobody has answered. */
const REPLY_MS = 700;
const MAX_DETAIL = 2000;
const MAX_REASON = 500;
const MAX_QUESTIONS = 50;

/** @type {Map<string, Question>} */
const questions = new Map();
/** Answers given when no call waited any more: for the next one of that client. @type {Set<string>} */
const onceLater = new Set();
/** @type {Signal<[]>} */
const changed = new Signal();
/** @type {Signal<[question: Question, callId: number]>} */
const waitBegun = new Signal();

/** Calls a listener when a question was opened, answered or withdrawn. */
export const onQuestions = changed.add;
/** Calls a listener for each call that begins to wait for an answer: its client may be told. */
export const onAsked = waitBegun.add;

const keyOf = (/** @type {string} */ clientId, /** @type {Wanted} */ { kind, site }) => JSON.stringify([clientId, kind, site]);
const whereOf = (/** @type {string} */ site) => (site === WHOLE_BROWSER ? "this whole browser" : siteName(site));

/** @param {Question} question @returns {Shown} */
const shown = ({ clientId, waiting, isPut, ...question }) => ({ ...question, isWaiting: waiting.size > 0 });

/** The open questions, the oldest first. @returns {Shown[]} */
export const openQuestions = () => [...questions.values()].map(shown);

function tellAll() {
  changed.emit();
  if (!questions.size) hideQuestionWindow();
}

/** @param {CallContext} call @param {Wanted} wanted @returns {Question} */
function open({ client, reason = "" }, wanted) {
  const { kind, site, detail = "" } = wanted;
  const id = crypto.randomUUID();
  if (questions.size >= MAX_QUESTIONS)
    drop(/** @type {Question} */ (questions.values().next().value), "more questions came than anybody could answer");
  const question = {
    id,
    kind,
    site,
    clientId: client.id,
    client: clientName(client),
    what: KINDS[kind] ?? kind,
    where: whereOf(site),
    reason: visibleText(reason, MAX_REASON),
    detail: detail.slice(0, MAX_DETAIL),
    since: Date.now(),
    isWaiting: true,
    waiting: new Set(),
    isPut: false,
  };
  questions.set(id, question);
  return question;
}

/**
 * Asks the owner, or joins the same question that is open already, and waits for the answer until shortly before the call
 * has to be answered. Rejects with permission_denied unless the answer is yes, and with what ended the call when that ends.
 * @param {CallContext} call
 * @param {Wanted} wanted
 * @returns {Promise<void>}
 */
export async function askOwner(call, wanted) {
  if (onceLater.delete(keyOf(call.client.id, wanted))) return;
  call.signal.throwIfAborted();
  const key = keyOf(call.client.id, wanted);
  const question = [...questions.values()].find((one) => keyOf(one.clientId, one) === key) ?? open(call, wanted);
  if (wanted.detail) question.detail = wanted.detail.slice(0, MAX_DETAIL);
  const answer = wait(call, question);
  waitBegun.emit(question, call.id);
  tellAll();
  await Promise.all([answer, put(question)]);
}

/** @param {Question} question @returns {Promise<void>} never rejects */
async function put(question) {
  try {
    await showQuestionWindow();
    question.isPut = true;
  } catch (error) {
    drop(question, `the window for it could not be opened (${error.message})`);
  }
}

/** @param {CallContext} call @param {Question} question @returns {Promise<void>} */
function wait(call, question) {
  return new Promise((resolve, reject) => {
    const end = (/** @type {() => void} */ settle) => {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", withdraw);
      question.waiting.delete(waiting);
      settle();
    };
    const waiting = { resolve: () => end(resolve), reject: (/** @type {TabwireError} */ error) => end(() => reject(error)) };
    // It is asked for nobody any more.
    const withdraw = () => end(() => {
      if (!question.waiting.size) questions.delete(question.id);
      tellAll();
      reject(call.signal.reason);
    });
    const timer = setTimeout(() => end(() => {
      tellAll();
      reject(unanswered(question));
    }), Math.max(0, call.remaining() - REPLY_MS));
    question.waiting.add(waiting);
    call.signal.addEventListener("abort", withdraw);
  });
}

const denied = (/** @type {Question} */ { kind, site }, /** @type {string} */ reason, /** @type {string} */ message) =>
  new TabwireError("permission_denied", message, { reason, kind, site: whereOf(site) });

/** @param {Question} question */
const asked = ({ what, where, kind }) => (kind === "read" || kind === "act" ? `${kind} on ${where}` : `${what} on ${where}`);

/** @param {Question} question */
const unanswered = (question) =>
  denied(
    question,
    "not_answered",
    `the user was asked, in a window of Tabwire in their browser, whether you may ${asked(question)}, and has not answered; ` +
    `nothing was done. ` +
      "The question stays open: ask them to answer it there, then try again",
  );

const REFUSALS = /** @type {Record<string, {reason: string, says: string}>} */ ({
  later: { reason: "not_now", says: "said not now; go on without it, or ask them before you try again" },
  never: { reason: "refused", says: "said never: do not try again; they can change it in the Tabwire panel" },
});

/** @param {Question} question @param {string} why */
function drop(question, why) {
  questions.delete(question.id);
  for (const { reject } of [...question.waiting]) {
    reject(
      denied(
        question,
        "not_asked",
        `the user could not be asked whether you may ${asked(question)}: ${why}; nothing was done. Tell them, and try again`,
      ),
    );
  }
  tellAll();
}

/**
 * The owner has answered.
 * @param {string} id of the question
 * @param {OwnerAnswer} answer
 * @param {string} [by] who, where it was not the owner in the browser
 * @throws {Error} when there is no such question or answer
 */
export async function answerQuestion(id, answer, by = "the user") {
  const question = questions.get(id);
  if (!question) throw new Error("this question is not open any more");
  if (!["once", "site", "never", "later"].includes(answer)) throw new Error(`there is no answer ${answer}`);
  const same = answer === "once" || answer === "later" ? [question]
    : [...questions.values()].filter(({ kind, site }) => kind === question.kind && site === question.site);
  for (const one of same) questions.delete(one.id);
  if (answer === "site" || answer === "never")
    await keepAnswer(question.site, question.kind, answer === "site" ? "allow" : "never");
  if (answer === "once" && !question.waiting.size) onceLater.add(keyOf(question.clientId, question));
  for (const one of same) for (const waiting of [...one.waiting]) settle(one, waiting, answer, by);
  tellAll();
}

/** @param {Question} question @param {Waiting} waiting @param {OwnerAnswer} answer @param {string} by */
function settle(question, { resolve, reject }, answer, by) {
  const refusal = REFUSALS[answer];
  if (!refusal) return resolve();
  reject(
    denied(question, refusal.reason, `you may not ${asked(question)}: ${by} was asked and ${refusal.says}. Nothing was done`),
  );
}

/**
 * The user of the client has answered there: a no counts, a yes where pairing.json says so.
 * @param {string} clientId who asked
 * @param {{question?: unknown, answer?: unknown}} told
 */
export async function answeredByClient(clientId, { question: id, answer }) {
  const question = questions.get(String(id));
  if (question?.clientId !== clientId || !(answer === "later" || (answer === "once" && mayClientAnswer()))) return;
  await answerQuestion(question.id, answer, "the user of the client");
}

declareQuestions(() => questions.size);

// Nobody says yes there any more.
onQuestionWindowClosed(async () => {
  for (const { id, isPut } of [...questions.values()]) if (isPut && questions.has(id)) await answerQuestion(id, "later");
});

onClientGone(({ id }) => {
  for (const question of [...questions.values()])
    if (question.clientId === id && !question.waiting.size) questions.delete(question.id);
  for (const key of [...onceLater]) if (JSON.parse(key)[0] === id) onceLater.delete(key);
  tellAll();
});

/** For the extension's pages: `questions` gives `{questions: Shown[]}`; `answerQuestion {id, answer: OwnerAnswer}` too. */
answerUi({
  questions: () => ({ questions: openQuestions() }),
  answerQuestion: async ({ id, answer }) => {
    await answerQuestion(id, answer);
    return { questions: openQuestions() };
  },
});
