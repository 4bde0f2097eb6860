/** Of one letter, by default: 60 ms on the telephone. */
export const LETTER_SAMPLES = 480;

interface Manner {
  readonly letterSamples?: number;
  /** After commas and the ends of sentences. */
  readonly pauseSamples?: number;
}

/**
 * What sounds like a voice to whoever looks for letters and pauses: a tone for each letter, 20 ms of silence between words and 250 ms
 * between clauses. Lengths are in samples of 8 kHz, whatever the rate is.
 */
export function pausedSpeech(
  text: string,
  rateHz: number,
  { letterSamples = LETTER_SAMPLES, pauseSamples = 2_000 }: Manner = {},
): Int16Array<ArrayBuffer> {
  const times = rateHz / 8_000;
  const lengths = [...text].map((letter) => {
    if (/\p{L}|\p{N}/u.test(letter)) return { samples: letterSamples, isLoud: true };
    return { samples: /[\s]/u.test(letter) ? 160 : pauseSamples, isLoud: false };
  });
  const total = lengths.reduce((sum, { samples }) => sum + Math.round(samples * times), 0);
  const sound = new Int16Array(total);
  let at = 0;
  for (const { samples, isLoud } of lengths) {
    const end = at + Math.round(samples * times);
    for (; at < end; at += 1) if (isLoud) sound[at] = Math.round(6_000 * Math.sin((at * 0.35) / times));
  }
  return sound;
}
