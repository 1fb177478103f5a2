/*
 * Questions to the owner of this browser: about sensitive acts, and about sites whose rule says that they be asked. They are
 * asked in a window of the extension, which no page can reach, and only what is clicked there is an answer.
 */
import { onClientGone } from "../base/clients.js";
import { Signal } from "../base/signal.js";
import { clientName, visibleText } from "../base/text.js";
import { declareQuestions, onQuestionWindowClosed, showQuestionWindow, tidyQuestions } from "./question-window.js";
import { KINDS, notAsked, refused, titleOf, unanswered, whereOf } from "./consent-words.js";
import { allowForAnHour } from "./hour-answers.js";
import { keepAnswer, mayClientAnswer } from "./site-rules.js";
import { answerUi } from "../base/ui-requests.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {"once"|"hour"|"site"|"never"|"later"} OwnerAnswer once: this call; site, never: for good; later: not now */
/**
 * @typedef {{kind: string, site: string, detail?: string, field?: string}} Wanted site: or WHOLE_BROWSER; field: the name of the
 * one it is about
 */
/**
 * @typedef {object} Shown a question as it is shown
 * @property {string} id
 * @property {string} client who asks, as it calls itself
 * @property {string} kind
 * @property {string} title the question, in one line
 * @property {string} what what it wants to do, in words
 * @property {string} where the site, in words
 * @property {string} site
 * @property {string} reason why, as the client says; an empty text where it says nothing
 * @property {string} detail of its calls: an empty text, or what a script is, which files
 * @property {number} [tabId] where the act is to happen
 * @property {number} since epoch ms
 * @property {number} until epoch ms until which a call waits for the answer
 * @property {boolean} isWaiting whether one does; else the answer is for the next one
 * @property {number} stoppedAt epoch ms at which the last call stopped waiting; 0 while one waits
 */
/** @typedef {{resolve: () => void, reject: (error: import("../base/errors.js").TabwireError) => void, until: number}} Waiting */
/**
 * @typedef {object} Question
 * @property {string} id
 * @property {string} clientId
 * @property {string} client
 * @property {string} kind
 * @property {string} site
 * @property {string} reason
 * @property {string[]} fields names of the fields that the calls are about
 * @property {string[]} details
 * @property {number} [tabId]
 * @property {number} since
 * @property {number} stoppedAt
 * @property {Set<Waiting>} waiting
 */

const MAX_DETAIL = 2000;
/** Fields and details that one question can be about. */
const MAX_PARTS = 10;
const MAX_FIELD = 60;
const MAX_REASON = 500;
const MAX_QUESTIONS = 50;
/** A question that no call waits for any more, or a yes that none fetches, is kept for so long. */
const KEPT_MS = 2 * 60_000;
const ALARM = "question ";

/** @type {Map<string, Question>} */
const questions = new Map();
/** @typedef {{clientId: string, kind: string, site: string, details: string[], until: number}} Ahead */
/** Answers given when no call waited any more, for the next one: they hold for what was shown. @type {Set<Ahead>} */
const ahead = new Set();
/** @type {Signal<[]>} */
const changed = new Signal();
/** @type {Signal<[question: {id: string, clientId: string, what: string, where: string}, call: CallContext]>} */
const waitBegun = new Signal();

/** Calls a listener when a question was opened, answered or withdrawn. */
export const onQuestions = changed.add;
/** Calls a listener for each call that begins to wait for an answer: its client may be told. */
export const onAsked = waitBegun.add;

/** @param {{clientId: string, kind: string, site: string}} one @param {{clientId: string, kind: string, site: string}} other */
const isSame = (one, other) => one.clientId === other.clientId && one.kind === other.kind && one.site === other.site;
const whatOf = (/** @type {string} */ kind) => KINDS[kind] ?? kind;

/** @param {Question} question @returns {Shown} */
function shown(question) {
  const { id, client, kind, site, reason, details, tabId, since, stoppedAt, waiting } = question;
  return {
    id, client, kind, site, reason, since, stoppedAt, title: titleOf(client, question), what: whatOf(kind), where: whereOf(site),
    detail: details.join("\n"), until: Math.max(0, ...[...waiting].map(({ until }) => until)), isWaiting: waiting.size > 0,
    ...(tabId !== undefined && { tabId }),
  };
}

/** The open questions, the oldest first. @returns {Shown[]} */
export const openQuestions = () => [...questions.values()].map(shown);

function tellAll() {
  changed.emit();
  tidyQuestions();
}

/** @param {string[]} parts @param {string} part */
function addPart(parts, part) {
  if (part && !parts.includes(part) && parts.length < MAX_PARTS) parts.push(part);
}

