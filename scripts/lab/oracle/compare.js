/* Compares the controls of a document, as a snapshot shows them, with what two other programs say. Runs in the page. */
const CONTROLS =
  "a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=menuitem],[role=tab]," +
  "[role=checkbox],[role=radio],[role=switch],[role=option],[role=combobox],[role=textbox],[tabindex='0']";
const FORMAT = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF\uE000-\uF8FF]/g;
const plain = (text) => (text ?? "").replace(FORMAT, "").replace(/\s+/g, " ").trim();
const { refs, names, visibility, unseenControls, flatTree } = globalThis.__inside;

const lineage = (element) => [...flatTree.lineage(element)];
const some = (element, test) => lineage(element).some(test);
const style = (element) => getComputedStyle(element);
const isSmall = (element) => { const { width, height } = element.getBoundingClientRect(); return width < 2 || height < 2; };

/** Reasons for a control that is displayed and has no line, or one that says that no one sees it; the first that holds. */
const WITHOUT_LINE = {
  "in aria-hidden": (element) => some(element, (at) => at.getAttribute("aria-hidden") === "true"),
  "behind a modal dialog, or inert": (element) =>
    some(element, (at) => at.inert) || (document.querySelector("dialog:modal") && !element.closest("dialog:modal")),
  "one with the control in or around it": (element) =>
    some(element.parentElement ?? element, (at) => at.matches(CONTROLS)) || element.querySelector(CONTROLS) !== null,
  "an option, written in the line of its list": (element) => element.matches("option, [role=option]"),
  "outside the page or cut off, where isDisplayed does not look": (element) => unseenControls.isUnseen(element),
  "a box with a tabindex, without words": (element) => element.hasAttribute("tabindex") && plain(element.textContent) === "",
  "a link without words or size": (element) => isSmall(element) || plain(element.textContent) === "",
};
/** Reasons for a line without a mark of a control that is not displayed. */
const NOT_DISPLAYED = {
  "transparent, over or under what is drawn in its place": (element) => some(element, (at) => Number(style(at).opacity) < 0.1),
  "a field of a label that shows it": (element) => element.labels?.length > 0,
  "without size, with content that overflows it": (element) => isSmall(element) && element.firstElementChild !== null,
  "an inline icon whose font is not there": (element) => isSmall(element) && style(element).display.startsWith("inline"),
  "cut off until something is scrolled": (element) =>
    some(element, (at) => /auto|scroll|hidden/.test(style(at).overflow) && at !== document.documentElement),
};
/** Reasons for another name: [ours, theirs]. */
const OTHER_NAME = {
  "same words, other blanks": (_, ours, theirs) => ours.replace(/\s/g, "") === theirs.replace(/\s/g, ""),
  "text that CSS changes the case of": (_, ours, theirs) => ours.toLowerCase() === theirs.toLowerCase(),
  "text of pseudo-elements": (element) => [element, ...element.labels ?? []].flatMap((one) =>
    [one, ...one.querySelectorAll("*")]).some((one) =>
    ["::before", "::after"].some((pseudo) => !/^(none|normal|"")$/.test(getComputedStyle(one, pseudo).content))),
  "a title or placeholder: theirs is empty": (element, ours, theirs) => theirs === "" &&
    [element.title, element.placeholder, element.getAttribute("aria-placeholder")].some((text) => plain(text) === ours),
  "the browser's words on a field for files": (element, _, theirs) => theirs === "" && element.type === "file",
  "content of a role that takes no name from it": (_, ours, theirs) => ours === "" && theirs !== "",
  "the content of a note reference or back link (DPUB-ARIA)": (element, _, theirs) =>
    theirs === "" && /^doc-/.test(element.getAttribute("role") ?? ""),
  "hidden parts of the content": (element, ours, theirs) => theirs.length > ours.length &&
    [...element.querySelectorAll("*")].some((one) => !visibility.isRendered(one)),
  "a value or picture in the content": (element) => element.querySelector("input, select, textarea, img, svg, [role=img]") !== null,
};

const reason = (table, ...given) => Object.keys(table).find((name) => table[name](...given)) ?? "unexplained";
const said = (element) => `<${element.localName}${element.id ? `#${element.id}` : ""}> ${plain(element.textContent).slice(0, 40)}`;

return (async () => {
  const { result } = await globalThis.__tabwire.call("snapshot.capture", {});
  const lines = new Map();
  for (const line of result.text.split("\n"))
    for (const [, local] of line.matchAll(/\uE000[^:]*:(\d+)\uE001/g)) lines.set(Number(local), line);
  const found = { controls: 0, names: 0, differences: [] };
  for (const element of document.querySelectorAll(CONTROLS)) {
    found.controls += 1;
    const line = lines.get(refs.refFor(element));
    const isShown = line !== undefined && !line.includes("[unseen]");
    const isDisplayed = globalThis.__isDisplayed(element);
    if (isDisplayed && !isShown) found.differences.push(["displayed, no line", reason(WITHOUT_LINE, element), said(element)]);
    if (!isDisplayed && isShown) found.differences.push(["a line, not displayed", reason(NOT_DISPLAYED, element), said(element)]);
    if (!isShown) continue;
    found.names += 1;
    const [ours, theirs] = [plain(names.nameOf(element)), plain(globalThis.__theirName(element))];
    if (ours !== theirs)
      found.differences.push(["name", reason(OTHER_NAME, element, ours, theirs), `${said(element)}: "${ours}" / "${theirs}"`]);
  }
  return found;
})();
