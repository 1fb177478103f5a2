/*
 * Calls into pages: injects the content scripts where they are missing and runs one registered content function in one
 * frame or in all of them. Every call races the deadline of its CallContext, because an open dialog freezes a page
 * without any error.
 */
import { ifInTime, unlessAborted, within } from "../base/deadline.js";
import { assertAnswering, dialogError, untilSilent } from "../debugger/blocked-page.js";
import { onDialog } from "../debugger/attachment.js";
import { navigatedAway, TabwireError, timedOut, toTabwireError } from "../base/errors.js";
import { assertField, permitOf, refusalIn } from "../rules/permissions.js";
import { refusal } from "../rules/allowed-origins.js";
import { publishAnswer, seal } from "./refs.js";
import { untilReplaced } from "../base/navigation-events.js";
import { framesLoading } from "../tabs/loading-frames.js";
import { runInDocuments } from "../tabs/page-scripts.js";
import { FIELD_KINDS } from "../rules/kinds.js";
import { fieldsAreFree } from "../rules/site-rules.js";

/** @typedef {import("../../types").CallContext} CallContext */
/** @typedef {{frameId: number, documentId?: string} | {frameId?: number, documentId: string}} FrameTarget */
/**
 * @typedef {ReturnType<typeof permitOf> & {origins?: string[]|null, tokens?: Array<string|undefined>, isGiven?: boolean, isOnce?:
 * boolean}} Permit
 */
/**
 * Outcome in one document: an obstacle, or the result or error of its content function.
 * @typedef {object} PageOutcome
 * @property {string} [foreign] its origin: the call may not act there
 * @property {string} [late] it answers under this name, later
 * @property {true} [elsewhere] it is not the document that was meant
 * @property {string} [token]
 * @property {boolean} [missing] it has no content scripts
 * @property {import("../rules/permissions.js").Chain} [asks] it has no permit
 * @property {any} [result]
 * @property {{code: string, message: string, data?: object}} [error]
 * @property {Omit<import("../../types").Target, "frameId">} [target]
 * @property {boolean} [followed] whether the element of its ref was replaced, and the act goes on with the new one
 * @property {import("../../types").Counted} [counted] what the act has changed, from its last step
 */
/** @typedef {{frameId: number, documentId: string, result?: PageOutcome, refusal?: TabwireError|null}} PageAnswer */
/** @typedef {{target?: {ref?: number}, allowed?: string[], timeout_ms?: number}} KnownArgs those that are looked at here */
/** @typedef {{frameId: number, documentId: string, value?: any, error?: TabwireError}} FrameAnswer */

const FILE = "extension/injected/page.js";
/** A frame that says nothing for this long is taken to hang; the second, where it is known to load. */
const [STALL_MS, LOADING_MS] = [2000, 400];
/** A frame that is still busy then is waited for by who wants something of it. */
const PREPARE_MS = 500;
/** Questions to a page that leads elsewhere by itself each time. */
const MAX_TRIES = 4;
/** Longest time for which the elements of the next page are waited for before it is asked. */
const NEXT_PAGE_MS = 1_000;

const TOP = { frameId: 0 };
const NO_DOCUMENT = /No document with id/i;

/**
 * Runs in the document, and leaves itself there for the Port. Whether that may be is decided there and then: no navigation can
 * put another document in its place between the question and the work. A permit is kept in the isolated world, where no page
 * comes. Chrome's own ids do not do for that: while a document is kept for going back, a script for it runs in the one that has
 * replaced it.
 * @param {string} name @param {CallArgs} args @param {string} own seal @param {Permit} permit
 * @param {boolean} [isDirect] asked over the Port
 * @returns {PageOutcome | Promise<PageOutcome>}
 */
