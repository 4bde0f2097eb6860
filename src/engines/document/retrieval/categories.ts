import { lazily } from '../../../core/lazily.ts';
import { arabicStem } from '../../../language/arabic-stem.ts';
import { stemOfAnySpelling } from '../../../language/english-stem.ts';
import { everyListOf } from '../../../language/lists.ts';
import { foldWord } from './words.ts';

/** What a question asks for one of (`which language`), and words by which a text names one without saying what it is. */
const categories = lazily(readCategories);

/** One form for the comparison: light stems. */
function plain(folded: string): string {
  return /[\u0621-\u06d3]/.test(folded)
    ? arabicStem(folded.length >= 5 ? folded.replace(/^[وفبل](?=ال)/, '') : folded)
    : stemOfAnySpelling(folded);
}

function readCategories(): ReadonlyMap<string, readonly ReadonlySet<string>[]> {
  const read = new Map<string, ReadonlySet<string>[]>();
  for (const [asked, said] of everyListOf('engines/document/retrieval/data/categories.tsv')) {
    const examples = new Set(said.map((word) => plain(foldWord(word))));
    for (const word of asked.split(' ')) {
      const key = plain(foldWord(word));
      const known = read.get(key);
      if (known) known.push(examples);
      else read.set(key, [examples]);
    }
  }
  return read;
}

/** Whether there are words that name one of what `folded` means; see `namesOneOf`. */
export function isCategory(folded: string): boolean {
  return categories().has(plain(folded));
}

/** Whether one of `words` (folded) names one of what `category` means: `smallpox` is a `disease`. */
export function namesOneOf(category: string, words: Iterable<string>): boolean {
  const sets = categories().get(plain(category));
  if (!sets) return false;
  for (const word of words) {
    const form = plain(word);
    if (sets.some((examples) => examples.has(form))) return true;
  }
  return false;
}
