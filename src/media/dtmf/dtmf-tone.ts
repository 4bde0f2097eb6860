import { samplesOf } from '../../audio/pcm.ts';
import { DTMF_DIGITS } from './dtmf-event.ts';
import type { DtmfKey } from './dtmf-receiver.ts';

/** Keys as tones in the audio (ITU-T Q.23), for peers that offer no telephone-event. */

const ROWS_HZ = [697, 770, 852, 941];
const COLUMNS_HZ = [1209, 1336, 1477, 1633];
const PAD = '123A456B789C*0#D';
const TONE_AMPLITUDE = 6000; // each of the two

/** Writes `into` with the tone pair of `event` (0..15), `offset` samples into the key press. */
export function dtmfTone(into: Int16Array, event: number, offset: number, sampleRateHz: number): void {
  const at = PAD.indexOf(DTMF_DIGITS[event] ?? '');
  const row = (2 * Math.PI * (ROWS_HZ[at >> 2] ?? 0)) / sampleRateHz;
  const column = (2 * Math.PI * (COLUMNS_HZ[at & 3] ?? 0)) / sampleRateHz;
  for (let i = 0; i < into.length; i += 1) {
    const n = offset + i;
    into[i] = Math.round(TONE_AMPLITUDE * (Math.sin(row * n) + Math.sin(column * n)));
  }
}

const BLOCK_MS = 25.6; // every DTMF frequency falls near the middle of a bin of 39 Hz
const MIN_LEVEL = 100; // RMS of 16-bit samples: -50 dBFS
const MIN_SHARE = 0.7; // of the energy must be in the two tones: speech never is
const MAX_TWIST = 8; // power ratio between the two tones (9 dB)
const MIN_LEAD = 6; // power ratio of the strongest of a group to the next
const BLOCKS_TO_START = 2;
const BLOCKS_TO_END = 2;

/** Detects keys in audio by Goertzel filters. A key is reported when it ends, with its length to about 25 ms. */
export class DtmfToneDetector {
  readonly #block: Int16Array;
  #filled = 0;
  #candidate: string | undefined;
  #candidateBlocks = 0;
  #active: string | undefined;
  #activeBlocks = 0;
  #missing = 0;

  constructor(readonly sampleRateHz: number) {
    this.#block = new Int16Array(Math.round(samplesOf(BLOCK_MS, sampleRateHz)));
  }

  push(samples: Int16Array, onKey: (key: DtmfKey) => void): void {
    for (let i = 0; i < samples.length; i += 1) {
      this.#block[this.#filled] = samples[i] as number;
      this.#filled += 1;
      if (this.#filled < this.#block.length) continue;
      this.#filled = 0;
      this.#step(detectKey(this.#block, this.sampleRateHz), onKey);
    }
  }

  #step(key: string | undefined, onKey: (key: DtmfKey) => void): void {
    if (this.#active !== undefined) {
      if (key === this.#active) {
        this.#activeBlocks += 1;
        this.#missing = 0;
        return;
      }
      this.#missing += 1;
      if (this.#missing < BLOCKS_TO_END) return;
      onKey({ digit: this.#active, durationMs: Math.round(this.#activeBlocks * BLOCK_MS) });
      this.#active = undefined;
    }
    this.#candidateBlocks = key !== undefined && key === this.#candidate ? this.#candidateBlocks + 1 : 1;
    this.#candidate = key;
    if (key === undefined || this.#candidateBlocks < BLOCKS_TO_START) return;
    this.#active = key;
    this.#activeBlocks = this.#candidateBlocks;
    this.#missing = 0;
    this.#candidate = undefined;
  }
}

function detectKey(block: Int16Array, sampleRateHz: number): string | undefined {
  let energy = 0;
  for (let i = 0; i < block.length; i += 1) energy += (block[i] as number) ** 2;
  if (energy < block.length * MIN_LEVEL * MIN_LEVEL) return undefined;
  const row = strongest(block, ROWS_HZ, sampleRateHz);
  const column = strongest(block, COLUMNS_HZ, sampleRateHz);
  if (!row || !column) return undefined;
  const twist = row.power / column.power;
  if (twist > MAX_TWIST || twist < 1 / MAX_TWIST) return undefined;
  // A sine of amplitude A has Goertzel power (A*N/2)^2 and energy A^2*N/2.
  const share = ((row.power + column.power) * 2) / block.length / energy;
  return share >= MIN_SHARE ? PAD[row.index * 4 + column.index] : undefined;
}

function strongest(
  block: Int16Array,
  group: readonly number[],
  sampleRateHz: number,
): { index: number; power: number } | undefined {
  const powers = group.map((hz) => goertzel(block, hz / sampleRateHz));
  const power = Math.max(...powers);
  const index = powers.indexOf(power);
  const next = Math.max(...powers.filter((_, i) => i !== index));
  return power > 0 && power >= next * MIN_LEAD ? { index, power } : undefined;
}

/** @param frequency - in turns per sample. */
function goertzel(block: Int16Array, frequency: number): number {
  const coefficient = 2 * Math.cos(2 * Math.PI * frequency);
  let one = 0;
  let two = 0;
  for (let i = 0; i < block.length; i += 1) {
    const next = (block[i] as number) + coefficient * one - two;
    two = one;
    one = next;
  }
  return one * one + two * two - coefficient * one * two;
}