function runInPage(name, args, own, permit, isDirect = false) {
  globalThis.__tabwireRun = runInPage;
  // An element of this id is seen under the same name.
  /** @type {<Name extends "__tabwire"|"__tabwireToken"|"__tabwirePermit">(key: Name) => typeof globalThis[Name] | undefined} */
  const ours = (key) => (Object.hasOwn(globalThis, key) ? globalThis[key] : undefined);
  const tw = ours("__tabwire");
  // The origin is checked in the very document of the act, in a world of our own, where it cannot lie. Queries run in any origin.
  const isBound = permit.origins && tw && !tw.isQuery(name);
  if (isBound && !permit.origins?.includes(globalThis.origin)) return { foreign: globalThis.origin };
  const token = ours("__tabwireToken") ?? (globalThis.__tabwireToken = [...crypto.getRandomValues(new Uint32Array(4))].join("."));
  if (permit.tokens && !permit.tokens.includes(token)) return { elsewhere: true };
  if (permit.isGiven) globalThis.__tabwirePermit = permit;
  const kept = ours("__tabwirePermit");
  if (!(kept?.generation === permit.generation && kept.rank >= permit.rank)) {
    return {
      missing: !tw,
      token,
      asks: { origin: self.origin, address: location.href, ancestors: [...location.ancestorOrigins] },
    };
  }
  // Allowed this once: the next script asks again.
  if (permit.isOnce) delete globalThis.__tabwirePermit;
  if (!tw) return { missing: true, token };
  tw.seal = own;
  // The Port of a top frame is the cheaper way. Without an id this script outlived its extension.
  tw.tell = (/** @type {object} */ message) => {
    if (Object.hasOwn(globalThis, "__tabwireLifeline") && globalThis.__tabwireLifeline.tell?.(message)) return;
    if (chrome.runtime?.id) chrome.runtime.sendMessage(message).catch(() => {});
  };
  tw.ask = (/** @type {object} */ message) => (chrome.runtime?.id ? chrome.runtime.sendMessage(message).catch(() => null) : null);
  const answer = tw.call(name, args);
  // Chrome keeps the load event of a document back while a script lasts that was injected before it: the answer goes its own way.
  if (isDirect || !(answer instanceof Promise) || document.readyState === "complete") return answer;
  const late = `tabwire-late ${crypto.randomUUID()}`;
  const port = chrome.runtime.connect(chrome.runtime.id, { name: late });
  let isHeard = true;
  port.onDisconnect.addListener(() => { isHeard = false; });
  answer.then((outcome) => { if (isHeard) port.postMessage(outcome); });
  return { late };
}

/** @param {number} tabId @param {FrameTarget} frame @returns {chrome.scripting.InjectionTarget} */
const toTarget = (tabId, frame) =>
  frame.documentId ? { tabId, documentIds: [frame.documentId] } : { tabId, frameIds: [frame.frameId ?? 0] };

/**
 * Another document has taken the place of the one that was asked; Chrome says so in words of its own where a script runs.
 * @param {TabwireError} error
 */
const isReplaced = (error) => error.code === "stale_element_reference" || error.data?.cause === "navigated" ||
  /frame with id \d+ was removed|No document with id/i.test(error.message);

/** The frame or document of a call does not exist any more. @param {number} tabId @param {FrameTarget} frame */
async function gone(tabId, frame, isRefused = false) {
  const ran = isRefused ? { ran: false } : {};
  if (!frame.documentId) {
    return new TabwireError("no_such_frame", "the frame was replaced while it was being used; try again", {
      cause: "navigated",
      ...ran,
    });
  }
  const lives = await chrome.webNavigation.getFrame({ tabId, frameId: frame.frameId ?? 0 }).catch(() => null);
  return new TabwireError(
    "stale_element_reference",
    lives
      ? "the page was replaced by a navigation; take a new snapshot"
      : "the frame of the element is gone; take a new snapshot",
    { cause: lives ? "navigated" : "frame_gone", ...ran },
  );
}

/**
 * Resolves like `work`, or rejects when the call is cancelled or out of time, or when a dialog freezes the tab. An act
 * does not race the dialog: its effects recorder reports the dialog as its outcome.
 * @template T
 * @param {number} tabId @param {() => Promise<T>} work @param {CallContext} call @param {FrameTarget} [frame]
 * @returns {Promise<T>}
 */
