import type { AnyParams, AnyResult, Effects, FilledField, Grants, Handled, Method, Params, TabMethod } from "./background/base/protocol-types";
import type { ActStart } from "./background/calls/act-start.js";
import type { SentRequests } from "./background/calls/sent-requests.js";
import type { Dialog } from "./background/debugger/attachment.js";
import type { watchTab } from "./background/base/navigation-events.js";
import type { CallGrants, CallTarget, Observing, Subject } from "./background/rules/call-parts.js";

/** A bridge this extension is joined to: one MCP client on this computer. */
export interface Client {
  /** The bridge's server_id: constant while that process lives. */
  id: string;
  name: string;
  /** Name shown to people, set once the client holds tabs; it has a number where two clients have one name. */
  label?: string;
  version: string;
  /** Default way in which acts reach the page, for calls that do not name one. */
  input: "auto" | "dom" | "trusted";
  /** True when the bridge started this browser. */
  launched: boolean;
}

/** A tab as `chrome.tabs` gives it; only those of DevTools windows have no id. */
export type OpenTab = chrome.tabs.Tab & { id: number };

/** Title and URL of a page, asked before the tab of a call is resolved. */
export interface AskedAhead {
  tabId: number;
  answer: Promise<{ title: string; url: string } | null>;
}

/** A call as its client asked for it. */
export interface CallRequest {
  /** Number of the call on the wire; unique for the client. */
  readonly id: number;
  readonly method: string;
  readonly params: AnyParams;
  readonly client: Client;
  /** Origins where the call may act; undefined: everywhere. */
  readonly onlyOrigins?: string[];
  /** The client's reason for the call. */
  readonly reason?: string;
  /** The target of an act, in the client's words. */
  readonly described?: string;
  /** "shown": the result goes out with its secrets; "named": with all but the values of fields. */
  readonly secrets?: "shown" | "named";
}

/** Clock of a call. */
export interface Clock {
  /** Milliseconds left; they do not run while the user is asked. */
  remaining(): number;
  /** Milliseconds for which the user may still be asked. */
  askingLeft(): number;
  /** Settles like a question to the user; the time of the call begins again with their answer. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  /** The call is over. */
  end(): void;
}

/**
 * Context of a call: every handler gets it beside its params. It is frozen: what changes while the call runs changes in the parts
 * `target`, `clock`, `grants`, `subject` and `observing`, by the methods of those; the other members read them.
 */
export interface CallContext extends CallRequest {
  readonly target: CallTarget;
  /** The target of methods that work in a tab; undefined for the others. */
  readonly tab: OpenTab | undefined;
  /** Ids of the tabs an act acts in: they are leased to the client. */
  readonly acted: readonly number[];
  readonly clock: Clock;
  /** Aborted by the deadline, by a cancel, or (reads) when the client is gone. */
  readonly signal: AbortSignal;
  /** Milliseconds left, by the clock. */
  remaining(): number;
  readonly grants: CallGrants;
  readonly subject: Subject;
  readonly observing: Observing;
  /** The observation of an act; null outside acts in a tab. */
  readonly observation: Observation | null;
  /** Records the element that an act is about, once that is known. */
  noteTarget(target: Target): void;
  /** Runs another method as part of this call: same deadline, same place in the queue. */
  dispatch<M extends Method>(method: M, params: Params<M>): Promise<Handled<M>>;
}

/** Parts of a result that are known before an act has ended. */
export interface KnownParts {
  ref?: string;
  input?: "dom" | "trusted";
  fields?: FilledField[];
}

/** A choice that an act has made: what a list has selected, or whether a box is checked. */
export interface Choice {
  documentId: string;
  local: number;
  ref: string;
  selected?: string[];
  checked?: boolean;
}

/** The document of a field that an act fills. */
export interface FilledDocument {
  frameId: number;
  url: string;
  ref: string;
}

