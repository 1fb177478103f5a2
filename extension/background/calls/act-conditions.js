/*
 * What must hold before an act in the user's own browser begins: the debugger is there where the act may open a dialog.
 */
import { hasAsked } from "../debugger/asking-pages.js";
import { attachmentsKnown, isAttached, useDebugger } from "../debugger/attachment.js";

/** @typedef {NonNullable<import("../../types").CallContext["effects"]>} Recorder */

/** Whether the input of each act is chosen for it. @param {Recorder} recorder */
export const isInputChosen = ({ actStart, call: { client } }) =>
  actStart !== null && client.input === "auto" && !client.launched;

/**
 * Attaches the debugger before an act whose page may open a dialog: of one that opens first nobody can tell, and DOM events
 * open no window. Where the debugger cannot be had the act goes on without.
 * @param {Recorder} recorder
 */
export async function hearDialogs(recorder) {
  const { tab, call, mayCall, isBlocked } = recorder;
  if (!isInputChosen(recorder) || isBlocked) return;
  await attachmentsKnown;
  if (!isAttached(tab.id) && !mayCall && !hasAsked(tab.url)) return;
  const used = await useDebugger(tab.id, call).catch((error) => {
    if (!error.data?.attach) throw error;
  });
  if (used) recorder.rest = used.release;
}
