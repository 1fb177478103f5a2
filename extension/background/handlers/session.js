/*
 * The session domain: what concerns the connection itself.
 */

/** @type {Record<string, import("../../types").Handler>} */
export const handlers = {
  "session.echo": (params) => params,
};