/** Counts of a document, as effects.js of the page gives them. */
export interface Counted {
  /** Whether a list or a box holds another choice. */
  has_choice?: boolean;
  /** Whether all that came only says that more is to come. */
  announces?: boolean;
  /** Whether text is being hidden by an animation that the act has begun. */
  is_fading?: boolean;
  url?: string;
  urlBefore?: string;
  title?: string;
  titleBefore?: string;
  mutations?: number;
  events?: number;
  focus?: string;
  changes?: string[];
  /** Results of a drag, in words. */
  dragged?: string[];
  fields?: string[];
  errors?: string[];
  scrolled?: NonNullable<Effects["scrolled"]>;
}

/** The field, or the frame, that has the focus in a document. */
export interface FocusedField {
  frameId: number;
  focus_kind: string;
  focus_name: string;
  origin: string;
  address: string;
}

/** The observation of an act, for those who do the act. They note what they know by its methods, and write none of its fields. */
export interface Observation {
  /** Notes a part of the result, which is reported even when a dialog keeps the act from ending. */
  noteResult(part: KnownParts): void;
  /** Notes a choice that the act has made, whose final state is looked at. */
  noteChoice(choice: Choice): void;
  /** Notes the document of a field that the act fills, which must not load itself again under it. */
  noteFilled(filled: FilledDocument): void;
  /** Notes a dialog that has come in its way. */
  noteDialog(dialog: { type: string; message: string }): void;
  /** Notes what the only document has counted, where the act has brought that along. */
  noteCounted(counted: Counted): void;
  /** Notes that an answer has let the page run on. */
  noteAnswer(): void;
  /** Settles like work that fires DOM events. */
  whileFiring<T>(work: () => Promise<T>): Promise<T>;
  /** Withdraws the act when a dialog came before it. */
  assertBegun(dialog?: Dialog, method?: string): Promise<void>;
  /** Counts from now on: changes while the user was asked are not effects of the act. */
  beginAgain(): Promise<void>;
  /** The method of the act. */
  readonly method: string;
  /** Progress of the act; null for acts that do more than give input to the page. */
  readonly actStart: ActStart | null;
  /** The question that begins the act. */
  readonly asked: Promise<unknown> | undefined;
  /** Documents that count, the top one first. */
  readonly begun: readonly string[];
  readonly hasOneFrame: boolean;
  readonly hasElement: boolean;
  readonly focused: readonly FocusedField[];
  readonly isFiring: boolean;
  readonly dialog: { type: string; message: string } | null;
  readonly requests: SentRequests;
  readonly watch: ReturnType<typeof watchTab>;
  /** Resolves when the act may change something. */
  readonly starts: Promise<unknown>;
  /** Resolves when the act is in the record, where it may be sent behind the question that begins it. */
  readonly recorded: Promise<unknown> | null;
}

/** The call of a method that works in a tab, once that is resolved. */
export interface TabCall extends CallContext {
  readonly tab: OpenTab;
}

interface HandlerOf<P, Call, R> {
  (params: P, call: Call, ahead?: AskedAhead): Promise<R> | R;
  /** Asks, for a read, what can be asked before the tab is resolved. The handler gets the returned value. */
  ahead?(params: P, call: CallContext): AskedAhead | undefined;
  /** Ids of the tabs that an act acts in, where that is not just the target. The handler gets them as `call.acted`. */
  acts?(params: P, call: Call): number[] | Promise<number[]>;
  /** The tab in which an act works that names none, where that is not the one in front; null: it opens a tab or a window. */
  place?(params: P, call: CallContext): Promise<{ tabId?: number } | null>;
  /** Addresses that the call reaches beside the one of its tab, and whether it acts there. */
  reaches?(params: P, call: Call): Reached[] | Promise<Reached[]>;
  /** Whether the act leaves the page as it is and goes elsewhere. */
  leaves?: boolean;
  /** Whether an act that leaves a page goes to the same one again. */
  comesBack?(params: P): boolean;
  /** Sensitive kinds of this call among those of its method; without this function, all of them. */
  sensitive?(params: P): string[];
  /** Whether the act closes its tabs. */
  closes?: boolean;
  /** The method that an act runs, for acts that run another one. */
  acting?(params: P): string | undefined;
  /** Whether an act with these parameters only looks. */
  looks?(params: P): boolean;
  /** Whether scripts have their say in the result: what the fields for secrets hold is looked at before an act, beside a read. */
  hears?: boolean;
  /** Whether an act with these parameters waits for what others do in its tab: it takes no turn there. */
  waits?(params: P): boolean;
  /** Whether the act looks at the page first, and changes it only by code that waits for `effects.starts`. */
  startsLate?: boolean;
}

