/** Emulation. */

export const handlers = {};
