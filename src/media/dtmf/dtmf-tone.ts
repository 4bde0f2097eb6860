import { DTMF_DIGITS } from './dtmf-event.ts';

/** Keys as tones in the audio (ITU-T Q.23), for peers that take no telephone-event. */

export const ROWS_HZ = [697, 770, 852, 941] as const;
export const COLUMNS_HZ = [1209, 1336, 1477, 1633] as const;
/** The key of row `r` and column `c` at `4 * r + c`. */
export const KEYPAD = '123A456B789C*0#D';
const TONE_AMPLITUDE = 6000; // each of the two

/** Writes `into` with the tone pair of `event` (0..15), `offset` samples into the key press. */
export function dtmfTone(into: Int16Array, event: number, offset: number, sampleRateHz: number): void {
  const at = KEYPAD.indexOf(DTMF_DIGITS[event] ?? '');
  const row = (2 * Math.PI * (ROWS_HZ[at >> 2] ?? 0)) / sampleRateHz;
  const column = (2 * Math.PI * (COLUMNS_HZ[at & 3] ?? 0)) / sampleRateHz;
  for (let i = 0; i < into.length; i += 1) {
    const n = offset + i;
    into[i] = Math.round(TONE_AMPLITUDE * (Math.sin(row * n) + Math.sin(column * n)));
  }
}
