/* The content scripts. Each needs those before it. */
const CONTENT = [
  "page", "dom/clobbered", "dom/flat-tree", "base/turns", "act/page-marks", "dom/visibility", "dom/role-tables", "dom/roles",
  "dom/text-transform", "dom/css-content", "dom/names", "dom/states", "dom/text", "find/repeated-boxes", "find/item-context",
  "find/refs", "find/selector-syntax", "find/text-search", "find/selectors", "find/matches", "visibility/visual-viewport",
  "visibility/frame-projection", "dom/frames", "visibility/colours", "visibility/clipping", "visibility/letter-paint",
  "visibility/hidden-text", "visibility/covers", "visibility/hit-testing", "visibility/clickable", "find/listeners",
  "inspect/resource-timings", "snapshot/element-descriptions", "snapshot/line-refs", "snapshot/line-text",
  "find/element-identity", "act/sensitive-fields", "snapshot/element-data", "snapshot/tree-positions", "snapshot/table-cells",
  "snapshot/editor-lines", "snapshot/snapshot-lines", "snapshot/merged-lines", "snapshot/quick-roles", "snapshot/nearby-text",
  "snapshot/list-options", "snapshot/virtual-lists", "snapshot/snapshot-pass", "snapshot/unchanged-page",
  "snapshot/lines-in-view", "snapshot/snapshot", "snapshot/outline-refs", "snapshot/outline", "snapshot/markup",
  "inspect/observation", "act/stop", "act/act-start", "act/actionability", "act/keyboard", "act/pointer-guard",
  "act/pointer-arrival", "act/activation", "act/replacement", "act/input", "act/scrolling", "act/key-actions", "act/filling",
  "act/forms", "act/upload", "changes/controls", "changes/text-changes", "changes/popups", "changes/view-state",
  "changes/earlier-state", "changes/page-errors", "changes/page-scripts", "act/effects", "changes/wait", "inspect/media",
  "act/storage", "find/marked-elements", "find/fingerprint-score", "find/fingerprints", "find/best-locator",
  "inspect/named-elements", "inspect/element-layout", "inspect/event-path", "inspect/page-basics", "inspect/accessibility",
  "inspect/shift-causes", "inspect/performance-entries", "user/picker", "user/user-entries", "act/presence",
  "user/recorder-bar", "user/step-recorder", "user/assertions",
];

/** Paths of the content files, in the order in which they must run. */
export const CONTENT_FILES = CONTENT.map((name) => `extension/content/${name}.js`);
