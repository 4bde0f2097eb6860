import { foldedSet, foldWord } from '../fold-word.ts';
import { listsOf } from '../lists.ts';
import { MORE_FAMILY_NAMES, MORE_TRIBAL_NAMES } from './family-names.ts';
import { ARAB_GIVEN_NAMES, GUARDED_ARAB_NAMES } from './given-names.ts';
import { RARER_AMBIGUOUS_NAMES, RARER_FAMILY_NAMES, RARER_GIVEN_NAMES } from './more-names.ts';

const list = listsOf('language/names/data/name-lists.tsv');

/** The commonest given names. Folded. */
const KNOWN_GIVEN_NAMES = foldedSet(...list('known-given-names'));

/** Given names that mean something as well, or are the names of places: never taken for somebody by themselves. Folded. */
const NOT_ALONE = foldedSet(...list('not-alone'));

/** Given names that are also ordinary words: names only after a trigger or before a family name. Folded. */
const KNOWN_AMBIGUOUS_NAMES = foldedSet(...list('known-ambiguous-names'));

/** `باسم زوجتي`, `رفعت الطلب`, `ملفي الطبي`: words far more often. Folded. */
const GUARDED_AGAIN = foldedSet('باسم رفعت ملفي ليالي عودة');

/** Names that are words as well, except those used as names alone for so long that nobody means the word. */
export const AMBIGUOUS_GIVEN_NAMES: ReadonlySet<string> = new Set([
  ...KNOWN_AMBIGUOUS_NAMES,
  ...[...GUARDED_ARAB_NAMES, ...RARER_AMBIGUOUS_NAMES].filter(
    (name) => !KNOWN_GIVEN_NAMES.has(name) || GUARDED_AGAIN.has(name),
  ),
]);

/** Given names that are nothing else in a sentence. Folded. */
export const GIVEN_NAMES: ReadonlySet<string> = new Set(
  [...KNOWN_GIVEN_NAMES, ...ARAB_GIVEN_NAMES, ...RARER_GIVEN_NAMES].filter(
    (name) => !GUARDED_AGAIN.has(name) && !isNewAndAmbiguous(name),
  ),
);

function isNewAndAmbiguous(name: string): boolean {
  return !KNOWN_GIVEN_NAMES.has(name) && AMBIGUOUS_GIVEN_NAMES.has(name);
}

/** Ambiguous names that describe people as well: `زوجي سعيد`. Folded. */
export const DESCRIBING_NAMES = foldedSet(...list('describing-names'));

/** Known only from the lists of rarer names: taken beside a word that announces somebody. */
function isRarer(name: string): boolean {
  return RARER_GIVEN_NAMES.has(name) && !KNOWN_GIVEN_NAMES.has(name) && !ARAB_GIVEN_NAMES.has(name);
}

/** Given names that are taken without a trigger, but not in places and scripture. Folded. */
export const LONE_GIVEN_NAMES: ReadonlySet<string> = new Set(
  [...GIVEN_NAMES].filter((name) => !NOT_ALONE.has(name) && !AMBIGUOUS_GIVEN_NAMES.has(name) && !isRarer(name)),
);

/** Family names of tribes and towns, which nothing else is called: the word before is a given name, listed or not. Folded. */
const KNOWN_TRIBAL_NAMES = foldedSet(...list('known-tribal-names'));

export const TRIBAL_NAMES: ReadonlySet<string> = new Set([...KNOWN_TRIBAL_NAMES, ...MORE_TRIBAL_NAMES]);

/** Family names and nisbas without the article. Folded. */
const KNOWN_FAMILY_NAMES = foldedSet(...list('known-family-names'));

export const FAMILY_NAMES: ReadonlySet<string> = new Set([
  ...KNOWN_FAMILY_NAMES,
  ...MORE_TRIBAL_NAMES,
  ...MORE_FAMILY_NAMES,
  ...RARER_FAMILY_NAMES,
]);

/** Before a name they make it a place or an institution. Folded. */
export const PLACE_BEFORE = foldedSet(...list('place-before'));
/** Before a name that stands alone they make it the name of something. Folded. */
export const WORK_BEFORE = foldedSet(...list('work-before'));
/** Given and second name, as written together, of people history and news speak of; folded. */
export const PUBLIC_FIGURES = new Set(
  (
    'عمر بن الخطاب|هارون الرشيد|أبو بكر الصديق|عثمان بن عفان|علي بن أبي|خالد بن الوليد|بلال بن رباح|' +
    'أنس بن مالك|أحمد بن حنبل|عمر بن عبدالعزيز|صلاح الدين الأيوبي|طارق بن زياد|محمد بن سلمان|' +
    'سلمان بن عبدالعزيز|عبدالعزيز آل سعود|عبدالله بن عباس|عبدالله بن مسعود|عائشة بنت أبي|خديجة بنت خويلد|' +
    'فاطمة بنت محمد|محمد بن القاسم|محمد بن عبدالله|سعد بن أبي|معاذ بن جبل|حمزة بن عبدالمطلب'
  )
    .split('|')
    .map((name) => name.split(' ').map(foldWord).join(' ')),
);
