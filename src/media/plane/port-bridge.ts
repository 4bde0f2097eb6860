import type { MediaBridge } from '../media-port.ts';
import type { LaneEnds, LaneMemory } from './bridge-lane.ts';
import type { MemoryPool } from './memory-pool.ts';

/** What a bridge needs of a port. */
export interface BridgedPort {
  /** Of the lanes on which this port's caller speaks. */
  readonly lanes: MemoryPool<LaneMemory>;
  /** @param bridge - is closed when the port is. */
  join(bridge: MediaBridge, lanes: LaneEnds): void;
  /** @returns whether the media thread has done with the lanes. */
  part(): Promise<boolean>;
}

/** Two ports of one plane, and the two lanes between them. */
export class PortBridge implements MediaBridge {
  readonly #forth: LaneMemory;
  readonly #back: LaneMemory;
  #parted = false;

  constructor(
    readonly a: BridgedPort,
    readonly b: BridgedPort,
  ) {
    this.#forth = a.lanes.take();
    this.#back = b.lanes.take();
    a.join(this, { to: this.#forth, from: this.#back });
    b.join(this, { to: this.#back, from: this.#forth });
  }

  close(): void {
    if (this.#parted) return;
    this.#parted = true;
    void Promise.all([this.a.part(), this.b.part()]).then((done) => {
      if (!done.every(Boolean)) return; // a thread that did not answer may still be using them
      this.a.lanes.giveBack(this.#forth);
      this.b.lanes.giveBack(this.#back);
    });
  }
}
