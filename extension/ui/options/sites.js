/** Rules for sites: the level of each, its exceptions by kind, the level of all others, and what never is. */
import { onChoice, showChoice } from "./choices.js";
import { attempt, fill, find, make, optionsOf, say } from "../shared/elements.js";
import { watchFront } from "../shared/open-tabs.js";
import { ask } from "../shared/worker.js";
import { clockTime } from "../../background/base/text.js";

/** @typedef {import("../../background/rules/site-rules.js").Rule} Rule */
/** @typedef {import("../../background/rules/site-rules.js").Kept} Kept */
/** @typedef {import("../../background/panel/panel-state.js").PanelState["rules"]} Rules */
/** @typedef {{pattern: string, rule?: Rule, answers: Kept[]}} Site  a rule, answers given there for good, or both */

const LEVELS = /** @type {Record<string, string>} */ ({ never: "Never", ask: "Ask me", read: "Read only", act: "Read and act" });
const ANSWERS = /** @type {Record<string, string>} */ ({ ask: "Ask me", allow: "Allow", never: "Never" });
/** Pattern of all sites without a rule; of answers, the whole browser. */
const ALL = "*";

/** @type {Rules|null} */
let known = null;

/** @param {() => Promise<unknown>} change */
const run = (change) => attempt(find("#rule-problem"), change);

/** @param {readonly string[]} levels */
const levelOptions = (levels) => optionsOf(Object.fromEntries(levels.map((level) => [level, LEVELS[level] ?? level])));

const nameOf = (/** @type {string} */ pattern) => (pattern === ALL ? "All other sites" : pattern);

/** @param {string} pattern @param {Rules} rules */
function levelChoice(pattern, { levels }) {
  const ariaLabel = `What is allowed on ${nameOf(pattern)}`;
  const select = make("select", { ariaLabel, data: { level: "" } }, ...levelOptions(levels));
  onChoice(select, (level) => run(() => ask("setSiteRule", { pattern, level })));
  return select;
}

/** An answer for a time is shown as what it is, so that the same one can be chosen for good. */
const FOR_A_TIME = "until";

/** @param {Kept} kept */
const untilWords = ({ until }) => (until ? ` until ${clockTime(until)}` : "");

/** @param {HTMLSelectElement} select @param {Kept} [kept] */
function chooseKept(select, kept) {
  let own = /** @type {HTMLOptionElement|null} */ (select.querySelector(`[value=${FOR_A_TIME}]`));
  if (!kept?.until) own?.remove();
  else {
    own ??= make("option", { value: FOR_A_TIME, disabled: true });
    // The option stands next to the same answer for good, one key away.
    if (!own.parentElement) select.querySelector(`[value=${kept.answer}]`)?.after(own);
    say(own, ANSWERS[kept.answer] + untilWords(kept));
  }
  showChoice(select, kept?.until ? FOR_A_TIME : kept?.answer ?? "ask");
}

/** @param {string} site @param {string} kind @param {string} words */
function kindChoice(site, kind, words) {
  const select = make("select", { data: { kind } }, ...optionsOf(ANSWERS));
  onChoice(select, (answer) => run(() => ask("setAnswer", { site, kind, answer })));
  return make("label", { className: "row" }, make("span", { className: "main", textContent: words }), select);
}

const capital = (/** @type {string} */ text) => text[0].toLocaleUpperCase() + text.slice(1);

/** @param {Site} site @param {Rules} rules */
function exceptionsPart({ pattern, rule }, { kinds }) {
  const choices = Object.entries(kinds).map(([kind, words]) => kindChoice(pattern, kind, capital(words)));
  const remove = make("button", { type: "button", textContent: "Forget this site", data: { remove: "" },
    ariaLabel: `Forget this site: ${pattern}`, onclick: () => void run(() => ask("forgetSite", { pattern })) });
  const isOwn = pattern !== ALL && rule?.source !== "pairing";
  return make("details", {},
    make("summary", { textContent: `Passwords, cookies, files, scripts: ${pattern === ALL ? "everywhere" : pattern}` }),
    ...choices, isOwn && make("div", { className: "actions" }, remove));
}

