// The name is not `dom.d.ts`, because tsc would leave dom.js out.

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

interface ContentNamespace {
  clobbered: {
    look(root: Document | ShadowRoot): void;
    /** The stand-in of a form whose fields hide its properties, in a list too. */
    readable<T>(value: T): T;
  };
  dom: {
    HTML_NS: string;
    SVG_NS: string;
    /** Options for `checkVisibility`. */
    VISIBLE: CheckVisibilityOptions;
    /** Options for a MutationObserver of all that is in a tree. */
    ALL_CHANGES: MutationObserverInit;
    cache(): TraversalCache;
    cached<T>(run: () => T): T;
    cachedInTurns(): <T>(run: () => T) => T;
    memo<Key, Value>(slot: TraversalCache, key: Key, compute: (key: Key) => Value): Value;
    sheetsOf(root: ParentNode): CSSStyleSheet[];
    innerRules(rule: AnyCssRule): Iterable<AnyCssRule>;
    sheetReader<T>(read: (rules: CSSRuleList) => T, unread: T): (sheet: CSSStyleSheet) => T;
    tagOf(element: Element): string;
    shadowRootOf(element: Element): ShadowRoot | null;
    canHost(tag: string): boolean;
    rootOf(element: Element, tag: string): ShadowRoot | null;
    isHost(element: Element): boolean;
    composedChildren(node: Node): FlatNodes;
    composedParent(node: Node): Element | null;
    lineage(element: Element | null): Generator<Element>;
    composedClosest(element: Element | null, test: (element: Element) => boolean): Element | null;
    composedContains(ancestor: Node, node: Node | null): boolean;
    referencedElements(element: Element, attribute: string): readonly Element[]; labelsOf(element: Element): HTMLLabelElement[];
    walkElements(root: Node): Generator<Element>;
    hasShadows(root: ParentNode): boolean;
    elementsMatching(root: ParentNode, css: string): Element[];
    rootsUnder(root: Document | ShadowRoot): ShadowRoot[];
    activeElementDeep(): Element | null;
    giveFocus(el: HTMLElement, options?: FocusOptions): void;
    setOwn(host: Element | null): void;
    isOwn(node: Node | null | undefined): boolean;
    isOwnChange(record: MutationRecord): boolean;
  };
  visibility: {
    isRendered(element: Element): boolean;
    isVisible(element: Element): boolean;
    isAccessibilityHidden(element: Element): boolean;
    isInvisibleOnly(element: Element): boolean;
    isRelocatedHidden(element: Element): boolean;
    isMarkedHidden(element: Element): boolean;
  };
  roleTables: {
    set(text: string): Set<string>;
    record<Value>(entries: Lookup<Value>): Lookup<Value>;
    ROLES: Set<string>;
    SYNONYMS: Lookup<string>;
    NAME_FROM_CONTENT: Set<string>;
    NAME_PROHIBITED: Set<string>;
    NO_NESTED_CONTENT: Set<string>;
    GLOBAL_ATTRIBUTES: string[];
    REQUIRED_CONTEXT: Lookup<Set<string>>;
    NEEDS_NAME: Set<string>;
    EMBEDDED_CONTROLS: Lookup<"text" | "choice" | "range">;
    PLAIN_HTML: Lookup<string>;
    INPUT_TYPES: Lookup<string>;
    LIST_INPUTS: Set<string>;
    FOCUSGROUP_ITEMS: Lookup<string | null>;
  };
  roles: {
    roleOf(element: Element): string;
    hasRole(element: Element, role: string): boolean;
    selectorOf(role: string, root: ParentNode): string;
    isFocusable(element: Element): boolean;
    isNamedByAuthor(element: Element): boolean;
    isDetailsSummary(element: Element): boolean;
    isEditingHost(element: Element): boolean;
    isBareGroup(element: Element): boolean;
    /** The element that aria-owns it. */
    ownerOf(element: Element): Element | null;
    /** Whether a tree uses aria-owns. */
    hasOwners(root: ParentNode): boolean;
    /** Children in the order of the accessibility tree, where aria-owns moves some. */
    ownedChildren(element: Element): FlatNode[];
    hasText(value: string | null): value is string;
  };
  textTransform: {
    isUsed(element: Element): boolean; shownText(text: Text, element: Element): string;
    transformed(data: string, value: string, element: Element, text?: Text): string;
  };
  cssContent: {
    mayGenerate(element: Element): boolean; replacedText(element: Element): string | null;
    generatedText(element: Element, part: "::before" | "::after"): string;
    forgetRules(): void;
    generatingSelector(root: ParentNode): string;
    holds(look: GeneratedText): boolean;
    note(looks: GeneratedText[] | null): void;
  };
  names: {
    nameOf(element: Element): string;
    descriptionOf(element: Element): string;
    nameToFind(element: Element, role: string): string;
    /** Whether an attribute names the element or gives it content. */
    hasNamingAttribute(element: Element): boolean;
    tidy(text: string): string;
    valueOf(element: Element, role?: string): string;
  };
  states: {
    statesOf(element: Element, role?: string, wanted?: Set<string> | null): States;
    describe(element: Element): { role: string; name: string; description?: string; states: States };
  };
  text: {
    pairsOf(text: string): Set<string>;
    likeness(one: Set<string>, other: Set<string>): number;
    collapse(text: string): string;
    harmless(text: string): string;
    printable(text: string): string;
    quote(text: string, limit?: number): string;
    cut(text: string, limit: number): string;
    isInLine(tag: string): boolean;
    breaksText(element: Element): boolean;
    visibleText(element: Element, isSeen?: (element: Element) => boolean): string;
    shownValue(element: Element): string;
    /** Words of the labels of an element. */
    labelTextsOf(element: Element): string[];
    smuggledIn(text: string): number;
    matcher(written: string, options?: { exact?: boolean }): {
      test(text: string): boolean;
      isExact(text: string): boolean;
      literal: string | null;
    };
    NOT_TEXT: Set<string>;
  };
  repeatedBoxes: { isRepeated(element: Element): boolean; hasTwin(element: Element): boolean };
  itemContext: {
    Step: new (above: WalkStep | null) => WalkStep;
    Walk: new () => Walker;
    TEXTLESS: Set<string>;
    isItem(element: Element, mayHaveRole?: boolean): boolean;
    isStrict(element: Element): boolean;
    itemFrom(element: Element, above: Item | null, isOne?: boolean): Item | null;
    itemOf(element: Element): Item | null;
    chunksOf(element: Element): string[];
  };
  refs: {
    /** Number of times an element that had a number got another one. */
    replacements(): number;
    refFor(element: Element): number;
    refShown(element: Element, role: string, name: string, item?: Surroundings | null): number;
    /** Throws when the element is not what was shown under the number. */
    resolve(local: number): Element;
    /** The one element at its place, as `isThere` tells, that reads like a removed one. */
    successorOf(local: number, isThere: (element: Element) => boolean): Element | null;
    elementOf(local: number): Element | null;
    /** The marker that the worker turns into @eN. */
    marker(local: number): string;
    nameOf(element: Element, role: string): string;
    roleOf(element: Element): string;
    /** Words that a font for icons draws as pictures. */
    ligaturesIn(element: Element): Set<string>;
  };
  selectorSyntax: {
    parse(selector: string): Selector;
    /** Throws when no element can have the role. */
    assertRole(role: string): void;
    notCss(css: string): Error;
    unquote(text: string): string;
    STATE_FILTERS: Set<string>;
  };
  textSearch: { byText(parsed: SemanticSelector, root: ParentNode): Element[] };
  selectors: {
    findAll(parsed: Selector, root?: ParentNode): Element[];
    preferWhole(parsed: Selector, found: Element[]): Element[];
    byRoleAndName(role: string, name: string): Element[];
    shadowRootsIn(root: ParentNode): ShadowRoot[];
  };
  matches: {
    answerOf(element: Element, wanted: { return?: string; attribute?: string }): unknown;
    find(args: { selector: string; watching?: boolean }): { usable: number; locals: number[] };
  };
  frames: {
    /** The slot of a frame element; null: it holds no document. */
    slotOf(element: Element): FrameSlot | null;
    /** `nonce`: known to every frame of the call; lets a parent trust the question. */
    pathOf(nonce?: string): FramePath | Promise<FramePath>;
    /** The answer of this document with its path. */
    withPath<Answer extends object>(answer: Answer, nonce?: string): WithPath<Answer> | Promise<WithPath<Answer>>;
    framesIn(root: ParentNode): Element[];
    FRAMES: Set<string>;
  };
  visualViewport: {
    shown(): Box & { scale: number; ratio: number };
    inPage(): Point;
  };
  frameProjection: {
    of(element: Element): FrameMatrix;
    project(matrix: FrameMatrix, point: Point): Point;
  };
  clickable: {
    WIDGETS: Set<string>; CONTROLS: string;
    isNative(element: Element, tag: string): boolean;
    isScriptLink(element: Element, tag: string): boolean;
    markedFacts(element: Element): MarkedFacts;
    StylePath: { of(element: Element, above?: StylePath | null): StylePath };
    learnIds(root: Document | ShadowRoot): void;
    scrolls(element: Element): boolean;
    isChart(svg: Element): boolean;
    NO_FACTS: MarkedFacts;
  };
  listeners: Listeners;
  lineText: {
    NONE: WordedStates;
    statesOf(element: Element, tag: string, role: string, name: string): WordedStates;
    valueOf(element: Element, tag: string, role: string, states: States): string;
    boxOf(element: Element): string;
    pictureOf(element: Element, role: string): string;
    otherwise(element: Element, name: string, withText: boolean): string;
    frameUrl(element: Element): string;
    coverOf(element: Element, tag: string, place: SnapshotPlace): string;
    isBoxless(element: Element): boolean;
    RANGES: Set<string>;
  };
  elementIdentity: {
    /** The identity of an element; undefined: it is gone. */
    describe(local: number): ElementIdentity | undefined;
    testIdOf(element: Element): { attribute: string; value: string } | undefined;
    /** Paths to an element: one in the document, one in each shadow root on the way, outermost first. */
    pathsOf(element: Element): string[];
    veiled(element: Element, value: string): string;
  };
  shiftCauses: {
    /** Elements whose size accounts for a layout shift. */
    of(sources: {node: Node|null, previousRect: DOMRectReadOnly, currentRect: DOMRectReadOnly}[]): Element[];
  };
  namedElements: { tagged(element: Element): string; described(element: Element): string };
  fingerprintScore: {
    /** The likeness of two fingerprints: 0 to 1, in hundredths. */
    score(recorded: Fingerprint, found: Fingerprint): number;
  };
  fingerprints: { of(element: Element): Fingerprint };
  bestLocator: {
    /** All that finds an element again, with the best selector that leads back to it. `expected`: text that is looked for in it. */
    describe(element: Element, expected?: string): RecordedTarget;
  };
  sensitiveFields: SensitiveFields;
  elementData: {
    factsOf(
      element: Element, tag: string, role: string, hasAttributes: boolean,
      above: SnapshotPlace, path: StylePath, listeners: Listeners | null,
    ): Facts;
    /** Facts of a line that stands for no element that can be acted on. */
    INERT: Facts; passesHand(element: Element, above: SnapshotPlace, path: StylePath): boolean;
  };
  positions: {
    Place: new (above: SnapshotPlace | null) => SnapshotPlace;
    Stretch: new (walk: { chunks: string[]; items: ItemRange[] }, item: Omit<Item, "distance">, start: number) => Stretch;
    MUTE: number;
    DISSOLVING: number;
    LINE: number;
  };
  tableCells: {
    holdsPlace(element: Element, role: string): boolean; spans(element: Element, role: string): string;
    skippedBefore(element: Element): number;
  };
  snapshotLines: { Lines: new () => SnapshotLines };
  virtual: {
    noteItem(item: Element, place: SnapshotPlace): void;
    rendered(element: Element, line: SnapshotLine): string;
  };
  capture: { Capture: new (options: CaptureOptions, trace?: Trace | null, covered?: Set<Element>) => Capture };
  turns: { hop(): Promise<void>; untilOf(pace: Pace): number; isOver(pace: Pace, looks: number): boolean };
  quickRoles: { roleOf(element: Element, tag: string, hasAttributes: boolean, above: SnapshotPlace): string };
  unchanged: {
    Trace: new () => Trace;
    keep(key: string, answer: { stamp: string }, trace: Trace): void;
    watch(roots: Array<Document | ShadowRoot>): void;
    watchDuring(trace: Trace): () => boolean;
    recall(key: string): { stamp: string } | null;
  };
  snapshot: {
    modals(): HTMLDialogElement[];
    countBehind(dialogs: Element[]): number;
  };
  outlineRefs: { Giver: new () => { give(element: Element, local: number): string } };
}

