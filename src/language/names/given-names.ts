import { foldedSet } from '../fold-word.ts';
import { listsOf } from '../lists.ts';

const list = listsOf('language/names/data/given-names.tsv');

/** Further given names of Arabs that are nothing else in a sentence, by region. Folded. */
export const ARAB_GIVEN_NAMES = foldedSet(
  // Saudi Arabia and the Gulf
  ...list('arab-given-names'),
);

/** Given names that are ordinary words as well: beside a family name or after a word that announces one, never by themselves. Folded. */
export const GUARDED_ARAB_NAMES = foldedSet(...list('guarded-arab-names'));

/** Further given names in Latin letters, by origin; in lower case. */
export const MORE_LATIN_GIVEN_NAMES: readonly string[] = list('more-latin-given-names');

/** Those that are words, gods, towns or brands as well: names only in capitals beside a family name or after a trigger. */
export const GUARDED_LATIN_NAMES: readonly string[] = list('guarded-latin-names');
