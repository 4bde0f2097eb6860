import type { IncomingHttpHeaders } from 'node:http';
import type { WebSocket } from 'ws';
import type { Agent } from '../../core/agent.ts';
import type { TalkErrorCode } from '../../core/talk-errors.ts';
import type { SocketEnds } from './socket-ends.ts';

/** Whom a socket talks to, or why to nobody. */
export type TalkAdmission =
  | { readonly agent: Agent; readonly from: string; readonly variables: Readonly<Record<string, string>> }
  | { readonly code: TalkErrorCode; readonly detail?: string };

/** Where calls by talk socket are held. */
export interface TalkCalls {
  /** Takes the socket over. What it sends waits until `admission` is there. Never throws. */
  talk(socket: WebSocket, ends: SocketEnds, agentId: string, admission: Promise<TalkAdmission>): void;
}

/** What a door knows of whoever knocks. The address may hold its secret. */
export interface CarrierRequest {
  readonly url: string; // path and query, as sent
  readonly headers: IncomingHttpHeaders;
  readonly secret: string | undefined; // of the path
  readonly parameters: ReadonlyMap<string, string>; // of the query
}

/** Where one carrier's media streams come in. */
export interface CarrierDoor {
  readonly path: string; // `/streams/twilio`; a secret may follow it as one more part
  admits(request: CarrierRequest): boolean;
  /** Takes the socket over. Never throws. */
  open(socket: WebSocket, ends: SocketEnds, request: CarrierRequest): void;
}

/** Calls that come over WebSockets. */
export interface StreamCalls extends TalkCalls {
  readonly carriers: readonly CarrierDoor[];
  /** Ends what is left of them when the gateway closes. */
  close(): Promise<void>;
}