/** States of an element by ARIA name without the prefix. */
/** Text that CSS generates for an element, and the way to read it. */
interface GeneratedText {
  tell(element: Element, part: string): string | null;
  element: Element;
  part: string;
  text: string | null;
}

interface States {
  [name: string]: string | number | boolean | undefined;
  placeholder?: string;
}

type WithPath<Answer> = Answer & { path: FramePath };

/** Position of a walk: one step per element on the way down. */
interface WalkStep {
  above: WalkStep | null;
  next: ChildNode | null;
  list: ArrayLike<Node> | null;
  index: number;
  isMute: boolean;
  take(): FlatNode | null;
}

interface Walker {
  walk(root: Element, above: WalkStep): void;
  begin(root: Element, above: WalkStep): void;
  goOn(until: number): boolean;
  looks: number;
  giveUp(): void;
  open(element: Element, tag: string, step: WalkStep): WalkStep;
  element(element: Element, above: WalkStep): WalkStep | null;
  isWorthwhile(svg: Element, above: WalkStep): boolean;
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
}

interface ListenerMarks {
  clickable: boolean;
  draggable: boolean;
  mark: string;
}

interface Listeners {
  /** Whether a watcher answers or none can be placed; false: place one and ask again. */
  isPlaced(listen: { name: string; isLast?: boolean }): boolean;
  refresh(): void;
  marksOf(element: Element, tag: string): ListenerMarks;
  isInside(svg: Element): boolean;
  isHeardAround(element: Element): boolean;
  isEmpty(): boolean;
  versionNow(): string;
  NOTHING: ListenerMarks;
}

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
  kind: number;
  isItem: boolean;
  hasCover: boolean;
  line: SnapshotLine | null;
  name: string;
  /** The item it is in; undefined: not looked up yet. */
  found: Item | null | undefined;
  surroundings: Stretch | null;
  begin(above: SnapshotPlace | null, element: Element | null, path: StylePath | null, start: number): SnapshotPlace;
}
