import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamingAudioChunkWithTimestampsResponse } from '@elevenlabs/elevenlabs-js/serialization/types/StreamingAudioChunkWithTimestampsResponse.js';
import type { ServerErrorMessage } from '@elevenlabs/elevenlabs-js/wrapper/realtime/connection.js';
import type { WebSocket } from 'ws';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { littleEndian } from '../../src/audio/pcm.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { type ScribeHeard, ScribeListening } from './scribe-listening.ts';
import { type Handshake, type Refusal, ServiceSockets, type SocketFault } from './service-sockets.ts';
import { tone } from './speech-server.ts';

/** Ways in which a session fails beside those of every socket, each once more for every one that it is set for. */
export type ScribeFault =
  | SocketFault
  | { readonly type: 'mute' } // it does not begin
  | { readonly type: 'error'; readonly of: ServerErrorMessage['message_type']; readonly afterBytes: number };

/** Ways in which a sentence fails. */
export type SentenceFault =
  | { readonly type: 'refuse'; readonly status: number; readonly code?: string; readonly retryAfter?: string }
  | { readonly type: 'redirect'; readonly to: string }
  | { readonly type: 'reset' } // the connection is cut before an answer
  | { readonly type: 'never' } // it is taken, and not answered
  | { readonly type: 'cut'; readonly afterBytes: number } // of sound
  | { readonly type: 'stall'; readonly afterBytes: number } // it goes on no more
  | { readonly type: 'body'; readonly body: string };

export interface ScribeConnection {
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly listening: ScribeListening;
  isOpen: boolean;
}

/** A sentence that was asked for. */
export interface SpeechAsked {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly json: Readonly<Record<string, unknown>>;
}

export const SCRIBE_PATH = '/v1/speech-to-text/realtime';
const MS_PER_CHAR = 50;
const AUDIO_FORMATS = ['pcm_8000', 'pcm_16000', 'pcm_22050', 'pcm_24000', 'pcm_44100', 'pcm_48000', 'ulaw_8000'];
const KEYTERMS_MAX = 50;
const KEYTERM_CHARS_MAX = 20;
/** Pieces of sound that end in the middle of a sample, and of the body that end in the middle of a line. */
const SOUND_BYTES = [1601, 1599] as const;
const BODY_BYTES = 701;
const SPEECH = /^\/v1\/text-to-speech\/([A-Za-z0-9]+)\/stream(\/with-timestamps)?$/;

/**
 * Realtime transcription and streamed speech of ElevenLabs on the loopback, written from its reference and held against its own client.
 * What it hears and how it sounds is a test's to say.
 *
 * @see ElevenLabs API reference, "Realtime" (speech to text), "Stream speech with timing"
 */
