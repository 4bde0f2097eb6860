import { WEEKDAYS_AR } from '../../../language/calendar/calendar.ts';
import { type Calendar, MONTHS_AR, MONTHS_EN } from '../../../language/calendar/calendar-names.ts';
import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import { LETTER_NAMES_AR } from '../../../language/letters.ts';
import type { Noun } from '../../../language/nouns.ts';
import type { Unit } from '../../../language/units.ts';
import { ACRONYMS } from '../lexicon/acronyms.ts';
import { NOT_COUNTED, OBLIQUE_BEFORE } from '../lexicon/context-words.ts';
import { objectVerbForms, verbForms } from '../lexicon/verbs.ts';
import { arabicAmount, quantityWords } from './arabic-amount.ts';
import { arabicCardinal, arabicDigits, arabicNumber, COUNTING, dual } from './arabic-cardinal.ts';
import { arabicCounted } from './arabic-counting.ts';
import { arabicOrdinal, ORDINAL_MAX } from './arabic-ordinal.ts';
import { arabicPlain } from './arabic-plain.ts';
import { genderOf, possessedNoun } from './noun-gender.ts';
import { rangeWord } from './number-context.ts';
import { type Scan, SPACE } from './scan.ts';
import { groupDigits, type SpeechStyle, type Spoken } from './speech-style.ts';
import { spellArabicElectronic, spellArabicLabel } from './spell-arabic.ts';
import type { CalendarDate, Classified, ClockTime, Token } from './token.ts';

type TokenOf<K extends Token['kind']> = Extract<Token, { readonly kind: K }>;

const SIGNS_BEFORE: ReadonlySet<string> = new Set('<>≤≥');
const DATE_OBLIQUE = foldedSet('يوم ليوم ويوم مواليد ليلة صباح مساء', ...WEEKDAYS_AR);
const FRACTIONS: readonly (readonly [string, string])[] = [
  ['نصف', 'أنصاف'],
  ['ثلث', 'أثلاث'],
  ['ربع', 'أرباع'],
  ['خمس', 'أخماس'],
  ['سدس', 'أسداس'],
  ['سبع', 'أسباع'],
  ['ثمن', 'أثمان'],
  ['تسع', 'أتساع'],
  ['عشر', 'أعشار'],
];
const MINUTE: Noun = { singular: 'دقيقة', plural: 'دقائق', gender: 'f' };
const SECOND: Noun = { singular: 'ثانية', plural: 'ثوان', gender: 'f' };
const ERA: Readonly<Record<Calendar, string>> = { gregorian: 'ميلادي', hijri: 'هجري' };

/** The words of a classified token in Arabic. */
export function speakArabic(found: Classified, scan: Scan, style: SpeechStyle): Spoken {
  const { token, start, end } = found;
  const joined = found.prefix !== undefined && /[بلك]/u.test(found.prefix);
  const oblique =
    style.oblique === 'always' ||
    joined ||
    isOblique(scan, start, token.kind === 'quantity' ? objectVerbForms() : verbForms()) ||
    (token.kind === 'quantity' && token.upTo === undefined && isReached(scan, start)); // a range keeps its من
  if (token.kind === 'quantity' && token.over === true) return moreThan(found, token, scan);
  if (token.kind !== 'quantity') return { to: wordsOf(token, found, scan, style, oblique), end };
  const plain = token.of.type === 'plain';
  const spoken = plain
    ? arabicPlain(token, found, scan, oblique)
    : { to: arabicAmount(token, start, scan, oblique), end };
  return token.definite === true ? { ...spoken, to: definite(spoken.to) } : spoken;
}

/** أكثر من مئتي فرع. */
function moreThan(found: Classified, token: TokenOf<'quantity'>, scan: Scan): Spoken {
  const plain = token.of.type === 'plain';
  const { to, end } = plain
    ? arabicPlain(token, found, scan, true)
    : { to: arabicAmount(token, found.start, scan, true), end: found.end };
  return { to: `أكثر من ${to}`, end };
}

