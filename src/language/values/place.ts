import { fold } from '../fold.ts';
import { isCommon } from '../lexicon/lexicon.ts';
import { isNumberWord } from '../number-words.ts';
import { REFUSALS } from '../phrases/cues.ts';
import { firstPhrase, phraseAt, phraseTable, type Span } from '../phrases/phrases-in.ts';
import { scopeOf } from '../phrases/scope.ts';
import type { Word } from '../words.ts';
import { correctionAt } from './side-talk.ts';

/** What stands in an address beside its names and numbers. */
export const ADDRESS_PARTS = wordSet(
  'street st road rd avenue lane drive highway building bldg tower block villa house flat apartment apt compound district hotel floor room gate unit suite' +
    ' housing hostel dormitory court' +
    ' شارع شارعنا طريق حي عماره مبني برج مجمع فيلا بيت شقه دور بلوك فندق غرفه بوابه مخرج',
);
/** Between two parts of one address. */
export const JOINS = wordSet(
  'the al el in on number off near behind opposite beside corner of في رقم علي جنب خلف مقابل قدام عند',
);
/** Of a place that a parcel is not to go to, in the same breath before it. */
const OTHER_PLACE = wordSet('from not old wrong was were instead than من مو مب القديم قديم غلط بدل');
/** Behind what is taken back they begin with what is meant: `not there any more, it's palm street eight`. */
const POINTS = wordSet('its thats');
const LEFT = wordSet('from old was were من القديم قديم');
const REACH = 5;
const TOWARDS = wordSet('to at الي');
const ARTICLES = wordSet('al el');
/** Say which one of several, and are no name. */
const WHICH = wordSet(
  'another other new same next right left first second third last big small main front back ground top whole correct usual',
);
/** `it should say palm street`. */
const SAYS = wordSet('say says said read reads');
/** Parts that have a number of any length. */
export const NUMBERED = wordSet(
  'building bldg tower block villa house flat apartment apt floor room gate unit suite number عماره مبني فيلا بيت شقه دور غرفه برج رقم',
);
/** Digits said one by one, beside an address and not of it: an order number, a telephone. */
const LONG_NUMBER = 4;
const LEADS = phraseTable(
  'address is|address to|should say|should read|send it to|deliver it to|bring it to|change it to|switch it to|should be|has to be|should go to|' +
    'needs to go to|has to go to|should come to|to come to|to go to|to get to|live in|live at|live on|lives in|lives at|moved to|moving to|' +
    'عنواني|العنوان|ودوه الي|وصلوه الي|ساكن في|ساكنين في|ساكنه في|انتقلنا الي|انتقلت الي',
);
/** What is not to be, before a place; what follows begins with another clause. */
const REFUSES = phraseTable(`${REFUSALS}|shouldnt|mustnt|wont|doesnt|didnt|never|no longer|no more`);
const SUBJECTS = wordSet('i we he she they im ive hes shes theyre weve were');
const THINGS = wordSet('it that this');
const DOES = wordSet('should must has needs need goes is will can');
const SENDS = wordSet('send deliver bring ship take put move change switch');
const SENDS_IT = /^(?:ود|وصل|ارسل|رسل|جيب|حط|خل|انقل|حول|غير)[وي]?(?:ه|ها|هم)$/;
const OBJECTS = wordSet('it that this them');

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
    if (ADDRESS_PARTS.has(text) || isNumberWord(text) || isName(words[at]!)) end = at + 1;
    else if (at === start || !JOINS.has(text)) break;
  }
  return end;
}

/** No number, part or everyday word, and no contraction (`he's`). */
export function isName({ text, raw }: Word): boolean {
  const isOther =
    isCommon(text) || JOINS.has(text) || OTHER_PLACE.has(text) || isNumberWord(text) || ADDRESS_PARTS.has(text);
  if (WHICH.has(text) || SAYS.has(text) || text === NO) return false;
  return raw !== '' && !raw.includes("'") && !isOther;
}

