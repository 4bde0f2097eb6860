import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { pattern } from '../../../language/pattern.ts';
import { tokenFrom } from './codes.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/amounts.tsv');

/** An amount belongs to a word of income, balance or debt this near to it. */
const REACH_CHARS = 40;
const NUMBER =
  /(?<![0-9.,])[0-9]{1,9}(?:[,.][0-9]{3}(?![0-9])){0,3}(?:\.[0-9]{1,2})?(?: ?(?:الف|الاف|مليون|ملايين|thousand|million|k)(?![a-z\u0620-\u06ff]))?(?![0-9])/g;
const SCALED = /[a-z\u0620-\u06ff]/;
const SAID_AMOUNT = pattern()`
  ^(?:(?:و?(?:ال)?(?:ثلاث|اربع|خمس|ست|سبع|ثمان|ثماني|تسع|عشر|احد|اثنا|الاف|اثنعش|خمسطعش|مي|ميت|مايت|الف|مليون)[\u0620-\u064a]{0,5}|و|نص|
  نصف|ريال|ريالات|احد|اثنين|عشرين|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|
  seventy|eighty|ninety|hundred|thousand|million|and|riyals?)$)
`;
const SAID_WORDS_MAX = 8;
const YEAR = /^(?:19|20|14)[0-9]{2}$/;

/** Income, balances and debts: the amount beside its label; for debts and credit marks also the label itself. */
export function findAmounts(reading: Reading): Found[] {
  const found: Found[] = [];
  let taken = 0; // an amount belongs to the label before it
  for (const label of reading.labels) {
    const kind = AMOUNT_KINDS.get(label.meaning);
    if (kind === undefined || reading.tokens[label.first]!.text === 'بسمه') continue; // a smile
    if (kind !== 'Salary' && !isSomebodys(reading, label)) continue;
    const amount = amountAfter(reading, label) ?? amountBefore(reading, label, taken);
    if (amount !== undefined && (isCounted(reading, label, amount) || isMeasured(reading.lower, amount.end))) continue;
    taken = Math.max(taken, amount?.end ?? 0);
    if (amount === undefined && isInquiry(reading, label)) continue;
    if (kind === 'Credit Data') found.push(creditFinding(reading, label, amount));
    else if (amount !== undefined) found.push(reading.found(kind, amount.start, amount.end, 0.9));
  }
  return found;
}

const AMOUNT_KINDS = new Map<LabelMatch['meaning'], 'Salary' | 'Financial Data' | 'Credit Data'>([
  ['salary', 'Salary'],
  ['balance', 'Financial Data'],
  ['credit', 'Credit Data'],
]);

interface Amount {
  readonly start: number;
  readonly end: number;
}

function creditFinding(reading: Reading, label: LabelMatch, amount: Amount | undefined): Found {
  const first = reading.tokens[label.first]!;
  const last = reading.tokens[label.last]!;
  return reading.found(
    'Credit Data',
    Math.min(first.start, amount?.start ?? first.start),
    Math.max(amount === undefined ? gradeEnd(reading, label) : last.end, amount?.end ?? last.end),
    0.8,
  );
}

/** `credit rating is poor`, `سجلي في سمة سيئ`: the end of what is said of it. */
function gradeEnd(reading: Reading, label: LabelMatch): number {
  const { tokens } = reading;
  for (let at = label.last + 1; at <= label.last + GRADE_TOKENS && at < tokens.length; at += 1) {
    if (tokens[at]!.sentence !== tokens[label.last]!.sentence) break;
    if (GRADES.has(tokens[at]!.text)) return tokens[at]!.end;
    if (!GRADE_JOINTS.has(tokens[at]!.text)) break;
  }
  return tokens[label.last]!.end;
}

const GRADE_TOKENS = 5;
const GRADES = foldedSet(...list('grades'));
const GRADE_JOINTS = foldedSet(
  'is as was at very too so really are has been in with simah عندكم عند في سمة صار صارت مرة جدا كان كانت لدى الحالي حاليا',
);

