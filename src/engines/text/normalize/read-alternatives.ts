import { foldWord } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { pattern } from '../../../language/pattern.ts';
import { isUnitSign } from './plain-word.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

const list = listsOf('engines/text/normalize/data/read-alternatives.tsv');

const SIDE_BY_SIDE = new Set(list('side-by-side'));
const AS_WRITTEN = new Set(list('as-written'));
const CAPITAL = new Set(list('capital'));
const PATHS = new Set(list('path'));
const PAIRS = new Set(list('pairs').map(foldPair));

const BEFORE_CHARS = 36;
/** A whole word before the sign, with no number before it: `6 min/km` is a rate. */
const BEFORE = /(?:^|(?<!\d)[ (["“‘'])([A-Za-z][a-z]{1,15}(?:-[a-z]{1,15})?)$/;
/** A whole word behind it, the last of its kind: `src/lib/core` is a path. */
const BEHIND = /^([A-Za-z][a-z]{1,15}(?:-[a-z]{1,15})?)(?![\w/\\@-]|[.:]\w)/;

/** The sign of `upgrade/update`, `he/she` and `Mr/Mrs` in English text: one or the other. */
export function englishAlternatives({ text }: Scan, at: number): Classified | undefined {
  const first = BEFORE.exec(text.slice(Math.max(0, at - BEFORE_CHARS), at))?.[1];
  const second = first === undefined ? undefined : BEHIND.exec(text.slice(at + 1, at + BEFORE_CHARS))?.[1];
  if (first === undefined || second === undefined) return undefined;
  const pair = `${first}/${second}`.toLowerCase();
  const named = second !== second.toLowerCase() && !CAPITAL.has(first); // Riyadh/Jeddah
  if (named || AS_WRITTEN.has(pair) || PATHS.has(first)) return undefined;
  if (isUnitSign(first) && isUnitSign(second)) return undefined;
  return classified({ kind: 'words', words: SIDE_BY_SIDE.has(pair) ? ' ' : ' or ' }, at, at + 1);
}

const ARABIC_BEFORE = /(?:^|[^ء-ي])([ء-ي]{2,16})$/u;
const ARABIC_BEHIND = /^([ء-ي]{1,16})(?![ء-ي/])/u;
/** Nouns of doing, by their form: تعديل، إلغاء، استبدال، اشتراك، انسحاب. */
const VERBAL_NOUN = pattern('u')`
  ^(?:ال)?(?:ت[ء-ي]{2}ي[ء-ي]ة?|[إا][ء-ي]{1,2}ا[ء-ي]ة?|است[ء-ي]{2,3}ا[ء-ي]ة?|ا[ء-ي]ت[ء-ي]ا[ء-ي]|ان[ء-ي]{2}ا[ء-ي])$
`;

/** The sign of `تعديل/تحديث`, `الموظف/الموظفة` and `الطالب/ة`; after titles and labels (السيد/محمد، المدينة/جدة) it stays. */
export function arabicAlternatives(text: string, at: number): Classified | undefined {
  const first = ARABIC_BEFORE.exec(text.slice(Math.max(0, at - BEFORE_CHARS), at))?.[1];
  const second = first === undefined ? undefined : ARABIC_BEHIND.exec(text.slice(at + 1, at + BEFORE_CHARS))?.[1];
  if (first === undefined || second === undefined) return undefined;
  if (second === 'ة') return classified({ kind: 'words', words: ` أو ${first}ة` }, at, at + 2);
  const article = first.startsWith('ال') === second.startsWith('ال');
  const doings = article && VERBAL_NOUN.test(first) && VERBAL_NOUN.test(second);
  if (!doings && second !== `${first}ة` && !PAIRS.has(foldPair(`${first}/${second}`))) return undefined;
  return classified({ kind: 'words', words: ' أو ' }, at, at + 1);
}

function foldPair(pair: string): string {
  return pair.split('/').map(foldWord).join('/');
}
