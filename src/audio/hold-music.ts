import { TELEPHONE_RATE_HZ } from './pcm.ts';

/** Hz of A4, from which the other notes are counted in semitones. */
const A4_HZ = 440;
/** Four chords, in semitones from A4, low to high: C, A minor, F, G. All notes pass a telephone (300 to 3,400 Hz). */
const CHORDS: readonly (readonly number[])[] = [
  [-9, -5, -2, 3],
  [-12, -9, -5, 0],
  [-16, -12, -9, -4],
  [-14, -10, -7, -2],
];
/** The order in which the notes of a chord are struck, one each half second. */
const FIGURE = [0, 1, 2, 3, 2, 1, 2, 1] as const;
const NOTE_MS = 500;
/** Of one note: how fast it comes, and how fast it goes to a third. */
const ATTACK_MS = 60;
const DECAY_MS = 700;
const RING_MS = 3_000;
/** Overtones: their share of the fundamental, fewer than an instrument has, so that it is soft. */
const PARTIALS = [1, 0.25, 0.08] as const;
/** About -24 dBFS where four notes ring together: below the agent's voice. */
const NOTE_PEAK = 1_300;

/** Length of the loop. */
export const HOLD_MUSIC_MS = CHORDS.length * FIGURE.length * NOTE_MS;

/**
 * The music that waiting callers hear where none is named: a slow broken chord, computed and always the same. What still rings at
 * the end sounds on at the beginning, so the loop has no seam.
 */
export function holdMusic(sampleRateHz = TELEPHONE_RATE_HZ): Int16Array {
  const mixed = new Float64Array((HOLD_MUSIC_MS * sampleRateHz) / 1000);
  const noteSamples = (NOTE_MS * sampleRateHz) / 1000;
  const swell = swellOf(sampleRateHz);
  let at = 0;
  for (const chord of CHORDS) {
    for (const step of FIGURE) {
      const radians = (2 * Math.PI * A4_HZ * 2 ** (chord[step]! / 12)) / sampleRateHz;
      PARTIALS.forEach((share, n) => {
        ring(mixed, at, radians * (n + 1), NOTE_PEAK * share, swell);
      });
      at += noteSamples;
    }
  }
  return Int16Array.from(mixed, (sample) => Math.round(sample));
}

/** How loud a note is at each sample while it rings, 0..1: the same for every note. */
function swellOf(sampleRateHz: number): Float64Array {
  return Float64Array.from({ length: (RING_MS * sampleRateHz) / 1000 }, (_, i) => {
    const ms = (i * 1000) / sampleRateHz;
    const attack = Math.min(1, ms / ATTACK_MS);
    const end = Math.min(1, (RING_MS - ms) / ATTACK_MS);
    return attack * end * Math.exp(-ms / DECAY_MS);
  });
}

/** Adds a sine of `radians` a sample from `at` on: sin((i + 1)w) = 2 cos(w) sin(iw) - sin((i - 1)w), for two million samples at a start. */
function ring(into: Float64Array, at: number, radians: number, peak: number, swell: Float64Array): void {
  const turn = 2 * Math.cos(radians);
  let before = -Math.sin(radians);
  let now = 0;
  for (let i = 0, place = at; i < swell.length; i += 1, place += 1) {
    if (place === into.length) place = 0;
    into[place] = into[place]! + peak * swell[i]! * now;
    const next = turn * now - before;
    before = now;
    now = next;
  }
}
