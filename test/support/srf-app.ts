import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Srf from 'drachtio-srf';
import { silentLogger } from '../../src/core/logger.ts';
import { type EmbeddedServerOptions, EmbeddedSipServer } from '../../src/sip-server/embedded-server.ts';

/** What the tests use of drachtio-srf, whose own declarations leave out half. */
export interface TestMessage {
  readonly method: string;
  readonly uri: string;
  readonly body: string;
  readonly status: number;
  readonly source: string;
  readonly protocol: string;
  readonly receivedOn?: string;
  readonly stackTxnId: string;
  readonly stackDialogId: string;
  get(name: string): string;
  has(name: string): boolean;
}
export interface TestRequest extends TestMessage {
  on(event: 'cancel', listener: (cancel: TestMessage) => void): void;
  on(event: 'update', listener: (req: TestRequest, res: TestResponse) => void): void;
  on(event: 'response', listener: (res: TestMessage, ack: (options?: object) => void) => void): void;
  cancel(options: object, callback?: (error: Error | null, req: TestMessage) => void): void;
}
export interface TestResponse {
  send(
    status: number,
    options?: object,
    callback?: (error: unknown, sent: TestMessage) => void,
    onAck?: (ack: TestMessage) => void,
  ): void;
}
export interface TestDialog {
  readonly id: string;
  readonly sip: { readonly callId: string; readonly localTag: string; readonly remoteTag: string };
  readonly local: { readonly sdp: string; readonly uri: string; readonly contact: string };
  readonly remote: { readonly sdp: string; readonly uri: string };
  destroy(options?: object): Promise<TestMessage>;
  modify(sdp: string): Promise<string>;
  request(options: object): Promise<TestMessage>;
  on(event: 'destroy', listener: (req: TestMessage, reason: string) => void): this;
  on(event: 'ack' | 'refresh', listener: (req: TestMessage) => void): this;
  on(
    event: 'modify' | 'info' | 'update' | 'refer' | 'notify' | 'options',
    listener: (req: TestRequest, res: TestResponse) => void,
  ): this;
}
export interface Progress {
  cbRequest?: (error: unknown, req: TestRequest) => void;
  cbProvisional?: (res: TestMessage) => void;
}
export interface TestSrf {
  invite(handler: (req: TestRequest, res: TestResponse) => void): void;
  use(verb: string, handler: (req: TestRequest, res: TestResponse) => void): void;
  createUAS(req: TestRequest, res: TestResponse, options?: object): Promise<TestDialog>;
  createUAC(uri: string, options: object, progress?: Progress): Promise<TestDialog>;
  createB2BUA(
    req: TestRequest,
    res: TestResponse,
    uri: string,
    options?: object,
    progress?: Progress,
  ): Promise<{ uas: TestDialog; uac: TestDialog }>;
  request(uri: string, options: object, callback: (error: unknown, req: TestRequest) => void): void;
  connect(options: object): void;
  listen(options: object): void;
  on(event: string, listener: (argument: Error | null) => void): void;
  disconnect(): void;
  findDialogById(id: string): TestDialog | undefined;
}

export const SECRET = 'a secret of the tests';

export const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  'c=IN IP4 127.0.0.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0',
  'a=rtpmap:0 PCMU/8000',
  'a=sendrecv',
  '',
].join('\r\n');

/** An embedded server on 127.0.0.1 whose control side listens on loopback TCP. */
export function startServer(options: Partial<EmbeddedServerOptions> = {}): Promise<EmbeddedSipServer> {
  return EmbeddedSipServer.start({
    host: '127.0.0.1',
    port: 0,
    transports: ['udp', 'tcp'],
    control: { mode: 'listen-tcp', host: '127.0.0.1', port: 0, secret: SECRET },
    logger: silentLogger,
    ...options,
  });
}

/** An application connected by `srf.connect`. */
export async function connectApp(server: EmbeddedSipServer, secret = SECRET): Promise<TestSrf> {
  const srf = new Srf() as unknown as TestSrf;
  srf.on('error', () => undefined);
  const connected = new Promise<void>((resolve, reject) => {
    srf.on('connect', (error) => (error ? reject(error) : resolve()));
  });
  srf.connect({ host: '127.0.0.1', port: server.controlPort, secret });
  await connected;
  return srf;
}

/** An application that listens on a Unix socket, to be dialled by the server. */
export async function listenApp(): Promise<{ srf: TestSrf; path: string; ready: Promise<void>; close(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-control-'));
  const path = join(folder, 'control.sock');
  const listener: Server = createServer();
  const srf = new Srf() as unknown as TestSrf;
  srf.on('error', () => undefined);
  const ready = new Promise<void>((resolve) => srf.on('connect', () => resolve()));
  await new Promise<void>((resolve) => listener.listen(path, resolve));
  srf.listen({ server: listener, secret: SECRET });
  return {
    srf,
    path,
    ready,
    close: () => {
      listener.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function udpPort(server: EmbeddedSipServer): number {
  return server.listening.find((entry) => entry.transport === 'udp')?.port ?? 0;
}
