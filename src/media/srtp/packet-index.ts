const HALF = 2 ** 15;
const CYCLE = 2 ** 16;

/**
 * The index that a sequence number stands for: rollover counter and sequence (RFC 3711 §3.3.1, appendix A).
 *
 * @param highest - index of the newest packet so far; undefined before the first, which has a rollover counter of 0.
 */
export function packetIndex(sequence: number, highest: number | undefined): number {
  if (highest === undefined) return sequence;
  const newest = highest % CYCLE;
  let cycles = Math.floor(highest / CYCLE);
  if (newest < HALF) {
    if (sequence - newest > HALF && cycles > 0) cycles -= 1;
  } else if (newest - HALF > sequence) cycles += 1;
  return cycles * CYCLE + sequence;
}

/** Which indices of one stream came already (RFC 3711 §3.3.2). */
export class ReplayWindow {
  /** The newest one that was there; undefined before the first. */
  highest: number | undefined;
  readonly #seen: Float64Array;

  /** @param packets - so far behind the newest it is known which ones came. */
  constructor(readonly packets: number) {
    this.#seen = new Float64Array(packets).fill(-1);
  }

  /** False for what came before, and for what is too old to know. */
  isNew(index: number): boolean {
    if (this.highest === undefined) return true;
    if (index + this.packets <= this.highest) return false;
    return this.#seen[index % this.packets] !== index;
  }

  /** Of an authentic packet only. */
  add(index: number): void {
    this.#seen[index % this.packets] = index;
    if (this.highest === undefined || index > this.highest) this.highest = index;
  }
}
