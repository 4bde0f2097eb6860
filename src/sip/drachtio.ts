import type { Server } from 'node:net';
import Srf from 'drachtio-srf';

/**
 * What we use of drachtio-srf, typed as it behaves; its own declarations leave out half. This is the only file that
 * imports it. Rules that were measured and are kept everywhere in this folder:
 *
 * - callbacks instead of promises where a dialog is made: a BYE or re-INVITE in the same segment would come before `then`;
 * - nothing may throw inside a handler: it would end the read loop and with it the connection;
 * - `modify` always has a listener, else a re-INVITE is answered with the old description;
 * - requests inside a dialog go through `dialog.request`: after one refused `dialog.modify` every later one hangs.
 */
export interface SrfMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly source_address: string;
  readonly source_port: number;
  readonly protocol: string;
  get(name: string): string | undefined;
  has(name: string): boolean;
}

export interface SrfRequest extends SrfMessage {
  readonly method: string;
  readonly uri: string;
  /** Ours, as `address:port`: where a new request came in. */
  readonly receivedOn?: string;
  /** `network`, or `application` for what the SIP server sent by itself (a BYE at ACK timeout). */
  readonly source: string;
  readonly payload: readonly { readonly type: string | null | undefined; readonly content?: string }[];
  on(event: 'cancel', listener: () => void): void;
  on(event: 'response', listener: (res: SrfIncomingResponse) => void): void;
  cancel(callback: (error: unknown) => void): void;
}

/** A response that came in. */
export interface SrfIncomingResponse extends SrfMessage {
  readonly status: number;
  readonly reason: string;
  /** The request it answers, as it left: its URI is the one that was really asked. */
  readonly req?: { readonly uri: string } | undefined;
}

export interface SrfSendOptions {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** The response that we are to send. Throws on a status it does not know. */
export interface SrfResponse {
  readonly finalResponseSent: boolean;
  send(status: number, options: SrfSendOptions, callback?: (error: unknown) => void): void;
}

export interface SrfRequestOptions extends SrfSendOptions {
  readonly method: string;
}

export interface SrfDialog {
  readonly id: string;
  readonly sip: { readonly callId: string; readonly localTag: string; readonly remoteTag: string };
  readonly local: { uri: string; sdp: string; readonly contact: string };
  readonly remote: { readonly uri: string; readonly sdp: string };
  readonly res: SrfMessage;
  readonly req: SrfMessage;
  request(options: SrfRequestOptions, callback: (error: unknown, res?: SrfIncomingResponse) => void): void;
  on(event: 'destroy', listener: (req: SrfRequest) => void): this;
  on(event: 'ack', listener: (req: SrfRequest) => void): this;
  on(event: SrfInDialogEvent, listener: (req: SrfRequest, res: SrfResponse) => void): this;
  removeAllListeners(): void;
}

export type SrfInDialogEvent =
  | 'modify'
  | 'info'
  | 'notify'
  | 'options'
  | 'update'
  | 'refer'
  | 'message'
  | 'publish'
  | 'subscribe';

export interface SrfUacOptions {
  readonly localSdp: string;
  readonly headers: Record<string, string>;
  readonly proxy?: string;
}

export interface SrfClient {
  createUAS(
    req: SrfRequest,
    res: SrfResponse,
    options: { localSdp: string; headers: Record<string, string> },
    callback: (error: unknown, dialog?: SrfDialog) => void,
  ): void;
  createUAC(
    uri: string,
    options: SrfUacOptions,
    progress: {
      cbRequest: (error: unknown, req?: SrfRequest) => void;
      cbProvisional: (res: SrfIncomingResponse) => void;
    },
    callback: (error: (Error & { res?: SrfIncomingResponse }) | null, dialog?: SrfDialog) => void,
  ): void;
  /** A request outside dialogs. Throws without a connection. */
  request(
    uri: string,
    options: { method: string; headers: Record<string, string>; proxy?: string },
    callback: (error: unknown, request?: SrfRequest) => void,
  ): void;
  removeDialog(dialog: SrfDialog): void;
  use(handler: (req: SrfRequest, res: SrfResponse) => void): void;
  /** Also tells the server (in `connect` mode) that this verb is wanted. */
  use(verb: string, handler: (req: SrfRequest, res: SrfResponse) => void): void;
  connect(options: {
    host: string;
    port: number;
    secret: string;
    enablePing: boolean;
    reconnect: { maxAttempts: number };
  }): void;
  listen(options: { server: Server; secret: string }): void;
  on(event: 'connect', listener: (error: unknown, hostports: string) => void): this;
  on(event: 'error' | 'close' | 'reconnecting', listener: (detail: unknown) => void): this;
  disconnect(): void;
  readonly app?: { readonly client?: { readonly wp?: { closing?: boolean } } };
}

/**
 * Disconnects, and stops looking for a server that is away: without a connection the library's own `disconnect` throws
 * before it has noted that it should give up.
 */
export function stopSrf(srf: SrfClient): void {
  const protocol = srf.app?.client?.wp;
  if (protocol) protocol.closing = true;
  srf.disconnect();
}

/** A new, unconnected drachtio-srf application. */
export function createSrf(): SrfClient {
  return new Srf() as unknown as SrfClient;
}
