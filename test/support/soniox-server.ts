import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import type { Handshake, Refusal, SocketFault } from './service-sockets.ts';
import {
  type SonioxError,
  type SonioxHeard,
  SonioxListening,
  type SonioxStart,
  startProblem,
} from './soniox-listening.ts';
import { SpeechService, started } from './speech-service.ts';

export type SonioxFault =
  | SocketFault
  | { readonly type: 'error'; readonly of: SonioxError; readonly afterBytes: number };

/**
 * Realtime transcription of Soniox on the loopback, written from its reference and held against its own client. What it hears is a
 * test's to say. As the service itself it takes every connection, and judges the key when a session begins.
 *
 * @see Soniox API reference, "WebSocket API" (speech to text), "Get models"
 */
export class SonioxTestServer extends SpeechService<SonioxListening, SonioxHeard, SonioxFault> {
  /** Until 15 January 2027 the service takes keys in the first message, too. */
  takesKeyField = false;
  readonly models = [{ id: 'stt-rt-v5', languages: [{ code: 'ar' }, { code: 'en' }] }];
  /** @param clock - of its own time: how long it waits for audio. */
  static start(clock: Clock = systemClock): Promise<SonioxTestServer> {
    return started(SonioxTestServer, clock);
  }

  get settings() {
    return {
      ...{ baseUrl: `http://${this.host}`, transcriptionModel: 'stt-rt-v5' },
      ...(this.key !== undefined && { apiKey: this.key }),
    };
  }

  /** Whatever it is asked for, as long as it is asked for there. */
  protected judge({ path }: Handshake): Refusal | undefined {
    return path === '/transcribe-websocket' ? undefined : { status: 404 };
  }

  protected listener(ws: WebSocket, { headers }: Handshake): SonioxListening {
    return new SonioxListening(ws, {
      clock: this.clock,
      judge: (start) => this.#keyProblem(headers, start) ?? startProblem(start),
      hears: (samples) => this.heard(samples),
      answered: () => void this.hears.shift(),
    });
  }

  protected override play(listener: SonioxListening, fault: SonioxFault): void {
    if (fault.type === 'error') listener.fail(fault.of);
  }

  /** Both places at once are refused, whatever is in them. */
  #keyProblem(headers: IncomingMessage['headers'], { api_key: field }: SonioxStart): SonioxError | undefined {
    if (this.key === undefined) return undefined;
    const { authorization } = headers;
    if (field !== undefined && authorization !== undefined) return { error_code: 400, error_type: 'invalid_request' };
    const isKnown = authorization === `Bearer ${this.key}` || (this.takesKeyField && field === this.key);
    return isKnown ? undefined : { error_code: 401, error_type: 'unauthenticated' };
  }

  protected override serve({ url, headers }: IncomingMessage, response: ServerResponse): void {
    const isKnown = this.key === undefined || headers.authorization === `Bearer ${this.key}`;
    const status = url !== '/v1/models' ? 404 : isKnown ? 200 : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? { models: this.models } : { error_type: 'unauthenticated' }));
  }
}
