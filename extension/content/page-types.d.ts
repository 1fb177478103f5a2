// The name is not `page.d.ts`, because tsc leaves out a .js file beside a .d.ts of the same base name.

/** The one global of the content scripts, in the isolated world of a page: see page.js. */
declare var __tabwire: PageCalls;
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
  __tabwire?: PageCalls;
}

interface ShadowRoot {
  /** Id of the inner element that references to the host mean. */
  readonly referenceTarget?: string | null;
}

/** The worker, as `runInPage` sets it; absent in a page without the worker. */
interface WorkerLink {
  /** Mark of this extension's own refs. */
  seal?: string;
  /** Sends a message to the worker. */
  tell?(message: object): void;
  /** Asks the worker; null where there is no answer. */
  ask?(message: object): Promise<{ stopped?: boolean } | null> | null;
}

interface PageCalls extends WorkerLink {
  /** Runs an operation. Never throws and never rejects. */
  call(name: string, args?: CallArgs): CallReply | Promise<CallReply>;
  /** Whether an operation may run in a document of any origin. */
  isQuery(name: string): boolean;
}

/** Wire method or "<file>.<verb>" → function. The worker sends the arguments as JSON: each function declares what it takes. */
interface ContentOperations {
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

/** Values of the fields for secrets of a document, for the worker alone. */
interface FieldSecrets {
  origin: string;
  values: string[][];
}

/** followed: the act goes on with an element that has replaced the one of its ref. */
type CallReply = { target?: ElementIdentity; secrets?: FieldSecrets; followed?: boolean } & ({ result: unknown } | { error: Omit<ContentError, "name"> });

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
