import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type OpenAI from 'openai';
import { mixDown, readWav, wavHeader } from '../../src/audio/wav.ts';

/** What a speech server was sent. */
export interface SpeechRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Of a transcription: every field, those that repeat in order, without the file. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly file?: { readonly name: string; readonly samples: Int16Array; readonly sampleRateHz: number };
  /** Of a speech request. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Ways in which a service fails, each once more for every request that it is set for. */
export type SpeechFault =
  | { readonly type: 'refuse'; readonly status: number; readonly code?: string; readonly retryAfter?: string }
  | { readonly type: 'redirect'; readonly to: string }
  | { readonly type: 'reset' } // the connection is cut before an answer
  | { readonly type: 'silent' } // the request is taken, and nothing comes
  | { readonly type: 'cut'; readonly afterBytes: number } // in the middle of the body
  | { readonly type: 'stall'; readonly afterBytes: number } // the body goes on no more
  | { readonly type: 'split' } // in many small pieces
  | { readonly type: 'strewn' } // with fields and events that nobody knows
  | { readonly type: 'body'; readonly contentType: string; readonly body: string | Buffer };

/** How a compatible server differs. */
export interface Flavour {
  /** `verbose_json` is refused, as by models that know no words. */
  readonly plain?: boolean;
  /** Streamed transcripts come as chunks of a chat (vLLM). */
  readonly chatChunks?: boolean;
  /** Speech has a WAV header in front, or a rate of its own in its type. */
  readonly wav?: boolean;
  readonly rateHz?: number;
  readonly contentType?: string;
}

const RATE_HZ = 24_000;
const MS_PER_CHAR = 50;
const SHORTEST_SECONDS = 0.1;
/** Pieces that end in the middle of a sample. */
const PIECE_BYTES = [4801, 4799] as const;
const SMALL_PIECES = 40;

/**
 * The speech half of OpenAI's API on the loopback: `audio/transcriptions` (json, verbose_json, streamed) and `audio/speech`
 * (pcm, in odd pieces), written from its reference. What it hears and how it sounds is a test's to say.
 *
 * @see OpenAI API reference, "Audio"
 */
export class SpeechTestServer {
  readonly requests: SpeechRequest[] = [];
  /** Requests that came, whether they could be read or not. */
  arrivals = 0;
  /** Requests that are neither answered nor given up. */
  inFlight = 0;
  inFlightMax = 0;
  /** Connections that ended before the answer did. */
  hungUp = 0;
  key: string | undefined;
  flavour: Flavour = {};
  /** What is understood of a file; nothing in silence. */
  hears: (samples: Int16Array, request: SpeechRequest) => string | Promise<string> = () => 'where is my order';
  language = 'english';
  /** 24 kHz samples, or those of the flavour's rate. */
  speaks: (text: string, speed: number) => Int16Array | Promise<Int16Array> = (text, speed) =>
    tone(([...text].length * MS_PER_CHAR) / speed, this.flavour.rateHz ?? RATE_HZ);
  noSpeechProb = 0.01;
  readonly #faults: { readonly fault: SpeechFault; readonly path: string }[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #port = 0;

  static async start(): Promise<SpeechTestServer> {
    const server = new SpeechTestServer();
    server.#server.keepAliveTimeout = 600_000; // else a slow machine sends on a connection that is just being closed
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    server.#port = (server.#server.address() as AddressInfo).port;
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }
  get settings() {
    return {
      ...{ baseUrl: this.baseUrl, firstTokenMs: 3000, totalMs: 30_000, proposalMs: 2500 },
      ...{ documentPrivacy: 'redact' as const, speechRateHz: RATE_HZ },
      transcription: 'files' as const,
      ...{ transcriptionModel: 'whisper-1', speechModel: 'tts-1', speechVoice: 'alloy' },
      ...(this.key !== undefined && { apiKey: this.key }),
    };
  }

  /** The next requests fail so, one each. */
  failNext(...faults: SpeechFault[]): void {
    this.failNextAt('', ...faults);
  }
  /** The same for those whose path ends so. */
  failNextAt(path: string, ...faults: SpeechFault[]): void {
    this.#faults.push(...faults.map((fault) => ({ fault, path })));
  }
  /** Requests of speech and transcription alone. */
  get asked(): readonly SpeechRequest[] {
    return this.requests.filter(({ path }) => path.startsWith('/v1/audio/'));
  }

