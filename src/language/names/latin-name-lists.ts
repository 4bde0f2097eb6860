import { listsOf } from '../lists.ts';
import { GUARDED_LATIN_NAMES, MORE_LATIN_GIVEN_NAMES } from './given-names.ts';

const list = listsOf('language/names/data/latin-name-lists.tsv');

/** Given names in Latin letters that are nothing else. */
export const LATIN_GIVEN_NAMES: ReadonlySet<string> = new Set(list('latin-given-names'));

/** English family names common enough to follow a listed given name in lower case. */
export const LATIN_FAMILY_NAMES: ReadonlySet<string> = new Set(list('latin-family-names'));

/** Given names in Latin letters that are English words, months, places or titles as well: names only after a trigger. */
export const LATIN_NAMES_AND_WORDS: ReadonlySet<string> = new Set([
  ...list('latin-names-and-words'),
  ...GUARDED_LATIN_NAMES,
]);

/** Names that are taken for one only in capitals. */
export const CAPITAL_GIVEN_NAMES: ReadonlySet<string> = new Set(MORE_LATIN_GIVEN_NAMES);
/** Given names that stand for somebody without a trigger, in capitals. */
export const LONE_LATIN_GIVEN_NAMES: ReadonlySet<string> = new Set(
  [...LATIN_GIVEN_NAMES, ...CAPITAL_GIVEN_NAMES].filter((name) => !LATIN_NAMES_AND_WORDS.has(name)),
);

/** After a name they make it a place, an institution or a company. */
export const PLACE_AFTER: ReadonlySet<string> = new Set(list('place-after'));
export const PUBLIC_BEFORE: ReadonlySet<string> = new Set(
  'pope emperor empress tsar king queen prince princess prophet imam caliph saint san santa port mount lake the fort cape sultan emir surah surat'.split(
    ' ',
  ),
);
