import { beginObservation } from "../act-observation.js";
import { reportEffects } from "../effects.js";

/** Observes an act in a tab, and adds what it caused. @type {import("./passage.js").Gate} */
export async function observe({ tabCall: call, named, handler, note }, next) {
  const { acting, looks, hears, startsLate = false } = handler;
  const observation = await beginObservation(call, note, { acting: acting?.(named), isLook: looks?.(named), hears, startsLate });
  const running = next();
  const done = Promise.all([running, observation.starts]).then(([value]) => value);
  const { result, effects } = await reportEffects(observation, done);
  return { ...result, effects };
}