/** Answers one method. */
export type Handler<M extends Method = any> = HandlerOf<Params<M>, M extends TabMethod ? TabCall : CallContext, Handled<M>>;
/** A handler, for what does not look at the method. */
export type AnyHandler = HandlerOf<AnyParams, CallContext, AnyResult>;

/** The handlers of all methods of a domain. */
export type Handlers<Domain extends string> = { [M in Extract<Method, `${Domain}.${string}`>]: Handler<M> };

/** An address that a call reaches beside the page of its tab. */
export interface Reached {
  /** URL; `*` is the whole browser. */
  address: string;
  effect: "read" | "act";
  /** Whether the browser will load the address; if not, only the data that the browser keeps of it is touched. */
  isVisited?: boolean;
  /** Whether it is touched beside what the call is about: the kinds of the act are asked for there. */
  isBeside?: boolean;
  /** Whether other origins are reached with it, as by the cookies of a domain. */
  isWider?: boolean;
}

/** A request as it comes over the wire. */
export interface Request {
  id: number;
  method: string;
  params?: AnyParams;
  timeout_ms?: number;
  /** Time for which it waits for the person's answers, all questions together. */
  asking_ms?: number;
  /** Origins where the call may act; absent: everywhere. */
  only_origins?: string[];
  reason?: string;
  described?: string;
  secrets?: "shown" | "named";
}

/** The element of an act, in words that find it again. */
export interface Target {
  tag: string;
  role: string;
  name: string;
  test_id?: { attribute: string; value: string };
  /** A path for the document and one for each shadow root on the way. */
  css: string[];
  /** URL of its document, where that is not the top one. */
  frame?: string;
  /** Whether the content of the element must not be kept. */
  secret: boolean;
  frameId: number;
  /** The fields of a form that was filled. */
  fields?: Target[];
}

/** Subject of a call: its tab when the call began to work there, and the element it acted on. */
export interface About {
  tabId?: number;
  url?: string;
  target?: Target;
  /** Sentence for the client about the tab, where it has named none. */
  note?: string;
}

/** A reply without its id. */
export type Outcome = { about?: About } & (
  | { type: "success"; result: AnyResult }
  | { type: "error"; error: string; message: string; data?: Record<string, unknown> }
);

/** Address where a bridge may be dialled. */
export interface BridgeAddress {
  /** Part of the proofs, and what the bridge is known by. */
  port: number;
  /** URL of its WebSocket. */
  socket: string;
  /** URL that says whether a bridge is there. */
  probe: string;
  /** Time limit of the probe, in milliseconds. */
  probe_ms: number;
  /** Protocols that the WebSocket is asked for: a secret may be among them. */
  protocols: readonly string[];
}

/** A file with its content. */
export type WholeFile = FileContent & { base64: string };

/** Pairing from pairing.json, or allowed by a person, with the key imported so that it cannot be read back. */
export interface Pairing {
  key: CryptoKey;
  key_id: string;
  /** Addresses where the browser looks for bridges. No two have the same port. */
  addresses: readonly BridgeAddress[];
  /** Identity of this browser, where the program that launched it decides that. */
  browser?: { id: string; name: string };
  permissions?: Grants;
  /** Whether a page greets the person after the installation. */
  welcomes: boolean;
  /** Whether a person has allowed the pairing by a click; it then comes from no pairing.json. */
  isByClick?: boolean;
}
