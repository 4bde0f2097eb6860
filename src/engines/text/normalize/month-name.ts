import {
  ARABIC_MONTH_PAIRS,
  ARABIC_MONTH_WORDS,
  type Calendar,
  ENGLISH_MONTH_WORDS,
} from '../../../language/calendar/calendar-names.ts';
import { foldWord } from '../../../language/fold-word.ts';
import { pattern } from '../../../language/pattern.ts';
import { isUpper, type Scan } from './scan.ts';

/** آب. */
export const SHORTEST_MONTH = 2;

export interface Month {
  readonly name: string;
  readonly calendar: Calendar;
  readonly end: number;
}

/** A month name at `at`, as it will be said; `small`: an English one may be in small letters, as a number beside it allows. */
export function readMonth(scan: Scan, at: number, small = false): Month | undefined {
  const { word, start, end } = scan.next(at);
  if (word.length < SHORTEST_MONTH) return undefined;
  const folded = scan.nextFolded(at);
  const pair = ARABIC_MONTH_PAIRS.get(folded);
  if (pair !== undefined) {
    const second = scan.next(end);
    if (second.start === end || !pair.second.includes(foldWord(second.word))) return undefined;
    return { name: `${folded === 'ذو' ? 'ذي' : word} ${second.word}`, calendar: pair.calendar, end: second.end };
  }
  const calendar = ARABIC_MONTH_WORDS.get(folded);
  if (calendar !== undefined) return { name: word, calendar, end };
  const long = isUpper(scan.text.charCodeAt(start)) ? longHijriMonth(scan.text, start) : undefined;
  if (long !== undefined) return long;
  const english = ENGLISH_MONTH_WORDS.get(folded);
  if (english === undefined || !(small || isUpper(scan.text.charCodeAt(start)))) return undefined;
  const dotted = folded.length <= 4 && english.name.length > 4 && scan.text[end] === '.';
  return { name: english.name, calendar: english.calendar, end: dotted ? end + 1 : end };
}

const LONG_HIJRI_MONTH = pattern('y')`
  (?:Dh?u['’]?l?[- ](?:al[- ]|ul[- ])?(?:Hijj?ah?|Qa['’]?i?dah?)|Rabi['’]?[- ](?:al[- ])?(?:Awwal|Thani|Akhir)|
  Jumada[- ](?:al[- ])?(?:Ula|Awwal|Thani(?:yah)?|Akh?irah?)|Sha['’]ban)(?![a-z])
`;
const NUMBERED_HIJRI_MONTH = /(Rabi['’]?|Jumada) (II?)(?![A-Za-z])/y;

/** `Dhul-Hijjah`, `Rabi al-Awwal`, `Jumada II`: Hijri months of two words in Latin letters. */
function longHijriMonth(text: string, start: number): Month | undefined {
  LONG_HIJRI_MONTH.lastIndex = start;
  const found = LONG_HIJRI_MONTH.exec(text)?.[0];
  if (found !== undefined) return { name: found, calendar: 'hijri', end: start + found.length };
  NUMBERED_HIJRI_MONTH.lastIndex = start;
  const numbered = NUMBERED_HIJRI_MONTH.exec(text);
  if (numbered === null) return undefined;
  const name = `${numbered[1]!} ${numbered[2] === 'I' ? 'al-Awwal' : 'al-Thani'}`;
  return { name, calendar: 'hijri', end: start + numbered[0].length };
}

/** In small letters these are other words as well. */
const ALSO_WORDS = /(?:may|march|mar)(?![A-Za-z])/y;
const DATED_BY: ReadonlySet<string> = new Set(
  'on by until till since from before after of through thru due to dated starting ending sunday monday tuesday wednesday thursday friday saturday'.split(
    ' ',
  ),
);
const ORDINAL = /\d(?:st|nd|rd|th)(?![a-z])/;
/** The end of the clause, or a year. */
const CLOSES = /^(?:$|[.,;:!?)](?: |$)|,? (?:19|20)\d\d(?!\d))/;

/**
 * Whether the month at `name` in the date from `start` to `end` is one: they may 5 times call, but on may 5, 3rd may,
 * 5 may 2024, see you may 5.
 */
export function isMonth({ text, left }: Dated, start: number, name: number, end: number): boolean {
  ALSO_WORDS.lastIndex = name;
  if (!ALSO_WORDS.test(text)) return true;
  if (DATED_BY.has(left) || ORDINAL.test(text.slice(start, end))) return true;
  return text.slice(start, name).endsWith('of ') || CLOSES.test(text.slice(end, end + 8));
}

interface Dated {
  readonly text: string;
  /** The word before the date. */
  readonly left: string;
}
