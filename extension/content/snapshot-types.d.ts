/* The lines of a snapshot, and what a capture of one is. */

/** A line and its element, of which it is asked later whether it is in view. */
type ViewSample = [at: number, element: Element];

interface SnapshotLine {
  depth: number;
  role: string;
  /** Index of the line. */
  at: number;
  name: string;
  head: string;
  tail: string;
  text: string;
  /** Element it describes; null where it is a text, an option or an empty cell. */
  element: Element | null;
  shown: Element | null;
  item: Surroundings | null | undefined;
  isPlain: boolean;
  value: string;
  slot: string;
  facts: Facts;
  hasAttributes: boolean;
  cutBefore: number;
  unseen: string;
  around: Element | null;
  /** Range and total of the items in the element that say which of how many they are. */
  set: { first: number; rendered: number; total: number } | null;
  /** Options that got no line. */
  rest: number;
  alike: SnapshotLine[];
  isLevel: boolean;
  /** Name of a box without words that has the line for its name alone. */
  box: string;
}

type SnapshotLines = import("./snapshot/snapshot-lines.js").Lines;
type SnapshotCapture = import("./snapshot/snapshot-pass.js").Capture;

/** lines, text: number of lines and of characters written before the box */
interface NamedBox {
  name: string;
  lines: number;
  text: number;
}

interface CaptureOptions {
  mode?: string;
  depth?: number;
  compact?: boolean;
  include_text?: boolean;
  include_bounds?: boolean;
  /** The options of closed lists get lines and refs of their own. */
  hasOptionLines?: boolean;
  /** Numbers of refs. */
  roots?: number[];
  /** Whether no person can read the frame of this document. */
  isUnseen?: boolean;
}

/** Request of the worker for a snapshot. */
interface SnapshotRequest extends CaptureOptions {
  nonce?: string;
  /** Stamps of answers it has. */
  known?: string[];
  listen?: { name: string; isLast?: boolean };
  /** Whether nobody has asked for it yet. */
  early?: boolean;
}

/**
 * turnMs: time for which the page stands still before it has its turn, ms. end: `performance.now()` from which a walk that has seen
 * much is given up. most: looks of a walk at most.
 */
interface Pace {
  turnMs: number;
  end: number;
  most?: number;
}

interface CaptureNotes {
  hidden: number;
  cut: number;
  rows: string[];
  canvases: number;
  behind: number;
  unseen: number;
  smuggled: number;
  /** Texts that are cut. */
  long: number;
  names: number;
  /** Elements of a document that was not read to its end. */
  left: number;
}

/** unseen: the reason why no person can read the document in the frame, or "" */
interface FrameLook {
  frame: Element;
  path: StylePath;
  unseen: string;
}

/** Elements and roots that a capture looked at. */
type Trace = import("./snapshot/unchanged-page.js").Trace;