async function race(tabId, work, call, frame = TOP) {
  if (call.signal.aborted) throw toTabwireError(call.signal.reason);
  assertAnswering(tabId);
  const listening = new AbortController();
  /** @type {Promise<never>} */
  const replaced = untilReplaced(tabId, frame.frameId ?? 0, listening.signal).then(async () => {
    throw await gone(tabId, frame);
  });
  /** @type {Array<Promise<T>>} */
  const rivals = [work(), untilSilent(tabId, call, listening.signal), replaced];
  if (!call.observation) {
    rivals.push(onDialog(tabId, listening.signal).then(
      (dialog) => { throw dialogError(dialog); },
      () => new Promise(() => {}),
    ));
  }
  for (const rival of rivals) rival.catch(() => {});
  try {
    return await unlessAborted(Promise.race(rivals), call.signal);
  } catch (error) {
    if (error !== call.signal.reason || error instanceof TabwireError) throw toTabwireError(error);
    throw timedOut("the page did not answer in time; it may be busy or blocked by a dialog: answer that, or wait and try again");
  } finally {
    listening.abort();
  }
}

/**
 * @param {chrome.scripting.InjectionTarget} target @param {string} name @param {object} args @param {Permit} permit
 * @param {boolean} [mayUsePort]
 * @returns {Promise<PageAnswer[]>}
 */
async function execute(target, name, args, permit, mayUsePort = true) {
  const own = seal();
  // What is known is not awaited: a question over a Port is on its way when this returns.
  return runInDocuments(target, runInPage, [name, args, typeof own === "string" ? own : await own, permit], mayUsePort);
}

/**
 * Limits a permit to the origins at which the call may act. A question to one document is a part of an act; all documents are
 * only asked what they see, or to stop what is not for them.
 * @param {Permit} permit @param {CallContext} call
 */
const boundTo = (permit, { onlyOrigins }) => ({ ...permit, origins: onlyOrigins ?? null });

/**
 * Permit for documents that were found to be allowed, and for no others. A document does not keep what was allowed only once.
 * @param {CallContext} call @param {Array<string|undefined>} tokens
 */
const givenPermit = (call, tokens) => ({ ...permitOf(call), tokens, isGiven: true, isOnce: call.grants.isOnce });

/**
 * Document id → its token, of those that scripts were sent to. The worker that knows none of a document gives it a permit first.
 * @type {Map<string, string>}
 */
const tokens = new Map();
const MAX_TOKENS = 2000;

/** @param {PageAnswer[]} answers of documents that ask for a permit */
function noteTokens(answers) {
  for (const { documentId, result } of answers) if (result?.token) tokens.set(documentId, result.token);
  for (const documentId of [...tokens.keys()].slice(0, Math.max(0, tokens.size - MAX_TOKENS))) tokens.delete(documentId);
}

const inject = (/** @type {chrome.scripting.InjectionTarget} */ target) =>
  chrome.scripting.executeScript({ target, injectImmediately: true, files: [FILE] });

/**
 * Puts one more file of the extension into documents that a call was found to be allowed in.
 * @param {number} tabId @param {string[]} documentIds @param {string} file
 */
export const injectFile = (tabId, documentIds, file) => Promise.allSettled(documentIds.map((documentId) =>
  chrome.scripting.executeScript({ target: { tabId, documentIds: [documentId] }, injectImmediately: true, files: [file] })));

/** Tab → the content scripts on their way into its new page. @type {Map<number, Promise<unknown>>} */
const preparing = new Map();

/**
 * Puts the content scripts into a page that a client has just opened and will want to see: by then they are there.
 * @param {number} tabId
 * @returns {Promise<void>} never rejects
 */
export function prepare(tabId) {
  const work = ifInTime(inject({ tabId, allFrames: true }), PREPARE_MS);
  preparing.set(tabId, work);
  return work.then(() => { if (preparing.get(tabId) === work) preparing.delete(tabId); });
}

/** A frame known by its number only may get another document while that is decided: so often it is asked again. */
const MAX_DOCUMENTS = 3;

