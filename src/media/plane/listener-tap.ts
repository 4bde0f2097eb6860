import type { CallTap } from '../../core/call-tap.ts';
import { PcmRing, type PcmRingMemory } from './pcm-ring.ts';

/** What the main thread reads of a call that somebody listens to. */
export class ListenerTap implements CallTap {
  readonly #ring: PcmRing;
  #isOver = false;

  /** @param onClose - called once, by `close`, unless the call was over before. */
  constructor(
    memory: PcmRingMemory,
    readonly sampleRateHz: number,
    private readonly onClose: () => void,
  ) {
    this.#ring = new PcmRing(memory);
  }

  /** Both sides of a moment, or neither. */
  read(into: Int16Array): number {
    return this.#ring.read(into, Math.min(into.length, this.#ring.queued) & ~1);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The call is over, or somebody else listens now. */
  end(): void {
    this.#isOver = true;
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onClose();
  }
}
