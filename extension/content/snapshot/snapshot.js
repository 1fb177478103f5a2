/* The snapshot of this document as the worker asks for it: where to start, what was kept, what is said beside the lines. */
globalThis.__tabwire.add("snapshot/snapshot", (tw) => {
  /** A stamp that tells the answers of all documents apart. */
  const stampOf = () => crypto.randomUUID?.() ?? `${Math.random()}`;

  /** Modal dialogs that are not inside another one: the rest of the page is inert while they are open. */
  function modals() {
    const open = Array.from(document.getElementsByTagName("dialog")).filter((dialog) => dialog.matches(":modal"));
    return open.filter((dialog) => !open.some((outer) => outer !== dialog && outer.contains(dialog)));
  }

  const CONTROLS = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=link],[tabindex]";

  /** @param {Element[]} dialogs */
  function countBehind(dialogs) {
    return [...document.querySelectorAll(CONTROLS)].filter((control) =>
      !dialogs.some((dialog) => dialog.contains(control)) && control.checkVisibility({ visibilityProperty: true })).length;
  }

  /** @param {CaptureOptions} options */
  function rootsOf(options) {
    if (options.roots) return options.roots.map((local) => tw.refs.resolve(local));
    const root = document.body ?? document.documentElement;
    if (options.mode !== "focused") return root ? [root] : [];
    const active = tw.dom.activeElementDeep();
    return active && active !== document.documentElement ? [active] : [root];
  }

  /**
   * The walk over these elements; over again, without the words under boxes that it found, where there are such words.
   * @param {Element[]} roots
   * @param {CaptureOptions} options
   * @param {Trace | null} trace
   * @param {Set<Element>} [covered] elements whose words the walk before has found under boxes
   * @returns {Capture}
   */
  function walked(roots, options, trace, covered) {
    const work = new tw.capture.Capture(options, trace, covered);
    for (const root of roots) work.run(root);
    const found = covered || !work.covers.length ? null : tw.covers.under(work.covers);
    if (found?.size) return walked(roots, options, null, found);
    if (options.mode === "interactive") tw.mergedLines.leaveIdleHeadings(work.lines);
    tw.mergedLines.gatherShapes(work.lines);
    return work;
  }

  /** @param {CaptureOptions} options @param {Trace | null} trace */
  function fresh(options, trace) {
    const roots = rootsOf(options);
    return tw.dom.cached(() => {
      const dialogs = options.roots || options.mode === "focused" ? [] : modals();
      const work = walked(dialogs.length ? dialogs : roots, options, trace);
      if (dialogs.length) work.notes.behind = countBehind(dialogs);
      return {
        title: tw.text.printable(document.title),
        url: location.href,
        viewport: `${window.innerWidth}x${window.innerHeight}`,
        ...work.lines.print(),
        notes: work.notes,
        focus: options.mode === "focused" && roots[0] !== document.body,
        isOfLayout: work.covered.size > 0,
        samples: tw.linesInView.samplesOf(work.lines.list),
      };
    });
  }

  /** Parts, focused elements and bounds depend on more than is watched: they are not kept. @param {CaptureOptions} options */
  const isKeepable = ({ roots, mode, include_bounds }) => !roots && mode !== "focused" && !include_bounds;

  /** @typedef {ReturnType<typeof fresh> & {stamp?: string}} Answer  `samples`: scrolling is not watched, they are asked anew */

  /** @param {Answer} answer @param {string[]} [known] stamps of answers that need not be sent again */
  function given({ samples, isOfLayout, ...told }, known = []) {
    const inView = tw.linesInView.among(samples);
    const seen = inView.length ? { seen: inView } : {};
    const { stamp } = told;
    return stamp !== undefined && known.includes(stamp) ? { same: stamp, ...seen } : { ...told, ...seen };
  }

  /**
   * Runs a capture, and notes the generated text that it looks at.
   * @template T
   * @param {Trace | null} trace @param {() => T} run
   */
  function noting(trace, run) {
    tw.cssContent.note(trace?.looks ?? null);
    try {
      return run();
    } finally {
      tw.cssContent.note(null);
    }
  }

  /** @param {SnapshotRequest} request */
  function answerTo({ nonce, known, listen, ...options }) {
    tw.cssContent.forgetRules();
    // Chrome sorts what it gives to a script, and leaves the order of what comes over a Port.
    const asked = Object.entries(options).sort();
    const keyNow = () => JSON.stringify([asked, tw.seal, tw.listeners.versionNow()]);
    const kept = isKeepable(options) ? tw.unchanged.recall(keyNow()) : null;
    if (kept) return given(/** @type {Answer} */ (kept), known);
    tw.listeners.refresh();
    const trace = isKeepable(options) ? new tw.unchanged.Trace() : null;
    const found = noting(trace, () => fresh(options, trace));
    if (trace === null) return given(found);
    const answer = { ...found, stamp: stampOf() };
    // The position of a list is part of the text, and neither scrolling nor the movement of covering boxes is watched.
    if (!answer.notes.rows.length && !answer.isOfLayout) tw.unchanged.keep(keyNow(), answer, trace);
    return given(answer);
  }

  /** Longest time of a fade; text that a page lets fade for longer is told as it is. */
  const FADE_MS = 500;

  /** @param {Animation} animation */
  function isFade({ effect, playState, currentTime }) {
    if (!(effect instanceof KeyframeEffect) || playState !== "running") return false;
    const left = Number(effect.getComputedTiming().endTime) - Number(currentTime);
    return left <= FADE_MS && effect.getKeyframes().some((frame) => "opacity" in frame);
  }

  /** Resolves when what is fading now is there; animations do not run in a hidden page. Undefined where nothing fades. */
  function faded() {
    const fades = document.hidden ? [] : document.getAnimations().filter(isFade);
    if (!fades.length) return undefined;
    const late = new Promise((resolve) => { setTimeout(resolve, FADE_MS); });
    return Promise.race([late, Promise.allSettled(fades.map(({ finished }) => finished))]);
  }

  /**
   * The lines of this document; {same: stamp} instead when the worker knows them. Text that is about to be seen is waited for.
   * @param {SnapshotRequest} options
   * @returns {object} isUnheard: see `tw.listeners.isPlaced`
   */
  tw.queries["snapshot.capture"] = (options) => {
    if (options.listen && !tw.listeners.isPlaced(options.listen)) return { isUnheard: true };
    const answer = answerTo(options);
    const fading = "notes" in answer && answer.notes.unseen ? faded() : undefined;
    return fading ? fading.then(() => withPath(answerTo(options), options)) : withPath(answer, options);
  };

  /** @param {object} answer @param {SnapshotRequest} options */
  function withPath(answer, options) {
    return window === window.top ? { ...answer, path: [] } : tw.frames.withPath(answer, options.nonce);
  }

  tw.snapshot = { modals, countBehind };
});
