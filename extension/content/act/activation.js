/*
 * What an act leads to that DOM events cannot bring about, as far as it can be known before: what browsers allow to users
 * only, controls that the browser draws and moves itself, and dialogs, which stop the page under the act. Handlers added
 * by script cannot be read, so of handlers this finds the inline ones.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.activation) return;

  const CLICK_HANDLERS = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "onfocus"];
  const EDIT_HANDLERS = ["onfocus", "onfocusin", "onbeforeinput", "oninput", "onchange"];
  const GUARDED_CALLS = new RegExp([
    /(?<![\w$.])(?:(?:window|self|top|parent)\s*\.\s*)?open\s*\(/, /\.(?:showPicker|requestFullscreen|requestPointerLock|requestPictureInPicture)\s*\(/,
    /\bshow(?:Open|Save)FilePicker\s*\(/, /\bshowDirectoryPicker\s*\(/, /\bgetDisplayMedia\s*\(/, /\bexecCommand\s*\(\s*["'`](?:copy|cut|paste)/,
    /\bnavigator\.(?:clipboard|share|userActivation)\b/, /\.request(?:Device|Port|StorageAccess)\s*\(/,
  ].map(({ source }) => source).join("|"), "i");
  const DIALOGS = /(?<![\w$.])(?:(?:window|self|top|parent)\s*\.\s*)?(?:alert|confirm|prompt)\s*\(/;
  const SCRIPT_LINK = /^\s*javascript:/i;
  /** What the browser moves for the events of a real pointer only. */
  const NATIVE = "input[type=range], option, video[controls], audio[controls], iframe, frame, object, embed";
  const LIGHT = ":popover-open:not([popover=manual]), dialog[open][closedby=any]";

  const opensChooser = (el) => el?.localName === "input" && el.type === "file";

  /** The inline code that an act on `el` runs, wherever in its ancestors. */
  function codeFor(el, handlers) {
    const found = [];
    tw.actionability.closest(el, (node) => {
      for (const name of handlers) found.push(node.getAttribute(name) ?? "");
      const link = node.getAttribute("href") ?? "";
      if (SCRIPT_LINK.test(link)) found.push(link);
      return false;
    });
    return found.filter(Boolean).join("\n");
  }

  function asksForFile(el) {
    return tw.actionability.closest(el, (node) => opensChooser(node.localName === "label" ? node.control : node)) !== null;
  }

  /** A press outside of these closes them; the browser sees to that for real presses only. */
  function closesSomething(el) {
    const { closest, contains } = tw.actionability;
    const isOutside = (open) => !contains(open, el) && !closest(el, (node) => node.popoverTargetElement === open);
    return [...document.querySelectorAll(LIGHT)].some(isOutside);
  }

  /**
   * Why a click on `el` by DOM events is known not to do the whole job.
   * @param {Element} el
   * @returns {"user"|"dialog"|"native"|undefined}
   */
  function beyondEvents(el) {
    const code = codeFor(el, CLICK_HANDLERS);
    if (GUARDED_CALLS.test(code) || asksForFile(el)) return "user";
    if (el.matches(NATIVE) || closesSomething(el)) return "native";
    return DIALOGS.test(code) ? "dialog" : undefined;
  }

  /** Whether an edit of `el` is known to open a dialog, which only the debugger can tell of. */
  function opensDialog(el) {
    return DIALOGS.test(codeFor(el, EDIT_HANDLERS));
  }

  /** Like actionability.prepare, for DOM events. */
  tw.commands["input.prepareEvents"] = async (args) => {
    const prepared = await tw.commands["actionability.prepare"](args);
    return { ...prepared, beyond: beyondEvents(tw.actionability.heldElement(args.target)) };
  };

  tw.activation = { beyondEvents, opensDialog };
})();