/** Name without quotation marks, because the message puts it in some. @param {string} name of a field, as its page calls it */
const fieldName = (name) => visibleText(name.replace(/[“”"]/g, ""), MAX_FIELD);

/** @param {CallContext} call @param {Wanted} wanted @returns {Question} */
function open({ client, reason = "", tab }, { kind, site }) {
  if (questions.size >= MAX_QUESTIONS)
    drop(/** @type {Question} */ (questions.values().next().value), "more questions came than anybody could answer");
  const question = {
    id: crypto.randomUUID(), clientId: client.id, client: clientName(client), kind, site,
    reason: visibleText(reason, MAX_REASON), fields: [], details: [], ...(tab && { tabId: tab.id }),
    since: Date.now(), stoppedAt: 0, waiting: new Set(),
  };
  questions.set(question.id, question);
  return question;
}

/**
 * Asks the owner, or joins the same question that is open already, and waits for the answer; the clock of the call stops
 * meanwhile. Rejects with permission_denied unless the answer is yes, and with what ended the call when that ends.
 * @param {CallContext} call
 * @param {Wanted} wanted
 * @returns {Promise<boolean>} whether the person was asked just now; false: they had allowed it ahead
 */
export async function askOwner(call, wanted) {
  const same = { ...wanted, clientId: call.client.id };
  const detail = (wanted.detail ?? "").slice(0, MAX_DETAIL);
  if (takeAhead(same, detail)) return false;
  call.signal.throwIfAborted();
  if (!call.clock.askingLeft()) throw unanswered({ ...wanted, fields: [] }, 0);
  const question = [...questions.values()].find((one) => isSame(one, same)) ?? open(call, wanted);
  addPart(question.details, detail);
  addPart(question.fields, fieldName(wanted.field ?? ""));
  await call.clock.whileAsking(async () => {
    const answer = wait(call, question);
    const { id, clientId, kind, site } = question;
    waitBegun.emit({ id, clientId, what: whatOf(kind), where: whereOf(site) }, call);
    tellAll();
    await Promise.all([answer, put(question)]);
  });
  return true;
}

/** @param {{clientId: string, kind: string, site: string}} wanted @param {string} detail */
function takeAhead(wanted, detail) {
  const now = Date.now();
  for (const given of ahead) {
    if (given.until < now) ahead.delete(given);
    else if (isSame(given, wanted) && (!detail || given.details.includes(detail))) return ahead.delete(given);
  }
  return false;
}

/** @param {Question} question @returns {Promise<void>} never rejects */
async function put(question) {
  try {
    await showQuestionWindow();
  } catch (error) {
    drop(question, `the window for it could not be opened (${error.message})`);
  }
}

/** @param {CallContext} call @param {Question} question @returns {Promise<void>} */
function wait(call, question) {
  const limit = call.clock.askingLeft();
  return new Promise((resolve, reject) => {
    const end = (/** @type {() => void} */ settle) => {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", withdraw);
      question.waiting.delete(waiting);
      settle();
    };
    const waiting = {
      until: Date.now() + limit,
      resolve: () => end(resolve),
      reject: (/** @type {import("../base/errors.js").TabwireError} */ error) => end(() => reject(error)),
    };
    // A question for which no call waits any more is withdrawn.
    const withdraw = () => end(() => {
      if (!question.waiting.size) forget(question);
      tellAll();
      reject(call.signal.reason);
    });
    const timer = setTimeout(() => end(() => {
      if (!question.waiting.size) letLapse(question);
      tellAll();
      reject(unanswered(question, limit));
    }), limit);
    question.waiting.add(waiting);
    question.stoppedAt = 0;
    void chrome.alarms.clear(ALARM + question.id);
    call.signal.addEventListener("abort", withdraw);
  });
}

/** @param {Question} question */
function forget({ id }) {
  questions.delete(id);
  void chrome.alarms.clear(ALARM + id);
}

/** Keeps a question for which no call waits now: for a while the answer counts for the next try. @param {Question} question */
function letLapse(question) {
  question.stoppedAt = Date.now();
  void chrome.alarms.create(ALARM + question.id, { when: question.stoppedAt + KEPT_MS });
}

chrome.alarms.onAlarm.addListener(({ name }) => {
  const question = name.startsWith(ALARM) && questions.get(name.slice(ALARM.length));
  if (!question || question.waiting.size) return;
  forget(question);
  tellAll();
});

/** @param {Question} question @param {string} why */
function drop(question, why) {
  forget(question);
  for (const { reject } of [...question.waiting]) reject(notAsked(question, why));
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
  if (!["once", "hour", "site", "never", "later"].includes(answer)) throw new Error(`there is no answer ${answer}`);
  const same = answer === "once" || answer === "later" ? [question]
    : [...questions.values()].filter(({ kind, site }) => kind === question.kind && site === question.site);
  same.forEach(forget);
  if (answer === "hour") await allowForAnHour(question.site, question.kind);
  if (answer === "site" || answer === "never")
    await keepAnswer(question.site, question.kind, answer === "site" ? "allow" : "never");
  if (answer === "once" && !question.waiting.size) ahead.add({ ...question, until: Date.now() + KEPT_MS });
  for (const one of same) for (const waiting of [...one.waiting]) settle(one, waiting, answer, by);
  tellAll();
}

/** @param {Question} question @param {Waiting} waiting @param {OwnerAnswer} answer @param {string} by */
function settle(question, { resolve, reject }, answer, by) {
  if (answer === "never" || answer === "later") reject(refused(question, answer, by));
  else resolve();
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

declareQuestions(() => openQuestions().map(({ id, title, tabId }) => ({
  id, title, message: "It waits for your answer", ...(tabId !== undefined && { tabId }),
})));

// A closed window can no longer give a yes: its questions are put off.
onQuestionWindowClosed(async (shown) => {
  for (const { id } of [...questions.values()]) if (shown.has(id) && questions.has(id)) await answerQuestion(id, "later");
});

onClientGone(({ id }) => {
  for (const question of [...questions.values()])
    if (question.clientId === id && !question.waiting.size) forget(question);
  for (const given of [...ahead]) if (given.clientId === id) ahead.delete(given);
  tellAll();
});

/** Messages from extension pages: `questions` gives `{questions: Shown[]}`; `answerQuestion {id, answer: OwnerAnswer}` too. */
answerUi({
  questions: () => ({ questions: openQuestions() }),
  answerQuestion: async ({ id, answer }) => {
    await answerQuestion(id, answer);
    return { questions: openQuestions() };
  },
});
