/** Network. */

export const handlers = {};
