/* Data of elements that several rooms know. */

/** A node of the flat tree: a look at `nodeType` tells which. */
type FlatNode = (Element & { nodeType: 1 }) | (Text & { nodeType: 3 }) | (CharacterData & { nodeType: 4 | 7 | 8 });
type FlatNodes = ArrayLike<FlatNode> & Iterable<FlatNode>;

interface Element {
  /** The root of an element has elements, whatever it is. */
  getRootNode(options?: GetRootNodeOptions): ParentNode;
}

/** A CSS rule of any kind: it has the properties of its kind. */
type AnyCssRule = CSSRule & Partial<Pick<CSSStyleRule, "selectorText" | "style" | "cssRules">> & Partial<CSSImportRule>;

/** Results that one traversal shares; `map` is null while no traversal is open. */
interface TraversalCache {
  map: Map<unknown, unknown> | null;
}

/** A table without a prototype: any string may be looked up. */
type Lookup<Value> = { [key: string]: Value | undefined };

/** Tag or strategy → a function of elements. A method, so that it may take the class of its tag. */
type ElementRules<Result, More extends unknown[] = []> = Lookup<{ of(element: Element, ...more: More): Result }["of"]>;

/** Text that CSS generates for an element, and the way to read it. */
interface GeneratedText {
  tell(element: Element, part: string): string | null;
  element: Element;
  part: string;
  text: string | null;
}

/** States of an element by ARIA name without the prefix. */
interface States {
  [name: string]: string | number | boolean | undefined;
  placeholder?: string;
}

/** Position of a walk: one step per element on the way down. */
interface WalkStep {
  above: WalkStep | null;
  next: ChildNode | null;
  list: ArrayLike<Node> | null;
  index: number;
  isMute: boolean;
  take(): FlatNode | null;
}

/** A row, list item or repeated box. */
interface Item {
  element: Element;
  isSemantic: boolean;
  distance: number;
}

/** The item around an element as it read when the element was shown. */
interface Surroundings {
  isSemantic: boolean;
  element: Element | WeakRef<Element>;
  words(): string[];
}

type Strategy = "role" | "text" | "label" | "placeholder" | "alt" | "title" | "testid";

interface SemanticSelector {
  kind: "semantic";
  strategy: Strategy;
  value: string;
  options: SelectorOptions;
}

type Selector = SemanticSelector | { kind: "css" | "xpath"; value: string; strategy?: undefined; options?: undefined };

interface SelectorOptions {
  name?: string;
  exact?: boolean;
  include_hidden?: boolean;
  /** States that an element must have, for selectors by role. */
  [state: string]: string | number | boolean | undefined;
}

interface MarkedFacts {
  clickable?: boolean;
  focusable?: boolean;
  editable?: boolean;
  draggable?: boolean;
  rightClickable?: boolean;
}

interface ListenerMarks {
  clickable: boolean;
  draggable: boolean;
  mark: string;
}

type Listeners = typeof import("./find/listeners.js").HEARD;

interface WordedStates {
  words: string;
  states: States;
}

/** Possible acts on an element; `mark`: words like [clickable]. */
interface Facts {
  isActionable: boolean;
  /** Whether the content of the element acts as a part of it. */
  isAction: boolean;
  mark: string;
}

/** A stretch of the text runs that is an item. */
interface ItemRange {
  start: number;
  end: number;
  of: Stretch | null;
}

interface Stretch extends Surroundings {
  element: Element;
  start: number;
  end: number;
}

/** Position of a snapshot's walk, and what is around it. */
interface ClipBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
  isPositioned: boolean;
}

interface SnapshotPlace extends WalkStep {
  /** null at the top, as is `element`. */
  above: SnapshotPlace | null;
  element: Element | null;
  path: StylePath;
  start: number;
  depth: number;
  cover: string; pictured: string;
  isInAction: boolean; passesHand: boolean;
  unseen: string;
  /** The part of the page that boxes with `overflow: clip` around it leave. */
  clip: ClipBox | null;
  kind: number;
  isItem: boolean;
  hasCover: boolean;
  /** The name of a box without a line, and where what is in it begins. */
  box: NamedBox | null;
  line: SnapshotLine | null;
  level: SnapshotLine | null;
  name: string;
  /** The item it is in; undefined: not looked up yet. */
  found: Item | null | undefined;
  surroundings: Stretch | null;
  begin(above: SnapshotPlace | null, element: Element | null, path: StylePath | null, start: number): SnapshotPlace;
}
