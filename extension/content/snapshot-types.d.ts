/* The lines of a snapshot, and what a capture of one is. */

/** A line and its element, of which it is asked later whether it is in view. */
type ViewSample = [at: number, element: Element];

interface ContentNamespace {
  linesInView: {
    samplesOf(lines: SnapshotLine[]): ViewSample[];
    among(samples: ViewSample[]): number[];
  };
  elementDescriptions: {
    hintOf(element: Element, tag: string): string;
    iconHint(element: Element): string;
    isMadeByFramework(attribute: string): boolean;
  };
  lineRefs: {
    isReferred(element: Element, role: string, name: string, listeners: Listeners | null): boolean;
    isPlainPart(element: Element, role: string, listeners: Listeners | null): boolean;
    isPressed(element: Element, role: string, listeners: Listeners | null): boolean;
  };
  mergedLines: {
    merge(lines: SnapshotLines, box: SnapshotLine, withText: boolean): boolean;
    settle(lines: SnapshotLines, row: SnapshotLine): void;
    leaveIdleHeadings(lines: SnapshotLines): void;
    gatherShapes(lines: SnapshotLines): void;
  };
  nearbyText: { markOf(field: Element, line: SnapshotLine, withText: boolean): string };
  choices: {
    write(select: HTMLSelectElement, lines: SnapshotLines, depth: number, limit: number): void;
    markOf(select: HTMLSelectElement): string;
  };
}

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
}

interface SnapshotLines {
  list: SnapshotLine[];
  readonly length: number;
  cut(length: number): void;
  keep(isKept: (line: SnapshotLine, at: number) => boolean): void;
  add(depth: number, role: string): SnapshotLine;
  addCells(depth: number, count: number): void;
  addText(depth: number, text: string): void;
  takeOnlyText(index: number): string;
  takeFirstText(index: number): string;
  takeCells(index: number): string;
  onlyChild(index: number): SnapshotLine | null;
  fold(index: number): void;
  leave(index: number): void;
  unwrap(index: number): void;
  dissolveParagraph(index: number): void;
  print(): { text: string; refs: number };
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
  /** Elements of a document that was not read to its end. */
  left: number;
}

interface Capture {
  covers: Element[];
  covered: Set<Element>;
  lines: SnapshotLines;
  notes: CaptureNotes;
  unseenFrames: FrameSlot[];
  /** Whether the page has had its turn. */
  hasYielded: boolean;
  /** Whether a walk was given up. */
  isPartial: boolean;
  looks: number;
  run(root: Element, most?: number): void;
  turns(root: Element, pace: Pace): Generator<void, void>;
}

/** unseen: the reason why no person can read the document in the frame, or "" */
interface FrameLook {
  frame: Element;
  path: StylePath;
  unseen: string;
}

/** Elements and roots that a capture looked at. */
interface Trace {
  roots: Array<Document | ShadowRoot>;
  looks: GeneratedText[];
  paths: StylePath[];
  frames: FrameLook[];
  looked(element: Element, isShown: boolean): void;
  hosted(element: Element, root: ShadowRoot | null): void;
  note(): void;
  finish(): Trace;
  holds(): boolean;
}

