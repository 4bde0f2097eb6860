import { fold } from '../fold.ts';
import { isCommon } from '../lexicon/lexicon.ts';
import { isNumberWord } from '../number-words.ts';
import { phraseAt, phraseTable, type Span } from '../phrases/phrases-in.ts';
import type { Word } from '../words.ts';
import { correctionAt } from './side-talk.ts';

/** What stands in an address beside its names and numbers. */
const PARTS = wordSet(
  'street st road rd avenue lane drive highway building bldg tower block villa house flat apartment apt compound district hotel floor room gate unit suite' +
    ' شارع شارعنا طريق حي عماره مبني برج مجمع فيلا بيت شقه دور بلوك فندق غرفه بوابه مخرج',
);
/** Between two parts of one address. */
const JOINS = wordSet(
  'the al el in on number off near behind opposite beside corner of في رقم علي جنب خلف مقابل قدام عند',
);
/** Of a place that a parcel is not to go to, in the same breath before it. */
const OTHER_PLACE = wordSet('from not old wrong was were instead than من مو مب القديم قديم غلط بدل');
const REACH = 5;
const TOWARDS = wordSet('to at الي');
const ARTICLES = wordSet('al el');
/** Parts that have a number of any length. */
const NUMBERED = wordSet(
  'building bldg block villa house flat apartment apt floor room gate unit suite number عماره مبني فيلا بيت شقه دور غرفه رقم',
);
/** Digits said one by one, beside an address and not of it: an order number, a telephone. */
const LONG_NUMBER = 4;
const LEADS = phraseTable(
  'address is|address to|send it to|deliver it to|bring it to|change it to|switch it to|عنواني|العنوان|ودوه الي|وصلوه الي',
);

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map((word) => fold(word)));
}

/**
 * The one address in a sentence about more: `it is going to the old flat, we live at Al Yasmin Street eleven, villa six`. It has a
 * name, a word like street or villa, and a number or a second such word, unless it is said to be the address.
 *
 * @returns undefined where there is none, or several.
 */
export function placeIn(words: readonly Word[]): Span | undefined {
  const spans: Span[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const found = endOfPlace(words, at);
    if (found === at) continue;
    const { start, end } = withoutLongNumbers(words, at, found);
    // What is taken back on the way is asked for.
    if (correctionAt(words, end) > 0) return undefined;
    if (isWhole(words, start, end) && !isOtherPlace(words, start)) spans.push({ start, end });
    at = found;
  }
  return spans.length === 1 ? spans[0] : undefined;
}

function withoutLongNumbers(words: readonly Word[], from: number, to: number): Span {
  const isNumber = (at: number): boolean => isNumberWord(words[at]?.text ?? '');
  let [start, end] = [from, to];
  while (start < to && isNumber(start)) start += 1;
  while (end > start && isNumber(end - 1)) end -= 1;
  if (start - from < LONG_NUMBER) start = from;
  if (to - end < LONG_NUMBER || NUMBERED.has(words[end - 1]?.text ?? '')) end = to;
  return { start: ARTICLES.has(words[start - 1]?.text ?? '') ? start - 1 : start, end };
}

/** Where what may be an address and begins here ends; the same place where none begins. */
function endOfPlace(words: readonly Word[], start: number): number {
  let end = start;
  for (let at = start; at < words.length; at += 1) {
    const { text } = words[at]!;
    if (PARTS.has(text) || isNumberWord(text) || isName(words[at]!)) end = at + 1;
    else if (at === start || !JOINS.has(text)) break;
  }
  return end;
}

/** No number, part or everyday word, and no contraction (`he's`). */
function isName({ text, raw }: Word): boolean {
  const isOther = isCommon(text) || JOINS.has(text) || OTHER_PLACE.has(text) || isNumberWord(text) || PARTS.has(text);
  return raw !== '' && !raw.includes("'") && !isOther;
}

function isWhole(words: readonly Word[], start: number, end: number): boolean {
  const said = words.slice(start, end);
  const parts = said.filter(({ text }) => PARTS.has(text)).length;
  const numbers = said.filter(({ text }) => isNumberWord(text)).length;
  if (parts === 0 || !said.some(isName)) return false;
  const isInDistrict = said.some((word, i) => i > 0 && isName(word) && said[i - 1]!.text === 'in');
  return numbers > 0 || parts > 1 || isInDistrict || isLedTo(words, start);
}

function isLedTo(words: readonly Word[], start: number): boolean {
  return words.slice(0, start).some((_, at) => phraseAt(words, at, LEADS)?.end === start);
}

function isOtherPlace(words: readonly Word[], start: number): boolean {
  const before = words.slice(Math.max(0, start - REACH), start);
  return before
    .slice(before.findLastIndex(({ text }) => TOWARDS.has(text)) + 1)
    .some(({ text }) => OTHER_PLACE.has(text));
}
