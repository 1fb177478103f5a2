/** Dialogs. */

export const handlers = {};
