/*
 * Positions in tables: a cell keeps its column on the lines of a snapshot although it is empty, or stands under or beside cells
 * that span it.
 */
import { cache, memo } from "../dom/flat-tree.js";
import { roleOf } from "../dom/roles.js";

const CELLS = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
const CELL = "td,th,[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]";
const HEADER = "th,[role=columnheader],[role=rowheader]";
const SPANNING = "[rowspan],[colspan]";
/** Limit of empty cells that are made up before one cell. */
const MAX_SKIPPED = 40;

const skippedCache = cache();

/** @param {Element} row */
const isBesideOthers = (row) => Boolean(row.previousElementSibling ?? row.nextElementSibling);

/**
 * Whether an empty cell holds a place: the row has other cells, and headers or other rows to compare it with.
 * @param {Element} element
 * @param {string} role
 * @returns {boolean}
 */
export function holdsPlace(element, role) {
  if (!CELLS.has(role)) return false;
  const row = element.closest("tr,[role=row]");
  if (row === null || row.querySelectorAll(CELL).length < 2) return false;
  const group = row.parentElement;
  return isBesideOthers(row) || (group !== null && group.localName !== "table" && isBesideOthers(group)) ||
    row.querySelector(HEADER) !== null || isInCell(row);
}

/**
 * Whether a row that is alone in its table is in a cell that has a place itself: rows in other cells are its peers.
 * @param {Element} row
 */
function isInCell(row) {
  const outer = row.closest(CELL);
  return outer !== null && holdsPlace(outer, roleOf(outer));
}

/**
 * Columns that cells of earlier rows and wider cells before take, for each cell: https://html.spec.whatwg.org/#forming-a-table
 * @param {HTMLTableSectionElement} section
 */
function computeSkipped(section) {
  /** @type {Map<Element, number>} */
  const skipped = new Map();
  if (section.querySelector(SPANNING) === null) return skipped;
  /** Column → rows that a cell above still takes. @type {Map<number, number>} */
  const taken = new Map();
  for (const row of section.rows) {
    let column = 0;
    let next = 0;
    const opened = [];
    for (const cell of row.cells) {
      while ((taken.get(column) ?? 0) > 0) column += 1;
      if (column > next) skipped.set(cell, Math.min(column - next, MAX_SKIPPED));
      next = column + 1;
      for (let left = cell.colSpan; left > 0; left -= 1, column += 1) opened.push([column, cell.rowSpan || Infinity]);
    }
    for (const [at, rows] of taken) taken.set(at, rows - 1);
    for (const [at, rows] of opened) taken.set(at, Math.max(rows - 1, taken.get(at) ?? 0));
  }
  return skipped;
}

/** Number of empty cells that stand for cells which span the columns before a cell of HTML. @param {Element} element */
export function skippedBefore(element) {
  const section = element.parentElement?.parentElement;
  return section instanceof HTMLTableSectionElement ? memo(skippedCache, section, computeSkipped).get(element) ?? 0 : 0;
}

/** @param {Element} element @param {string} name */
function spanOf(element, name) {
  const count = Number(element.getAttribute(name));
  return count > 1 ? ` [${name}=${count}]` : "";
}

/** Marks for the columns and rows that a cell takes, if more than one. @param {Element} element @param {string} role */
export const spans = (element, role) => (CELLS.has(role) ? spanOf(element, "colspan") + spanOf(element, "rowspan") : "");
