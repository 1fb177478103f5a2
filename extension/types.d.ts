import type { AnyParams, AnyResult, Grants, Handled, Method, Params, TabMethod } from "./background/base/protocol-types";
import type { EffectsRecorder } from "./background/calls/effects.js";

/** A bridge this extension is joined to: one MCP client on this computer. */
export interface Client {
  /** The bridge's server_id: constant while that process lives. */
  id: string;
  name: string;
  /** What people read as its name since it holds tabs: with a number where two have one name. */
  label?: string;
  version: string;
  /** How acts reach the page when the call does not say. */
  input: "auto" | "dom" | "trusted";
  /** True when the bridge started this browser. */
  launched: boolean;
}

/** A tab as `chrome.tabs` gives it; only those of DevTools windows have no id. */
export type OpenTab = chrome.tabs.Tab & { id: number };

/** What a page says of itself, asked before the tab of a call is resolved. */
export interface AskedAhead {
  tabId: number;
  answer: Promise<{ title: string; url: string } | null>;
}

/** What every handler gets beside its params. */
export interface CallContext {
  /** Its number on the wire; unique for the client. */
  id: number;
  method: string;
  params: AnyParams;
  client: Client;
  /** Where it may act; undefined: everywhere. */
  onlyOrigins?: string[];
  /** Why the client wants it. */
  reason?: string;
  /** What an act is done to, in the client's words. */
  described?: string;
  /** Its result goes out with its secrets. */
  secrets?: "shown";
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
  /** What it needs to be allowed in the documents it works in. */
  needs: "read" | "act";
  /** What the client may find out or do, decided for this call alone: `site need` of the sites allowed once. */
  once: Set<string>;
  /** The method whose input this act gives to the page, where it is not `method`. */
  acting?: string;
  /** Whether this act only looks, so that nothing which comes later is its own. */
  isLook?: boolean;
  /** What the log is told of the call besides its tab. */
  about: { target?: Target };
  /** Recorder of what an act caused; null outside acts in a tab. */
  effects: EffectsRecorder | null;
  /** Whether its client holds a tab. */
  holds(tabId: number): boolean;
  /** Whether its client has opened a tab. */
  hasOpened(tabId: number): boolean;
  /** The element that an act is about is known. */
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
  /** Of reads: what can be asked before the tab is resolved. It comes to the handler. */
  ahead?(params: P, call: CallContext): AskedAhead | undefined;
  /** Of acts: the ids of the tabs it acts in, where that is not just the target. They come to the handler as `call.acted`. */
  acts?(params: P, call: Call): number[] | Promise<number[]>;
  /** Of what reaches other addresses than the one of its tab: which, and whether it acts there. */
  reaches?(params: P, call: Call): Reached[] | Promise<Reached[]>;
  /** Of acts: whether it leaves the page as it is and goes elsewhere. */
  leaves?: boolean;
  /** Which of the sensitive kinds of its method this call is; without it, all of them. */
  sensitive?(params: P): string[];
  /** Its tabs are closed by it. */
  closes?: boolean;
  /** Of acts that run another one: which. */
  acting?(params: P): string | undefined;
  /** Of acts: whether these parameters only look. */
  looks?(params: P): boolean;
  /** Of acts: whether it looks at the page first, and changes it only through what waits for `effects.starts`. */
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
  /** Whether the browser will load it; without it, only what the browser keeps of it is touched. */
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
  /** Where it may act; absent: everywhere. */
  only_origins?: string[];
  reason?: string;
  described?: string;
  secrets?: "shown";
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
  /** Whether what it holds must not be kept. */
  secret: boolean;
  frameId: number;
  /** The fields of a form that was filled. */
  fields?: Target[];
}

/** What a call was about: its tab when it began to work there, and the element it acted on. */
export interface About {
  tabId?: number;
  url?: string;
  target?: Target;
}

/** A reply without its id. */
export type Outcome = { about?: About } & (
  | { type: "success"; result: AnyResult }
  | { type: "error"; error: string; message: string; data?: Record<string, unknown> }
);

/** Where a bridge may be dialled. */
export interface BridgeAddress {
  /** Part of the proofs, and what the bridge is known by. */
  port: number;
  /** URL of its WebSocket. */
  socket: string;
  /** URL that says whether a bridge is there. */
  probe: string;
  /** How long that may take. */
  probe_ms: number;
  /** What the WebSocket is asked for: a secret may be among it. */
  protocols: readonly string[];
}

/** A file with its content. */
export type WholeFile = FileContent & { base64: string };

/** What pairing.json says, or a person has allowed, with the key imported so that it cannot be read back. */
export interface Pairing {
  key: CryptoKey;
  key_id: string;
  /** Where to look for bridges. No two have the same port. */
  addresses: readonly BridgeAddress[];
  /** Who this browser is, where the program that launched it decides that. */
  browser?: { id: string; name: string };
  permissions?: Grants;
  /** Whether a page greets the person after the installation. */
  welcomes: boolean;
  /** Whether a person has allowed it by a click; it is no pairing.json then. */
  isByClick?: boolean;
}
