// The name is not `namespace.d.ts`, because tsc leaves out a .js file beside which a .d.ts of the same base name lies.

/** The namespace of the content scripts, in the isolated world of a page. Each file adds its member; the interfaces merge. */
declare var __tabwire: ContentNamespace;
/** The port of lifeline.js to the worker. */
declare var __tabwireLifeline: { open(): void; tell(message: object): boolean };
/** The name of this document for the worker. */
declare var __tabwireToken: string | undefined;
/** Permit that this document was given. */
declare var __tabwirePermit: { generation: string; rank: number; isOnce?: boolean } | undefined;
/** Arguments of a content call: its name, its own arguments, the seal and the permit. */
type CallOverPort = [name: string, args: CallArgs, own: string, permit: import("../background/page/content-calls.js").Permit];
/** Function that content-calls.js of the worker runs in documents, left by its last script in this one. */
declare var __tabwireRun: ((...args: [...CallOverPort, isDirect: boolean]) => unknown) | undefined;
/** Mark left by code of the worker that has to find this document again. */
declare var __tabwireMark: string | undefined;
/** Elements that the worker has handed over by the debugger, until they are asked for. */
declare var __tabwireElements: Map<number, Node> | undefined;

interface Window {
  /** Readable in a frame of the same origin; absent before the scripts were injected there. */
  __tabwire?: ContentNamespace;
}

interface ShadowRoot {
  /** Id of the inner element that references to the host mean. */
  readonly referenceTarget?: string | null;
}

interface ContentNamespace {
  version: number;
  /** Runs a content file, named by its path without the ending, where it has not run yet. */
  add(file: string, content: (tw: ContentNamespace) => void): void;
  commands: ContentCommands;
  /** Commands that look for elements and frames: they change nothing, and they look everywhere. */
  queries: ContentCommands;
  /** An error with a wire code; `message` says what happened and what to do next. */
  error(code: string, message: string, data?: Record<string, unknown>): ContentError;
  /** A page's words inside a sentence of ours, between marks that the bridge turns into a fence. */
  said(text: unknown): string;
  /** Runs a command. Never throws and never rejects. */
  call(name: string, args?: CallArgs): CallReply | Promise<CallReply>;
  /** Mark of this extension's own refs, set by the worker before each call. Absent in a page without the worker. */
  seal?: string;
  /** Sends a message to the worker; set with `seal`. */
  tell?(message: object): void;
  /** Asks the worker; null where there is no answer. Set with `seal`. */
  ask?(message: object): Promise<{ stopped?: boolean } | null> | null;
}

/** Wire method or "<file>.<verb>" → function. The worker sends the arguments as JSON: each function declares what it takes. */
interface ContentCommands {
  [name: string]: (args: never) => unknown;
}

interface ContentError extends Error {
  code: string;
  data?: Record<string, unknown>;
}

/** Arguments of a command that `call` itself reads. */
interface CallArgs {
  target?: TargetArgs;
  act?: ActStart;
  /** The command is the last step of an act in the only document there is: the reply brings along what has changed. */
  ends_act?: boolean;
  /** The reply describes the target. */
  describes?: boolean;
  /** Kinds of secrets that the user allows to be filled in. */
  allowed?: string[];
  /** Arguments of the command itself. */
  [argument: string]: unknown;
}

/** Fields for passwords, payments and one-time codes. */
interface SensitiveFields {
  /** "password", "payment" or "one_time_code". */
  kindOf(field: Element | null | undefined, name?: string): string | null;
  objection(name: string, args?: CallArgs): ContentError | null;
  assertOpen(field: Element, allowed?: string[]): void;
  focused(): { focus_kind: string | null; focus_name?: string };
  /** Looks at what the fields for secrets hold. */
  look(roots?: Iterable<ShadowRoot>): void;
  tellAhead(roots: Iterable<ShadowRoot>): void;
  secrets(): FieldSecrets | undefined;
}

/** Values of the fields for secrets of a document, for the worker alone. */
interface FieldSecrets {
  origin: string;
  values: string[][];
}

type CallReply = { target?: ElementIdentity; secrets?: FieldSecrets } & ({ result: unknown } | { error: Omit<ContentError, "name"> });

/** The element of a command. */
interface TargetArgs {
  /** The number of its ref in this document. */
  ref: number;
}

/** The act a command is part of. */
interface ActStart {
  id: string;
  /** Latest time at which the act may begin, in epoch milliseconds. */
  until: number;
  /** Whether it was sent behind the question by which the page begins to observe it. */
  is_behind?: boolean;
}

/** A point in CSS pixels of a viewport. */
interface Point {
  x: number;
  y: number;
}

/** A box in CSS pixels of a viewport. */
interface Box extends Point {
  width: number;
  height: number;
}

/** A frame element in its document: its index in the window, or "s1", "s2" … in shadow trees. */
type FrameSlot = number | string;
/** A matrix of three by three numbers, row by row. */
type FrameMatrix = [number, number, number, number, number, number, number, number, number];

/** Path from the top document down; null where a frame on the way cannot be asked. */
type FramePath = FrameSlot[] | null;

/** An element in words that find it again in another session. */
interface ElementIdentity {
  tag: string;
  role: string;
  name: string;
  test_id?: { attribute: string; value: string };
  /** A path for each tree on the way to it. */
  css: string[];
  /** URL of its document, where that is not the top one. */
  frame?: string;
  secret: boolean;
}

/** Facts that tell an element from others without a selector. Texts are cut; what is empty is left out, but for `frame`. */
interface Fingerprint {
  tag: string;
  role: string;
  name?: string;
  text?: string;
  label?: string;
  placeholder?: string;
  test_id?: string;
  id?: string;
  /** The attribute `name`. */
  field?: string;
  type?: string;
  /** Path of the address, without host and query. */
  href?: string;
  classes?: string[];
  /** Role and name of the landmark around it. */
  landmark?: string;
  heading?: string;
  /** Words of the row, list item or card around it. */
  item?: string;
  before?: string;
  after?: string;
  /** Place among the elements that say the same, from 0, and their number. */
  turn?: number[];
  /** Centre in its document, in CSS pixels. */
  place?: number[];
  path?: string;
  /** Path of the address of its document; "" in the top one. */
  frame: string;
}

/** An element in a recorded step. Role and name, label, text or test id are there where `selector` is made of them. */
interface RecordedTarget extends Omit<ElementIdentity, "secret"> {
  selector: string;
  label?: string;
  text?: string;
  secret: boolean;
  /** The selector does not lead back to the element alone. */
  unsure?: boolean;
  fingerprint: Fingerprint;
}
