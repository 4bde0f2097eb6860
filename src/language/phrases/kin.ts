import { fold } from '../fold.ts';
import { isFiller } from '../lexicon/lexicon.ts';
import type { Word } from '../words.ts';

/** What people are called for whom somebody else calls, one row a person; Arabic without pronouns and articles. */
const ROWS: readonly (readonly [person: string, english: string, arabic: string])[] = [
  ['son', 'son boy', 'ولد ابن'],
  ['daughter', 'daughter girl', 'بنت ابنت ابنه'],
  ['child', 'child kid baby', 'طفل طفله'],
  ['brother', 'brother', 'اخو'],
  ['sister', 'sister', 'اخت'],
  ['wife', 'wife', 'زوجه زوجت مرات مرت حرمه حرمت مدام'],
  ['husband', 'husband', 'زوج'],
  ['mother', 'mother mum mom', 'ام والده والدت'],
  ['father', 'father dad', 'ابو والد'],
  ['grandmother', 'grandmother grandma', 'جدت'],
  ['grandfather', 'grandfather grandpa', 'جد'],
  ['aunt', 'aunt', 'خالت عمت'],
  ['uncle', 'uncle', 'خال عم'],
  ['nephew', 'nephew niece cousin', 'حفيد حفيدت'],
  ['flatmate', 'flatmate roommate housemate', 'رفيق رفيقت'],
  ['colleague', 'colleague coworker', 'زميل زميلت'],
  ['friend', 'friend', 'صديق صديقت'],
];
const PERSONS = new Map(
  ROWS.flatMap(([person, ...lists]) =>
    lists.flatMap((list) => list.split(' ').map((word) => [fold(word), person] as const)),
  ),
);
/** Of somebody (`اخوها`), for somebody (`للبنت`), or both (`لاخته`): without either it may be any word. */
const OF_SOMEBODY = [/^(.{2,}?)(?:يا|ي|ه|ها|هم|نا)$/, /^[وف]?ل?(.{2,}?)(?:يا|ي|ه|ها|هم|نا)$/]; // ولدي begins with no and
const THE = /^[وف]?ب?(?:لل|ال)(.{2,})$/;
/** Said with a pronoun these are something else: جدة, أمة. */
const OTHERS = new Set(['جده', 'امه', 'عمي', 'خالي', 'جدي'].map((word) => fold(word)));

function personOf(text: string): string | undefined {
  if (/^[a-z]/.test(text)) return PERSONS.get(text.replace(/s$/, '')); // my brother's
  if (OTHERS.has(text) || isFiller(text)) return undefined;
  const stems = [...OF_SOMEBODY, THE].map((form) => form.exec(text)?.[1] ?? '');
  const known = stems.find((stem) => PERSONS.has(stem));
  return known === undefined ? undefined : PERSONS.get(known);
}

/** Whether a word says who somebody is to somebody: `اخوها`, `للبنت`, `brother`. */
export function isKin(text: string): boolean {
  return personOf(text) !== undefined;
}

/** Those close to a caller who are spoken of, each once; who is only addressed so (`يا بنتي`) is not. */
export function kinIn(words: readonly Word[]): readonly string[] {
  const persons = words.flatMap(({ text }, at) => (words[at - 1]?.text === 'يا' ? [] : (personOf(text) ?? [])));
  return [...new Set(persons)];
}
