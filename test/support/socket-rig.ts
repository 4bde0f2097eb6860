import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import WebSocket from 'ws';
import { useErrorEnvelope } from '../../src/api/error-envelope.ts';
import { RequestRates } from '../../src/api/rate-limit.ts';
import { SocketTokens } from '../../src/api/socket-tokens.ts';
import { type TranscribeSocketDeps, transcribeSocketRoute } from '../../src/api/transcribe-socket/socket.ts';
import { useWebSockets } from '../../src/api/websockets.ts';
import { DEFAULT_PRICES, liveCents, startedMinutes } from '../../src/billing/prices.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { SttEngine } from '../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import { FakeClock } from './fake-clock.ts';
import { LevelVad } from './level-vad.ts';
import { LogCapture } from './log-capture.ts';
import { tone } from './tones.ts';
import { until } from './until.ts';

export const GOOD_TOKEN = 'service_sk_live_good';
export const SECOND_TOKEN = 'service_sk_live_second';
const IDENTITIES: Readonly<Record<string, { accountId: string; tokenId: string }>> = {
  [GOOD_TOKEN]: { accountId: 'acc_good', tokenId: 'tok_good' },
  [SECOND_TOKEN]: { accountId: 'acc_second', tokenId: 'tok_second' },
};

/** Money of sessions in memory, with every call noted. */
export class MemorySessions {
  balanceCents = 1_000;
  /** Set: `begin` waits for it. */
  beginGate: Promise<void> = Promise.resolve();
  /** Set: `checkpoint` waits for it. */
  checkpointGate: Promise<void> = Promise.resolve();
  beginError: Error | undefined;
  readonly held = new Map<string, number>();
  readonly checkpoints: number[] = [];
  readonly ends: { id: string; audioMs: number; reason: string; cents: number }[] = [];

  async begin(id: string): Promise<'ok' | 'insufficient-credit'> {
    await this.beginGate;
    if (this.beginError) throw this.beginError;
    return this.#hold(id, DEFAULT_PRICES.liveMinuteCents);
  }
  async checkpoint(id: string, audioMs: number): Promise<'ok' | 'insufficient-credit'> {
    this.checkpoints.push(audioMs);
    await this.checkpointGate;
    return this.#hold(id, Math.max(1, startedMinutes(audioMs)) * DEFAULT_PRICES.liveMinuteCents);
  }
  end(id: string, audioMs: number, reason: string, fault = false): number {
    const cents = fault ? 0 : liveCents(DEFAULT_PRICES, audioMs);
    this.ends.push({ id, audioMs, reason, cents });
    this.balanceCents += (this.held.get(id) ?? 0) - cents;
    this.held.delete(id);
    return cents;
  }
  #hold(id: string, cents: number): 'ok' | 'insufficient-credit' {
    const more = Math.max(0, cents - (this.held.get(id) ?? 0));
    if (more > this.balanceCents) return 'insufficient-credit';
    this.balanceCents -= more;
    this.held.set(id, (this.held.get(id) ?? 0) + more);
    return 'ok';
  }
}

export interface Frame {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A client as people write it: collects what comes, in order. */
export class SocketClient {
  readonly frames: Frame[] = [];
  closed: { code: number; reason: string } | undefined;
  refused: { status: number; body: string; headers: IncomingHttpHeaders } | undefined;
  constructor(readonly ws: WebSocket) {
    ws.on('message', (data) => this.frames.push(JSON.parse(String(data)) as Frame));
    ws.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    ws.on('error', () => {});
    ws.on('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.on('end', () => {
        this.refused = { status: response.statusCode ?? 0, body, headers: response.headers };
      });
    });
  }
  send(frame: object | string): void {
    this.ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }
  of(type: string): Frame[] {
    return this.frames.filter((frame) => frame.type === type);
  }
  get finals(): Frame[] {
    return this.of('transcript').filter((frame) => frame['final'] === true);
  }
  async frame(type: string): Promise<Frame> {
    await until(() => this.of(type).length > 0, `a ${type} frame (have ${JSON.stringify(this.frames)})`);
    return this.of(type)[0]!;
  }
  /** The error and the close code that end it. */
  async end(): Promise<{ code: unknown; message: unknown; close: number; reason: string }> {
    await until(() => this.closed !== undefined, `the end (have ${JSON.stringify(this.frames)})`);
    const { code, message } = (this.of('error')[0]?.['error'] ?? {}) as { code?: string; message?: string };
    return { code, message, close: this.closed!.code, reason: this.closed!.reason };
  }
}

