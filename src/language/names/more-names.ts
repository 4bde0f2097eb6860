import { foldedSet } from '../fold-word.ts';
import { listsOf } from '../lists.ts';

const list = listsOf('language/names/data/more-names.tsv');

/** Given names beside those of `given-names.ts`: rarer Arab ones, and those of residents as Arabic spells them. Folded. */
export const RARER_GIVEN_NAMES: ReadonlySet<string> = foldedSet(...list('rarer-given-names'));

/** Those of them that are words as well: names only after a trigger. Folded. */
export const RARER_AMBIGUOUS_NAMES: ReadonlySet<string> = foldedSet(...list('rarer-ambiguous-names'));

/** Family names beside those of `family-names.ts`. Folded. */
export const RARER_FAMILY_NAMES: ReadonlySet<string> = foldedSet(...list('rarer-family-names'));
