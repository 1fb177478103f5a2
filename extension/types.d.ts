import type { AnyParams, AnyResult, Grants, Handled, Method, Params, TabMethod } from "./background/base/protocol-types";
import type { EffectsRecorder } from "./background/calls/effects.js";

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

/** Context of a call: every handler gets it beside its params. */
export interface CallContext {
  /** Number of the call on the wire; unique for the client. */
  id: number;
  method: string;
  params: AnyParams;
  client: Client;
  /** Origins where the call may act; undefined: everywhere. */
  onlyOrigins?: string[];
  /** The client's reason for the call. */
  reason?: string;
  /** The target of an act, in the client's words. */
  described?: string;
  /** "shown": the result goes out with its secrets; "named": with all but the values of fields. */
  secrets?: "shown" | "named";
  /** Aborted by the deadline, by a cancel, or (reads) when the client is gone. */
  signal: AbortSignal;
  /** Milliseconds left; they do not run while the person is asked. */
  remaining(): number;
  /** Milliseconds for which the person may still be asked. */
  askingLeft(): number;
  /** Settles like a question to the person; the time of the call begins anew with their answer. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
  /** The target of methods that work in a tab; undefined for the others. */
  tab: OpenTab | undefined;
  /** Ids of the tabs an act acts in: they are leased to the client. */
  acted: number[];
  /** Permission that the call needs in the documents it works in. */
  needs: "read" | "act";
  /** Permissions decided for this call alone: `site need` of the sites allowed once. */
  once: Set<string>;
  /** The method whose input this act gives to the page, where it is not `method`. */
  acting?: string;
  /** Whether this act only looks, so that later changes are not its own. */
  isLook?: boolean;
  /** Whether scripts have their say in its result. */
  hears?: boolean;
  /** Facts that the log is told of the call besides its tab. */
  about: { target?: Target; note?: string };
  /** Recorder of what an act caused; null outside acts in a tab. */
  effects: EffectsRecorder | null;
  /** Whether its client holds a tab. */
  holds(tabId: number): boolean;
  /** Whether its client has opened a tab. */
  hasOpened(tabId: number): boolean;
  /** Records the element that an act is about, once that is known. */
  noteTarget(target: Target): void;
  /** Runs another method as part of this call: same deadline, same place in the queue. */
  dispatch<M extends Method>(method: M, params: Params<M>): Promise<Handled<M>>;
}

/** The call of a method that works in a tab, once that is resolved. */
export interface TabCall extends CallContext {
  tab: OpenTab;
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
