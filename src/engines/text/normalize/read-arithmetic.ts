import { englishCardinal } from './english-number.ts';
import { match } from './numeral.ts';
import { readSuffix } from './read-suffix.ts';
import { isDigit, isLatin, type Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

const POWER = /\^(-?)(\d{1,3})(?!\d|\.\d)/y;
const NAMED_POWERS: ReadonlyMap<string, string> = new Map([
  ['2', 'squared'],
  ['3', 'cubed'],
]);
/** Behind `2 / 4` and `6 x 7`, a sum: no fraction, no size. */
const SUM_BEHIND = /[/xX]\s?(?:\d{1,9}(?:\.\d{1,6})?\s?=|10\^)/y;
/** `3 x SAR 45`. */
const PRICE_BEHIND = /[xX*] ?(?:[$€£¥]|(?:SAR|SR|USD|AED|EUR|GBP) ?)\d/y;
const FACTOR_BEHIND = /\*\s?[\d(]/y;
const OPERATORS: Readonly<Record<string, string>> = { '*': 'times', x: 'times', X: 'times', '/': 'divided by' };

/** Signs between the operands of a sum in English text: `5 * 3`, `6 x 7 = 42`, `10 / 2 = 5`, `x^2`. */
export function readOperator(scan: Scan, at: number): Classified | undefined {
  if (scan.language === 'ar') return undefined;
  const { text } = scan;
  if (text[at] === '^') return power(scan, at);
  const operand = text.charCodeAt(text[at - 1] === ' ' ? at - 2 : at - 1);
  if (!(isDigit(operand) || text[at - 1] === ')')) return undefined;
  const pattern = text[at] === '*' ? FACTOR_BEHIND : SUM_BEHIND;
  if (match(pattern, text, at) === undefined && match(PRICE_BEHIND, text, at) === undefined) return undefined;
  return classified({ kind: 'words', words: OPERATORS[text[at]!]! }, at, at + 1);
}

function power(scan: Scan, at: number): Classified | undefined {
  const { text } = scan;
  const base = text.charCodeAt(at - 1);
  if (!(isDigit(base) || isLatin(base) || text[at - 1] === ')')) return undefined;
  POWER.lastIndex = at;
  const found = POWER.exec(text);
  if (found === null) return undefined;
  const [whole, minus, digits] = found;
  const named = minus === '' ? NAMED_POWERS.get(digits!) : undefined;
  const words = named ?? `to the power of ${minus === '' ? '' : 'minus '}${englishCardinal(Number(digits))}`;
  const unit = readSuffix(scan, at + whole.length);
  if (unit?.of.type !== 'measure') return classified({ kind: 'words', words }, at, at + whole.length);
  return classified({ kind: 'words', words: `${words} ${unit.of.unit.en[1]}` }, at, unit.end);
}
