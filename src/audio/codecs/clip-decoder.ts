import { type Clock, systemClock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import { workerUrl } from '../../core/worker-url.ts';
import { CodecThread } from './codec-thread.ts';
import type { DecodeAnswer, DecodeRequest } from './decode-worker.ts';
import type { ClipType } from './read-clip.ts';

export interface ClipDecoderOptions {
  readonly clock?: Clock;
  readonly threads?: number; // 1 or 2; default 1
  /** Clips waiting for a thread; beyond it `unavailable`. Default 32: as many uploads of 8 MB are 256 MB. */
  readonly queueMax?: number;
  /** For one clip; a minute of audio takes a second at most. Default 8,000. */
  readonly decodeMs?: number;
  /** Default beside this file. */
  readonly workerUrl?: URL;
}

export interface DecodedAudio {
  readonly samples: Int16Array; // mono
  readonly sampleRateHz: number; // as asked
  readonly seconds: number; // of the clip before any change of rate
}

interface Waiting {
  readonly give: (thread: CodecThread) => void;
}

/** What people upload is not trusted with 256 MB of objects or with a thread for ever. */
const HEAP_MB_MAX = 256;
/** A thread that decoded this many clips is replaced: WebAssembly memory only grows. */
const CLIPS_PER_THREAD = 200;

/** Uploaded audio to samples, in threads of its own: wav, mp3, ogg (Opus, Vorbis), webm (Opus), flac. */
export class ClipDecoder {
  readonly #idle: CodecThread[];
  readonly #threads: readonly CodecThread[];
  readonly #served = new Map<CodecThread, number>();
  readonly #queue: Waiting[] = [];
  readonly #queueMax: number;
  #closed = false;

  constructor(options: ClipDecoderOptions = {}) {
    const { clock = systemClock, threads = 1, queueMax = 32, decodeMs = 8_000 } = options;
    const url = options.workerUrl ?? workerUrl(import.meta.url, './decode-worker');
    this.#threads = Array.from(
      { length: threads },
      () => new CodecThread({ url, clock, answerMs: decodeMs, heapMbMax: HEAP_MB_MAX }),
    );
    this.#idle = [...this.#threads];
    this.#queueMax = queueMax;
  }

  /** Threads that died or were given up since the start. */
  get failures(): number {
    return this.#threads.reduce((sum, thread) => sum + thread.failures, 0);
  }

  /**
   * @param clip.type - by the file's first bytes.
   * @throws ServiceError `unsupported_audio` (a codec that is not read), `invalid_audio` (no usable audio, or a file that
   * the decoder dies or hangs on), `audio_too_long` (by more than a quarter of a second), `unavailable` (too many clips).
   */
  async decode(
    clip: { readonly bytes: Uint8Array; readonly type: ClipType },
    wanted: { readonly sampleRateHz: number; readonly maxSeconds: number },
    signal: AbortSignal,
  ): Promise<DecodedAudio> {
    const thread = await this.#thread(signal);
    let answer: DecodeAnswer;
    try {
      const bytes = new Uint8Array(clip.bytes); // a copy that the thread may keep
      const request: DecodeRequest = { bytes, type: clip.type, ...wanted };
      answer = (await thread.ask(request, [bytes.buffer])) as DecodeAnswer;
    } catch (cause) {
      if (this.#closed) throw new ServiceError('unavailable', '', { cause });
      thread.recycle(); // what threw once may have left anything behind
      throw new ServiceError('invalid_audio', '', { cause });
    } finally {
      this.#giveBack(thread);
    }
    signal.throwIfAborted();
    if (answer === 'unsupported') throw new ServiceError('unsupported_audio', clip.type);
    if (answer === 'too-long') throw new ServiceError('audio_too_long');
    if (answer === 'invalid') throw new ServiceError('invalid_audio');
    return { ...answer, sampleRateHz: wanted.sampleRateHz };
  }

  /** Idempotent. What is still being decoded or waits fails with `unavailable`. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
    for (const waiting of this.#queue.splice(0)) waiting.give(this.#threads[0]!);
  }

  /** The next free thread, in order of asking. */
  #thread(signal: AbortSignal): Promise<CodecThread> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const idle = this.#idle.pop();
    if (idle) return Promise.resolve(idle);
    if (this.#closed || this.#queue.length >= this.#queueMax) return Promise.reject(new ServiceError('unavailable'));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        give: (thread) => {
          signal.removeEventListener('abort', onAbort);
          resolve(thread);
        },
      };
      this.#queue.push(waiting);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #giveBack(thread: CodecThread): void {
    const served = (this.#served.get(thread) ?? 0) + 1;
    this.#served.set(thread, served % CLIPS_PER_THREAD);
    if (served >= CLIPS_PER_THREAD) thread.recycle();
    const next = this.#queue.shift();
    if (next) next.give(thread);
    else this.#idle.push(thread);
  }
}
