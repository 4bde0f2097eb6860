import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import { FEMININE_WORDS, type Gender, MASCULINE_WORDS, type Noun, TIME_NOUNS } from '../../../language/nouns.ts';
import { NOT_COUNTED } from '../lexicon/context-words.ts';
import { COUNTED_NOUNS } from '../lexicon/counted-nouns.ts';

const FEMININE = foldedSet(FEMININE_WORDS);
const MASCULINE = foldedSet(MASCULINE_WORDS);

// The singular of one noun may be the plural of another (فرق, أسرة): the entry read first has it.
const SINGULARS = forms(({ singular }) => [`${singular}ا`, singular]);
const PLURALS = forms(({ plural }) => [plural]);

function forms(of: (noun: Noun) => readonly string[]): ReadonlyMap<string, Noun> {
  const entries = COUNTED_NOUNS.flatMap((noun) => of(noun).map((form) => [foldWord(form), noun] as const));
  return new Map(entries.reverse());
}

const TIME = foldedSet(TIME_NOUNS);

/**
 * The forms of a noun from its singular, accusative (يوماً) or plural; undefined when it is not in the table. `count` tells
 * which of them is the likelier: six أسرّة are beds, eleven أسرة families.
 */
export function knownNoun(word: string, count = 1): Noun | undefined {
  const folded = foldWord(word);
  const [first, second] = isFew(count) ? [PLURALS, SINGULARS] : [SINGULARS, PLURALS];
  return first.get(folded) ?? second.get(folded);
}

export function isKnownPlural(word: string): boolean {
  const folded = foldWord(word);
  return PLURALS.has(folded) || FEMININE.has(folded);
}

/** An accusative ending (طالباً), but not that of عالمياً. */
const ACCUSATIVE = /[^\u064a](?:\u0627\u064b|\u064b\u0627)$/u;

/** طالباً behind a number; no adverb (شكراً), nothing that و joins to the sentence. */
export function isCountedAccusative(word: string): boolean {
  return ACCUSATIVE.test(word) && !word.startsWith('و') && !NOT_COUNTED.has(foldWord(word));
}

/** Whether a word behind a number can only be what it counts. */
export function isCountedWord(word: string): boolean {
  return knownNoun(word) !== undefined || isCountedAccusative(word);
}

/** The same for words that no table knows but by their ending: a count is likelier than a new phrase. */
export function isLikelyCounted(word: string): boolean {
  return isCountedWord(word) || (/^(?!ال|و).*(?:ة|ات|ين)$/u.test(word) && !NOT_COUNTED.has(foldWord(word)));
}

/** A plural that is no singular besides: السنوات, الدول. */
export function isPluralAlone(word: string): boolean {
  const folded = foldWord(word);
  if (SINGULARS.has(folded)) return false;
  return PLURALS.has(folded) || MASCULINE.has(folded) || /^.{3,}ات$/u.test(folded);
}

const POSSESSIVE = /(?:نا|كم|هم|ها|ه|ك|ي)$/u;

/** The noun of هدفه, سيارتنا; undefined for a word without a possessive, or whose noun no table knows. */
export function possessedNoun(word: string): Noun | undefined {
  const folded = foldWord(word);
  const stem = folded.replace(POSSESSIVE, '');
  if (stem === folded || stem.length < 2) return undefined;
  if (SINGULARS.has(folded) || FEMININE.has(folded) || MASCULINE.has(folded)) return undefined; // الذكرى
  return SINGULARS.get(stem) ?? (stem.endsWith('ت') ? SINGULARS.get(`${stem.slice(0, -1)}ه`) : undefined);
}

/** Last two digits 3 to 10: a plural follows. */
function isFew(count: number): boolean {
  const lastTwo = count % 100;
  return lastTwo >= 3 && lastTwo <= 10;
}

/** Stretches of time change with the number (`3 يوم` is ثلاثة أيام), other nouns stay as the caller wrote them. */
export function isTimeNoun(noun: Noun): boolean {
  return TIME.has(foldWord(noun.singular));
}

/**
 * Gender of the singular of a counted noun, from its written form. `count` tells whether it is a plural: 3-10 (by the
 * last two digits) are followed by one. Tables first, then patterns: a guess for words never seen.
 */
export function genderOf(word: string, count: number): Gender {
  const folded = foldWord(word);
  const known = knownNoun(word, count);
  if (known !== undefined) return known.gender;
  if (FEMININE.has(folded)) return 'f';
  if (MASCULINE.has(folded)) return 'm';
  if (folded.endsWith('ات') && folded.length > 3) return soundPlural(folded);
  if (isFew(count) && FROM_FEMININE.test(folded)) return 'f';
  if (folded.endsWith('ه')) return isFew(count) && brokenMasculine(folded) ? 'm' : 'f';
  return 'm';
}

/** بضائع، نصائح، قذائف: the plural of فعيلة. */
const FROM_FEMININE = /^..اي.$/u;

/** أجهزة، أسئلة، أرصدة: plurals of masculine nouns that end in ـة. */
function brokenMasculine(folded: string): boolean {
  return folded.length === 5 && folded.startsWith('ا');
}

/**
 * ـات is also the plural of masculine verbal nouns: إشعارات (إشعار), اشتراكات, تعديلات, استفسارات. Those of hollow verbs
 * are feminine: إجازات (إجازة), استشارات. Letters are counted with the ending.
 */
function soundPlural(folded: string): Gender {
  const { length } = folded;
  if (folded.startsWith('است')) return length >= 9 ? 'm' : 'f';
  if (folded.startsWith('ا') && length >= 7 && folded[length - 4] !== 'ي')
    return folded[length - 4] === 'ا' ? 'm' : 'f';
  if (folded.startsWith('ت') && isVerbal(folded)) return 'm';
  return 'f';
}

/** تحديثات, تنازلات, تبرعات; not توصيات, تجارات. */
function isVerbal(folded: string): boolean {
  if (folded.length === 7) return folded[3] === 'ي' || folded[2] === 'ا';
  return folded.length === 6 && folded[3] !== 'ي' && folded[3] !== 'ا';
}
