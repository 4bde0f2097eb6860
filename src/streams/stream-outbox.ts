import { ReaderWatch } from '../core/reader-watch.ts';
import type { StreamFrame } from './stream-protocol.ts';

/** The part of a WebSocket that writing needs; `bufferedAmount` counts what the kernel did not take yet. */
export interface FrameSink {
  readonly bufferedAmount: number;
  send(data: StreamFrame): void;
}

/** Audio waits in its own queue, which is bounded and can be cleared, while this much is unsent: a second of wideband. */
const AUDIO_UNSENT_BYTES_MAX = 32 * 1024;
/** A reader that lets this much pile up is given up. */
const UNSENT_BYTES_MAX = 256 * 1024;

/** What is sent to one far end. A slow reader makes audio wait, loses what may be revised anyway, and in the end is given up. */
export class StreamOutbox {
  readonly #reader = new ReaderWatch(UNSENT_BYTES_MAX);
  #closed = false;
  /** Interims that a slow reader did not get. */
  dropped = 0;

  constructor(private readonly sink: FrameSink) {}

  get ready(): boolean {
    return !this.#closed && this.sink.bufferedAmount < AUDIO_UNSENT_BYTES_MAX;
  }

  send(frame: StreamFrame | undefined): void {
    if (this.#closed || frame === undefined) return;
    this.#reader.sent(frame);
    this.sink.send(frame);
  }

  /** What will be said again. */
  sendIfReady(frame: StreamFrame | undefined): void {
    if (frame === undefined) return;
    if (this.ready) this.send(frame);
    else this.dropped += 1;
  }

  /** Whether the reader has to be given up; to be asked every second or so. */
  isStuck(nowMs: number): boolean {
    return this.#reader.isStuck(this.sink.bufferedAmount, nowMs);
  }

  close(): void {
    this.#closed = true;
  }
}
