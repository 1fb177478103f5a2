/* Lists of which the page renders only the rows in view: which ones are there, of how many. */
const MIN_ROWS = 3;
const MAX_LEVELS = 5;
/** Share by which heights of rows may differ from their distance. */
const TOLERANCE = 0.25;
/** A list that says where its rows stand counts as virtual when it holds this part more than is there. */
const EXCESS = 1.3;

/** Roles that hold a set whose items may be missing; five stars in each of five entries are no list. */
const BOXES = new Set("list listbox menu menubar feed grid table treegrid radiogroup tablist".split(" "));

/** @param {Element} element @param {string} name */
const count = (element, name) => Number.parseInt(element.getAttribute(name) ?? "", 10);

/** @param {number} first @param {number} rendered @param {number} total */
const range = (first, rendered, total, about = "") =>
  (total > rendered ? `rows ${first}–${first + rendered - 1} of ${about}${total}` : "");

/** Remembers on the line around an item which one of how many it is. @param {Element} item @param {SnapshotPlace} place */
export function noteItem(item, place) {
  const total = count(item, "aria-setsize");
  const position = count(item, "aria-posinset");
  if (!(total > 0) || !(position > 0)) return;
  let at = place.above;
  while (at && !BOXES.has(at.line?.role ?? "")) at = at.above;
  if (!at?.line) return;
  const set = (at.line.set ??= { first: position, rendered: 0, total });
  set.first = Math.min(set.first, position);
  set.total = Math.max(set.total, total);
  set.rendered += 1;
}

/** @param {Element} element */
function byRowCount(element) {
  const total = count(element, "aria-rowcount");
  if (!(total > 0)) return "";
  const rows = element.querySelectorAll("tr,[role=row]");
  const first = count(rows[0] ?? element, "aria-rowindex");
  return range(first > 0 ? first : 1, rows.length, total);
}

/** The box with the rows: down from the box that scrolls. @param {Element} scroller */
function rowsIn(scroller) {
  let box = scroller;
  for (let level = 0; level < MAX_LEVELS && box && box.childElementCount < MIN_ROWS; level += 1) {
    box = [...box.children].sort((a, b) => b.childElementCount - a.childElementCount)[0];
  }
  const rows = box ? [...box.children].filter((row) => row.checkVisibility() && row.getBoundingClientRect().height > 0) : [];
  return rows.length >= MIN_ROWS && [rows[1], box].some(isPlaced) ? rows : [];
}

/** @param {Element} element */
const isPlaced = (element) => {
  const { position, transform } = getComputedStyle(element);
  return position === "absolute" || transform !== "none";
};

/** @param {Element} scroller */
function byHeight(scroller) {
  const rows = rowsIn(scroller).map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top);
  if (!rows.length) return "";
  const pitch = (rows[rows.length - 1].top - rows[0].top) / (rows.length - 1);
  if (pitch <= 0 || rows.some(({ height }) => Math.abs(height - pitch) > pitch * TOLERANCE)) return "";
  const total = Math.round(scroller.scrollHeight / pitch);
  const start = scroller.getBoundingClientRect().top + scroller.clientTop - scroller.scrollTop;
  return total >= rows.length * EXCESS
    ? range(Math.round((rows[0].top - start) / pitch) + 1, rows.length, total, "about ")
    : "";
}

/**
 * Rows that a list holds when it does not hold all, like "rows 1–30 of 1204"; "" when it does.
 * @param {Element} element
 * @param {SnapshotLine} line
 * @returns {string}
 */
export function rendered(element, { set, facts }) {
  const byAuthor =
    (element.hasAttribute("aria-rowcount") && byRowCount(element)) || (set ? range(set.first, set.rendered, set.total) : "");
  return byAuthor || (facts.mark.includes("[scrollable]") ? byHeight(element) : "");
}
