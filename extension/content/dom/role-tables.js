/* Role data: WAI-ARIA 1.3, DPUB-ARIA 1.1, Graphics-ARIA and HTML-AAM, as tables. */
const words = (/** @type {string} */ text) => text.trim().split(/\s+/);
export const set = (/** @type {string} */ text) => new Set(words(text));
/** @type {<Value>(entries: Lookup<Value>) => Lookup<Value>} */
export const record = (entries) => Object.assign(Object.create(null), entries);

const DOC_ROLES = words(`
  abstract acknowledgments afterword appendix backlink biblioentry bibliography biblioref chapter colophon conclusion
  cover credit credits dedication endnote endnotes epigraph epilogue errata example footnote foreword glossary glossref
  index introduction noteref notice pagebreak pagefooter pageheader pagelist part preface prologue pullquote qna
  subtitle tip toc`).map((name) => `doc-${name}`);

// https://w3c.github.io/aria/#role_definitions, abstract roles left out
export const ROLES = new Set([...DOC_ROLES, ...words(`
  alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  comment complementary contentinfo definition deletion dialog document emphasis feed figure form generic
  graphics-document graphics-object graphics-symbol grid gridcell group heading img insertion link list listbox
  listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note
  option paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter
  sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist
  tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`)]);

// https://w3c.github.io/aria/#directory is deprecated and mapped like list
export const SYNONYMS = record({ image: "img", presentation: "none", directory: "list" });

// https://w3c.github.io/aria/#namefromcontent
export const NAME_FROM_CONTENT = set(`
  button cell checkbox columnheader comment gridcell heading link menuitem menuitemcheckbox menuitemradio option radio
  row rowheader summary switch tab term tooltip treeitem graphics-object
  doc-backlink doc-biblioref doc-glossref doc-noteref doc-subtitle`);

// https://w3c.github.io/aria/#namefromprohibited
export const NAME_PROHIBITED = set(`
  caption code definition deletion emphasis generic insertion mark none paragraph strong subscript suggestion
  superscript term time`);

// Containers of many objects: their content stays out of the name of an element around them.
export const NO_NESTED_CONTENT = new Set([...DOC_ROLES.filter((role) => !NAME_FROM_CONTENT.has(role)), ...words(`
  alert alertdialog application article banner blockquote comment complementary contentinfo dialog document feed figure
  form graphics-document graphics-symbol grid group iframe img listbox log main marquee menu menubar meter navigation
  note progressbar radiogroup row rowgroup scrollbar search sectionfooter sectionheader separator status suggestion
  table tablist tabpanel timer toolbar tree treegrid`)]);

// https://w3c.github.io/aria/#global_states; aria-hidden does not count for the none/presentation conflict
export const GLOBAL_ATTRIBUTES = words(`
  aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls aria-current aria-describedby
  aria-description aria-details aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby
  aria-live aria-owns aria-relevant aria-roledescription`);

// Tokens that only count inside these contexts: https://w3c.github.io/core-aam/#roleMappingComputedRole
export const REQUIRED_CONTEXT = record({
  listitem: set("list group"),
  option: set("listbox group"),
  treeitem: set("tree group"),
});

// Tokens that only count with a name given by the author.
export const NEEDS_NAME = set("form region");

/** @type {Lookup<"text" | "choice" | "range">} */
export const EMBEDDED_CONTROLS = record({
  textbox: "text", searchbox: "text", combobox: "choice", listbox: "choice",
  slider: "range", spinbutton: "range", scrollbar: "range", progressbar: "range", meter: "range",
});

// https://w3c.github.io/html-aam/#html-element-role-mappings: elements whose role does not depend on anything
export const PLAIN_HTML = record({
  article: "article", blockquote: "blockquote", button: "button", caption: "caption", code: "code",
  datalist: "listbox", dd: "definition", del: "deletion", details: "group", dfn: "term", dialog: "dialog", dir: "list",
  dt: "term", em: "emphasis", fieldset: "group", figcaption: "caption", figure: "figure", form: "form",
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", hgroup: "group",
  hr: "separator", iframe: "iframe", ins: "insertion", legend: "legend", main: "main", mark: "mark", menu: "list",
  meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status",
  progress: "progressbar", s: "deletion", search: "search", strong: "strong", sub: "subscript", sup: "superscript",
  table: "table", textarea: "textbox", time: "time", ul: "list", "math:math": "math",
  // Chrome includes a shape that has listeners too, which cannot be seen from here; a snapshot drops the nameless ones.
  "svg:use": "graphics-symbol", "svg:circle": "graphics-symbol", "svg:ellipse": "graphics-symbol",
  "svg:line": "graphics-symbol", "svg:path": "graphics-symbol", "svg:polygon": "graphics-symbol",
  "svg:polyline": "graphics-symbol", "svg:rect": "graphics-symbol",
});

export const INPUT_TYPES = record({
  button: "button", checkbox: "checkbox", file: "button", hidden: "none", image: "button", number: "spinbutton",
  radio: "radio", range: "slider", reset: "button", search: "searchbox", submit: "button",
});

// https://html.spec.whatwg.org/#attr-input-list
export const LIST_INPUTS = set("email search tel text url");

// Owner role -> role of its focusable children; https://open-ui.org/components/scoped-focusgroup.explainer/
export const FOCUSGROUP_ITEMS = record({
  tablist: "tab", radiogroup: "radio", listbox: "option", menu: "menuitem", menubar: "menuitem", toolbar: null,
});
