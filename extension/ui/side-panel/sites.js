/** What is allowed on which sites: the person's rules, what is granted ahead, the answers given for good, and what never is. */
import { fill, find, make, say } from "../shared/elements.js";
import { ask } from "../shared/worker.js";

/** @typedef {import("../../background/rules/site-rules.js").Rule} Rule */
/** @typedef {import("../../background/rules/site-rules.js").Kept} Kept */
/** @typedef {import("../../background/panel/panel-state.js").PanelState["rules"]} Rules */

const LEVELS = /** @type {Record<string, string>} */ ({ never: "Never", ask: "Ask me", read: "Read only", act: "Read and act" });

/** @param {() => Promise<unknown>} change */
async function run(change) {
  try {
    await change();
    say(find("#rule-problem"), "");
    return true;
  } catch (error) {
    say(find("#rule-problem"), /** @type {Error} */ (error).message);
    return false;
  }
}

/** @param {string} level @param {readonly string[]} levels */
const options = (level, levels) => levels.map((each) =>
  make("option", { value: each, textContent: LEVELS[each] ?? each, selected: each === level }));

/** @param {Rule} rule @param {readonly string[]} levels */
function toRule({ pattern, level, source }, levels) {
  const name = make("span", { className: "main", textContent: pattern });
  if (source === "pairing") {
    return make("li", { className: "row", data: { pattern } }, name,
      make("small", { textContent: `${LEVELS[level]} (granted ahead, in pairing.json)` }));
  }
  const choice = make("select", { ariaLabel: `What is allowed on ${pattern}`, data: { level: "" } }, ...options(level, levels));
  choice.addEventListener("change", () => void run(() => ask("setSiteRule", { pattern, level: choice.value })));
  const remove = make("button", { type: "button", textContent: "Remove", ariaLabel: `Remove the rule for ${pattern}`,
    onclick: () => void run(() => ask("removeSiteRule", { pattern })) });
  return make("li", { className: "row", data: { pattern } }, name, choice, remove);
}

/** @param {Kept} kept */
function toAnswer({ site, kind, answer }) {
  const where = site === "*" ? "this whole browser" : site;
  const what = kind.replaceAll("_", " ");
  return make("li", { className: "row", data: { kept: `${kind} ${site}` } },
    make("span", { className: "main", textContent: `${what}: ${answer === "allow" ? "allowed" : "never"} on ${where}` }),
    make("button", { type: "button", textContent: "Forget", ariaLabel: `Forget the answer about ${what} on ${where}`,
      onclick: () => void run(() => ask("forgetAnswer", { site, kind })) }));
}

/** @param {Rules} rules */
export function showSites({ rules, default: level, answers, levels, never }) {
  fill(find("#rules"), rules, ({ pattern, source }) => `${pattern} ${source}`, (rule) => toRule(rule, levels), (item, rule) => {
    const choice = item.querySelector("select");
    if (choice && document.activeElement !== choice) choice.value = rule.level;
  });
  find("#default-level").textContent = `Sites without a rule: ${LEVELS[level].toLowerCase()}.`;
  find("#answers-part").hidden = !answers.length;
  fill(find("#answers"), answers, ({ site, kind, answer }) => `${site} ${kind} ${answer}`, toAnswer);
  const choice = levelChoice();
  if (!choice.children.length) choice.append(...options("read", levels));
  if (find("#never").children.length) return;
  find("#never").append(...never.map(({ what, sites }) =>
    make("li", {}, make("span", { textContent: what }), make("small", { textContent: sites.join(", ") }))));
}

const levelChoice = () => /** @type {HTMLSelectElement} */ (find("#new-level"));

/** Makes the form work, and offers the site of the tab in front. */
export async function startSites() {
  const pattern = /** @type {HTMLInputElement} */ (find("#new-pattern"));
  find("#new-rule").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await run(() => ask("setSiteRule", { pattern: pattern.value.trim(), level: levelChoice().value }))) pattern.value = "";
  });
  const offer = async () => {
    const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
    const host = tab?.url && URL.canParse(tab.url) && /^https?:/.test(tab.url) ? new URL(tab.url).host : "";
    pattern.placeholder = host || "example.com";
  };
  chrome.tabs.onActivated.addListener(offer);
  chrome.tabs.onUpdated.addListener((_, { url }) => { if (url) void offer(); });
  await offer();
}