/** A balance or a debt is customer data when it is somebody's: `رصيدي`, `my loan`, `حساب العميل`. */
function isSomebodys(reading: Reading, label: LabelMatch): boolean {
  const { tokens } = reading;
  for (let at = label.first; at <= label.last; at += 1) {
    if (OWN.test(tokens[at]!.text) || OWN_WORDS.has(tokens[at]!.text)) return true;
  }
  for (let at = Math.max(0, label.first - 2); at < label.first; at += 1) if (OWN.test(tokens[at]!.text)) return true;
  for (let at = label.last + 1; at <= label.last + 2; at += 1) if (OWNED.test(tokens[at]?.text ?? '')) return true;
  for (let at = Math.max(0, label.first - 3); at < label.first; at += 1) {
    if (tokens[at]!.text === 'علي' && !reading.isPreposition(at)) return true; // عليّ قرض
  }
  if (/^(?:لي|له|لها)$/.test(tokens[label.first - 1]?.text ?? '')) return true;
  for (let at = label.last + 1; at <= label.last + OWNED_TOKENS; at += 1) {}
  if (/^علي(?:ه|ها|نا)$/.test(tokens[label.first - 1]?.text ?? '')) return true;
  const left = reading.labelsLeft(label.first);
  if (left.some(({ meaning }) => meaning === 'person' || meaning === 'account' || meaning === 'credit')) return true;
  return left[0]?.meaning !== 'general' && reading.hasLabel(label.last, 'person');
}

/** `I want to ask about a loan`: nobody's yet. */
function isInquiry(reading: Reading, label: LabelMatch): boolean {
  for (let at = Math.max(0, label.first - INQUIRY_TOKENS); at < label.first; at += 1) {
    if (INQUIRY.has(reading.tokens[at]!.text) && reading.tokens[at + 1]!.text !== 't') return true; // can't
  }
  return false;
}

const INQUIRY_TOKENS = 5;
const INQUIRY = foldedSet(...list('inquiry'));

const OWN =
  /^(?:و|ب|ل)?(?:رصيد|حساب|قرض|مديونيت|مدخرات|قسط|اقساط|درجت|تقييم|سجل|التزامات|متاخرات|قروض|تمويل|خدمات)(?:ي|ه|ها|نا|ك|كم)$|^(?:ال)?(?:متعثر|متعثره|تعثرت)$/;
const OWNED_TOKENS = 6;
const OWN_WORDS = foldedSet('my available current account رصيدك المتاح المتوفر');

/** `الـ credit limit حق بطاقتي` */
const OWNED = /^(?:حقي|حقتي|حقه|حقها|حقتها|حقته|تبعي|عندي|لدي|علي|بطاقتي|حسابي)$/;

/** `رصيدك من النقاط 340`, `leave balance 18 days`: points, minutes, days. */
function isCounted(reading: Reading, label: LabelMatch, amount: Amount): boolean {
  if (label.meaning !== 'balance') return false;
  const from = Math.max(0, reading.tokens[label.first]!.start - 12);
  return (
    COUNTED.test(reading.lower.slice(from, amount.start)) ||
    /^ ?(?:points|miles|minutes|gb|mb|days|sms|نقط|ميل|دقي|جيجا|رسا|يوم|ايام)/.test(
      reading.lower.slice(amount.end, amount.end + 9),
    )
  );
}

const COUNTED =
  /(?:points|miles|minutes|leave|data|gift card|نقاط|نقطه|اميال|دقايق|اجازات|اجازه|جيجا|بيانات|هديه|الهدايا|رسايل)/;

/** `120 كيلومترا`, `300 pages`: what ends at `end` measures or counts something else than money. */
export function isMeasured(lower: string, end: number): boolean {
  return MEASURES.test(lower.slice(end, end + 16));
}

const MEASURES = pattern()`
  ^ ?(?:كم|كلم|كيلو|كيلومتر|كيلوجرام|كيلوغرام|متر|امتار|ميل|اميال|خطوه|خطوات|صفحه|صفحات|كلمه|كلمات|نسمه|شخص|اشخاص|موظف|طالب|مدرسه|دقيقه|
  دقايق|سعره|سعرات|km|kms|kilomet(?:er|re)s?|miles?|met(?:er|re)s?|kg|kilograms?|pages?|words?|minutes?|steps?|people|employees|students|
  calories)(?:ا|ات)?(?![a-z\u0620-\u064a])
`;

