import { foldedSet, foldWord } from '../lexicon/fold-word.ts';
import {
  COUNTED_NOUNS,
  FEMININE_WORDS,
  type Gender,
  MASCULINE_WORDS,
  type Noun,
  TIME_NOUNS,
} from '../lexicon/nouns.ts';

const FEMININE = foldedSet(FEMININE_WORDS);
const MASCULINE = foldedSet(MASCULINE_WORDS);

const KNOWN: ReadonlyMap<string, Noun> = new Map(
  // The singular of one noun may be the plural of another (فرق): the entry read first has it.
  [...COUNTED_NOUNS].reverse().flatMap((noun) => {
    const { singular, plural } = noun;
    return [plural, `${singular}ا`, singular].map((form) => [foldWord(form), noun] as const);
  }),
);
const TIME = foldedSet(TIME_NOUNS);

/** The forms of a noun from its singular, accusative (يوماً) or plural; undefined when it is not in the table. */
export function knownNoun(word: string): Noun | undefined {
  return KNOWN.get(foldWord(word));
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
  const known = KNOWN.get(folded);
  if (known !== undefined) return known.gender;
  if (FEMININE.has(folded)) return 'f';
  if (MASCULINE.has(folded)) return 'm';
  const lastTwo = count % 100;
  const plural = lastTwo >= 3 && lastTwo <= 10;
  if (folded.endsWith('ات') && folded.length > 3) return soundPlural(folded);
  if (folded.endsWith('ه')) return plural && brokenMasculine(folded) ? 'm' : 'f';
  return 'm';
}

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
  if (folded.startsWith('ت') && length === 7 && folded[3] === 'ي') return 'm';
  return 'f';
}
