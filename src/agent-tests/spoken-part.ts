import { splitAtHeard } from '../call/transcript.ts';
import type { Language } from '../core/agent.ts';

/** How fast agents speak, by the voices of the catalogue: written Arabic leaves out its vowels. */
const CHARACTERS_PER_SECOND: Readonly<Record<Language, number>> = { en: 15, ar: 9.5 };

/** About how long it takes to say. */
export const speechMs = (text: string, language: Language): number =>
  (text.length * 1_000) / CHARACTERS_PER_SECOND[language];

/** What is heard of a text that is cut so long after it began, in whole words; all of it where it had ended by then. */
export function heardAfter(text: string, language: Language, ms: number): string {
  const total = speechMs(text, language);
  if (ms >= total) return text;
  return splitAtHeard([{ text, synthesisedSamples: total, playedSamples: Math.max(ms, 0), complete: true }]).heard;
}