/** After a preposition or another noun, or as the object of a verb: directly, or after لي or its subject (كلفني المشوار 35). */
function isOblique(scan: Scan, start: number, verbs: ReadonlySet<string>): boolean {
  const sign = scan.text.charCodeAt(start - 1) === SPACE ? start - 2 : start - 1;
  if (SIGNS_BEFORE.has(scan.text[sign] ?? '')) return true;
  if (scan.leftIn(start, OBLIQUE_BEFORE, 1) || scan.leftIn(start, verbs, 1)) return true;
  if (DONE.has(scan.left(start, 2)) && !/^(?:ال|و)/u.test(scan.left(start))) return true; // تم تعيين 250
  if (DIMENSIONS.has(scan.left(start)) && OBLIQUE_BEFORE.has(scan.left(start, 2))) return true;
  if (PRICES.has(scan.left(start, 3))) return false; // سعر صرف الدولار
  return AFTER_VERB.test(scan.left(start)) && verbForms().has(scan.left(start, 2));
}

/** Verbs whose subject may be several words long before the number that is their object. */
const REACHING = foldedSet('بلغ بلغت يبلغ تبلغ سيبلغ ستبلغ تجاوز تجاوزت يتجاوز تتجاوز');
const REACHED_WITHIN = 5;

/** `بلغ عدد سكان المحافظة 235,000`. */
function isReached(scan: Scan, start: number): boolean {
  for (let distance = 1; distance <= REACHED_WITHIN; distance += 1) {
    const word = scan.left(start, distance);
    if (REACHING.has(word)) return true;
    if (word === '' || word.startsWith('و')) return false;
  }
  return false;
}

/** Before a verbal noun: what follows it is genitive. */
const DONE = foldedSet('تم يتم سيتم تمت ستتم جرى يجري سيجري');

/** After a preposition their number is genitive: على حرارة 180. */
const DIMENSIONS = foldedSet('حرارة سرعة ارتفاع عمق سعة ضغط قوة عرض قطر');

/** After these a verb's letters spell a noun. */
const PRICES = foldedSet('سعر قيمة نسبة معدل تكلفة رسوم مبلغ');

/** What may stand between a verb and its object. */
const AFTER_VERB = /^(?:ال.{2,}|ل[يكهنم]|لها|لنا|لكم|لهم|مني|منك|منه|عندي|عندك|فقط|حوالي)$/u;

/** Whether a noun follows that a dual may lose its nun to: ثلثا المبلغ, but خمسان من الطلاب. */
function isNounNext(scan: Scan, end: number): boolean {
  const { word } = scan.next(end);
  return word !== '' && !NOT_COUNTED.has(foldWord(word)) && !/^و(?!حد|رق|ثائ|ثيق|جب|ظيف)/u.test(word);
}

/** The article before a number: الخمسمئة ريال, and before the tens too: الأربع والعشرون ساعة. */
function definite(words: string): string {
  return `ال${words.replace(/ و(?=(?:عشر|ثلاث|أربع|خمس|ست|سبع|ثمان|تسع)[وي]ن )/gu, ' وال')}`;
}

function wordsOf(
  token: Exclude<Token, { kind: 'quantity' }>,
  { start, end }: Classified,
  scan: Scan,
  style: SpeechStyle,
  oblique: boolean,
): string {
  switch (token.kind) {
    case 'ordinal':
      return ordinal(token, start, scan, oblique);
    case 'digits':
      return `${token.plus === true ? 'زائد ' : ''}${arabicDigitGroups(token.digits, style)}`;
    case 'date':
      return dateWords(token.date, rangeWord(scan, start) !== undefined, oblique || dateIsOblique(scan, start));
    case 'year':
      return yearWords(token, start, scan);
    case 'decade': {
      const words = arabicCardinal(token.value, { ...COUNTING, oblique: true });
      return token.value > 100 ? words : `ال${words}ات`;
    }
    case 'time':
      return timeRange(token, start, scan);
    case 'fraction':
      return fractionWords(token, oblique, token.of !== undefined || isNounNext(scan, end));
    case 'score':
      return `${arabicNumber(token.left)} مقابل ${arabicNumber(token.right)}`;
    case 'rating':
      return `${arabicNumber(token.left, { ...COUNTING, oblique })} من ${arabicNumber(token.right, { ...COUNTING, oblique: true })}`;
    case 'ratio':
      return `${arabicNumber(token.left)} إلى ${arabicNumber(token.right)}`;
    case 'size':
      return sizeWords(token);
    case 'version':
      return (
        (token.named === true ? 'الإصدار ' : '') +
        token.parts.map((part) => (part.length > 2 ? arabicDigits(part) : arabicCardinal(Number(part)))).join(' نقطة ')
      );
    case 'label':
      return spellArabicLabel(token.text);
    case 'electronic':
      return spellArabicElectronic(token.text);
    case 'acronym':
      return arabicAcronym(token.name, scan.left(start));
    case 'words':
      return token.words;
  }
}

