import { decodeG711, encodeG711, MULAW_DECODE, MULAW_ENCODE } from '../../../dist/audio/g711.js';
import { COLUMNS_HZ, KEYPAD, ROWS_HZ } from '../../../dist/media/dtmf/dtmf-tone.js';

export const RATE_HZ = 8000;

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** White noise by Box and Muller, RMS 1. */
const gaussian = (random) => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());

/** One press with silence around it, as the telephone gives it: at a random moment and phase, in noise, by mu-law. */
export function press(key, { ms = 100, offPercent = 0, twistDb = 0, snrDb = 60, levelDb = -16 }, random) {
  const at = KEYPAD.indexOf(key);
  const signs = [random() < 0.5 ? -1 : 1, random() < 0.5 ? -1 : 1];
  const hz = [
    ROWS_HZ[at >> 2] * (1 + (signs[0] * offPercent) / 100),
    COLUMNS_HZ[at & 3] * (1 + (signs[1] * offPercent) / 100),
  ];
  const phases = [random() * 2 * Math.PI, random() * 2 * Math.PI];
  const base = 32_768 * 10 ** (levelDb / 20);
  const levels = [base * 10 ** (-twistDb / 40), base * 10 ** (twistDb / 40)]; // a positive twist: the column is louder
  const lead = Math.floor(400 + random() * 400);
  const length = Math.round((ms * RATE_HZ) / 1000);
  const audio = new Int16Array(Math.ceil((lead + length + 1200) / 160) * 160);
  const rms = Math.sqrt((levels[0] ** 2 + levels[1] ** 2) / 2);
  const noise = rms * 10 ** (-snrDb / 20);
  for (let n = 0; n < audio.length; n += 1) {
    let sample = noise * gaussian(random);
    const t = n - lead;
    if (t >= 0 && t < length) {
      for (const i of [0, 1]) sample += levels[i] * Math.sin((2 * Math.PI * hz[i] * t) / RATE_HZ + phases[i]);
    }
    audio[n] = Math.max(-32_768, Math.min(32_767, Math.round(sample)));
  }
  return overTheLine(audio);
}

/** As mu-law leaves it. */
export function overTheLine(audio) {
  const bytes = new Uint8Array(audio.length);
  encodeG711(MULAW_ENCODE, audio, bytes);
  decodeG711(MULAW_DECODE, bytes, audio);
  return audio;
}