/** Throws Chrome's error for a gone document where another document has answered. @param {PageAnswer} answer */
function assertThere(answer) {
  if (answer?.result?.elsewhere) throw new Error(`No document with id ${answer.documentId} any more`);
  return answer;
}

/**
 * Runs a content function in one document, if the owner's rules allow it there.
 * @param {chrome.scripting.InjectionTarget} target @param {string} name @param {object} args @param {CallContext} call
 * @param {number} [round]
 * @returns {Promise<PageAnswer>}
 */
async function runIn(target, name, args, call, round = 1) {
  const known = target.documentIds && tokens.get(target.documentIds[0]);
  const permit = { ...permitOf(call), ...(known && { tokens: [known] }) };
  // A frame may get another document on the way: then only what is no part of an act is asked again.
  const mayUsePort = target.documentIds !== undefined || !call.observation;
  const first = assertThere((await execute(target, name, args, boundTo(permit, call), mayUsePort))[0]);
  const { missing, asks, token } = first?.result ?? {};
  if (!missing && !asks) return first;
  noteTokens([first]);
  const refusal = asks && await refusalIn(target.tabId, first, asks, call, true);
  if (refusal) throw refusal;
  const document = { tabId: target.tabId, documentIds: [first.documentId] };
  try {
    if (missing) await inject(document);
    return assertThere((await execute(document, name, args, boundTo(givenPermit(call, [token]), call)))[0]);
  } catch (error) {
    if (target.documentIds || round === MAX_DOCUMENTS || !NO_DOCUMENT.test(error?.message)) throw error;
    return runIn(target, name, args, call, round + 1);
  }
}

/**
 * Runs a content function in all documents of a tab where the owner's rules allow it.
 * @param {number} tabId @param {string} name @param {object} args @param {CallContext} call @param {boolean} mayUsePort
 * @returns {Promise<PageAnswer[]>} `refusal` where it is not allowed
 */
async function runEverywhere(tabId, name, args, call, mayUsePort) {
  const first = await execute({ tabId, allFrames: true }, name, args, permitOf(call), mayUsePort);
  const asking = first.filter(({ result }) => result?.asks || result?.missing);
  noteTokens(asking);
  if (!asking.length) return first;
  const decided = await Promise.all(asking.map(async (answer) => {
    const asks = answer.result?.asks;
    const refusal = asks && await refusalIn(tabId, answer, asks, call, answer.frameId === 0);
    return { ...answer, result: undefined, refusal };
  }));
  const allowed = decided.filter(({ refusal }) => !refusal).map(({ documentId }) => documentId);
  const missing = asking
    .filter(({ documentId, result }) => result?.missing && allowed.includes(documentId))
    .map(({ documentId }) => documentId);
  const second = await runInThese(tabId, name, args, call, allowed, missing);
  const all = [...first.filter((answer) => !asking.includes(answer)), ...decided.filter(({ refusal }) => refusal), ...second];
  return [...new Map(all.map((answer) => [answer.frameId, answer])).values()];
}

/**
 * Runs a content function in allowed documents. If one of them has gone, the others still answer.
 * @param {number} tabId @param {string} name @param {object} args @param {CallContext} call
 * @param {string[]} documentIds @param {string[]} missing those without content scripts
 */
async function runInThese(tabId, name, args, call, documentIds, missing) {
  if (!documentIds.length) return [];
  const run = async (/** @type {string[]} */ ids) => {
    const bare = ids.filter((id) => missing.includes(id));
    if (bare.length) await inject({ tabId, documentIds: bare });
    const answers = await execute({ tabId, documentIds: ids }, name, args, givenPermit(call, ids.map((id) => tokens.get(id))));
    return answers.map(assertThere);
  };
  return run(documentIds).catch(async () => {
    const each = await Promise.allSettled(documentIds.map((id) => run([id])));
    const failed = each.find(({ status }) => status === "rejected");
    if (failed && each.length === 1) throw /** @type {PromiseRejectedResult} */ (failed).reason;
    return each.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
  });
}

/**
 * Runs a content function in one frame.
 * @param {number} tabId
 * @param {FrameTarget} frame
 * @param {string} name of an operation: see content/page.js
 * @param {object} args
 * @param {CallContext} call
 * @returns {Promise<any>} what the function returned
 */
