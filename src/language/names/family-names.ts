import { foldedSet } from '../fold-word.ts';
import { listsOf } from '../lists.ts';

const list = listsOf('language/names/data/family-names.tsv');

/** Family names of tribes, towns and houses that nothing else is called: whatever stands before one is a given name. Folded. */
export const MORE_TRIBAL_NAMES = foldedSet(...list('more-tribal-names'));

/** Family names of Arabs that are ordinary words or places as well, and those without article: only after a given name. Folded. */
export const MORE_FAMILY_NAMES = foldedSet(...list('more-family-names'));

/** Family names in Latin letters that no English word and no company looks like: a capitalised word before one is a given name. */
export const DISTINCT_LATIN_FAMILIES: ReadonlySet<string> = new Set(list('distinct-latin-families'));