export interface SocketRig {
  readonly app: FastifyInstance;
  readonly clock: FakeClock;
  readonly sessions: MemorySessions;
  readonly stt: SttEngine;
  readonly socketTokens: SocketTokens;
  readonly logs: LogCapture;
  readonly deps: TranscribeSocketDeps;
  readonly address: string; // host:port
  /** `query` goes behind the path; `token` into the header, null for none; `autoPong: false` leaves pings unanswered. */
  connect(options?: { token?: string | null; query?: string; autoPong?: boolean }): SocketClient;
  /** Connected and opened. */
  open(start?: object, client?: SocketClient): Promise<SocketClient>;
  close(): Promise<void>;
}

export async function socketRig(changes: Partial<TranscribeSocketDeps> = {}): Promise<SocketRig> {
  const clock = new FakeClock();
  const sessions = new MemorySessions();
  const logs = new LogCapture();
  const stt = createScriptedStt({
    texts: ['book a table', 'for two', 'tomorrow'],
    languages: ['en-US', 'en-GB', 'ar-SA', 'ar-EG'],
  });
  const socketTokens = new SocketTokens(clock);
  const deps: TranscribeSocketDeps = {
    ...{ clock, stt, sessions, socketTokens, logger: logs.logger, metrics: createMetrics() },
    vad: { name: 'level', open: () => new LevelVad() },
    tokens: { authenticate: async (token) => IDENTITIES[token ?? ''] },
    limits: { socketsPerAccount: 20, socketsTotal: 200, socketMaxSeconds: 7_200 },
    rates: new RequestRates(clock, { requestsPerMinute: 600_000, requestBurst: 100_000 }),
    load: { admit: () => () => undefined },
    ...changes,
  };
  const app = Fastify({
    loggerInstance: logs.logger,
    logController: new LogController({ disableRequestLogging: true }), // as the API does
  }) as unknown as FastifyInstance;
  useErrorEnvelope(app);
  await useWebSockets(app);
  await transcribeSocketRoute(app, deps);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = `127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const clients: SocketClient[] = [];
  const connect: SocketRig['connect'] = ({ token = GOOD_TOKEN, query = '', autoPong = true } = {}) => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    const ws = new WebSocket(`ws://${address}/v1/transcribe/ws${query}`, {
      headers,
      perMessageDeflate: false,
      autoPong,
    });
    const client = new SocketClient(ws);
    clients.push(client);
    return client;
  };
  return {
    ...{ app, clock, sessions, stt, socketTokens, logs, deps, address, connect },
    async open(start = { language: 'en-US', sample_rate: 8000 }, client = connect()) {
      await client.frame('authenticated');
      client.send({ type: 'start', ...start });
      await client.frame('opened');
      return client;
    },
    async close() {
      for (const client of clients) client.ws.terminate();
      await app.close();
    },
  };
}

/** 16-bit little-endian bytes. */
export const pcmBytes = (samples: Int16Array): Buffer =>
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

/** `ms` of a loud tone, shifted so that every frame begins loud, or of silence. */
export const loud = (ms: number, rateHz = 8000): Int16Array =>
  tone(1000, (ms * rateHz) / 1000, { rateHz, amplitude: 0.5, from: rateHz / 4000 });
export const quiet = (ms: number, rateHz = 8000): Int16Array => new Int16Array((ms * rateHz) / 1000);

/** Sends samples as frames of `frameMs`. */
export function sendAudio(client: SocketClient, samples: Int16Array, rateHz = 8000, frameMs = 100): void {
  const size = (rateHz * frameMs) / 1000;
  for (let at = 0; at < samples.length; at += size) client.ws.send(pcmBytes(samples.slice(at, at + size)));
}
