/*
 * Marks of acts in the page they happen in: shown in the person's own browser, unless they have set it otherwise. A browser that
 * a client has started for itself is watched by nobody, and its pages and pictures stay as they are. Marks go along with
 * messages that an act sends anyway, or are sent without waiting; they go away by themselves.
 */
import { onClientGone } from "../base/clients.js";
import { within } from "../base/deadline.js";
import { TabMap } from "../base/tabs.js";
import { hueOf } from "../tabs/lease-holders.js";
import { onRevoked } from "../tabs/leases.js";
import { METHODS } from "../base/protocol.js";
import { onSettingsChange, settings, settingsKnown } from "../base/settings.js";
import { onPauseChange } from "../rules/stop.js";

/** Time after the last act from which on no mark is left in the page; a little more than the page itself allows. */
const KEPT_MS = 60_000;
/** Time that a page may take to be drawn anew. */
const DRAWN_MS = 400;
const MAX_NAME = 40;

/** Tab → for whom its page shows signs, and since when. @type {TabMap<{clientId: string, at: number}>} */
const showing = new TabMap();

/** Tabs that show no marks, because they are recorded as they are. @type {Set<number>} */
const unmarked = new Set();
/** Whether acts show; null: in the person's own browser only. */
let isWanted = settings().signs;
const noteWish = () => { isWanted = settings().signs; };
void settingsKnown.then(noteWish);

/** Shows nothing in a tab until `mark`. @param {number} tabId */
export const leaveUnmarked = (tabId) => void unmarked.add(tabId);

/** @param {number} tabId */
export const mark = (tabId) => void unmarked.delete(tabId);

/**
 * Marks that the page is to show of an act that begins.
 * @param {import("../../types").CallContext} call
 * @returns {{title: string, colour?: string}|undefined} undefined: nothing; colour: that of the client's tab group
 */
export function signsFor({ method, client, tab }) {
  const tabId = tab?.id;
  if (tabId === undefined || !(isWanted ?? !client.launched) || unmarked.has(tabId)) return undefined;
  showing.set(tabId, { clientId: client.id, at: Date.now() });
  const name = (client.label ?? client.name).slice(0, MAX_NAME);
  return { title: `${name}: ${METHODS[method].title}`, colour: hueOf(client.id)?.dark };
}

const isShowing = (/** @type {number} */ tabId) => Date.now() - (showing.get(tabId)?.at ?? 0) < KEPT_MS;

/** @template {unknown[]} Args @param {number} tabId @param {(...args: Args) => unknown} func @param {Args} args */
const inTop = (tabId, func, args) =>
  chrome.scripting
    .executeScript({ target: { tabId, frameIds: [0] }, injectImmediately: true, func: /** @type {never} */ (func), args })
    .catch(() => []);

/**
 * Marks the place of an act. Nobody waits for it.
 * @param {number} tabId
 * @param {{x: number, y: number}} at in CSS px of the top document's viewport
 */
export function pointAt(tabId, at) {
  if (!isShowing(tabId)) return;
  // An element of the page may be called like that.
  void inTop(
    tabId,
    (place) => {
      if (Object.hasOwn(globalThis, "__tabwire")) globalThis.__tabwire.call("pageMarks.point", { at: place });
    },
    [at],
  );
}

/** Takes the marks out of the page and waits until it is drawn without them; runs in the page. */
const withdraw = async (/** @type {number} */ limit) => {
  if (!Object.hasOwn(globalThis, "__tabwire")) return;
  const hidden = /** @type {{result?: boolean}} */ (globalThis.__tabwire.call("pageMarks.hide"));
  if (!hidden.result || document.hidden) return;
  const drawn = () => new Promise((/** @type {(value: void) => void} */ resolve) => {
    const observer = new IntersectionObserver(() => { observer.disconnect(); resolve(); });
    observer.observe(document.documentElement);
  });
  const late = new Promise((resolve) => { setTimeout(resolve, limit); });
  // Chrome makes a frame while the one before is put on the screen.
  for (let frame = 0; frame < 3; frame += 1) await Promise.race([drawn(), late]);
};

/**
 * Takes the signs out of a tab of which a picture is to be taken; the next act shows its own.
 * @param {number|undefined} tabId
 */
export async function withdrawSigns(tabId) {
  if (tabId === undefined || !isShowing(tabId)) return;
  showing.delete(tabId);
  await within(inTop(tabId, withdraw, [DRAWN_MS]), 2 * DRAWN_MS);
}

/** @param {(tabId: number, clientId: string) => boolean} isOver */
function withdrawWhere(isOver) {
  for (const [tabId, { clientId }] of showing) if (isOver(tabId, clientId)) void withdrawSigns(tabId);
}

onClientGone(({ id }) => withdrawWhere((_, clientId) => clientId === id));
onRevoked((tabId) => void withdrawSigns(tabId));
onPauseChange(() => withdrawWhere(() => true));
onSettingsChange(() => {
  noteWish();
  withdrawWhere(() => true);
});
