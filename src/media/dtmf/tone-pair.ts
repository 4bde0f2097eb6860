import { samplesOf } from '../../audio/pcm.ts';
import { COLUMNS_HZ, KEYPAD, ROWS_HZ } from './dtmf-tone.ts';

/**
 * What one block of audio says of the eight frequencies of a keypad. A block is so short that a tone of 40 ms, wherever it begins,
 * has two whole ones in it: 3 x 13 ms < 40 ms + one sample.
 */
export const BLOCK_MS = 13;

const TONES_HZ = [...ROWS_HZ, ...COLUMNS_HZ];
const MIN_LEVEL = 100; // RMS of 16-bit samples: -50 dBFS
/** Share of a block's energy that its two tones have: before their true frequencies are known, and after. */
const MIN_SHARE = 0.55;
const MIN_PURE_SHARE = 0.87;
const MAX_TWIST = 8; // power ratio between the two tones (9 dB); ITU-T Q.24 asks for 4 to 8 dB
const MIN_LEAD = 4; // power ratio of the strongest of a group to the next: what 13 ms can tell apart
/** Keys are to be taken up to 1.5 % off and refused from 3.5 % on (ITU-T Q.24); what is measured wavers by some hertz. */
const TOLERANCE = 0.02;
const TOLERANCE_HZ = 4;
/** A tone is as loud as it was a block ago (power ratio, 4 dB); a voice is not. */
const MAX_CHANGE = 2.5;

/** A tone that lost so much (power ratio, 9 dB) is over: what is left fills a third of the block. */
const MAX_DROP = 8;

/** The two tones of a block, in the terms of a Goertzel filter. */
export interface TonePair {
  readonly key: string;
  readonly energy: number; // of the block
  readonly row: Tone;
  readonly column: Tone;
}
interface Tone {
  readonly hz: number; // nominal
  readonly re: number;
  readonly im: number;
  readonly power: number;
}

