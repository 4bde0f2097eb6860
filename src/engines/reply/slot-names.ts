import type { SlotDefinition } from '../../core/agent.ts';
import { fold } from '../../language/fold.ts';
import { slotNames } from '../../language/values/slot-filling.ts';
import type { Word } from '../../language/words.ts';

/** What a value is called beside the names of its slot. */
const ALSO_CALLED: Readonly<Partial<Record<SlotDefinition['type'], readonly string[]>>> = {
  phone: ['number', 'رقم', 'نمرة'],
  choice: ['thing', 'شي', 'شيء', 'حاجة'],
};
const ARTICLE = /^(?:ال|هال)(?=..)/;
const POSSESSIVE = /(?<=.{3})(?:ي|ه|ها|هم|نا)$/;
const MAX_NAME_WORDS = 2;

/** Where the words that call a slot by its name end (`رقمي`, `the day`), from a place on; undefined where it is not named there. */
export function namedUntil(words: readonly Word[], at: number, slot: SlotDefinition): number | undefined {
  const names = new Set([...slotNames(slot), ...(ALSO_CALLED[slot.type] ?? [])].map((name) => bare(fold(name))));
  for (let end = Math.min(words.length, at + MAX_NAME_WORDS); end > at; end -= 1) {
    const said = words.slice(at, end).map(({ text }) => bare(text));
    if (names.has(said.join(' '))) return end;
  }
  return undefined;
}

function bare(word: string): string {
  return word.replace(ARTICLE, '').replace(POSSESSIVE, '');
}
