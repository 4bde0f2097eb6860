import { pattern } from '../../../language/pattern.ts';
import { isMeasured, SCALE_WORDS, saidAmountEnd } from './amounts.ts';
import { tokenFrom } from './codes.ts';
import { askedLabels } from './dialogue.ts';
import type { Kind } from './kinds.ts';
import { MONEY_CUES, type MoneyCue } from './money-cues.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';

/** An amount: money, a scaled number or one of three to eight digits. Matched on the canonical text in lower case. */
const AMOUNT = pattern('g')`
  (?<![0-9.,/:\-+#a-z])(?:(?:sar|sr|usd|aed|kwd|\$|\u20c1) ?)?[0-9]{1,9}(?:[,.][0-9]{3}(?![0-9])){0,3}(?:\.[0-9]{1,2})?(?: ?(?:الف|الاف|
  مليون|ملايين|thousand|million|grand|k)(?![a-z\u0620-\u06ff]))?(?: ?(?:ريال(?:ات|ا)?(?: سعودي)?|ر\.?س|sar|sr|riyals?|dollars?|usd|دولار|
  درهم|\$|\u20c1)(?![a-z\u0620-\u06ff]))?(?![0-9]|[.,:/-][0-9])
`;
const PLAIN = /^[0-9,.]+$/;
const YEAR = /^(?:19|20|14)[0-9]{2}$/;
/** How much of the sentence is looked at on either side, characters. */
const LEFT_CHARS = 60;
const RIGHT_CHARS = 48;
const SENTENCE_END = /[.!?\n](?=\s|$)/g;
/** Words between what is said and the amount. */
const FILLER =
  /(?: (?:حوالي|تقريبا|مبلغ|بمبلغ|قدره|فقط|بس|around|about|roughly|approximately|only|exactly|just|another|almost|nearly|over|some|of|a))+$/;

/** Incomes, movements of accounts and debts that are said by what people do with money (`they pay me 9,000 a month`). */
export function findMoneyFrames(reading: Reading): Found[] {
  const found: Found[] = [];
  const { lower } = reading;
  const cues = MONEY_CUES.filter(({ gate }) => gate.test(lower));
  if (cues.length === 0 && !reading.labels.some(({ meaning }) => ASKED.has(meaning))) return found;
  for (const { start, end } of saidAmounts(reading)) {
    const kind = kindOf(cues, leftOf(lower, start), rightOf(lower, end));
    if (kind !== undefined) found.push(reading.found(kind, start, end, 0.65));
  }
  for (const match of lower.matchAll(AMOUNT)) {
    if (!isAmount(match[0])) continue;
    const start = match.index;
    const end = start + match[0].length;
    if (isMeasured(lower, end)) continue;
    if (reading.figures.over(start, end).some(({ type }) => type === 'date' || type === 'time' || type === 'percent'))
      continue;
    const kind = kindOf(cues, leftOf(lower, start), rightOf(lower, end)) ?? askedKind(reading, start);
    if (kind !== undefined) found.push(reading.found(kind, start, end, 0.65));
  }
  return found;
}

/** Amounts said in words: `twenty-two thousand riyals`, `أربعين ألف ريال`. */
function saidAmounts(reading: Reading): { readonly start: number; readonly end: number }[] {
  const { tokens } = reading;
  const said: { readonly start: number; readonly end: number }[] = [];
  if (!SCALE_WORDS.test(reading.lower)) return said;
  for (let at = 0; at < tokens.length; at += 1) {
    const last = tokens[at]!.type === 'word' ? saidAmountEnd(reading, at) : undefined;
    if (last === undefined) continue;
    said.push({ start: tokens[at]!.start, end: tokens[last]!.end });
    at = last;
  }
  return said;
}

/** `How much is the salary? - 11,300 riyals.` */
function askedKind(reading: Reading, start: number): Kind | undefined {
  const first = tokenFrom(reading.tokens, start);
  if (first >= reading.tokens.length) return undefined;
  const label = askedLabels(reading, first).find(({ meaning }) => ASKED.has(meaning));
  return label === undefined ? undefined : ASKED.get(label.meaning);
}

const ASKED = new Map<LabelMatch['meaning'], Kind>([
  ['salary', 'Salary'],
  ['balance', 'Financial Data'],
]);

function isAmount(text: string): boolean {
  if (!PLAIN.test(text)) return true;
  const digits = text.replace(/[^0-9]/g, '').length;
  return digits >= 3 && digits <= 8 && !YEAR.test(text);
}

function kindOf(cues: readonly MoneyCue[], left: string, right: string): Kind | undefined {
  return cues.find(
    (cue) =>
      (cue.left === undefined || cue.left.test(left)) &&
      (cue.right === undefined || cue.right.test(right)) &&
      cue.not?.test(left) !== true,
  )?.kind;
}

/** The sentence before an amount, without what fills the gap. */
function leftOf(lower: string, start: number): string {
  const part = ` ${lower.slice(Math.max(0, start - LEFT_CHARS), start)}`;
  let from = 0;
  for (const match of part.matchAll(SENTENCE_END)) from = match.index + 1;
  const left = part.slice(from).trimEnd();
  return left.replace(FILLER, '');
}

function rightOf(lower: string, end: number): string {
  const part = lower.slice(end, end + RIGHT_CHARS);
  const stop = part.search(/[.!?\n](?:\s|$)/);
  return stop < 0 ? part : part.slice(0, stop);
}
