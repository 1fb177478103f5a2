/*
 * Rules of the browser's owner on what is allowed on which sites. They have two sources, and no message on the wire is one: the
 * owner's own rules, made in the extension's pages and kept in its storage, and the grants in pairing.json, a file in the
 * extension's own folder.
 */
import { Signal } from "../base/signal.js";
import { LEVELS, SIGHTS } from "../base/protocol.js";
import { FIELD_KINDS, SENSITIVE_KINDS } from "./kinds.js";
import { FILES, isFileBelow, sitePattern } from "./site-pattern.js";
import { answerUi } from "../base/ui-requests.js";

/** @import { Answer, Grants, Level } from "../base/protocol-types" */
/**
 * @typedef {{site: string, kind: string, answer: "allow"|"never", until?: number}} Kept an answer that the owner gave for longer
 * than once; site: an origin, or a pattern of sites; until: epoch ms, where it is not for good
 */
/** @typedef {{pattern: string, level: Level, source: "user"|"pairing"}} Rule */
/**
 * @typedef {object} Verdict
 * @property {Level} level
 * @property {string} [pattern] of the rule that decided
 * @property {"user"|"pairing"|"default"} source
 * @property {string[]} [unread] what cannot be read in pairing.json, where that decided
 */

const KEY = "permissions.rules";
const MAX_RULES = 1000;
/** Stands for what belongs to no single site: the history, the cookies of all sites. */
export const WHOLE_BROWSER = "*";

/** @type {{sites: Record<string, Level>, answers: Kept[]}} */
let own = { sites: {}, answers: [] };
/** @type {Grants} */
let granted = {};
/** @type {Array<Rule & import("./site-pattern.js").Pattern>} */
let rules = [];
/** Grants of pairing.json when it is read first. @type {PromiseWithResolvers<Grants>} */
const firstGrants = Promise.withResolvers();
let generation = crypto.randomUUID();
/** Rules for sites in pairing.json that cannot be read. @type {string[]} */
let unread = [];
/** @type {Signal<[]>} */
const changed = new Signal();
/** Calls a listener when the rules have changed. */
export const onRulesChanged = changed.add;
/** Ports where bridges are looked for: pages from there are never touched, joined or not. @type {Set<number>} */
export const bridgePorts = new Set();

/**
 * Changes with the rules, and with the worker: what was decided before does not count any more.
 * @returns {string}
 */
export const rulesGeneration = () => generation;

/** Forgets what was decided of sites: something else than a rule has changed. */
function renew() {
  generation = crypto.randomUUID();
  changed.emit();
}

function compile() {
  const all = [...entriesOf(granted.sites, "pairing"), ...entriesOf(own.sites, "user")];
  rules = all.map((rule) => ({ ...rule, .../** @type {import("./site-pattern.js").Pattern} */ (sitePattern(rule.pattern)) }));
  unread = unreadIn(granted);
  renew();
}

/** @param {Grants} grants @returns {string[]} */
function unreadIn({ sites, default: usual }) {
  const wrong = Object.entries(sites ?? {}).filter(([pattern, level]) => !LEVELS.includes(level) || !sitePattern(pattern));
  const levels = usual === undefined || LEVELS.includes(usual) ? [] : [`default: ${JSON.stringify(usual)}`];
  return [...wrong.map(([pattern, level]) => `${JSON.stringify(pattern)}: ${JSON.stringify(level)}`), ...levels];
}

/** @param {unknown} sites @param {Rule["source"]} source @returns {Rule[]} those that make sense */
function entriesOf(sites, source) {
  return Object.entries(/** @type {Record<string, Level>} */ (sites ?? {}))
    .filter(([pattern, level]) => LEVELS.includes(level) && sitePattern(pattern))
    .map(([pattern, level]) => ({
      pattern: /** @type {import("./site-pattern.js").Pattern} */ (sitePattern(pattern)).text,
      level,
      source,
    }));
}

/** @param {Grants} grants */
function setGrants(grants) {
  if (JSON.stringify(grants) === JSON.stringify(granted)) return;
  granted = grants;
  compile();
}

async function load() {
  // Content scripts have no business here; older browsers cannot keep them out.
  await chrome.storage.local.setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" }).catch(() => {});
  const [{ [KEY]: stored }, grants] = await Promise.all([chrome.storage.local.get(KEY), firstGrants.promise]);
  const answers = stored?.answers ?? [];
  own = { sites: stored?.sites ?? {}, answers: answers.filter(isInForce) };
  granted = grants;
  compile();
  // Answers may have ended while no worker ran.
  if (own.answers.length < answers.length) await chrome.storage.local.set({ [KEY]: own }).catch(() => {});
}

/** Resolves when the rules are in memory. Nothing is decided before. It waits for the first `takeGrants`. */
export const rulesReady = load();

/** @param {Kept} kept */
function isInForce({ until }) {
  return until === undefined || until > Date.now();
}

const answersInForce = () => own.answers.filter(isInForce);

