/** Profiles of a page: its memory, and its code over a time. */
import { codeProfile } from "../profiles/code-profile.js";
import { memoryOf } from "../profiles/heap-memory.js";

/** @type {import("../../types").Handlers<"profiles">} */
export const handlers = {
  "profiles.memory": Object.assign(memoryOf, { hears: true }),
  "profiles.code_profile": codeProfile,
};
