/** Storage. */

export const handlers = {};
