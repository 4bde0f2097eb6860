import type { LiveCall } from '../call/call-registry.ts';
import type { CallTap } from '../core/call-tap.ts';
import { type Clock, repeat } from '../core/clock.ts';

export const LISTENERS_MAX = 5; // of a call
/** Each costs a reading and a packet ten times a second. */
export const LISTENED_CALLS_MAX = 50;
export const LISTEN_EVERY_MS = 100;
/** Read at once; what a stall of this thread has left comes in several pieces. */
const PIECE_MS = 200;

export interface CallListener {
  /** 16-bit samples, the least significant byte first, caller and agent in turns. */
  take(piece: Buffer): void;
  /** The call is over. */
  end(): void;
}

interface Listened {
  readonly tap: CallTap;
  readonly listeners: Set<CallListener>;
  readonly stop: () => void;
}

/** Who listens to which call: one tap a call, shared, and none where nobody listens. */
export class ListenDesk {
  readonly #calls = new Map<string, Listened>();

  constructor(private readonly clock: Clock) {}

  /** @returns `not-now` where there is no sound to listen to. */
  open(
    call: Pick<LiveCall, 'id' | 'listen'>,
    listener: CallListener,
  ): { readonly sampleRateHz: number; readonly close: () => void } | 'full' | 'not-now' {
    const listened = this.#calls.get(call.id) ?? this.#begin(call);
    if (typeof listened === 'string') return listened;
    if (listened.listeners.size >= LISTENERS_MAX) return 'full';
    listened.listeners.add(listener);
    const close = (): void => {
      if (listened.listeners.delete(listener) && listened.listeners.size === 0) this.#end(call.id, listened);
    };
    return { sampleRateHz: listened.tap.sampleRateHz, close };
  }

  #begin(call: Pick<LiveCall, 'id' | 'listen'>): Listened | 'full' | 'not-now' {
    if (this.#calls.size >= LISTENED_CALLS_MAX) return 'full';
    const tap = call.listen?.();
    if (!tap) return 'not-now';
    const into = new Int16Array((2 * PIECE_MS * tap.sampleRateHz) / 1_000);
    const stop = repeat(this.clock, LISTEN_EVERY_MS, () => this.#read(call.id, into));
    const listened: Listened = { tap, listeners: new Set(), stop };
    this.#calls.set(call.id, listened);
    return listened;
  }

  #read(id: string, into: Int16Array): void {
    const listened = this.#calls.get(id);
    if (!listened) return;
    const { tap, listeners } = listened;
    const { isOver } = tap; // before the last reading
    for (let count = tap.read(into); count > 0; count = count < into.length ? 0 : tap.read(into)) {
      const piece = Buffer.from(into.buffer.slice(0, 2 * count));
      for (const listener of [...listeners]) listener.take(piece);
    }
    if (!isOver) return;
    this.#end(id, listened);
    for (const listener of [...listeners]) listener.end();
  }

  #end(id: string, { tap, stop }: Listened): void {
    stop();
    tap.close();
    this.#calls.delete(id);
  }
}
