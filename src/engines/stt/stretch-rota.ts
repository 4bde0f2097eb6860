import { STRETCH_SAMPLES_MAX } from './stretch-audio.ts';

/** What is to be done next: hear `piece` of the stretch, or settle it when there is none left. */
export interface RotaStep<Stretch> {
  readonly stretch: Stretch;
  readonly piece: Int16Array | undefined;
  /** Nothing more comes of it. */
  readonly isOver: boolean;
}

interface Entry<Stretch> {
  readonly stretch: Stretch;
  readonly unheard: Int16Array[];
  unheardSamples: number;
  isOver: boolean;
}

/**
 * Whose speech is heard next, piece by piece. Stretches that are over come first, of those the one with the least left to hear;
 * then those that go on, in turn. Pure: whoever asks does the work.
 */
export class StretchRota<Stretch extends { readonly id: number }> {
  /** In turn: who was heard goes to the end. */
  readonly #entries = new Map<number, Entry<Stretch>>();

  get size(): number {
    return this.#entries.size;
  }
  get ids(): number[] {
    return [...this.#entries.keys()];
  }

  begin(stretch: Stretch): void {
    this.#entries.set(stretch.id, { stretch, unheard: [], unheardSamples: 0, isOver: false });
  }

  /** Keeps `piece` until it is heard; of more than a minute the oldest is forgotten. @returns the stretch, while there is one. */
  push(id: number, piece: Int16Array): Stretch | undefined {
    const entry = this.#entries.get(id);
    if (!entry || entry.isOver) return entry?.stretch;
    entry.unheard.push(piece);
    entry.unheardSamples += piece.length;
    while (entry.unheardSamples > STRETCH_SAMPLES_MAX) entry.unheardSamples -= entry.unheard.shift()?.length ?? 0;
    return entry.stretch;
  }

  /** Nothing more comes of it. */
  finish(id: number): void {
    const entry = this.#entries.get(id);
    if (entry) entry.isOver = true;
  }

  /** Whether it waits to be settled. */
  isOver(id: number): boolean {
    return this.#entries.get(id)?.isOver ?? false;
  }

  drop(id: number): Stretch | undefined {
    const stretch = this.#entries.get(id)?.stretch;
    this.#entries.delete(id);
    return stretch;
  }

  /**
   * @param canHear - whether there is a decoder for a stretch; else it waits, and another one is heard.
   * @returns undefined when there is nothing to do. A stretch that is to be settled is not in the rota any more.
   */
  next(canHear: (stretch: Stretch, isOver: boolean) => boolean): RotaStep<Stretch> | undefined {
    const over = [...this.#entries.values()].filter(({ isOver }) => isOver);
    over.sort((one, other) => one.unheardSamples - other.unheardSamples);
    for (const entry of [...over, ...this.#entries.values()]) {
      const { stretch, isOver, unheard } = entry;
      if (unheard.length === 0 && isOver) {
        this.#entries.delete(stretch.id);
        return { stretch, piece: undefined, isOver };
      }
      if (unheard.length === 0 || !canHear(stretch, isOver)) continue;
      const piece = unheard.shift();
      entry.unheardSamples -= piece?.length ?? 0;
      this.#entries.delete(stretch.id);
      this.#entries.set(stretch.id, entry);
      return { stretch, piece, isOver };
    }
    return undefined;
  }
}
