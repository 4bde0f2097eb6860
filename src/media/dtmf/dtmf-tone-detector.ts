import type { DtmfKey } from './dtmf-receiver.ts';
import { BLOCK_MS, type TonePair, TonePairFilter } from './tone-pair.ts';

export type ToneState = 'quiet' | 'sounding' | 'fading';
/** `pair`: two blocks in a row are of one key. `stays`, `gone`: the tones of the key that sounds are there still, or not. */
export type ToneEvent = 'pair' | 'stays' | 'gone';

/** A key ends with the second block without it: one alone may be a fault on the line, and two keys are 40 ms apart. */
export const TONE_TRANSITIONS: Readonly<Record<ToneState, Partial<Record<ToneEvent, ToneState>>>> = {
  quiet: { pair: 'sounding' },
  sounding: { gone: 'fading' },
  fading: { stays: 'sounding', gone: 'quiet' },
};

/**
 * A tone of 40 ms is in two whole blocks and in half of a third at least. What is in two only is a blip or a vowel.
 */
const BLOCKS_MIN = 3;
/** What is invented for lost packets says nothing; after so much of it in a row nothing sounds any more. */
const CONCEALED_BLOCKS_MAX = 10;

/**
 * Finds keys in audio, each reported once, when it ends, with its length to about 25 ms. Audio that was invented for lost packets
 * neither begins a key nor ends one.
 */
export class DtmfToneDetector {
  readonly #filter: TonePairFilter;
  readonly #block: Int16Array;
  #filled = 0;
  #blockConcealed = false;
  #state: ToneState = 'quiet';
  #before: TonePair | undefined; // the last block that was heard
  #apart = false; // blocks that were not heard came since
  #pair: TonePair | undefined; // of the key that sounds
  #blocks = 0; // of that key, with those between
  #missing = 0;
  #concealed = 0; // in a row

  constructor(readonly sampleRateHz: number) {
    this.#filter = new TonePairFilter(sampleRateHz);
    this.#block = new Int16Array(this.#filter.blockSamples);
  }

  /** True while a key sounds: what is heard is no speech. */
  get sounding(): boolean {
    return this.#state !== 'quiet';
  }

  /** @param concealed - some of it was invented for lost packets. */
  push(samples: Int16Array, concealed: boolean, onKey: (key: DtmfKey) => void): void {
    for (let at = 0; at < samples.length; ) {
      const count = Math.min(this.#block.length - this.#filled, samples.length - at);
      for (let i = 0; i < count; i += 1) this.#block[this.#filled + i] = samples[at + i] as number;
      this.#filled += count;
      at += count;
      this.#blockConcealed ||= concealed;
      if (this.#filled < this.#block.length) return;
      if (this.#blockConcealed) this.#skip(onKey);
      else this.#step(onKey);
      this.#filled = 0;
      this.#blockConcealed = false;
    }
  }

  #skip(onKey: (key: DtmfKey) => void): void {
    this.#apart = true;
    this.#concealed += 1;
    if (this.#concealed < CONCEALED_BLOCKS_MAX) {
      this.#missing += 1;
      return;
    }
    this.#before = undefined;
    this.#go('gone', onKey);
  }

  #step(onKey: (key: DtmfKey) => void): void {
    this.#concealed = 0;
    const pair = this.#filter.read(this.#block);
    if (this.#state !== 'quiet') this.#go(this.#stays(pair) ? 'stays' : 'gone', onKey);
    if (this.#state === 'quiet' && pair && this.#before && this.#filter.agree(this.#before, pair, this.#apart)) {
      this.#pair = pair;
      this.#blocks = this.#apart || this.#filter.has(pair, 2) ? 3 : 2;
      this.#missing = 0;
      this.#go('pair', onKey);
    }
    this.#before = pair;
    this.#apart = false;
  }

  /** A key that began is not judged as strictly as one that begins: it stays as long as nothing else took its place. */
  #stays(pair: TonePair | undefined): boolean {
    const sounding = this.#pair;
    if (!sounding || (pair && pair.key !== sounding.key)) return false;
    return this.#filter.has(sounding, 0);
  }

  #go(event: ToneEvent, onKey: (key: DtmfKey) => void): void {
    if (event === 'stays') this.#blocks += this.#missing + 1;
    this.#missing = event === 'gone' ? this.#missing + 1 : 0;
    const next = TONE_TRANSITIONS[this.#state][event] ?? this.#state;
    const ended = next === 'quiet' && this.#state !== 'quiet' ? this.#pair : undefined;
    this.#state = next;
    if (ended && this.#blocks >= BLOCKS_MIN) onKey({ digit: ended.key, durationMs: this.#blocks * BLOCK_MS });
  }
}