/** Notes what pairing.json grants ahead. @param {Grants} [grants] */
export function takeGrants(grants = {}) {
  firstGrants.resolve(grants);
  void rulesReady.then(() => setGrants(grants));
}

/**
 * Level of what is allowed on a site: the most specific rule wins, the stricter one of two alike, the owner's own one of two for
 * one pattern. Nothing is allowed anywhere while pairing.json has a rule that cannot be read: the rule may say never.
 * @param {string} site as siteOfAddress gives it
 * @param {string} [address] of local files: which
 * @returns {Verdict}
 */
export function levelOf(site, address) {
  if (unread.length) return { level: "never", source: "pairing", unread };
  /** @type {typeof rules[number] | null} */
  let best = null;
  for (const rule of rules) {
    if (!rule.matches(site) || (best && best.weight > rule.weight)) continue;
    const isOwnOfTwo = best?.key === rule.key && best.source === "pairing" && rule.source === "user";
    if (!best || rule.weight > best.weight || isOwnOfTwo || LEVELS.indexOf(rule.level) < LEVELS.indexOf(best.level)) best = rule;
  }
  /** @type {Verdict} */
  const verdict = best
    ? { level: best.level, pattern: best.pattern, source: best.source }
    : granted.default ? { level: granted.default, source: "pairing" } : { level: "act", source: "default" };
  return site !== FILES || best?.pattern === FILES ? verdict : amongFiles(verdict, address);
}

/**
 * Files without a rule of their own: those below a folder that pairing.json names are as other sites. The others are never
 * touched where it names any, as in browsers of ours; elsewhere their owner is asked.
 * @param {Verdict} verdict @param {string} [address] @returns {Verdict}
 */
function amongFiles(verdict, address = "") {
  const { files, closed_files: closed = [] } = granted;
  const innermost = (/** @type {string[]} */ folders) =>
    Math.max(-1, ...folders.filter((folder) => isFileBelow(address, folder)).map(({ length }) => length));
  if (files) return innermost(files) > innermost(closed) ? verdict : { level: "never", source: "pairing" };
  return verdict.level === "never" ? verdict : { level: "ask", source: verdict.source };
}

/**
 * Whether a kind of sensitive act is allowed on a site, as far as it was said for longer than once.
 * @param {string} site or WHOLE_BROWSER
 * @param {string} kind
 * @returns {Answer}
 */
export function answerFor(site, kind) {
  const kept = answersInForce().filter((answer) => answer.kind === kind)
    .map((answer) => ({ ...answer, ...sitePattern(answer.site) }))
    .filter((answer) => answer.site === site || answer.matches?.(site))
    .sort((one, other) => (other.weight ?? 0) - (one.weight ?? 0))[0];
  if (kept) return kept.answer;
  if ((granted.allow ?? []).some((grant) => isGranted(grant, site, kind))) return "allow";
  const sensitive = /** @type {Answer | Partial<Record<string, Answer>>} */ (granted.sensitive ?? {});
  const general = typeof sensitive === "object" ? sensitive[kind] : sensitive;
  return general === "allow" || general === "never" ? general : "ask";
}

/**
 * Answer that the owner gave for longer than once when they were asked whether a site may be read or acted on.
 * @param {string} site
 * @param {"read"|"act"} need
 * @returns {Answer}
 */
export function siteAnswer(site, need) {
  const answers = answersInForce().filter(({ kind }) => kind === need);
  const own = answers.find((kept) => kept.site === site);
  // One that was given at another address of this computer.
  return (own ?? answers.find((kept) => sitePattern(kept.site)?.matches(site)))?.answer ?? "ask";
}

/** Whether nobody has to be asked about any field anywhere. */
export const fieldsAreFree = () => granted.sensitive === "allow" && !own.answers.some(({ kind }) => FIELD_KINDS.includes(kind));

/** @param {string} grant KIND or KIND@SITE; the kind may be `all` @param {string} site @param {string} kind */
function isGranted(grant, site, kind) {
  const [name, where] = grant.split(/@(.*)/s);
  if (name !== "all" && name !== kind) return false;
  return where === undefined || (site !== WHOLE_BROWSER && Boolean(sitePattern(where)?.matches(site)));
}

/** The tabs that clients see where the person has not said so here. A setting that cannot be read means the fewest. */
export const grantedSight = () => (granted.tabs === undefined ? "all" : SIGHTS.includes(granted.tabs) ? granted.tabs : "given");

/** Whether pairing.json lets the client's own user answer in the owner's place. */
export const mayClientAnswer = () => granted.answers_from_client === true;

/** Whether the owner bars no act and no script on any site. */
export const isNothingBarred = () => !rulesToGuard().barred.length &&
  !own.answers.some(({ kind, answer }) => kind === "evaluate" && answer === "never");

/**
 * The patterns of sites where acts may be refused, and of those more specific ones where they are not.
 * @returns {{barred: string[], allowed: string[]}}
 */
