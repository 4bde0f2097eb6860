import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import { workerUrl } from '../../core/worker-url.ts';
import { wavHeader } from '../wav.ts';
import { CodecThread } from './codec-thread.ts';
import type { EncodeRequest } from './encode-worker.ts';
import { createMulawEncoder, createPcmEncoder, createWavEncoder, type StreamEncoder } from './stream-encoder.ts';

/** Speech in one file format. Chunks of `stream` are never empty; a slow reader slows `pcm`. */
export interface SpeechFormat {
  contentType(sampleRateHz: number): string;
  file(pcm: Int16Array, sampleRateHz: number, signal: AbortSignal): Promise<Uint8Array>;
  stream(pcm: AsyncIterable<Int16Array>, sampleRateHz: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface SpeechEncodersOptions {
  readonly clock?: Clock;
  /** Streams encoded at once in the thread; beyond it `unavailable`. Default 64. */
  readonly streamsMax?: number;
  /** Default beside this file. */
  readonly workerUrl?: URL;
}

/** A piece of any format holds a thread for 2 to 8 ms at most, so that streams share it. */
const PIECE_MS = 500;
const ANSWER_MS = 10_000;
const HEAP_MB_MAX = 256;

/** Every format speech is made in. What is cheap is done at once, MP3 and Opus in a thread of their own. */
export class SpeechEncoders {
  readonly wav: SpeechFormat;
  readonly pcm: SpeechFormat;
  readonly mulaw: SpeechFormat;
  readonly mp3: SpeechFormat;
  readonly opus: SpeechFormat;
  readonly #thread: CodecThread;
  #nextStream = 0;
  #open = 0;

  constructor(private readonly options: SpeechEncodersOptions = {}) {
    const url = options.workerUrl ?? workerUrl(import.meta.url, './encode-worker');
    const { clock = systemClock } = options;
    this.#thread = new CodecThread({ url, clock, answerMs: ANSWER_MS, heapMbMax: HEAP_MB_MAX });
    this.pcm = direct(createPcmEncoder);
    this.wav = {
      ...direct(createWavEncoder),
      file: async (pcm, sampleRateHz, signal) => {
        const body = await this.pcm.file(pcm, sampleRateHz, signal);
        return join([wavHeader({ channels: 1, sampleRateHz }, body.length), body]); // with its true length
      },
    };
    this.mulaw = direct(createMulawEncoder);
    this.mp3 = this.#threaded('mp3', 'audio/mpeg');
    this.opus = this.#threaded('opus', 'audio/ogg; codecs=opus');
  }

  /** Streams being encoded in the thread. */
  get openStreams(): number {
    return this.#open;
  }

  /** Idempotent; streams under way fail. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  /** MP3 of what two sides say, samples in turns. Each chunk has whole pairs. */
  bothSides(pcm: AsyncIterable<Int16Array>, sampleRateHz: number, signal: AbortSignal): AsyncIterable<Uint8Array> {
    return this.#encode({ format: 'mp3', sampleRateHz, channels: 2 }, pcm, signal);
  }

  #threaded(format: 'mp3' | 'opus', contentType: string): SpeechFormat {
    const stream: SpeechFormat['stream'] = (pcm, sampleRateHz, signal) =>
      this.#encode({ format, sampleRateHz, channels: 1 }, pcm, signal);
    return {
      contentType: () => contentType,
      stream,
      file: (pcm, sampleRateHz, signal) => gather(stream(single(pcm), sampleRateHz, signal), signal),
    };
  }

  async *#encode(
    how: Pick<EncodeRequest & { readonly type: 'open' }, 'format' | 'sampleRateHz' | 'channels'>,
    pcm: AsyncIterable<Int16Array>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    if (this.#open >= (this.options.streamsMax ?? 64)) throw new ServiceError('unavailable');
    this.#open += 1;
    const stream = this.#nextStream++;
    let ended = false;
    try {
      await this.#ask({ type: 'open', stream, ...how });
      for await (const chunk of pcm) {
        for (const samples of pieces(chunk, how.sampleRateHz)) {
          if (signal.aborted) return;
          const bytes = await this.#ask({ type: 'push', stream, samples }, [samples.buffer as ArrayBuffer]);
          if (bytes.length > 0) yield bytes;
        }
      }
      if (signal.aborted) return;
      ended = true;
      const bytes = await this.#ask({ type: 'end', stream });
      if (bytes.length > 0) yield bytes;
    } finally {
      this.#open -= 1;
      if (!ended) this.#thread.ask({ type: 'drop', stream } satisfies EncodeRequest).catch(() => {});
    }
  }

  async #ask(request: EncodeRequest, transfer: ArrayBuffer[] = []): Promise<Uint8Array> {
    try {
      return (await this.#thread.ask(request, transfer)) as Uint8Array;
    } catch (cause) {
      throw new ServiceError('synthesis_failed', '', { cause });
    }
  }
}

/** A format that costs next to nothing: encoded where it is asked for, with a pause after every piece of long audio. */
function direct(create: (sampleRateHz: number) => StreamEncoder): SpeechFormat {
  async function* stream(pcm: AsyncIterable<Int16Array>, sampleRateHz: number, signal: AbortSignal) {
    const encoder = create(sampleRateHz);
    for await (const chunk of pcm) {
      if (signal.aborted) return;
      const bytes = encoder.push(chunk);
      if (bytes.length > 0) yield bytes;
    }
    const rest = encoder.end();
    if (rest.length > 0 && !signal.aborted) yield rest;
  }
  return {
    contentType: (sampleRateHz) => create(sampleRateHz).contentType,
    stream,
    file: (pcm, sampleRateHz, signal) => gather(stream(paced(pcm), sampleRateHz, signal), signal),
  };
}

/** Copies of at most `PIECE_MS` each. */
function* pieces(samples: Int16Array, sampleRateHz: number): Generator<Int16Array> {
  const size = 2 * Math.ceil((sampleRateHz * PIECE_MS) / 2000); // whole pairs of two channels
  for (let at = 0; at < samples.length; at += size) yield samples.slice(at, at + size);
}

async function* single(samples: Int16Array): AsyncGenerator<Int16Array> {
  yield samples;
}

/** 64 k samples take 0.1 ms to encode. */
const PACED_SAMPLES = 65_536;

async function* paced(samples: Int16Array): AsyncGenerator<Int16Array> {
  for (let at = 0; at < samples.length; at += PACED_SAMPLES) {
    yield samples.subarray(at, at + PACED_SAMPLES);
    await nextTurn();
  }
}

async function gather(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  signal.throwIfAborted();
  return join(all);
}

/** Copying a megabyte into fresh memory takes 1 ms; long audio is 14 MB. */
const COPY_BYTES = 1_048_576;

async function join(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafe(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  let copied = 0;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += COPY_BYTES) {
      const piece = chunk.subarray(from, from + COPY_BYTES);
      whole.set(piece, at);
      at += piece.length;
      copied += piece.length;
      if (copied < COPY_BYTES) continue;
      copied = 0;
      await nextTurn();
    }
  }
  return whole;
}