function amountAfter(reading: Reading, label: LabelMatch): Amount | undefined {
  const { tokens } = reading;
  const last = tokens[label.last]!;
  const next = tokens[label.last + 1];
  if (next === undefined || next.sentence !== last.sentence) return undefined;
  const limit = last.end + REACH_CHARS;
  const money = reading.figures.firstMoney(last.end, limit);
  if (money !== undefined) return isOwn(reading, label, money.start) ? money : undefined;
  const plain = plainIn(reading, last.end, limit);
  if (plain !== undefined) {
    return isOwn(reading, label, plain.start) && !isOfThings(reading, label, plain) ? plain : undefined;
  }
  return said(reading, label.last + 1, limit);
}

/** `he makes 300 calls a day`: a number of something else than money. */
function isOfThings(reading: Reading, label: LabelMatch, plain: Amount): boolean {
  if (!/^(?:makes?|earns?|earned|earning)$/.test(reading.tokens[label.last]!.text)) return false;
  const next = reading.tokens[tokenFrom(reading.tokens, plain.end)];
  if (next?.type !== 'word' || next.start - plain.end > 1) return false;
  return !/^(?:a|an|per|every|each|monthly|annually|yearly|before|after|in|from|at|as|and|but|plus|net|gross|only|on|now|for|which|k)$/.test(
    next.text,
  );
}

function amountBefore(reading: Reading, label: LabelMatch, taken: number): Amount | undefined {
  const first = reading.tokens[label.first]!;
  const from = Math.max(taken, first.start - 25);
  const money = reading.figures.lastMoney(from, first.start);
  if (money === undefined) return undefined;
  const token = reading.tokens[tokenFrom(reading.tokens, money.start)];
  return token?.sentence === first.sentence ? money : undefined;
}

/** No other label of a number stands between, and the sentence goes on. */
function isOwn(reading: Reading, label: LabelMatch, start: number): boolean {
  const { tokens } = reading;
  const until = tokenFrom(tokens, start);
  if (tokens[until] !== undefined && tokens[until]!.sentence !== tokens[label.last]!.sentence) return false;
  if (!reading.noPlaceholderBetween(label.last, until)) return false;
  return !reading.labelsRight(label.last).some(({ first, meaning }) => first < until && OTHERS.has(meaning));
}

/** Labels whose amount or number it is when they stand between. */
const OTHERS: ReadonlySet<LabelMatch['meaning']> = new Set(['order', 'phone', 'id', 'salary', 'balance']);

function plainIn(reading: Reading, from: number, to: number): Amount | undefined {
  const part = reading.lower.slice(from, to + 16);
  for (const match of part.matchAll(NUMBER)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (start > to) return undefined;
    if (reading.figures.over(start, end).some(({ type }) => type !== 'money' && type !== 'quantity')) continue;
    if (
      /(?:رقم|رقمه|رقمها|no\.?|number|#|ref) ?:?$/.test(part.slice(Math.max(0, match.index - 9), match.index).trimEnd())
    )
      continue;
    const digits = match[0].replace(/[^0-9]/g, '');
    const scaled = SCALED.test(match[0]);
    if (!scaled && (digits.length < 3 || digits.length > 8 || YEAR.test(match[0]))) continue;
    return { start, end };
  }
  return undefined;
}

/** `راتبي سبعة آلاف ريال`: at least two words of number. */
function said(reading: Reading, from: number, limit: number): Amount | undefined {
  const { tokens } = reading;
  for (let at = from; at < tokens.length && tokens[at]!.start <= limit; at += 1) {
    const last = saidAmountEnd(reading, at);
    if (last !== undefined) return { start: tokens[at]!.start, end: tokens[last]!.end };
  }
  return undefined;
}

/** The last token of an amount said in words that begins at a token: two words or more, one of them a scale or a currency. */
export function saidAmountEnd(reading: Reading, first: number): number | undefined {
  const { tokens } = reading;
  let last = first;
  let scaled = false;
  while (last - first < SAID_WORDS_MAX && SAID_AMOUNT.test(tokens[last]?.text ?? '')) {
    scaled ||= SCALE_WORDS.test(tokens[last]!.text);
    last += 1;
  }
  while (last > first && /^(?:و|and)$/.test(tokens[last - 1]!.text)) last -= 1;
  return scaled && last - first >= 2 ? last - 1 : undefined;
}

/** What an amount said in words holds. */
export const SCALE_WORDS = /الف|الاف|مي|thousand|hundred|ريال|riyal|مليون|million/;
