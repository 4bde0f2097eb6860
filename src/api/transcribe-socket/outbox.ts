import { ReaderWatch } from '../../core/reader-watch.ts';
import type { ServerFrame } from './frames.ts';

/** The part of a WebSocket that writing needs; `bufferedAmount` counts what the kernel did not take yet. */
export interface FrameSink {
  readonly bufferedAmount: number;
  send(text: string): void;
}

/** Interims wait behind nothing: with this much unsent, the next one will be newer. */
const INTERIM_BYTES_MAX = 16_384;
/** A reader that lets this much pile up is given up. */
const UNSENT_BYTES_MAX = 1_048_576;

/** What a session says to its client. Interims are dropped for a slow reader, everything else is kept. */
export class Outbox {
  #lastInterim = '';
  readonly #reader = new ReaderWatch(UNSENT_BYTES_MAX);
  #closed = false;
  /** Interims that a slow reader did not get. */
  droppedInterims = 0;

  constructor(
    private readonly sink: FrameSink,
    private readonly onDropped: () => void = () => {},
  ) {}

  send(frame: ServerFrame): void {
    if (this.#closed) return;
    const text = JSON.stringify(frame);
    this.#reader.sent(text);
    this.sink.send(text);
  }

  /** @returns whether it was sent: not when the reader is slow, or knows it already. */
  interim(text: string): boolean {
    if (this.#closed || text === this.#lastInterim) return false;
    if (this.sink.bufferedAmount > INTERIM_BYTES_MAX) {
      this.droppedInterims += 1;
      this.onDropped();
      return false;
    }
    this.#lastInterim = text;
    this.send({ type: 'transcript', text, final: false });
    return true;
  }

  /** A final was sent: the next interim belongs to another stretch. */
  settled(): void {
    this.#lastInterim = '';
  }

  /** Whether the reader has to be given up; to be asked every second or so. */
  isStuck(nowMs: number): boolean {
    return this.#reader.isStuck(this.sink.bufferedAmount, nowMs);
  }

  close(): void {
    this.#closed = true;
  }
}