/** Eight filters over blocks of one length. Allocates only where a block looks like a key. */
export class TonePairFilter {
  readonly blockSamples: number;
  readonly #coefficients: readonly number[];
  readonly #re = new Float64Array(TONES_HZ.length);
  readonly #im = new Float64Array(TONES_HZ.length);
  /** Of the block that was read last, and of the two before it. */
  #powers: readonly [Float64Array, Float64Array, Float64Array] = [
    powersOfNothing(),
    powersOfNothing(),
    powersOfNothing(),
  ];

  constructor(readonly sampleRateHz: number) {
    this.blockSamples = Math.round(samplesOf(BLOCK_MS, sampleRateHz));
    this.#coefficients = TONES_HZ.map((hz) => 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz));
  }

  /** @param block - `blockSamples` long. @returns its two tones, where it is little else but those. */
  read(block: Int16Array): TonePair | undefined {
    this.#powers = [this.#powers[2], this.#powers[0], this.#powers[1]];
    let energy = 0;
    for (let i = 0; i < block.length; i += 1) energy += (block[i] as number) ** 2;
    if (energy < block.length * MIN_LEVEL * MIN_LEVEL) {
      this.#powers[0].fill(0);
      return undefined;
    }
    for (let tone = 0; tone < TONES_HZ.length; tone += 1) this.#measure(block, tone);
    const row = this.#strongest(0);
    const column = this.#strongest(ROWS_HZ.length);
    if (row < 0 || column < 0) return undefined;
    const pair = {
      key: KEYPAD[row * COLUMNS_HZ.length + column - ROWS_HZ.length] as string,
      ...{ energy, row: this.#tone(row), column: this.#tone(column) },
    };
    return this.#share(pair, 1, 1) >= MIN_SHARE ? pair : undefined;
  }

  /** Whether the tones of `pair` were in the block read last, or `ago` blocks before it, whatever else was: perhaps in a part of it. */
  has({ key, row, column }: TonePair, ago: 0 | 2): boolean {
    const at = KEYPAD.indexOf(key);
    const powers = this.#powers[ago];
    const [rowPower, columnPower] = [powers[at >> 2] as number, powers[ROWS_HZ.length + (at & 3)] as number];
    return rowPower * MAX_DROP >= row.power && columnPower * MAX_DROP >= column.power;
  }

  /**
   * Whether two blocks are of one key press: as loud, of the right frequencies, as far as their phases tell, and of nothing else.
   *
   * @param apart - blocks between the two were invented: their phases say nothing, so that the tones count as they were filtered.
   */
  agree(before: TonePair, now: TonePair, apart: boolean): boolean {
    if (before.key !== now.key || !isSteady(before.row, now.row) || !isSteady(before.column, now.column)) return false;
    const row = apart ? 0 : this.#offset(before.row, now.row);
    const column = apart ? 0 : this.#offset(before.column, now.column);
    if (!isNear(now.row, row) || !isNear(now.column, column)) return false;
    const [ofRow, ofColumn] = [this.#heardOf(row), this.#heardOf(column)];
    const twist = (now.row.power * ofColumn) / (now.column.power * ofRow);
    if (twist > MAX_TWIST || twist < 1 / MAX_TWIST) return false;
    const least = apart ? MIN_SHARE : MIN_PURE_SHARE;
    return this.#share(before, ofRow, ofColumn) >= least && this.#share(now, ofRow, ofColumn) >= least;
  }

  #measure(block: Int16Array, tone: number): void {
    const coefficient = this.#coefficients[tone] as number;
    let one = 0;
    let two = 0;
    for (let i = 0; i < block.length; i += 1) {
      const next = (block[i] as number) + coefficient * one - two;
      two = one;
      one = next;
    }
    this.#re[tone] = one - (two * coefficient) / 2;
    this.#im[tone] = two * Math.sqrt(1 - (coefficient / 2) ** 2);
    this.#powers[0][tone] = one * one + two * two - coefficient * one * two;
  }

  /** Of the group that begins at `from`; -1 where none leads. */
  #strongest(from: number): number {
    const [power] = this.#powers;
    let best = from;
    for (let tone = from + 1; tone < from + 4; tone += 1) {
      if ((power[tone] as number) > (power[best] as number)) best = tone;
    }
    for (let tone = from; tone < from + 4; tone += 1) {
      if (tone !== best && (power[tone] as number) * MIN_LEAD > (power[best] as number)) return -1;
    }
    return best;
  }

  #tone(tone: number): Tone {
    const [re, im, power] = [this.#re[tone] as number, this.#im[tone] as number, this.#powers[0][tone] as number];
    return { hz: TONES_HZ[tone] as number, re, im, power };
  }

  /** A sine of amplitude A has Goertzel power (A*N/2)^2 and energy A^2*N/2. */
  #share({ energy, row, column }: TonePair, ofRow: number, ofColumn: number): number {
    return ((row.power / ofRow + column.power / ofColumn) * 2) / this.blockSamples / energy;
  }

  /** By how many hertz a tone is off, within half a bin: its phase has turned so far in one block. */
  #offset(before: Tone, now: Tone): number {
    const turn = (2 * Math.PI * now.hz * this.blockSamples) / this.sampleRateHz;
    const re = now.re * before.re + now.im * before.im;
    const im = now.im * before.re - now.re * before.im;
    const phase = Math.atan2(im * Math.cos(turn) - re * Math.sin(turn), re * Math.cos(turn) + im * Math.sin(turn));
    return (phase * this.sampleRateHz) / (2 * Math.PI * this.blockSamples);
  }

  /** What a filter leaves of the power of a tone that is `offsetHz` beside it. */
  #heardOf(offsetHz: number): number {
    const x = (Math.PI * offsetHz * this.blockSamples) / this.sampleRateHz;
    return Math.abs(x) < 1e-6 ? 1 : (Math.sin(x) / x) ** 2;
  }
}

const powersOfNothing = (): Float64Array => new Float64Array(TONES_HZ.length);

function isSteady(before: Tone, now: Tone): boolean {
  const change = now.power / before.power;
  return change <= MAX_CHANGE && change >= 1 / MAX_CHANGE;
}

const isNear = ({ hz }: Tone, offsetHz: number): boolean => Math.abs(offsetHz) <= hz * TOLERANCE + TOLERANCE_HZ;
