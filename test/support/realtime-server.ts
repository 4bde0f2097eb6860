import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RealtimeError } from 'openai/resources/realtime/realtime';
import type { WebSocket } from 'ws';
import { systemClock } from '../../src/core/clock.ts';
import type { OpenaiSettings } from '../../src/engines/providers/openai/settings.ts';
import { type RealtimeHeard, RealtimeListening, sessionProblem } from './realtime-listening.ts';
import type { Handshake, Refusal, SocketFault } from './service-sockets.ts';
import { SpeechService, started } from './speech-service.ts';

export type RealtimeFault =
  | SocketFault
  | { readonly type: 'error'; readonly of: RealtimeError; readonly afterBytes: number }
  | { readonly type: 'failed'; readonly of: Omit<RealtimeError, 'message'>; readonly afterBytes: number };

/**
 * Transcription sessions of OpenAI's realtime API on the loopback, written from its reference and held against its own client. What it
 * hears is a test's to say.
 *
 * @see OpenAI API reference, "Realtime"
 */
export class RealtimeTestServer extends SpeechService<RealtimeListening, RealtimeHeard, RealtimeFault> {
  /** The vendor's client knows the address of conversations alone, which names a model. */
  takesModelUrl = false;
  /** What is heard of sessions in a language, where several speak at once. */
  readonly inLanguage = new Map<string, string>();

  static start(): Promise<RealtimeTestServer> {
    return started(RealtimeTestServer, systemClock);
  }

  get settings(): OpenaiSettings {
    return {
      ...{ baseUrl: `http://${this.host}/v1`, firstTokenMs: 3000, totalMs: 30_000, proposalMs: 2500 },
      ...{ documentPrivacy: 'redact', speechRateHz: 24_000, transcription: 'realtime' },
      transcriptionModel: 'gpt-realtime-whisper',
      ...(this.key !== undefined && { apiKey: this.key }),
    };
  }

  protected judge({ path, query, headers }: Handshake): Refusal | undefined {
    const isAddress = query.get('intent') === 'transcription' || (this.takesModelUrl && query.has('model'));
    if (path !== '/v1/realtime' || !isAddress) return { status: 404 };
    const isKnown = this.key === undefined || headers.authorization === `Bearer ${this.key}`;
    return isKnown && headers['openai-beta'] === undefined ? undefined : { status: 401 };
  }

  protected listener(ws: WebSocket): RealtimeListening {
    const listening: RealtimeListening = new RealtimeListening(ws, {
      judge: sessionProblem,
      hears: (samples) => {
        const heard = this.heard(samples);
        const text = this.inLanguage.get(listening.language ?? '');
        return heard.text === '' || text === undefined ? heard : { text };
      },
      answered: () => void this.hears.shift(),
    });
    return listening;
  }

  protected override greet(listener: RealtimeListening, _: Handshake, fault: RealtimeFault | undefined): boolean {
    if (fault?.type !== 'silent') listener.greet();
    return true;
  }

  protected override play(listener: RealtimeListening, fault: RealtimeFault): void {
    if (fault.type === 'error') listener.fail(fault.of);
    if (fault.type === 'failed') listener.failItem(fault.of);
  }

  protected override serve({ url, headers }: IncomingMessage, response: ServerResponse): void {
    const isKnown = this.key === undefined || headers.authorization === `Bearer ${this.key}`;
    const status = url !== '/v1/models' ? 404 : isKnown ? 200 : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt-realtime-whisper' }] }));
  }
}
