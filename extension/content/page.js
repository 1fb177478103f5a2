/*
 * The content scripts in every document that a client works in. They talk to the worker by one frozen global: `call` runs an
 * operation, `isQuery` says of which kind it is, and `seal`, `tell` and `ask` are set by `runInPage`
 * (background/page/content-calls.js). Other scripts of the worker call single operations directly.
 */
import { unknownOperation, wrap, wrapError } from "./base/errors.js";
import { worker } from "./base/worker.js";
import * as clobbered from "./dom/clobbered.js";
import * as frames from "./dom/frames.js";
import * as frameProjection from "./visibility/frame-projection.js";
import * as visualViewport from "./visibility/visual-viewport.js";
import * as elementIdentity from "./find/element-identity.js";
import * as markedElements from "./find/marked-elements.js";
import * as matches from "./find/matches.js";
import * as nearestElements from "./find/nearest-elements.js";
import * as refs from "./find/refs.js";
import * as markup from "./snapshot/markup.js";
import * as outlineRefs from "./snapshot/outline-refs.js";
import * as outline from "./snapshot/outline.js";
import * as snapshot from "./snapshot/snapshot.js";
import * as pageScripts from "./changes/page-scripts.js";
import * as wait from "./changes/wait.js";
import * as actStart from "./act/act-start.js";
import * as actionability from "./act/actionability.js";
import * as activation from "./act/activation.js";
import * as effects from "./act/effects.js";
import * as filling from "./act/filling.js";
import * as forms from "./act/forms.js";
import * as input from "./act/input.js";
import * as keyboard from "./act/keys/keyboard.js";
import * as pageMarks from "./act/page-marks.js";
import * as pointerArrival from "./act/pointer-arrival.js";
import * as pointerGuard from "./act/pointer-guard.js";
import * as presence from "./act/presence.js";
import * as replacement from "./act/replacement.js";
import * as scrolling from "./act/scrolling.js";
import * as sensitiveFields from "./act/sensitive-fields.js";
import * as stop from "./act/stop.js";
import * as tabOrder from "./act/keys/tab-order.js";
import * as storage from "./base/storage.js";
import * as upload from "./act/upload.js";
import * as accessibility from "./inspect/accessibility.js";
import * as elementLayout from "./inspect/element-layout.js";
import * as eventPath from "./inspect/event-path.js";
import * as media from "./inspect/media.js";
import * as observation from "./inspect/observation.js";
import * as pageBasics from "./inspect/page-basics.js";
import * as performanceEntries from "./inspect/performance-entries.js";
import * as resourceTimings from "./inspect/resource-timings.js";
import * as picker from "./user/picker.js";
import * as recorderBar from "./user/recorder-bar.js";
import * as stepRecorder from "./user/step-recorder.js";
import * as userEntries from "./user/user-entries.js";
import { descriptions } from "./find/descriptions.js";
import { hintOf } from "./snapshot/element-descriptions.js";
import { textBeside } from "./snapshot/nearby-text.js";

Object.assign(descriptions, { hintOf, textBeside });

/** Operations for documents of any origin, because they do not act on the page. @type {ContentOperations} */
const QUERIES = {
  "effects.begin": effects.begin,
  "effects.end": effects.end,
  "effects.ending": effects.ending,
  "effects.news": effects.news,
  "effects.otherThanTyped": effects.otherThanTyped,
  "elements.accessibility": accessibility.accessibility,
  "elements.basics": pageBasics.basics,
  "elements.layout": elementLayout.layout,
  "elements.marked": markedElements.marked,
  "elements.path": eventPath.path,
  "fingerprints.nearest": nearestElements.nearest,
  "fingerprints.score": nearestElements.scoreTarget,
  "frames.over": frameProjection.over,
  "frames.pathTo": frames.pathTo,
  "frames.position": frames.position,
  "frames.projection": frameProjection.projection,
  "network.timings": resourceTimings.timings,
  "outline.find": outlineRefs.findPart,
  "outline.print": outline.printOutline,
  "pageMarks.hide": pageMarks.hide,
  "pageMarks.point": pageMarks.pointAt,
  "performance.entries": performanceEntries.readEntries,
  "pointerArrival.coming": pointerArrival.coming,
  "pointerArrival.listen": pointerArrival.listenAt,
  "pointerArrival.told": pointerArrival.tellComing,
  "selectors.chain": matches.chain,
  "selectors.changed": matches.changed,
  "selectors.find": matches.find,
  "selectors.nearest": matches.nearest,
  "selectors.query": matches.query,
  "selectors.unwatch": matches.unwatch,
  "sensitiveFields.look": sensitiveFields.lookNow,
  "snapshot.capture": snapshot.capture,
  "stop.now": stop.now,
  "visualViewport.shown": visualViewport.shown,
};

