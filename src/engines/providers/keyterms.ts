import type { SttHints } from '../stt/contract.ts';

/** What a service takes of words that may be said. */
export interface KeytermLimits {
  readonly count: number;
  readonly chars: number; // of all
  readonly termChars: number; // of each
}

/** What callers may say, as far as a service takes it: the first phrases are those that are expected now. */
export function keytermsOf(hints: SttHints | undefined, limits: KeytermLimits): readonly string[] {
  const terms = new Set<string>();
  let chars = 0;
  for (const phrase of hints?.phrases ?? []) {
    const term = phrase.replace(/\s+/g, ' ').trim();
    if (term === '' || term.length > limits.termChars || terms.has(term)) continue;
    chars += term.length;
    if (terms.size === limits.count || chars > limits.chars) break;
    terms.add(term);
  }
  return [...terms];
}
