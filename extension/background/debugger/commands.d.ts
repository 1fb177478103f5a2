import type { Protocol } from "devtools-protocol";
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";

export type { Protocol };
type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
export type Method = keyof Commands;
export type Params<M extends Method> = Commands[M]["paramsType"];
export type Result<M extends Method> = Commands[M]["returnType"];

/** The part of a call that commands are sent for. */
export interface Caller {
  client: { id: string; launched: boolean };
  signal: AbortSignal;
}

/** Sends a command of the debugger's protocol. */
export type Send = <M extends Method>(method: M, ...params: Params<M>) => Promise<Result<M>>;

/** A command with its parameters. */
export type Command = { [M in Method]: [method: M, ...params: Params<M>] }[Method];

export type EventName = keyof Events;

/** Parameters of an event of the debugger's protocol. */
export type EventParams<M extends EventName> = Events[M][0];

export type Event = { [M in EventName]: [method: M, params: EventParams<M>, sessionId: string | undefined] }[EventName];

/** Handlers by the name of their event; they get what it brings after the arguments `Before`. */
export type EventHandlers<Before extends unknown[], Result> = { [M in EventName]?: (...args: [...Before, params: EventParams<M>]) => Result };