function arabicDigitGroups(digits: string, style: SpeechStyle): string {
  return groupDigits(digits, style).map(arabicDigits).join('، ');
}

/** `ضريبة VAT` does not say the tax twice. */
function arabicAcronym(name: string, left: string): string {
  const known = ACRONYMS.get(name)?.ar;
  if (known === undefined)
    return name
      .split('')
      .map((letter) => LETTER_NAMES_AR[letter] ?? letter)
      .join(' ');
  return known.startsWith('ضريبة') && /^(?:ال|لل|ب)?ضريبه$/u.test(left) ? known.slice('ضريبة '.length) : known;
}

function sizeWords(token: TokenOf<'size'>): string {
  const first = token.sides.slice(0, -1).map((side) => `${arabicNumber(side)} في `);
  return first.join('') + quantityWords(token.sides.at(-1)!, undefined, token.of, false);
}

/** Before the name of a woman who is counted among those of her name: الملكة إليزابيث II. */
const QUEENS = foldedSet('الملكة الأميرة الإمبراطورة القيصرة السلطانة إليزابيث كاترين كاثرين ماري فيكتوريا كليوباترا');

function ordinal(token: TokenOf<'ordinal'>, start: number, scan: Scan, oblique: boolean): string {
  if (token.value > ORDINAL_MAX || token.value === 0) return arabicCardinal(token.value, { ...COUNTING, oblique });
  const left = scan.left(start).replace(/^(?:و|ف)?(?:بال|لل|كال|ال)/u, '');
  const gender =
    token.gender ??
    (scan.leftIn(start, QUEENS, 2) ? 'f' : left === '' ? 'm' : (possessedNoun(left)?.gender ?? genderOf(left, 1)));
  return arabicOrdinal(token.value, gender, oblique || scan.leftIn(start, OBLIQUE_BEFORE, 2));
}

/** The subject of a date: with the article, a possessive or a word for a point in time (التاريخ، موعدك، عيد). */
const PREDICATE_BEFORE = /^(?:و|ف)?ال|(?:ك|كم|نا|(?<!.اي|.ري)ه|ها|هم|ي)$/u;

/** A date is an adverb after a verb and genitive after يوم; as a subject or predicate (التاريخ، موعدك) it is nominative. */
function dateIsOblique(scan: Scan, start: number): boolean {
  const left = scan.left(start);
  if (DATE_OBLIQUE.has(left) || /^و?ب/u.test(left)) return true;
  if (left !== '' && !PREDICATE_BEFORE.test(left)) return true; // تقرير 30/6: genitive
  return scan.leftIn(start, verbForms(), 3) || /^(?:س?ي|ست)..(?<!يناير|يوني[وه]|يولي[وه])/u.test(left);
}

/** December in Arabic text is ديسمبر. */
function arabicMonth(name: string): string {
  for (const calendar of ['gregorian', 'hijri'] as const) {
    const index = MONTHS_EN[calendar].indexOf(name);
    if (index >= 0) return MONTHS_AR[calendar][index]!;
  }
  return name;
}

function dateWords(date: CalendarDate, fromWritten: boolean, oblique: boolean): string {
  const month = typeof date.month === 'number' ? MONTHS_AR[date.calendar][date.month - 1]! : arabicMonth(date.month);
  const parts: string[] = [];
  if (date.day !== undefined) {
    const first = arabicOrdinal(date.day, 'm', oblique || date.lastDay !== undefined);
    const days =
      date.lastDay === undefined
        ? first
        : `${fromWritten ? '' : 'من '}${first} إلى ${arabicOrdinal(date.lastDay, 'm', true)}`;
    parts.push(`${days} من`);
  }
  parts.push(month);
  if (date.year !== undefined) parts.push(arabicCardinal(date.year, { ...COUNTING, oblique: true }));
  if (date.era) parts.push(ERA[date.calendar]);
  return parts.join(' ');
}

const SPAN = foldedSet('الفترة فترة للفترة المدة');
const FEMININE_YEAR = /سنه$/u;