function isWhole(words: readonly Word[], start: number, end: number): boolean {
  const said = words.slice(start, end);
  const parts = said.filter(({ text }) => ADDRESS_PARTS.has(text)).length;
  const numbers = said.filter(({ text }) => isNumberWord(text)).length;
  if (!said.some(isName)) return false;
  if (parts === 0) return isDistrict(words, start, end);
  const isInDistrict = said.some((word, i) => i > 0 && isName(word) && said[i - 1]!.text === 'in');
  return numbers > 0 || parts > 1 || isInDistrict || isLedTo(words, start);
}

/** `I live in al malqa now`: a district with its article, and no city. */
function isDistrict(words: readonly Word[], start: number, end: number): boolean {
  const [article, ...names] = words.slice(start, end);
  const isNamed = ARTICLES.has(article?.text ?? '') && names.length === 1 && !CITIES.has(names[0]!.text);
  return isNamed && words.slice(0, start).some((_, at) => phraseAt(words, at, LIVES)?.end === start);
}
const LIVES = phraseTable('live in|lives in|living in|live at|stay in|staying in|based in');
const CITIES = wordSet('khobar kharj ahsa hasa jubail qatif baha ula jouf qassim hofuf dammam');

function isLedTo(words: readonly Word[], start: number): boolean {
  if (words[start - 1]?.text === 'the') return isLedTo(words, start - 1);
  return words.slice(0, start).some((_, at) => phraseAt(words, at, LEADS)?.end === start);
}

function isOtherPlace(words: readonly Word[], start: number): boolean {
  const reach = Math.max(0, start - REACH);
  const clause = words.findLastIndex((_, at) => at > reach && at < start && beginsClause(words, at));
  const before = words.slice(Math.max(reach, clause), start);
  const said = before.at(-1)?.text ?? '';
  const points = POINTS.has(said) || (said === 'is' && THINGS.has(before.at(-2)?.text ?? ''));
  return (
    isRefused(words, start) ||
    before
      .slice(before.findLastIndex(({ text }) => TOWARDS.has(text)) + 1)
      .some(({ text }) => (points ? LEFT : OTHER_PLACE).has(text))
  );
}

/** `it should not go to the flat in malaz`, `not to my home in rawdah`: what a negation reaches is no place to go to. */
function isRefused(words: readonly Word[], start: number): boolean {
  for (let from = 0; ; ) {
    const negation = firstPhrase(words, REFUSES, from) ?? prohibitionIn(words, from);
    if (!negation || negation.end > start) return false;
    const { end } = scopeOf(words, negation);
    const clause = words.findIndex((_, at) => at > negation.end && beginsClause(words, at));
    if (start < end && (clause < 0 || start <= clause)) return true;
    from = negation.end;
  }
}

/** `لا ترسلونه`; before anything else the word is an answer. */
function prohibitionIn(words: readonly Word[], from: number): Span | undefined {
  const at = words.findIndex(({ text }, i) => i >= from && text === NO && IMPERFECT.test(words[i + 1]?.text ?? ''));
  return at < 0 ? undefined : { start: at, end: at + 1 };
}
const NO = fold('لا');
const IMPERFECT = /^[تين].{2}/;

/** Somebody who does something, a thing that shall, or what is to be done with it: `don't cancel it | send it to palm street`. */
function beginsClause(words: readonly Word[], at: number): boolean {
  const [before, { text }, next] = [words[at - 1]!.text, words[at]!, words[at + 1]?.text ?? ''];
  if (SUBJECTS.has(text) || POINTS.has(text) || LEADING.has(text) || SENDS_IT.test(text)) return true;
  if (THINGS.has(text)) return DOES.has(next);
  return SENDS.has(text) && (OBJECTS.has(before) || OBJECTS.has(next));
}
const LEADING = wordSet('but instead');
