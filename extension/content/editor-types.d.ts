/* The member of the namespace that writes the text of editors into snapshots. */

interface ContentNamespace {
  editorLines: {
    isBlock(element: Element, role: string): boolean;
    isLine(element: Element, tag: string): boolean;
    look(root: Document | ShadowRoot): void;
    write(field: Element, tag: string, lines: SnapshotLines, depth: number): void;
  };
}
