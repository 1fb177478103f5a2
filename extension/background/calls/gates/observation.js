import { beginEffects, reportEffects } from "../effects.js";

/** Observes an act in a tab, and adds what it caused. @type {import("./passage.js").Gate} */
export async function observation({ tabCall: call, named, handler, note }, next) {
  const { acting, looks, hears, startsLate = false } = handler;
  call.acting = acting?.(named);
  call.isLook = looks?.(named);
  call.hears = hears;
  const recorder = await beginEffects(call, note, startsLate);
  const running = next();
  const { result, effects } = await reportEffects(recorder, Promise.all([running, recorder.starts]).then(([value]) => value));
  return { ...result, effects };
}
