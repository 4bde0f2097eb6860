import type { WebSocket } from 'ws';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { type AzureHeard, AzureListening } from './azure-listening.ts';
import { type AzureSaid, AzureSpeaking } from './azure-speaking.ts';
import type { Handshake, Refusal, SocketFault } from './service-sockets.ts';
import { tone } from './speech-server.ts';
import { type ServiceConnection, SpeechService, started } from './speech-service.ts';

export type AzureConnection = ServiceConnection<AzureListening, AzureSaid>;

const MS_PER_CHAR = 50;
const LISTEN_PATHS =
  /^\/(?:speech\/recognition\/(?:conversation|interactive|dictation)\/cognitiveservices\/v1|stt\/speech\/universal\/v2)$/;
export const AZURE_LISTEN = '/speech/recognition/conversation/cognitiveservices/v1';
export const AZURE_SPEAK = '/tts/cognitiveservices/websocket/v1';
const LANGUAGES = /^[a-z]{2}-[A-Z]{2}$/;

/**
 * Recognition and synthesis of Azure Speech on the loopback, written from its protocol and held against its own client. What it hears and
 * how it sounds is a test's to say.
 *
 * @see Azure "Speech Service WebSocket protocol", and the messages of its Speech SDK
 */
export class AzureTestServer extends SpeechService<AzureListening, AzureHeard, never, AzureSaid> {
  speaks: (text: string, speed: number, rateHz: number, voice: string) => Int16Array | Promise<Int16Array> = (
    text,
    speed,
    rateHz,
  ) => tone((text.length * MS_PER_CHAR) / speed, rateHz);

  /** @param clock - of its own time: how long it waits for messages. */
  static start(clock: Clock = systemClock): Promise<AzureTestServer> {
    return started(AzureTestServer, clock);
  }

  get settings() {
    return { baseUrl: `http://${this.host}`, ...(this.key !== undefined && { apiKey: this.key }) };
  }
  get said(): readonly AzureSaid[] {
    return this.connections.flatMap(({ said }) => said);
  }
  protected judge({ path, query, headers }: Handshake): Refusal | undefined {
    if (this.key !== undefined && headers['ocp-apim-subscription-key'] !== this.key) return { status: 401 };
    if (!/^[0-9a-f]{32}$/i.test(String(headers['x-connectionid']))) return { status: 400 };
    if (path === AZURE_SPEAK) return undefined;
    if (!LISTEN_PATHS.test(path)) return { status: 404 };
    const isToBeTold = query.get('lidEnabled') === 'true';
    return isToBeTold || LANGUAGES.test(query.get('language') ?? '') ? undefined : { status: 400 };
  }

  protected listener(ws: WebSocket, { path, query }: Handshake): AzureListening | undefined {
    if (path === AZURE_SPEAK) return undefined;
    return new AzureListening(ws, {
      ...{ query, clock: this.clock },
      hears: (samples) => this.heard(samples),
      answered: () => void this.hears.shift(),
    });
  }

  protected override speak(ws: WebSocket, connection: AzureConnection, fault?: SocketFault): void {
    new AzureSpeaking(ws, {
      fault,
      speaks: (...asked) => this.speaks(...asked),
      said: (sentence) => connection.said.push(sentence),
      busy: (by) => this.busy(by),
    });
  }
}
