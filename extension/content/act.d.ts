/* Members of the namespace whose files act in a page, and what they share. */

/** Condition that an element must meet before it is acted on. */
type Check = "visible" | "enabled" | "editable" | "stable" | "receives";

/** Request of the worker for an element that the pointer is to act on. */
interface PointerRequest {
  target: TargetArgs;
  checks: Check[];
  force?: boolean;
  /** Whether to scroll, in the frames around this one as well. */
  reveals?: boolean;
  timeout_ms?: number;
}

/**
 * An element that the pointer may act on now. `obstacle`: why a press at the point does not reach it, where checks are skipped;
 * `shown`: the part of the viewport that is shown.
 */
interface PreparedTarget {
  point?: Point;
  description: string;
  obstacle?: string;
  shown: ReturnType<ContentNamespace["visualViewport"]["shown"]>;
}

/** A key as events describe it. `text`: what it writes. */
interface KeyStroke {
  key: string;
  code: string;
  keyCode: number;
  location: number;
  text?: string;
}

interface ContentNamespace {
  actionability: {
    /** Lets other tasks of the page run; rejects when a stop came meanwhile. */
    breathe(): Promise<void>;
    covers(el: Element, at: Point): string | null;
    deadlineFrom(timeoutMs?: number): number;
    describe(el: Element): string;
    /** The tag of an element with id and classes. */
    tagLine(el: Element): string;
    faceOf(list: Element): Element | null;
    heldBox(target: TargetArgs): DOMRect | undefined;
    holdPlace(target: TargetArgs, el: Element): void;
    isRedrawn(target: TargetArgs, el: Element): boolean;
    heldElement(target: TargetArgs): HTMLElement;
    hold(target: TargetArgs): HTMLElement;
    isCovered(el: Element): boolean;
    isDisabled(el: Element): boolean;
    isReadonly(el: Element): boolean;
    /** `describe`, marked as a page's words. */
    named(el: Element): string;
    nextChange(el: Element, cover: Element | null | undefined, deadline: number): Promise<boolean>;
    pointerTarget(el: Element): Element;
    prepare(request: PointerRequest): Promise<PreparedTarget>;
    ready(el: Element, options: { checks: Check[]; force?: boolean; deadline: number }): Promise<{ point?: Point }>;
  };
  hitTesting: {
    accepts(el: Element, hit: Element | null): boolean;
    /** A point that takes events, scrolling as little as needed. */
    aim(el: Element, maySearch: boolean): { point?: Point; cover?: Element };
    boxes(el: Element): DOMRect[];
    hasMoved(el: Element, point: Point): boolean;
    hitAt(point: Point): Element | null;
    labelledControl(el: Element): HTMLElement | null | undefined;
    /** The element of a kind that `el` stands for. */
    meantBy<Kind extends Element>(el: Element, isKind: (node: Element | null | undefined) => node is Kind): Kind | null;
    point(el: Element): Point | null;
    probe(el: Element, spread: number[][], wholeOnly: boolean): { point?: Point; cover?: Element };
    reveal(el: Element, block: ScrollLogicalPosition): void;
    takesNoClicks(el: Element): boolean;
    readonly CENTER: number[][];
    readonly SPREAD: number[][];
  };
  replacement: {
    remains(target: TargetArgs, el: Element): { now?: Point; successor?: number };
    successor(target: TargetArgs): Element | null;
  };
  activation: {
    /** Whether a press on `el` closes an open popover or dialog by itself. */
    closesSomething(el: Element): boolean;
    mayNeedDebugger(): boolean;
    needsDebugger(el: Element): boolean;
  };
  effects: {
    counted(): Promise<object | undefined>;
    isUnderWay(): boolean;
    lookAhead(): void;
    stepped(reply: CallReply): void;
    watchAbove(element: Element): void;
  };
  filling: {
    /** Tells of an edit that was made at once: input, then change. */
    fireEdit(el: Element): void;
    squeeze(text: string): string;
  };
  stop: {
    now(): boolean;
    step(run: () => void, rest?: () => Promise<unknown>): Promise<void>;
    unless<T>(work: Promise<T>): Promise<T>;
    readonly signal: AbortSignal;
  };
  keyActions: {
    run(el: HTMLElement, stroke: KeyStroke, held: string[]): boolean;
  };
  keyboard: {
    caretTo(field: HTMLInputElement, offset: number): void;
    caretToEnd(el: HTMLElement): void;
    announceEdit(el: Element, inputType: string, data?: string | null): boolean;
    isEditable(el: HTMLElement): boolean;
    isEditingHost(el: HTMLElement): boolean;
  };
  actStart: {
    assertWanted(act?: ActStart): void;
    begin(act?: ActStart): void;
    expect(sign: { id: string; events: string[] }): void;
    receive(act: ActStart): void;
    rest(): void;
    yieldToGuard(): void;
  };
  person: {
    /** The field that an event of the person is about. */
    fieldOf(event: Event): HTMLElement | null;
    withheld(field: Element): string;
  };
  presence: {
    sinceInput(): number;
  };
  stepRecorder: {
    /** Whether a field holds a secret, or has held one. */
    isSecret(field: Element): boolean;
  };
  conditions: {
    /** Whether a visible element matches now and has what is expected of it. */
    isMet(selector: string, expected: { text?: string; value?: string }): boolean;
    /** The value of a field; undefined for a secret, and for what is no field. */
    valueOf(element: Element): string | undefined;
  };
  assertions: {
    /** A step that expects something of an element; or the reason why there is none. */
    of(element: Element, kind: string): { step: object } | { problem: string };
  };
  recorderBar: {
    /** Shows it; the function takes it away. */
    show(): () => void;
  };
  picker: {
    /** The dialog of the page that makes all around it inert. */
    openModal(): Element | undefined;
    /** Brings an element of ours into the top layer; the dialog that is open there. */
    raise(host: HTMLElement): Element | undefined;
    /** Whether an event of the person belongs to a pick, and not to the page. */
    takes(event: Event): boolean;
  };
  scrolling: {
    offsetOf(scroller: Element): Point;
    pageScroller(): Element;
    scrollerOf(el: Element | null, axis: "x" | "y"): Element;
  };
  pageMarks: {
    hide(): boolean;
    point(at: Point | null): void;
    pointTo(element: Element): void;
    rest(): void;
    show(begun: { title: string }): void;
  };
}
