/*
 * Final states of fields. A page may take a choice back in its next frame, or when its request has failed, and no event says so.
 * Acts that changed a choice are therefore looked at once more, a moment later; no other act waits. A document that loads itself
 * again has lost what its fields held.
 */
import { within } from "../base/deadline.js";
import { said, TabwireError } from "../base/errors.js";
import { withoutFragment } from "../base/url.js";
import { callWithDocument } from "../page/content-calls.js";

/** Time in which a page takes back what it does not take: some frames, or a short timer. */
const WATCH_MS = 80;
/** The same where its requests are not heard, so that their failures cannot be waited for. */
const UNHEARD_WATCH_MS = 250;

/** @typedef {import("../../types").Choice} Choice */
/** @typedef {import("../../types").Counted} Counted */
/** @typedef {{element: string, selected?: string[], labels?: string[], checked?: boolean | "mixed" | null}} FinalState */
/**
 * The observation of an act, as far as it is needed here
 * @typedef {Pick<import("./act-observation.js").ActObservation,
 *   "call"|"choices"|"tab"|"reading"|"requests"|"dialogOpened"|"timeLeft">} Observed
 */

/**
 * Waits for what the page makes of a choice, or until the page is left.
 * @param {Observed} observed @param {Counted[]} frames @param {Promise<unknown>} left settles when the page is left
 * @returns {Promise<boolean>} whether there is a choice
 */
export async function watchChoices({ call, choices, requests, dialogOpened, timeLeft }, frames, left) {
  if (!choices.length && !frames.some(({ has_choice: hasChoice }) => hasChoice)) return false;
  // Where the input is chosen, pages whose scripts may send requests have the debugger, which hears them.
  const isUnheard = call.client.input === "dom" && !requests.isListening;
  const limit = isUnheard ? UNHEARD_WATCH_MS : WATCH_MS;
  await within(Promise.race([left, dialogOpened]), Math.min(limit, timeLeft)).catch(() => {});
  return true;
}

/** @param {string[] | undefined} labels */
const listOf = (labels = []) => (labels.length ? said(labels.map((label) => `"${label}"`).join(", ")) : "nothing");

/** @param {Choice} choice @param {FinalState} now @returns {string} words for the difference; none where it is kept */
function differenceOf({ selected, checked }, now) {
  if (selected && now.selected && selected.join("\n") !== now.selected.join("\n"))
    return `the page took the choice back: selected is now ${listOf(now.labels)}`;
  if (checked === undefined || typeof now.checked !== "boolean" || now.checked === checked) return "";
  return `the page took the change back: it is ${now.checked ? "checked" : "unchecked"} now`;
}

/**
 * Throws where a choice of the act is not the state that its page shows in the end.
 * @param {Observed} observed @param {Counted[]} frames the changes that are known by then
 */
export async function assertKept({ choices, tab, reading }, frames) {
  for (const choice of choices) {
    const args = { target: { ref: choice.local } };
    const { value: now } = await callWithDocument(tab.id, { documentId: choice.documentId }, "forms.finalState", args, reading)
      .catch(() => ({ value: null }));
    const difference = now && differenceOf(choice, now);
    if (!difference) continue;
    const changes = frames.flatMap((frame) => frame.changes ?? []);
    throw new TabwireError("invalid_element_state",
      `${said(now.element)}: ${difference}${changes.length ? `. The page shows: ${said(changes.join(" · "))}` : ""}`,
      { ref: choice.ref, ...(now.selected ? { selected: now.selected } : { checked: now.checked }) });
  }
}

/** The last navigation of a frame. @param {import("../base/navigation-events.js").Progress} progress @param {number} frameId */
const lastOf = ({ commits, url, isScripted, frames }, frameId) =>
  (frameId ? frames.get(frameId) : { url: commits ? url : null, isScripted });

/**
 * Throws where the document of a field has loaded itself again under the act, as some do when a field gets the focus. One that
 * sends its form may come from the same address, too, and has got the text.
 * @param {Pick<import("./act-observation.js").ActObservation, "filled"|"watch"|"call">} observed
 */
export function assertStayed({ filled, watch, call }) {
  for (const { frameId, url, ref } of filled) {
    const last = lastOf(watch.progress, frameId);
    if (!last?.url || !last.isScripted || withoutFragment(last.url) !== withoutFragment(url)) continue;
    throw new TabwireError("outcome_unknown",
      `the ${frameId ? "frame of the field" : "page"} loaded itself again under ${call.method}, and its fields are new ones: ` +
      "what was given to the old one is probably lost. Take a new snapshot, and look at the field before you repeat it",
      { method: call.method, cause: "navigated", ref });
  }
}