export async function call(tabId, frame, name, args, call) {
  return (await callWithDocument(tabId, frame, name, args, call)).value;
}

/**
 * Calls as `call` does, for a frame known by its number only, and tells which document answered.
 * @param {number} tabId @param {FrameTarget} frame @param {string} name @param {object} args @param {CallContext} call
 * @returns {Promise<{value: any, documentId: string, frameId: number}>}
 */
export async function callWithDocument(tabId, frame, name, args, call) {
  try {
    const allowing = call.observation && fieldsAreFree() ? { ...args, allowed: FIELD_KINDS } : args;
    return await callOnce(tabId, frame, name, allowing, call);
  } catch (error) {
    if (error.code !== "sensitive") throw error;
    await assertField(call, error.data);
    const allowed = [...(/** @type {KnownArgs} */ (args).allowed ?? []), error.data.kind];
    return callWithDocument(tabId, frame, name, { ...args, allowed }, call);
  }
}

/**
 * @param {number} tabId @param {FrameTarget} frame @param {string} name @param {object} args @param {CallContext} call
 * @returns {Promise<{value: any, documentId: string, frameId: number}>}
 */
async function callOnce(tabId, frame, name, args, call) {
  const target = toTarget(tabId, frame);
  // The description is asked for once: the element an act is about is the first one it asks for.
  const isFirst = call.observation && /** @type {KnownArgs} */ (args).target?.ref && !call.subject.element;
  const asked = isFirst ? { ...args, describes: true } : args;
  let isRefused = false;
  const answer = await race(tabId, async () => {
    try {
      await preparing.get(tabId);
      return await runIn(target, name, asked, call);
    } catch (error) {
      isRefused = NO_DOCUMENT.test(error?.message);
      if (isRefused) return null;
      throw error;
    }
  }, call, frame);
  if (!answer?.result) throw await gone(tabId, frame, isRefused);
  if (answer.result.foreign) throw refusal(call, `the frame is of ${answer.result.foreign}`);
  if (answer.result.target) {
    call.noteTarget({ ...answer.result.target, frameId: answer.frameId });
  }
  if (answer.result.followed) call.subject.noteReplaced();
  if (answer.result.counted) call.observation?.noteCounted(answer.result.counted);
  return { value: await valueOf(tabId, answer), documentId: answer.documentId, frameId: answer.frameId };
}

/**
 * Runs a content function that changes the page, as a part of an act. Whether it began is known to the `actStart` of the act.
 * @param {number} tabId
 * @param {FrameTarget} frame
 * @param {string} name of an operation: see content/page.js
 * @param {object} args
 * @param {CallContext} act
 * @returns {Promise<any>} what the function returned
 */
export async function perform(tabId, frame, name, args, act) {
  const { actStart, recorded = null } = act.observation ?? {};
  let isBehind = Boolean(actStart && recorded && !act.observation?.begun.length);
  await (isBehind ? recorded : act.observation?.starts);
  const { timeout_ms: limit } = /** @type {KnownArgs} */ (args);
  // The reserve is taken from the time left of the call, whose clock stops while the person is asked.
  const reserve = act.remaining() - (limit ?? 0);
  for (let round = 0; ; round += 1) {
    act.signal.throwIfAborted();
    const wasOffered = actStart?.isOffered ?? false;
    const left = limit === undefined ? {} : { timeout_ms: Math.max(0, Math.min(limit, act.remaining() - reserve)) };
    try {
      const value = await call(tabId, frame, name, { ...args, ...left, act: actStart?.offer(round, isBehind) }, act);
      if (actStart && !value?.declined && !value?.prepared) actStart.note();
      else actStart?.restoreOffer(wasOffered);
      return value;
    } catch (error) {
      // An act that the page let lapse, or that Chrome never gave to it, has not begun.
      const isUndone = error.code === "lapsed" || error.code === "unobserved";
      if (isUndone || error.data?.ran === false) actStart?.restoreOffer(wasOffered);
      if (!isUndone) throw error;
      isBehind = false;
      await act.observation?.starts;
    }
  }
}

