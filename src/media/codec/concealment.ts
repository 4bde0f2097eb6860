/**
 * Packet loss concealment by waveform repetition, after the idea of G.711 Appendix I and simpler: the last pitch period
 * is repeated, at full level for 10 ms, fading to silence at 60 ms, and joined to the next real audio over 4 ms.
 */
const HISTORY = 400; // 50 ms: two of the longest pitch periods
const MIN_LAG = 40; // 200 Hz
const MAX_LAG = 160; // 50 Hz
const MATCH = 160; // samples compared
const FULL_SAMPLES = 80;
const FADE_END_SAMPLES = 480;
const JOIN_SAMPLES = 32;

export class Concealment {
  readonly #history = new Int16Array(HISTORY);
  #lag = 0;
  #concealed = 0; // samples since the last real one
  #heard = false;

  /** Real audio, in place: its start is joined to what was invented before it. */
  good(block: Int16Array, from: number, count: number): void {
    if (this.#concealed > 0) this.#join(block, from, Math.min(count, JOIN_SAMPLES));
    this.#concealed = 0;
    this.#heard = true;
    this.#remember(block, from, count);
  }

  /** Invents `count` samples into `block`. */
  conceal(block: Int16Array, from: number, count: number): void {
    if (!this.#heard || this.#concealed >= FADE_END_SAMPLES) {
      block.fill(0, from, from + count);
    } else {
      if (this.#concealed === 0) this.#lag = this.#findLag();
      for (let i = 0; i < count; i += 1) block[from + i] = this.#repeat(this.#concealed + i);
    }
    this.#concealed += count;
  }

  reset(): void {
    this.#history.fill(0);
    this.#concealed = 0;
    this.#heard = false;
  }

  /** Sample `n` of the repetition; the history does not move while audio is invented. */
  #repeat(n: number): number {
    const gain = n < FULL_SAMPLES ? 1 : Math.max(0, 1 - (n - FULL_SAMPLES) / (FADE_END_SAMPLES - FULL_SAMPLES));
    return Math.round(gain * (this.#history[HISTORY - this.#lag + (n % this.#lag)] as number));
  }

  #join(block: Int16Array, from: number, count: number): void {
    if (this.#concealed >= FADE_END_SAMPLES) {
      for (let i = 0; i < count; i += 1) block[from + i] = ((block[from + i] as number) * (i + 1)) / (count + 1);
      return;
    }
    for (let i = 0; i < count; i += 1) {
      const weight = (i + 1) / (count + 1);
      const invented = this.#repeat(this.#concealed + i);
      block[from + i] = Math.round(weight * (block[from + i] as number) + (1 - weight) * invented);
    }
  }

  #remember(block: Int16Array, from: number, count: number): void {
    const keep = Math.max(0, HISTORY - count);
    this.#history.copyWithin(0, HISTORY - keep);
    for (let i = 0; i < HISTORY - keep; i += 1) {
      this.#history[keep + i] = block[from + count - (HISTORY - keep) + i] as number;
    }
  }

  /** The lag at which the end of the history looks most like what came before it (normalised correlation). */
  #findLag(): number {
    const history = this.#history;
    let best = MIN_LAG;
    let bestScore = -1;
    for (let lag = MIN_LAG; lag <= MAX_LAG; lag += 1) {
      let product = 0;
      let energy = 1;
      for (let i = HISTORY - MATCH; i < HISTORY; i += 2) {
        const earlier = history[i - lag] as number;
        product += (history[i] as number) * earlier;
        energy += earlier * earlier;
      }
      const score = product / Math.sqrt(energy);
      if (score > bestScore) {
        bestScore = score;
        best = lag;
      }
    }
    return best;
  }
}
