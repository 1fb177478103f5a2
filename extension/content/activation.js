/*
 * What a click does that browsers allow to users only: DOM events are not enough for it. Handlers added by script
 * cannot be read, so this finds the plain cases: inline handlers, javascript: links and file inputs.
 */
(() => {
  const tw = globalThis.__tabwire;
  if (tw.activation) return;

  const HANDLERS = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup"];
  const GUARDED_CALLS = /\b(?:window|self|top|parent)\.open\s*\(|\.showPicker\s*\(|\.requestFullscreen\s*\(|\bnavigator\.clipboard\b|\bexecCommand\s*\(\s*["'`](?:copy|cut|paste)|\bshow(?:Open|Save)FilePicker\s*\(|\bshowDirectoryPicker\s*\(/i;
  const SCRIPT_LINK = /^\s*javascript:/i;

  const opensChooser = (el) => el?.localName === "input" && el.type === "file";

  function callsGuarded(el) {
    const link = el.getAttribute("href") ?? "";
    return HANDLERS.some((name) => GUARDED_CALLS.test(el.getAttribute(name) ?? "")) || (SCRIPT_LINK.test(link) && GUARDED_CALLS.test(link));
  }

  /** Whether a click on `el` is known to ask for what needs a user. */
  function needsUser(el) {
    return tw.actionability.closest(el, (node) => opensChooser(node.localName === "label" ? node.control : node) || callsGuarded(node)) !== null;
  }

  /** Like actionability.prepare, for DOM events. */
  tw.commands["input.prepareEvents"] = async (args) => {
    const prepared = await tw.commands["actionability.prepare"](args);
    return { ...prepared, needs_user: needsUser(tw.actionability.heldElement(args.target)) };
  };

  tw.activation = { needsUser };
})();
