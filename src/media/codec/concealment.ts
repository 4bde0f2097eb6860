import { samplesOf, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';

/**
 * Packet loss concealment by waveform repetition, after the idea of G.711 Appendix I and simpler: the last pitch period
 * is repeated, at full level for 10 ms, fading to silence at 60 ms, and joined to the next real audio over 4 ms.
 */
const HISTORY_MS = 60; // two of the longest pitch periods and more: whole frames, which are remembered in one piece
const MIN_LAG_MS = 5; // 200 Hz
const MAX_LAG_MS = 20; // 50 Hz
const MATCH_MS = 20; // compared
const FULL_MS = 10;
const FADE_END_MS = 60;
const JOIN_MS = 4;
/** The search for the pitch looks at so many samples a second, whatever the rate: every second one of a telephone's. */
const MATCH_RATE_HZ = TELEPHONE_RATE_HZ / 2;

export class Concealment {
  readonly #heardLast: Int16Array; // the newest real audio, round and round
  #at = 0; // of the oldest sample there
  readonly #history: Int16Array; // the same from its oldest sample on, while audio is invented
  readonly #joinSamples: number;
  readonly #fullSamples: number;
  readonly #fadeEndSamples: number;
  #lag = 0;
  #concealed = 0; // samples since the last real one
  #heard = false;

  constructor(readonly sampleRateHz: number) {
    this.#heardLast = new Int16Array(samplesOf(HISTORY_MS, sampleRateHz));
    this.#history = new Int16Array(this.#heardLast.length);
    this.#joinSamples = samplesOf(JOIN_MS, sampleRateHz);
    this.#fullSamples = samplesOf(FULL_MS, sampleRateHz);
    this.#fadeEndSamples = samplesOf(FADE_END_MS, sampleRateHz);
  }

  /** Real audio, in place: its start is joined to what was invented before it. */
  good(block: Int16Array, from: number, count: number): void {
    if (this.#concealed > 0) this.#join(block, from, Math.min(count, this.#joinSamples));
    this.#concealed = 0;
    this.#heard = true;
    this.#remember(block, from, count);
  }

  /** Invents `count` samples into `block`: silence as long as nothing was heard. */
  conceal(block: Int16Array, from: number, count: number): void {
    if (!this.#heard) {
      block.fill(0, from, from + count);
      return; // and nothing to join what comes to
    }
    if (this.#concealed >= this.#fadeEndSamples) {
      block.fill(0, from, from + count);
    } else {
      if (this.#concealed === 0) {
        this.#unroll();
        this.#lag = this.#findLag();
      }
      for (let i = 0; i < count; i += 1) block[from + i] = this.#repeat(this.#concealed + i);
    }
    this.#concealed += count;
  }

  reset(): void {
    this.#heardLast.fill(0);
    this.#concealed = 0;
    this.#heard = false;
  }

  /** Sample `n` of the repetition; the history does not move while audio is invented. */
  #repeat(n: number): number {
    const full = this.#fullSamples;
    const gain = n < full ? 1 : Math.max(0, 1 - (n - full) / (this.#fadeEndSamples - full));
    return Math.round(gain * (this.#history[this.#history.length - this.#lag + (n % this.#lag)] as number));
  }

  #join(block: Int16Array, from: number, count: number): void {
    if (this.#concealed >= this.#fadeEndSamples) {
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
    const last = this.#heardLast;
    if (from === 0 && count === block.length && count <= last.length - this.#at) {
      last.set(block, this.#at);
      this.#at = (this.#at + count) % last.length;
      return;
    }
    const kept = Math.min(count, last.length);
    const start = from + count - kept;
    const untilEnd = Math.min(kept, last.length - this.#at);
    for (let i = 0; i < untilEnd; i += 1) last[this.#at + i] = block[start + i] as number;
    for (let i = untilEnd; i < kept; i += 1) last[i - untilEnd] = block[start + i] as number;
    this.#at = (this.#at + kept) % last.length;
  }

  #unroll(): void {
    const last = this.#heardLast;
    this.#history.set(last.subarray(this.#at));
    this.#history.set(last.subarray(0, this.#at), last.length - this.#at);
  }

  /** The lag at which the end of the history looks most like what came before it (normalised correlation). */
  #findLag(): number {
    const history = this.#history;
    const step = this.sampleRateHz / MATCH_RATE_HZ;
    const lagStep = step / 2;
    const lagMax = samplesOf(MAX_LAG_MS, this.sampleRateHz);
    const matchFrom = history.length - samplesOf(MATCH_MS, this.sampleRateHz);
    let best = samplesOf(MIN_LAG_MS, this.sampleRateHz);
    let bestScore = -1;
    for (let lag = best; lag <= lagMax; lag += lagStep) {
      let product = 0;
      let energy = 1;
      for (let i = matchFrom; i < history.length; i += step) {
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
