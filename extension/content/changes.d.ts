/* Members of the namespace whose files tell what an act has changed. */

/** A scroller and where it is now; `dx`, `dy`: how far it has moved, where that is known. */
interface Scrolled {
  element: string;
  x: number;
  y: number;
  dx?: number;
  dy?: number;
}

interface ContentNamespace {
  controls: {
    /** Lists the controls by name and reference, as many as a reply has room for. */
    listed(controls: Element[]): string;
    fresh(came: Iterable<Node>, went: Iterable<Node>, isKnown: (control: Element) => boolean): Element[];
  };
  textChanges: {
    TextChanges: new () => {
      note(record: MutationRecord): void;
      words(told: Set<Element>, editors: Set<Element>, turned: Array<[Element, boolean]>): string[];
    };
    /** An element as snapshots name it. */
    described(element: Element): string;
  };
  popups: {
    /** Popups that are shown now, in the document and in these shadow trees. */
    shown(roots?: Iterable<ParentNode>): Set<Element>;
    changes(before: Set<Element>, now: Set<Element>, isUnder: boolean): { words: string[]; told: Set<Element> };
  };
  viewState: {
    ViewState: new () => {
      watch(scroller: Element): void;
      watchAbove(element: Element | null): void;
      noteScroll(event: Event): void;
      noteInput(event: Event): void;
      hasScrolled(): boolean;
      scrolled(): Scrolled[];
      editors(): Set<Element>;
      fields(changed: Iterable<Element>): string[];
      selected(): string[];
    };
  };
  earlierState: {
    EarlierState: new () => {
      roots: Set<ShadowRoot>;
      changedFields(): Element[];
      turned(hasSeenAll: boolean): Array<[Element, boolean]>;
    };
  };
  pageErrors: {
    isWatched(name: string): boolean;
    listen(name: string, take: (text: string) => void, signal: AbortSignal): void;
  };
}