  /** On connections over which nothing is asked now. */
  hangUp(): void {
    this.#server.closeIdleConnections();
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.arrivals += 1;
    response.on('error', () => {});
    this.inFlight += 1;
    this.inFlightMax = Math.max(this.inFlightMax, this.inFlight);
    response.on('close', () => {
      this.inFlight -= 1;
      if (!response.writableFinished) this.hungUp += 1;
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const received = await read(request, Buffer.concat(chunks));
      this.requests.push(received);
      await this.#answer(received, response);
    } catch {
      response.destroy(); // cut in the middle of its request
    }
  }

  async #answer(request: SpeechRequest, response: ServerResponse): Promise<void> {
    if (this.key !== undefined && request.headers.authorization !== `Bearer ${this.key}`)
      return refuse(response, 401, 'invalid_api_key');
    if (request.path === '/v1/models') return json(response, { object: 'list', data: [] });
    const due = this.#faults.findIndex(({ path }) => request.path.endsWith(path));
    const fault = due < 0 ? undefined : this.#faults.splice(due, 1)[0]?.fault;
    if (fault?.type === 'refuse')
      return refuse(response, fault.status, fault.code ?? `code_${fault.status}`, fault.retryAfter, request);
    if (fault?.type === 'redirect') return void response.writeHead(307, { location: fault.to }).end();
    if (fault?.type === 'reset') return void response.destroy();
    if (fault?.type === 'silent') return;
    if (fault?.type === 'body')
      return void response.writeHead(200, { 'content-type': fault.contentType }).end(fault.body);
    if (request.path === '/v1/audio/transcriptions') return this.#transcribe(request, response, fault);
    if (request.path === '/v1/audio/speech') return this.#speak(request, response, fault);
    refuse(response, 404, 'unknown_url');
  }

  async #transcribe(request: SpeechRequest, response: ServerResponse, fault?: SpeechFault): Promise<void> {
    const { file, fields } = request;
    const [format = 'json'] = fields['response_format'] ?? [];
    const detailed = format === 'verbose_json';
    if (!file || !/\.(?:wav|mp3|webm|ogg|flac|m4a)$/.test(file.name)) return refuse(response, 400, 'invalid_file');
    if (!fields['model']?.[0]) return refuse(response, 400, 'missing_model');
    if (!['json', 'verbose_json', 'text'].includes(format) || (detailed && this.flavour.plain))
      return refuse(response, 400, 'unsupported_value');
    if (fields['timestamp_granularities[]'] && !detailed) return refuse(response, 400, 'invalid_request');
    const seconds = file.samples.length / file.sampleRateHz;
    if (seconds < SHORTEST_SECONDS) return refuse(response, 400, 'audio_too_short');
    const text = isSilent(file.samples) ? '' : await this.hears(file.samples, request);
    if (format === 'text') return void response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
    if (detailed) return json(response, this.#verbose(text, seconds), fault);
    if (fields['stream']?.[0] === 'true') return this.#stream(text, response, fault);
    json(response, { text, usage: { type: 'duration', seconds: Math.ceil(seconds) } }, fault);
  }