export class ElevenlabsTestServer {
  readonly connections: ScribeConnection[] = [];
  readonly asked: SpeechAsked[] = [];
  key: string | undefined;
  /** Voices that there are. */
  voices: readonly string[] = ['JBFqnCBsd6RMkjVDRZzb', 'EXAVITQu4vr4xnSDxMaL'];
  /** What is heard, a stretch each, in order; then `otherwise`. Nothing in silence. */
  readonly hears: ScribeHeard[] = [];
  otherwise: ScribeHeard = { text: 'where is my order' };
  speaks: (text: string, speed: number, rateHz: number) => Int16Array | Promise<Int16Array> = (text, speed, rateHz) =>
    tone(([...text].length * MS_PER_CHAR) / speed, rateHz);
  speaking = 0;
  speakingMax = 0; // sentences at once, at most
  readonly #asked: string[] = []; // addresses
  readonly #faults: SentenceFault[] = [];
  readonly #sockets = new ServiceSockets<ScribeFault>(
    (handshake) => this.#judge(handshake),
    (ws, handshake, fault) => this.#onOpen(ws, handshake, fault),
    (request, response) => void this.#serve(request, response),
  );

  private constructor(private readonly clock: Clock) {}

  /** @param clock - of its own time: how long it waits for audio. */
  static async start(clock: Clock = systemClock): Promise<ElevenlabsTestServer> {
    const server = new ElevenlabsTestServer(clock);
    await server.#sockets.listen();
    return server;
  }

  get baseUrl(): string {
    return `http://${this.#sockets.host}/v1`;
  }
  get urls(): readonly string[] {
    return [...this.#sockets.urls, ...this.#asked];
  }
  get settings() {
    return {
      ...{ baseUrl: this.baseUrl, transcriptionModel: 'scribe_v2_realtime', speechModel: 'eleven_turbo_v2_5' },
      ...{ speechVoice: this.voices[0]!, zeroRetention: false },
      ...(this.key !== undefined && { apiKey: this.key }),
    };
  }
  get listening(): readonly ScribeListening[] {
    return this.connections.map(({ listening }) => listening);
  }
  get open(): number {
    return this.connections.filter(({ isOpen }) => isOpen).length;
  }

  /** The next sessions fail so, one each. */
  failListening(...faults: ScribeFault[]): void {
    this.#sockets.failNextAt(SCRIBE_PATH, ...faults);
  }
  /** The next sentences fail so, one each. */
  failSpeaking(...faults: SentenceFault[]): void {
    this.#faults.push(...faults);
  }
  hangUp(code: number): void {
    this.#sockets.hangUp(code);
  }
  close(): Promise<void> {
    return this.#sockets.close();
  }

  #isStranger(headers: IncomingMessage['headers']): boolean {
    return this.key !== undefined && headers['xi-api-key'] !== this.key;
  }

  #judge({ path, headers }: Handshake): Refusal | undefined {
    if (path !== SCRIBE_PATH) return { status: 404 };
    return this.#isStranger(headers) ? { status: 403 } : undefined;
  }

  #onOpen(ws: WebSocket, { query, headers }: Handshake, fault?: ScribeFault): void {
    const silent = (samples: Int16Array): boolean => samples.every((sample) => Math.abs(sample) < 50);
    const listening = new ScribeListening(ws, {
      ...{ query, clock: this.clock },
      hears: (samples) => (silent(samples) ? { text: '' } : (this.hears[0] ?? this.otherwise)),
      answered: () => void this.hears.shift(),
    });
    const connection: ScribeConnection = { query, headers, listening, isOpen: true };
    this.connections.push(connection);
    ws.on('close', () => {
      connection.isOpen = false;
    });
    if (fault?.type === 'deaf' || fault?.type === 'mute') return;
    if (queryProblem(query)) return listening.fail('invalid_request');
    listening.begin();
    ws.on('message', (data: Buffer) => {
      if (fault?.type === 'silent') return listening.keep(data);
      listening.take(data);
      const bytes = listening.audio.length;
      if (fault?.type === 'cut' && bytes >= fault.afterBytes) ws.terminate();
      if (fault?.type === 'close' && bytes >= fault.afterBytes) ws.close(fault.code);
      if (fault?.type === 'error' && bytes >= fault.afterBytes) listening.fail(fault.of);
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    this.#asked.push(request.url ?? '');
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://x');
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString('utf8');
      if (this.#isStranger(request.headers)) return refuse(response, 401, 'invalid_api_key');
      const voice = /^\/v1\/voices\/(\w+)$/.exec(pathname)?.[1];
      if (voice !== undefined && !this.voices.includes(voice)) return refuse(response, 404, 'voice_not_found');
      if (voice !== undefined) return json(response, { voice_id: voice, name: 'George' });
      if (pathname === '/v1/models') return json(response, []);
      if (request.method !== 'POST' || !SPEECH.test(pathname)) return refuse(response, 404, 'not_found');
      await this.#speak({ path: pathname, query, json: JSON.parse(body) }, response);
    } catch {
      response.destroy(); // cut in the middle of its request
    }
  }

  async #speak(asked: SpeechAsked, response: ServerResponse): Promise<void> {
    this.asked.push(asked);
    this.speaking += 1;
    this.speakingMax = Math.max(this.speakingMax, this.speaking);
    response.on('close', () => {
      this.speaking -= 1;
    });
    const fault = this.#faults.shift();
    if (fault?.type === 'refuse')
      return refuse(response, fault.status, fault.code ?? `code_${fault.status}`, asked, fault.retryAfter);
    if (fault?.type === 'redirect') return void response.writeHead(307, { location: fault.to }).end();
    if (fault?.type === 'reset') return void response.destroy();
    if (fault?.type === 'never') return;
    const [, voice = '', withTimes] = SPEECH.exec(asked.path) ?? [];
    const problem = this.voices.includes(voice) ? speechProblem(asked) : 'voice_not_found';
    if (problem) return refuse(response, 400, problem, asked);
    response.writeHead(200, { 'content-type': withTimes ? 'application/json' : 'audio/basic' });
    if (fault?.type === 'body') return void response.end(fault.body);
    const format = asked.query.get('output_format') ?? 'mp3_44100_128';
    const { text, voice_settings: settings } = asked.json as { text: string; voice_settings?: { speed?: number } };
    const samples = await this.speaks(text, settings?.speed ?? 1, Number(format.split('_')[1]));
    const sound = format.startsWith('ulaw') ? Buffer.from(encodeMulaw(samples)) : littleEndian(samples);
    const ends = fault?.type === 'cut' || fault?.type === 'stall' ? fault.afterBytes : sound.length;
    for (const piece of piecesOf(sound.subarray(0, ends), sound.length, text, format)) {
      await send(
        response,
        withTimes ? Buffer.from(`${JSON.stringify(piece)}\n`) : Buffer.from(piece.audio_base64, 'base64'),
      );
    }
    if (fault?.type === 'cut') response.destroy();
    else if (fault?.type !== 'stall') response.end();
  }
}

