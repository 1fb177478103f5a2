/** Browser data: history and bookmarks. */

export const handlers = {};