function yearWords(token: TokenOf<'year'>, start: number, scan: Scan): string {
  const form = { ...COUNTING, oblique: true };
  const early = token.value < 100 && FEMININE_YEAR.test(scan.left(start)); // سنة أربع عشرة هجرية
  const low = arabicCardinal(token.value, early ? { ...form, gender: 'f' } : form);
  const era = token.era
    ? ` ${ERA[token.calendar]}${FEMININE_YEAR.test(scan.left(start)) || (scan.text[start - 1] === '/' && FEMININE_YEAR.test(scan.left(start, 2))) ? 'ة' : ''}`
    : '';
  if (token.upTo === undefined) return `${low}${era}`;
  const from = SPAN.has(scan.left(start)) ? 'من ' : '';
  return `${from}${low} إلى ${arabicCardinal(token.upTo, form)}${era}`;
}

function timeRange(token: TokenOf<'time'>, start: number, scan: Scan): string {
  const low = timeWords(token.time);
  if (token.upTo === undefined) return low;
  const high = timeWords(token.upTo);
  const written = rangeWord(scan, start);
  if (written === 'between') return `${low} و${high}`;
  return `${written === 'from' ? '' : 'من '}${low} إلى ${high}`;
}

/** السابعة والنصف صباحاً: twelve hours with their part of the day, quarters and halves by name. */
function timeWords(time: ClockTime): string {
  const parts: string[] = [];
  const quarterTo = time.minute === 45 && time.second === 0;
  parts.push(hourName(quarterTo ? time.hour + 1 : time.hour));
  if (quarterTo) parts.push('إلا ربعاً');
  else if (time.minute > 0) parts.push(minutesAfter(time));
  if (time.second > 0) parts.push(`و${arabicCounted({ digits: String(time.second) }, SECOND, false)}`);
  const evening = time.meridiem === 'pm' || (time.meridiem === undefined && time.hour > 12 && time.hour < 24);
  const morning = time.meridiem === 'am' || (time.meridiem === undefined && time.hour % 24 === 0);
  if (!time.dayPartFollows && evening) parts.push('مساءً');
  if (!time.dayPartFollows && morning) parts.push('صباحاً');
  if (time.dayPart !== undefined) parts.push(time.dayPart);
  return parts.join(' ');
}

function minutesAfter(time: ClockTime): string {
  if (time.second === 0 && time.minute === 15) return 'والربع';
  if (time.second === 0 && time.minute === 30) return 'والنصف';
  return `و${arabicCounted({ digits: String(time.minute) }, MINUTE, false)}`;
}

function hourName(hour: number): string {
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  return twelve === 1 ? 'الواحدة' : arabicOrdinal(twelve, 'f', false);
}

function fractionWords(token: TokenOf<'fraction'>, oblique: boolean, construct: boolean): string {
  const { numerator, denominator } = token;
  const form = { ...COUNTING, oblique };
  if (token.rating)
    return `${arabicCardinal(numerator, form)} من ${arabicCardinal(denominator, { ...COUNTING, oblique: true })}`;
  const name = FRACTIONS[denominator - 2];
  let words: string;
  if (name === undefined || numerator > 10 || numerator >= denominator)
    words = `${arabicCardinal(numerator, form)} على ${arabicCardinal(denominator, { ...COUNTING, oblique: true })}`;
  else if (numerator === 1) words = name[0];
  else words = numerator === 2 ? dual(name[0], oblique, construct) : `${arabicCardinal(numerator, form)} ${name[1]}`;
  const unit = token.of?.type === 'measure' ? token.of.unit : undefined;
  if (unit !== undefined && token.whole !== undefined && unit.ar.fixed !== true)
    return `${wholeUnits(token.whole, unit, oblique)} و${words}`;
  const noun =
    unit === undefined ? '' : ` ${[unit.ar.singular, unit.arAdjective, unit.arTail].filter(Boolean).join(' ')}`;
  return token.whole === undefined ? words + noun : `${arabicCardinal(token.whole, form)} و${words}${noun}`;
}

/** The units before a fraction: ساعة ونصف, ثلاثة كيلومترات وربع. */
function wholeUnits(whole: number, unit: Unit, oblique: boolean): string {
  const extras = { adjective: unit.arAdjective, tail: unit.arTail };
  const counted = arabicCounted({ digits: String(whole) }, unit.ar, oblique, extras);
  return whole === 1 ? counted.replace(/ واحدة?(?= |$)/u, '') : counted;
}
