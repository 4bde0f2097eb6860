import { listsOf } from '../../../language/lists.ts';
import type { Gender, Noun } from '../../../language/nouns.ts';

const list = listsOf('engines/text/lexicon/data/counted-nouns.tsv');

/** Counted often enough that the dual is worth knowing: `2 مواعيد` is said موعدان. A row has the singular and its plurals. */
export const COUNTED_NOUNS: readonly Noun[] = [...nouns('masculine', 'm'), ...nouns('feminine', 'f')];

function nouns(name: string, gender: Gender): Noun[] {
  return list(name).flatMap((entry) => {
    const [singular, ...plurals] = entry.split(' ') as [string, ...string[]];
    return plurals.map((plural): Noun => ({ singular, plural, gender }));
  });
}