export function rulesToGuard() {
  const isBarred = (/** @type {Level} */ level) => level !== "act";
  const barred = rules.filter(({ level }) => isBarred(level)).map(({ pattern }) => pattern);
  if (isBarred(levelOf("").level) && !barred.includes("*")) barred.push("*");
  if (unread.length) return { barred: ["*"], allowed: [] };
  const least = Math.min(
    ...rules.filter(({ level }) => isBarred(level)).map(({ weight }) => weight),
    barred.includes("*") ? 0 : Infinity,
  );
  return {
    barred,
    allowed: rules.filter(({ level, weight }) => !isBarred(level) && weight > least).map(({ pattern }) => pattern),
  };
}

function save() {
  compile();
  return chrome.storage.local.set({ [KEY]: own });
}

/**
 * All rules, for people to see: those of the user can be changed, those of pairing.json only there.
 * @returns {{rules: Rule[], default: Level, answers: Kept[], granted: Grants}}
 */
export function allRules() {
  return {
    rules: rules.map(({ pattern, level, source }) => ({ pattern, level, source })),
    default: unread.length ? "never" : granted.default ?? "act",
    answers: answersInForce(),
    granted,
  };
}

/**
 * The owner says what is allowed on the sites of a pattern.
 * @param {string} written a pattern, see sitePattern
 * @param {Level} level
 * @throws {Error} when it is no pattern or no level, or there are too many
 */
async function setRule(written, level) {
  await rulesReady;
  const pattern = typeof written === "string" ? sitePattern(written) : null;
  if (!pattern)
    throw new Error(
      `"${String(written).slice(0, 100)}" names no site; write example.com, *.corp, https://example.com:8443, localhost:8000, ` +
      `file:// or *`,
    );
  if (!LEVELS.includes(level)) throw new Error(`there is no level ${level}; use ${LEVELS.join(", ")}`);
  if (Object.keys(own.sites).length >= MAX_RULES && !own.sites[pattern.text])
    throw new Error(`there are ${MAX_RULES} rules already; remove some`);
  forgetRule(pattern.key);
  own.sites[pattern.text] = level;
  await save();
}

/** Forgets the owner's rules for the sites that a pattern stands for, however these were written. @param {string} key */
function forgetRule(key) {
  for (const written of Object.keys(own.sites)) if ((sitePattern(written)?.key ?? written) === key) delete own.sites[written];
}

/**
 * The owner answers a question about a sensitive act for longer than once; null takes the answer back.
 * @param {string} site @param {string} kind @param {"allow"|"never"|null} answer
 * @param {number} [until] epoch ms; left out: for good
 */
export async function keepAnswer(site, kind, answer, until) {
  await rulesReady;
  own.answers = own.answers.filter((kept) => kept.site !== site || kept.kind !== kind);
  if (answer) own.answers.push({ site, kind, answer, ...(until !== undefined && { until }) });
  await save();
}

/** Takes answers back that were given for a time. @param {(until: number) => boolean} isOver */
export async function endAnswers(isOver) {
  await rulesReady;
  const left = own.answers.filter(({ until }) => until === undefined || !isOver(until));
  if (left.length === own.answers.length) return;
  own.answers = left;
  await save();
}

/** A rule of the owner for the sites of a pattern, and all answers given there, are forgotten. @param {string} pattern */
async function forgetSite(pattern) {
  await rulesReady;
  forgetRule(sitePattern(pattern)?.key ?? pattern);
  own.answers = own.answers.filter(({ site }) => site !== pattern);
  await save();
}

/**
 * The owner says for good what becomes of a kind of sensitive act on a site, without a question.
 * @param {string} site or WHOLE_BROWSER
 * @param {string} kind
 * @param {Answer} answer ask: as if none had been given
 * @throws {Error} when there is no such kind or answer
 */
async function setAnswer(site, kind, answer) {
  if (answer !== "ask" && !Object.hasOwn(SENSITIVE_KINDS, kind)) throw new Error(`there is no kind ${kind}`);
  if (!["allow", "ask", "never"].includes(answer)) throw new Error(`there is no answer ${answer}`);
  await keepAnswer(site, kind, answer === "ask" ? null : answer);
}

/** Reply to the pages of the extension. */
const told = () => ({ ...allRules(), levels: LEVELS });

/**
 * Messages of the extension's pages. Each gives the rules as they are then, `{rules: Rule[], default: Level, answers: Kept[],
 * granted: Grants, levels: Level[]}`, or `{error: string}`: `siteRules`; `setSiteRule {pattern, level}`; `forgetSite {pattern}`,
 * which takes the answers given there back as well; `setAnswer {site, kind, answer}`, answer: allow, ask or never.
 */
answerUi({
  siteRules: () => rulesReady.then(told),
  setSiteRule: ({ pattern, level }) => setRule(pattern, level).then(told),
  forgetSite: ({ pattern }) => forgetSite(String(pattern)).then(told),
  setAnswer: ({ site, kind, answer }) => setAnswer(String(site), String(kind), answer).then(told),
});