/**
 * The value of an answer; throws its error, with the refs of elements named in it made public.
 * @param {number} tabId @param {PageAnswer} answer
 */
async function valueOf(tabId, answer) {
  const { result } = answer;
  if (result?.missing || !result) {
    throw new TabwireError("frame_unreachable", "the content scripts did not start in this page; reload it");
  }
  if (!result.error) return result.result;
  const { code, message, data } = await publishAnswer(tabId, answer, result.error);
  throw new TabwireError(code, message, data);
}

/** @param {number} tabId @param {PageAnswer} answer @returns {Promise<FrameAnswer>} */
async function toAnswer(tabId, { frameId, documentId, result, refusal }) {
  const where = { frameId, documentId };
  if (refusal) return { ...where, error: refusal };
  try {
    return { ...where, value: await valueOf(tabId, { ...where, result }) };
  } catch (error) {
    return { ...where, error };
  }
}

/**
 * Runs a content function in every frame of a tab. One frame's failure does not fail the others.
 * @param {number} tabId
 * @param {string} name
 * @param {object} args
 * @param {CallContext} call
 * @param {boolean} [mayUsePort] false: also in a frame that nothing has told of since all of them were asked
 * @returns {Promise<FrameAnswer[]>} top frame first
 */
export async function callAll(tabId, name, args, call, mayUsePort = true) {
  const ask = () => race(tabId, async () => {
    if (preparing.has(tabId)) await preparing.get(tabId);
    return runEverywhere(tabId, name, args, call, mayUsePort);
  }, call);
  const answers = await ask().catch((error) => {
    // A call that only reads the page reads the new one.
    if (call.observation || !isReplaced(error)) throw error;
    return ask();
  });
  const outcomes = await Promise.all(answers.map((answer) => toAnswer(tabId, answer)));
  return outcomes.sort((a, b) => a.frameId - b.frameId);
}

/**
 * The answers of all frames to a question about the page as a whole, which is asked anew where another page has taken its place.
 * @param {number} tabId @param {() => Promise<FrameAnswer[]>} ask
 */
export async function ofWholePage(tabId, ask) {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries === MAX_TRIES;
    const answers = await ask().catch((error) => {
      if (isLast || !isReplaced(error)) throw error;
    });
    const page = answers?.find(({ frameId }) => frameId === 0);
    if (answers && page && !(page.error && isReplaced(page.error))) return answers;
    if (isLast) throw page?.error ?? navigatedAway("the page is replaced again and again; try again once it stays");
    // The next page has its elements when this has run in it.
    await ifInTime(chrome.scripting.executeScript({ target: { tabId }, func: () => {} }), NEXT_PAGE_MS);
  }
}

/**
 * Calls as `callAll` does, for reads that must not wait for a frame whose process hangs: when no answer came for a while, the
 * frames are asked one by one and those that stay silent are left out.
 * @param {number} tabId @param {string} name @param {object} args @param {CallContext} call
 * @returns {Promise<FrameAnswer[]>}
 */
export async function callResponsive(tabId, name, args, call) {
  const all = callAll(tabId, name, args, call, false);
  const loading = framesLoading(tabId);
  const answers = await within(all, loading.size ? LOADING_MS : STALL_MS);
  if (answers) return answers;
  all.catch(() => {});
  const frames = await chrome.webNavigation.getAllFrames({ tabId }) ?? [];
  const single = frames.map(async ({ frameId, documentId }) => {
    /** @type {Promise<FrameAnswer>} */
    const answer = callWithDocument(tabId, { documentId, frameId }, name, args, call).catch((error) => ({
      frameId, documentId, error,
    }));
    // The top document is what was asked for: it may take the time there is.
    return frameId === 0 ? answer : within(answer, loading.has(frameId) ? LOADING_MS : STALL_MS);
  });
  /** @type {Array<FrameAnswer|undefined>} */
  const answered = await Promise.race([all, Promise.all(single)]);
  return answered.filter((answer) => answer !== undefined);
}