/** @param {Site} site @param {Rules} rules @returns {HTMLElement} */
function toItem(site, rules) {
  const { pattern, rule } = site;
  const level = rule?.source === "pairing"
    ? make("small", { textContent: `${LEVELS[rule.level]} (granted in pairing.json)` }) : levelChoice(pattern, rules);
  return make("li", { data: { pattern } },
    make("div", { className: "row" },
      make("span", { className: "main" }, nameOf(pattern), make("small", { className: "exceptions" })), level),
    exceptionsPart(site, rules));
}

/** @param {HTMLElement} item @param {Site} site @param {Rules} rules */
function refresh(item, { rule, answers }, rules) {
  const select = /** @type {HTMLSelectElement|null} */ (item.querySelector("[data-level]"));
  if (select) showChoice(select, rule?.level ?? rules.default);
  for (const choice of /** @type {NodeListOf<HTMLSelectElement>} */ (item.querySelectorAll("[data-kind]")))
    chooseKept(choice, answers.find(({ kind }) => kind === choice.dataset.kind));
  const exceptions = answers.map((kept) =>
    `${kept.kind.replaceAll("_", " ")}: ${ANSWERS[kept.answer].toLowerCase()}${untilWords(kept)}`);
  say(find(".exceptions", item), exceptions.join(", "));
}

/** @param {Rules} rules @returns {Site[]} the level of all others first */
function sitesOf({ rules, answers }) {
  const patterns = [...new Set([ALL, ...rules.map(({ pattern }) => pattern), ...answers.map(({ site }) => site)])];
  return patterns.map((pattern) => ({
    pattern,
    // The person's own rule counts before one that was granted.
    rule: rules.findLast((one) => one.pattern === pattern),
    answers: answers.filter(({ site }) => site === pattern),
  }));
}

function draw() {
  if (!known) return;
  const rules = known;
  const wanted = /** @type {HTMLInputElement} */ (find("#site-search")).value.trim().toLowerCase();
  const all = sitesOf(rules);
  const sites = all.filter(({ pattern }) => pattern === ALL || pattern.includes(wanted));
  find("#site-search-part").hidden = all.length < 6 && !wanted;
  const toFresh = (/** @type {Site} */ site) => {
    const item = toItem(site, rules);
    refresh(item, site, rules);
    return item;
  };
  // A rule that the person makes with the select of its row leaves the row where it is, and the focus in it.
  const keyOf = (/** @type {Site} */ { pattern, rule }) => `${pattern} ${rule?.source === "pairing"}`;
  fill(find("#rules"), sites, keyOf, toFresh, (item, site) => refresh(item, site, rules));
}

/** @param {Rules} rules */
export function showSites(rules) {
  known = rules;
  draw();
  const choice = newLevel();
  if (!choice.children.length) {
    choice.append(...levelOptions(rules.levels));
    choice.value = "read";
  }
  if (find("#never").children.length) return;
  find("#never").append(...rules.never.map(({ what, sites }) =>
    make("li", {}, make("span", { textContent: capital(what) }), make("small", { textContent: ` ${sites.join(", ")}` }))));
}

const newLevel = () => /** @type {HTMLSelectElement} */ (find("#new-level"));

function build() {
  const pattern = make("input", { id: "new-pattern", required: true, maxLength: 300, autocomplete: "off", spellcheck: false });
  const form = make("form", { id: "new-rule", className: "actions" }, make("label", {}, "Site", pattern),
    make("label", {}, "Allowed", make("select", { id: "new-level" })), make("button", { textContent: "Add" }));
  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await run(() => ask("setSiteRule", { pattern: pattern.value.trim(), level: newLevel().value }))) pattern.value = "";
  });
  const search = make("input", { id: "site-search", type: "search", oninput: draw });
  find("#sites-part").append(make("h2", { id: "sites-heading", textContent: "Sites" }),
    make("label", { id: "site-search-part", hidden: true }, "Find a site", search),
    make("ul", { id: "rules", ariaLabel: "Sites" }), form, make("p", { id: "rule-problem", role: "alert", className: "problem" }),
    make("details", {}, make("summary", { textContent: "Never touched, whatever is allowed" }), make("ul", { id: "never" })));
  return pattern;
}

/** Puts the rules into their place, `#sites-part`, makes them work, and offers the site of the tab in front. */
export function startSites() {
  const pattern = build();
  watchFront((tab) => {
    const host = tab?.url && URL.canParse(tab.url) && /^https?:/.test(tab.url) ? new URL(tab.url).host : "";
    pattern.placeholder = host || "example.com";
  });
}