  #verbose(text: string, seconds: number) {
    const list = text.split(' ').filter((word) => word !== '');
    const step = seconds / Math.max(1, list.length);
    const segment = {
      ...{ id: 0, seek: 0, start: 0, end: seconds, text, tokens: [1], temperature: 0 },
      ...{ avg_logprob: -0.1, compression_ratio: 1, no_speech_prob: this.noSpeechProb },
    };
    return {
      ...{ language: this.language, duration: seconds, text },
      words: list.map((word, i) => ({ word, start: i * step, end: (i + 1) * step })),
      segments: [segment],
      usage: { type: 'duration', seconds: Math.ceil(seconds) },
    } satisfies OpenAI.Audio.TranscriptionVerbose;
  }

  async #stream(text: string, response: ServerResponse, fault?: SpeechFault): Promise<void> {
    const pieces = text.match(/\S+\s*/g) ?? [];
    const events = pieces.map((piece) =>
      this.flavour.chatChunks
        ? { object: 'transcription.chunk', choices: [{ delta: { content: piece }, finish_reason: null }] }
        : ({ type: 'transcript.text.delta', delta: piece } satisfies OpenAI.Audio.TranscriptionTextDeltaEvent),
    );
    const usage = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 } as const;
    const last = this.flavour.chatChunks
      ? { object: 'transcription.chunk', choices: [{ delta: {}, finish_reason: 'stop' }] }
      : ({ type: 'transcript.text.done', text, usage } satisfies OpenAI.Audio.TranscriptionTextDoneEvent);
    const unknown = fault?.type === 'strewn' ? 'event: news\ndata: {"type":"news","delta":7}\n\n' : '';
    const lines = [...events, last].map((event) => `${unknown}data: ${JSON.stringify(event)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await send(response, Buffer.from(`${lines.join('')}data: [DONE]\n\n`), fault);
  }

  async #speak(request: SpeechRequest, response: ServerResponse, fault?: SpeechFault): Promise<void> {
    const { model, voice, input, response_format: format = 'mp3', speed = 1 } = request.json;
    if (typeof model !== 'string' || typeof voice !== 'string') return refuse(response, 400, 'missing_parameter');
    if (typeof input !== 'string' || input === '') return refuse(response, 400, 'missing_input');
    if (typeof speed !== 'number' || speed < 0.25 || speed > 4) return refuse(response, 400, 'invalid_speed');
    if (format !== 'pcm') return refuse(response, 400, 'format_not_played_here');
    const samples = await this.speaks(input, speed);
    const { wav, rateHz = RATE_HZ, contentType = wav ? 'audio/wav' : 'audio/pcm' } = this.flavour;
    const audio = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    const head = wav ? wavHeader({ sampleRateHz: rateHz, channels: 1 }) : Buffer.alloc(0);
    response.writeHead(200, { 'content-type': contentType });
    await send(response, Buffer.concat([head, audio]), fault);
  }
}

/** A sine of a quarter of full scale. */
export function tone(durationMs: number, rateHz: number, hz = 440): Int16Array {
  const samples = new Int16Array(Math.round((durationMs * rateHz) / 1000));
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.round(8000 * Math.sin((2 * Math.PI * hz * i) / rateHz));
  return samples; // minutes of it are made while whoever asked waits
}

function isSilent(samples: Int16Array): boolean {
  return samples.every((sample) => Math.abs(sample) < 50);
}

async function read(request: IncomingMessage, body: Buffer): Promise<SpeechRequest> {
  const { headers, url: path = '' } = request;
  const type = headers['content-type'] ?? '';
  const base = { path, headers, fields: {}, json: {} };
  if (type.startsWith('application/json')) return { ...base, json: JSON.parse(body.toString('utf8')) };
  if (!type.startsWith('multipart/form-data')) return base;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const fields: Record<string, string[]> = {};
  let file: SpeechRequest['file'];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = [...(fields[name] ?? []), value];
    else {
      const wav = readWav(new Uint8Array(await value.arrayBuffer()));
      if (typeof wav === 'string') throw new Error(wav);
      file = { name: value.name, samples: mixDown(wav), sampleRateHz: wav.sampleRateHz };
    }
  }
  return { ...base, fields, ...(file && { file }) };
}

/** In odd pieces, each when the one before has left. */
async function send(response: ServerResponse, body: Buffer, fault?: SpeechFault): Promise<void> {
  const end = fault?.type === 'cut' || fault?.type === 'stall' ? Math.min(fault.afterBytes, body.length) : body.length;
  for (let at = 0, n = 0; at < end && !response.destroyed; n += 1) {
    const pieceBytes = fault?.type === 'split' ? Math.ceil(body.length / SMALL_PIECES) : PIECE_BYTES[n % 2]!;
    const piece = body.subarray(at, Math.min(end, at + pieceBytes));
    await new Promise((resolve) => response.write(piece, resolve));
    at += piece.length;
  }
  if (fault?.type === 'cut') response.destroy();
  else if (fault?.type !== 'stall') response.end();
}

function json(response: ServerResponse, body: object, fault?: SpeechFault): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = fault?.type === 'strewn' ? { news: { text: 7 }, warnings: null } : {};
  void send(response, Buffer.from(JSON.stringify({ ...more, ...body })), fault);
}

/** As the worst of servers do, the refusal repeats what was asked. */
function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  retryAfter?: string,
  said?: SpeechRequest,
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  });
  const message = `refused: ${JSON.stringify({ ...said?.json, ...said?.fields })} ${said?.headers.authorization}`;
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', code, param: null } }));
}
