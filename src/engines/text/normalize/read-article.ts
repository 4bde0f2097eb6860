import { OBLIQUE_BEFORE } from '../lexicon/context-words.ts';
import { arabicCardinal } from './arabic-cardinal.ts';
import { ORDINAL_MAX } from './arabic-ordinal.ts';
import { countsNext } from './arabic-plain.ts';
import { genderOf, isPluralAlone, possessedNoun } from './noun-gender.ts';
import { smallValue } from './numeral.ts';
import { type Scan, SPACE } from './scan.ts';
import type { Classified } from './token.ts';

/** A number behind the article, its digits at `digits`: الدور الـ5 is a rank, الـ24 ساعة القادمة and السنوات الـ5 count. */
export function withArticle(scan: Scan, read: Classified, digits: number): Classified {
  const day = dayAlone(scan, digits, read);
  const found = day === undefined ? read : { ...read, ...day };
  const { token } = found;
  if (token.kind !== 'quantity') return token.kind === 'ordinal' ? found : { ...found, prefix: `${found.prefix}ال` };
  const value =
    token.of.type === 'plain' && token.upTo === undefined && token.scale === undefined
      ? smallValue(token.number)
      : undefined;
  if (value === undefined || value === 0 || value > ORDINAL_MAX)
    return { ...found, token: { ...token, definite: true } };
  const many = countOfMany(scan, found, value);
  if (many !== undefined) return { ...found, token: { kind: 'words', words: many } };
  const left = scan.left(found.start);
  const afterDefinite = /^(?:و|ف)?(?:ال|بال|لل)/u.test(left) || possessedNoun(left) !== undefined; // فرعنا الـ5
  const counts = !afterDefinite && (countsNext(scan, found.end, value) || scan.next(found.end).word.startsWith('ال'));
  return { ...found, token: counts ? { ...token, definite: true } : { kind: 'ordinal', value } };
}

/** `الليلة الـ27 من رمضان`: the day is a rank, its month stays as written. */
function dayAlone(scan: Scan, at: number, { token }: Classified): Pick<Classified, 'token' | 'end'> | undefined {
  const { end, next } = scan.digits(at);
  if (token.kind !== 'date' || token.date.lastDay !== undefined || next !== SPACE) return undefined;
  return { token: { kind: 'ordinal', value: token.date.day! }, end };
}

const POSSESSIVE = /(?:نا|كم|هم|ها|ه|ك|ي)$/u;

/** The plural of أولادي, أبناؤه, لفروعنا: without its possessive and a joined preposition. */
function ownedPlural(word: string): string | undefined {
  const stem = word.replace(POSSESSIVE, '').replace(/ا[وي]$/u, 'اء');
  const candidates = /^[وفبلك]/u.test(stem) ? [stem, stem.slice(1)] : [stem];
  return POSSESSIVE.test(word) ? candidates.find((plural) => isPluralAlone(plural)) : undefined;
}

/** `السنوات الـ5 الأولى`: behind a plural the number counts and takes its gender, السنوات الخمس. */
function countOfMany(scan: Scan, { start }: Classified, value: number): string | undefined {
  const left = scan.left(start);
  const noun = /^[وفبلك]?(?:ال|لل)(.+)$/u.exec(left)?.[1] ?? ownedPlural(left); // أولادي الـ3
  if (noun === undefined || value < 2 || !isPluralAlone(noun)) return undefined;
  const oblique = scan.leftIn(start, OBLIQUE_BEFORE, 2) || /^[بلك]/u.test(scan.left(start));
  const words = arabicCardinal(value, { gender: genderOf(noun, MANY), oblique, construct: false });
  return `ال${words.replace(/ و(?=(?:عشر|ثلاث|أربع|خمس|ست|سبع|ثمان|تسع)[وي]ن)/u, ' وال')}`;
}

/** Any count that a plural follows. */
const MANY = 5;
