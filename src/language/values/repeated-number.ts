import { digitRuns, saidOnceMore } from '../number-words.ts';
import type { Word } from '../words.ts';

/** `house forty one, four one`: a number that is said again digit by digit is said once. */
export function withoutRepeats(words: readonly Word[]): readonly Word[] {
  const plain = words.map(({ text }) => text);
  for (const run of digitRuns(plain)) {
    const again = saidOnceMore(plain, run);
    if (again !== undefined) return withoutRepeats([...words.slice(0, again), ...words.slice(run.end)]);
  }
  return words;
}