/** Sound in odd pieces; each has the times of the letters that begin in it. */
function* piecesOf(
  sound: Buffer,
  wholeBytes: number,
  text: string,
  format: string,
): Generator<StreamingAudioChunkWithTimestampsResponse.Raw> {
  const bytesPerSecond = Number(format.split('_')[1]) * (format.startsWith('ulaw') ? 1 : 2);
  const letters = [...text];
  const letterSeconds = wholeBytes / bytesPerSecond / letters.length;
  let told = 0;
  for (let at = 0, n = 0; at < sound.length; n += 1) {
    const piece = sound.subarray(at, at + SOUND_BYTES[n % 2]!);
    at += piece.length;
    const from = told;
    while (told < letters.length && told * letterSeconds < at / bytesPerSecond) told += 1;
    const starts = letters.slice(from, told).map((_, i) => (from + i) * letterSeconds);
    const alignment = {
      characters: letters.slice(from, told),
      character_start_times_seconds: starts,
      character_end_times_seconds: starts.map((start) => start + letterSeconds),
    };
    yield { audio_base64: piece.toString('base64'), alignment, normalized_alignment: alignment };
  }
}

async function send(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += BODY_BYTES) {
    await new Promise((resolve) => response.write(bytes.subarray(at, at + BODY_BYTES), resolve));
  }
}

function queryProblem(query: URLSearchParams): string | undefined {
  if (!query.get('model_id')) return 'no model';
  if (!AUDIO_FORMATS.includes(query.get('audio_format') ?? 'pcm_16000')) return 'unknown audio format';
  if (!['manual', 'vad'].includes(query.get('commit_strategy') ?? 'manual')) return 'unknown commit strategy';
  const terms = query.getAll('keyterms');
  if (terms.length > KEYTERMS_MAX || terms.some(({ length }) => length > KEYTERM_CHARS_MAX)) return 'keyterms';
  return undefined;
}

function speechProblem({ query, json: body }: SpeechAsked): string | undefined {
  const { text, model_id: model, language_code: language, voice_settings: settings, apply_text_normalization } = body;
  if (typeof text !== 'string' || text === '') return 'empty_text';
  if (model !== undefined && typeof model !== 'string') return 'model_not_found';
  if (model === 'eleven_multilingual_v2' && language !== undefined) return 'unsupported_language';
  if (!/^(?:ulaw|alaw|pcm)_\d+$/.test(query.get('output_format') ?? '')) return 'format_not_played_here';
  if (!['auto', 'on', 'off', undefined].includes(apply_text_normalization as string)) return 'invalid_normalization';
  const { speed = 1 } = (settings ?? {}) as { speed?: number };
  return speed >= 0.7 && speed <= 1.2 ? undefined : 'invalid_voice_settings';
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** As the worst of servers do, the refusal repeats what was asked. */
function refuse(response: ServerResponse, status: number, code: string, said?: SpeechAsked, retryAfter?: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  });
  response.end(JSON.stringify({ detail: { status: code, message: `refused: ${JSON.stringify(said?.json)}` } }));
}
