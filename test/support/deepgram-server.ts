import type { Deepgram } from '@deepgram/sdk';
import type { WebSocket } from 'ws';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { DeepgramListening, type Heard } from './deepgram-listening.ts';
import { FluxListening } from './flux-listening.ts';
import { type Handshake, type Refusal, type SocketFault, sendSound } from './service-sockets.ts';
import { tone } from './speech-server.ts';
import { type ServiceConnection, SpeechService, started } from './speech-service.ts';

export type DeepgramFault = SocketFault;

type DeepgramEar = DeepgramListening | FluxListening;
export type DeepgramConnection = ServiceConnection<DeepgramEar>;

const MS_PER_CHAR = 50;
const LISTEN_ENCODINGS = ['linear16', 'mulaw', 'alaw'];
const FLUX_PARAMETERS = [
  ...['model', 'encoding', 'sample_rate', 'eot_threshold', 'eager_eot_threshold', 'eot_timeout_ms', 'keyterm'],
  ...['language_hint', 'mip_opt_out', 'tag'],
];
const PROBLEMS: Readonly<Record<string, (query: URLSearchParams, path: string) => string | undefined>> = {
  '/v1/listen': listenProblem,
  '/v2/listen': fluxProblem,
};
const SPEAK_RATES = [8000, 16_000, 24_000, 32_000, 48_000];
/**
 * `listen` and `speak` of Deepgram on the loopback, written from its reference and held against its own client. What it hears and how
 * it sounds is a test's to say.
 *
 * @see Deepgram API reference, "Live audio", "Text to speech WebSocket"
 */
export class DeepgramTestServer extends SpeechService<DeepgramEar, Heard> {
  speaks: (text: string, speed: number, rateHz: number) => Int16Array | Promise<Int16Array> = (text, speed, rateHz) =>
    tone(([...text].length * MS_PER_CHAR) / speed, rateHz);

  /** @param clock - of its own time: how long it waits for audio. */
  static start(clock: Clock = systemClock): Promise<DeepgramTestServer> {
    return started(DeepgramTestServer, clock);
  }

  get settings() {
    return {
      ...{ baseUrl: `http://${this.host}/v1`, transcriptionModel: 'nova-3', speechModel: 'aura-2-thalia-en' },
      ...(this.key !== undefined && { apiKey: this.key }),
    };
  }
  protected judge({ path, query, headers }: Handshake): Refusal | undefined {
    if (this.key !== undefined && headers.authorization !== `Token ${this.key}`)
      return { status: 401, headers: ['dg-error: INVALID_AUTH'] };
    const problem = (PROBLEMS[path] ?? speakProblem)(query, path);
    return problem === undefined ? undefined : { status: 400, headers: [`dg-error: ${problem}`] };
  }

  protected listener(ws: WebSocket, { path, query }: Handshake): DeepgramEar | undefined {
    if (!Object.hasOwn(PROBLEMS, path)) return undefined;
    const Ear = path === '/v2/listen' ? FluxListening : DeepgramListening;
    return new Ear(ws, {
      ...{ query, clock: this.clock },
      hears: (samples) => this.heard(samples),
      answered: () => void this.hears.shift(),
    });
  }

  protected override speak(ws: WebSocket, connection: DeepgramConnection, fault?: DeepgramFault): void {
    const rateHz = Number(connection.query.get('sample_rate') ?? 24_000);
    const speed = Number(connection.query.get('speed') ?? 1);
    const metadata = {
      ...{ type: 'Metadata', request_id: '7b1c0e54-0000-4000-8000-000000000003', model_name: 'aura-2-thalia-en' },
      ...{ model_version: '2026-01-01.0', model_uuid: '7b1c0e54-0000-4000-8000-000000000004' },
    } satisfies Deepgram.speak.SpeakV1Metadata;
    ws.send(JSON.stringify(metadata));
    let text = '';
    let sequence = 0;
    ws.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as { type: string; text?: string };
      connection.said.push(message.text ?? message.type);
      if (message.type === 'Speak') text += message.text ?? '';
      if (message.type === 'Close') ws.close(1000);
      if (message.type !== 'Flush' || fault?.type === 'silent') return;
      const wanted = text;
      text = '';
      this.busy(1);
      void (async () => {
        const samples = fault?.type === 'no-sound' ? new Int16Array(0) : await this.speaks(wanted, speed, rateHz);
        const whole = await sendSound(ws, encoded(samples, connection.query), fault);
        this.busy(-1);
        const flushed = { type: 'Flushed', sequence_id: sequence++ } satisfies Deepgram.speak.SpeakV1Flushed;
        if (whole) ws.send(JSON.stringify(flushed));
      })();
    });
  }
}

function encoded(samples: Int16Array, query: URLSearchParams): Buffer {
  if (query.get('encoding') === 'mulaw') return Buffer.from(encodeMulaw(samples));
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** Flux: another address, and other parameters. */
function fluxProblem(query: URLSearchParams): string | undefined {
  if (!query.get('model')?.startsWith('flux-')) return 'NO_FLUX_MODEL';
  const unknown = [...query.keys()].find((key) => !FLUX_PARAMETERS.includes(key));
  if (unknown !== undefined) return 'UNKNOWN_PARAMETER';
  const eager = Number(query.get('eager_eot_threshold') ?? 0.5);
  return eager >= 0.3 && eager <= 0.9 ? listenProblem(query) : 'THRESHOLD_OUT_OF_RANGE';
}

function listenProblem(query: URLSearchParams): string | undefined {
  if (!query.get('model')) return 'MISSING_MODEL';
  if (query.has('encoding') !== query.has('sample_rate')) return 'ENCODING_WITHOUT_RATE';
  if (query.has('encoding') && !LISTEN_ENCODINGS.includes(query.get('encoding')!)) return 'UNKNOWN_ENCODING';
  if (query.getAll('keyterm').join('').length > 1_500) return 'KEYTERMS_TOO_LONG';
  return undefined;
}

function speakProblem(query: URLSearchParams, path: string): string | undefined {
  if (path !== '/v1/speak') return 'UNKNOWN_PATH';
  const rate = Number(query.get('sample_rate') ?? 24_000);
  const rates = query.get('encoding') === 'mulaw' ? [8000, 16_000] : SPEAK_RATES;
  if (!rates.includes(rate)) return 'UNKNOWN_RATE';
  const speed = Number(query.get('speed') ?? 1);
  return speed >= 0.7 && speed <= 1.5 ? undefined : 'SPEED_OUT_OF_RANGE';
}
