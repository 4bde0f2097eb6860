import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { littleEndian } from '../../src/audio/pcm.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { type ScribeHeard, ScribeListening } from './scribe-listening.ts';
import type { ScribeError, TimedSpeech } from './scribe-messages.ts';
import type { Handshake, Refusal, SocketFault } from './service-sockets.ts';
import { tone } from './speech-server.ts';
import { SpeechService, started } from './speech-service.ts';

/** Ways in which a session fails beside those of every socket, each once more for every one that it is set for. */
export type ScribeFault =
  | SocketFault
  | { readonly type: 'mute' } // it does not begin
  | { readonly type: 'error'; readonly of: ScribeError['message_type']; readonly afterBytes: number };

/** Ways in which a sentence fails. */
export type SentenceFault =
  | { readonly type: 'refuse'; readonly status: number; readonly code?: string; readonly retryAfter?: string }
  | { readonly type: 'redirect'; readonly to: string }
  | { readonly type: 'reset' } // the connection is cut before an answer
  | { readonly type: 'never' } // it is taken, and not answered
  | { readonly type: 'cut'; readonly afterBytes: number } // of sound
  | { readonly type: 'stall'; readonly afterBytes: number } // it goes on no more
  | { readonly type: 'split' } // in small pieces
  | { readonly type: 'strewn' } // with messages that nobody knows
  | { readonly type: 'body'; readonly body: string };

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
const SMALL_BYTES = 97;
const SPEECH = /^\/v1\/text-to-speech\/([A-Za-z0-9]+)\/stream(\/with-timestamps)?$/;

/**
 * Realtime transcription and streamed speech of ElevenLabs on the loopback, written from its reference and held against its own client.
 * What it hears and how it sounds is a test's to say.
 *
 * @see ElevenLabs API reference, "Realtime" (speech to text), "Stream speech with timing"
 */
export class ElevenlabsTestServer extends SpeechService<ScribeListening, ScribeHeard, ScribeFault> {
  readonly asked: SpeechAsked[] = [];
  /** Voices that there are. */
  voices: readonly string[] = ['JBFqnCBsd6RMkjVDRZzb', 'EXAVITQu4vr4xnSDxMaL'];
  speaks: (text: string, speed: number, rateHz: number) => Int16Array | Promise<Int16Array> = (text, speed, rateHz) =>
    tone(([...text].length * MS_PER_CHAR) / speed, rateHz);
  readonly #asked: string[] = []; // addresses
  readonly #faults: SentenceFault[] = [];
  /** @param clock - of its own time: how long it waits for audio. */
  static start(clock: Clock = systemClock): Promise<ElevenlabsTestServer> {
    return started(ElevenlabsTestServer, clock);
  }

  get baseUrl(): string {
    return `http://${this.host}/v1`;
  }
  override get urls(): readonly string[] {
    return [...super.urls, ...this.#asked];
  }
  get settings() {
    return {
      ...{ baseUrl: this.baseUrl, transcriptionModel: 'scribe_v2_realtime', speechModel: 'eleven_turbo_v2_5' },
      ...{ speechVoice: this.voices[0]!, zeroRetention: false },
      ...(this.key !== undefined && { apiKey: this.key }),
    };
  }

  /** The next sessions fail so, one each. */
  failListening(...faults: ScribeFault[]): void {
    this.failNextAt(SCRIBE_PATH, ...faults);
  }
  /** The next sentences fail so, one each. */
  failSpeaking(...faults: SentenceFault[]): void {
    this.#faults.push(...faults);
  }
  #isStranger(headers: IncomingMessage['headers']): boolean {
    return this.key !== undefined && headers['xi-api-key'] !== this.key;
  }

  protected judge({ path, headers }: Handshake): Refusal | undefined {
    if (path !== SCRIBE_PATH) return { status: 404 };
    return this.#isStranger(headers) ? { status: 403 } : undefined;
  }

  protected listener(ws: WebSocket, { query }: Handshake): ScribeListening {
    return new ScribeListening(ws, {
      ...{ query, clock: this.clock },
      hears: (samples) => this.heard(samples),
      answered: () => void this.hears.shift(),
    });
  }

  protected override greet(listener: ScribeListening, { query }: Handshake, fault?: ScribeFault): boolean {
    if (fault?.type === 'mute') return false;
    const isTaken = queryProblem(query) === undefined;
    if (isTaken) listener.begin();
    else listener.fail('invalid_request');
    return isTaken;
  }

  protected override play(listener: ScribeListening, fault: ScribeFault): void {
    if (fault.type === 'error') listener.fail(fault.of);
  }

  protected override serve(request: IncomingMessage, response: ServerResponse): void {
    void this.#serve(request, response);
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
    this.busy(1);
    response.on('close', () => this.busy(-1));
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
      const unknown = fault?.type === 'strewn' ? '{"news":{"audio_base64":7}}\n' : '';
      await send(
        response,
        withTimes ? Buffer.from(`${unknown}${JSON.stringify(piece)}\n`) : Buffer.from(piece.audio_base64, 'base64'),
        fault?.type === 'split' ? SMALL_BYTES : BODY_BYTES,
      );
    }
    if (fault?.type === 'cut') response.destroy();
    else if (fault?.type !== 'stall') response.end();
  }
}

/** Sound in odd pieces; each has the times of the letters that begin in it. */
function* piecesOf(sound: Buffer, wholeBytes: number, text: string, format: string): Generator<TimedSpeech> {
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

async function send(response: ServerResponse, bytes: Buffer, size: number): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    await new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve));
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