/** All other operations. @type {ContentOperations} */
const COMMANDS = {
  "actionability.follow": replacement.follow,
  "actionability.prepare": actionability.prepare,
  "forms.awaitChecked": forms.awaitChecked,
  "forms.checkState": forms.checkState,
  "forms.chooseOption": forms.chooseOption,
  "forms.clickHidden": forms.clickHidden,
  "forms.endFill": filling.end,
  "forms.fill": filling.fill,
  "forms.finalState": forms.finalState,
  "forms.filled": filling.tellFilled,
  "forms.focus": forms.focus,
  "forms.kinds": forms.kinds,
  "forms.pasteFill": filling.pasteFill,
  "forms.select": forms.select,
  "forms.startFill": filling.start,
  "forms.submitter": forms.submitter,
  "input.aim": pointerGuard.aim,
  "input.arm": pointerGuard.armTarget,
  "input.arrived": pointerGuard.arrived,
  "input.arriving": pointerGuard.arriving,
  "input.clicked": pointerGuard.clicked,
  "input.drag": input.drag,
  "input.dropFiles": upload.dropFiles,
  "input.find": pointerGuard.find,
  "input.perform": input.perform,
  "input.prepareEvents": activation.prepareEvents,
  "input.scroll": scrolling.scroll,
  "input.scrollFrame": scrolling.scrollFrame,
  "input.scrollPlan": scrolling.scrollPlan,
  "input.scrollSettle": scrolling.scrollSettle,
  "input.upload": upload.upload,
  "input.awaitFolder": upload.awaitFolder,
  "input.takenFolder": upload.takenFolder,
  "input.verdict": pointerGuard.tellVerdict,
  "input.withholdNative": pointerGuard.withholdNativeAWhile,
  "keyboard.focus": keyboard.focus,
  "keyboard.holder": keyboard.holder,
  "keyboard.goOnByTab": tabOrder.goOnByTab,
  "keyboard.press": keyboard.press,
  "keyboard.type": keyboard.typeKeys,
  "keyboard.insertAtOnce": keyboard.insertAtOnce,
  "markup.read": markup.read,
  "media.box": media.box,
  "observation.describe": observation.describe,
  "person.rest": userEntries.rest,
  "person.watch": userEntries.watch,
  "picker.arm": picker.arm,
  "picker.chosen": picker.chosen,
  "picker.disarm": picker.disarm,
  "picker.hide": picker.hide,
  "pointerArrival.aim": pointerArrival.aim,
  "refs.check": refs.check,
  "scripts.outcome": pageScripts.outcome,
  "steps.rest": stepRecorder.rest,
  "steps.say": recorderBar.say,
  "steps.watch": stepRecorder.watch,
  "wait.flip": wait.flip,
  "wait.stop": wait.stop,
  ...storage.OPERATIONS,
};

/** @param {string} name */
const isQuery = (name) => Object.hasOwn(QUERIES, name);

/** The last step of an act brings along what the act has changed. @param {unknown} result */
const withCount = async (result) => ({ result, counted: await effects.counted() });

/**
 * Runs an operation. Never throws and never rejects.
 * @param {string} name @param {CallArgs} [args]
 * @returns {CallReply | Promise<CallReply>}
 */
function call(name, args) {
  const known = isQuery(name) ? QUERIES : COMMANDS;
  const operation = Object.hasOwn(known, name) ? known[name] : null;
  if (!operation) return wrapError(unknownOperation(name));
  try {
    clobbered.look(document);
    refs.begin();
    // Before the first step of an act: what a later one finds replaced may have been touched already.
    const isFollowed = Boolean(args?.describes && args.target && refs.goOn(args.target.ref));
    if (args?.describes && args.target) refs.actOn(args.target.ref);
    const objection = sensitiveFields.objection(name, args);
    if (objection) return wrapError(objection);
    if (args?.act) actStart.receive(args.act, effects.lookAhead);
    // The target is described before the act, because it may be gone afterwards.
    const target = args?.describes && args.target ? elementIdentity.describe(args.target.ref) : undefined;
    const told = (/** @type {CallReply} */ reply) => {
      if (args?.act) effects.stepped(reply);
      const secrets = sensitiveFields.secrets();
      return { ...reply, ...(target && { target }), ...(secrets && { secrets }), ...(isFollowed && { followed: true }) };
    };
    const result = operation(/** @type {never} */ (args ?? {}));
    if (args?.ends_act) return Promise.resolve(result).then(withCount, wrapError).then(told);
    return result instanceof Promise ? result.then(wrap, wrapError).then(told) : told(wrap(result));
  } catch (error) {
    return wrapError(/** @type {Partial<ContentError>} */ (error));
  }
}

// Modules listen to nothing before they are asked to; the page's listeners of an event are called in this order.
pageMarks.listen();
frames.listen();
sensitiveFields.listen();
actStart.listen();
actionability.listen();
presence.listen();

const calls = Object.freeze({
  call,
  isQuery,
  /** @param {string | undefined} seal */
  set seal(seal) { worker.seal = seal; },
  /** @param {WorkerLink["tell"]} tell */
  set tell(tell) { worker.tell = tell; },
  /** @param {WorkerLink["ask"]} ask */
  set ask(ask) { worker.ask = ask; },
});
Object.defineProperty(globalThis, "__tabwire", { value: calls, enumerable: false, configurable: true });
