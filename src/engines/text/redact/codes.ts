import { IBAN_LENGTHS, passesMod97 } from '../../../language/check-digits.ts';
import type { Label } from './labels.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';
import type { Token } from './tokens.ts';

const IBAN_TOKENS_MAX = 30;
const IBAN_JOINT = /^[\s\-._:/]{0,3}$/;
/** International bank account numbers: letters and digits in any grouping, spoken or written. */
export function findIbans(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  for (let first = 0; first < tokens.length; first += 1) {
    const head = countryAt(reading, first);
    if (head === undefined) continue;
    const length = IBAN_LENGTHS.get(head.country);
    if (length === undefined) continue;
    const finding = readIban(reading, first, head.next, head.country, length);
    if (finding !== undefined) found.push(finding);
  }
  return found;
}

/** The country letters at a token, with whatever is glued to them, and the next token to read. */
function countryAt(reading: Reading, at: number): { readonly country: string; readonly next: number } | undefined {
  const { tokens } = reading;
  const token = tokens[at]!;
  if (token.type !== 'word') return undefined;
  const next = tokens[at + 1];
  if (next === undefined) return undefined;
  if (token.text.length === 2 && next.type === 'digits') return { country: token.text, next: at + 1 };
  if (token.text === 's' && next.text === 'a') return { country: 'sa', next: at + 2 };

  return undefined;
}

function readIban(reading: Reading, first: number, from: number, country: string, length: number): Found | undefined {
  const { tokens } = reading;
  let text = country;
  for (let at = from; at < tokens.length && at < from + IBAN_TOKENS_MAX; at += 1) {
    const token = tokens[at]!;
    if (!IBAN_JOINT.test(reading.gapBefore(at)) || token.text.charCodeAt(0) >= 0x600) return undefined;
    text += token.text;
    if (text.length > length) return undefined;
    if (text.length < length) continue;
    if (!/^[a-z]{2}[0-9]{2}/.test(text)) return undefined;
    const end = tokens[at + 1];
    if (end !== undefined && end.start === token.end && end.text.charCodeAt(0) < 0x600) return undefined; // goes on
    const digits = text.replace(/[^0-9]/g, '').length;
    if (passesMod97(text)) return reading.foundTokens('IBAN', first, at, 1, text.toUpperCase());
    // Misheard or mistyped, but called so.
    return digits >= 18 && reading.labelsLeft(first)[0]?.meaning !== 'order' && isCalledIban(reading, first, at)
      ? reading.foundTokens('IBAN', first, at, 0.7, text.toUpperCase())
      : undefined;
  }
  return undefined;
}

function isCalledIban(reading: Reading, first: number, last: number): boolean {
  const called = (label: Label): boolean => label === 'iban' || label === 'account';
  const near = [...reading.labelsLeft(first), ...reading.labelsRight(last)];
  return (
    near.some(({ meaning }) => called(meaning)) ||
    TRANSFER.test(reading.lower.slice(Math.max(0, reading.tokens[first]!.start - 30), reading.tokens[first]!.start))
  );
}

/** Words of a transfer before an account number. */
const TRANSFER = /(?:حول|تحويل|حواله|ارسل|ايداع|transfer|wire|pay|deposit|send)/;

/** Letters and digits that are an identifier beside their label: passports, patient files, staff numbers, licences. */
export function findLabelledCodes(reading: Reading): Found[] {
  const found: Found[] = [];
  for (const label of reading.labels) {
    const kind = CODE_KINDS[label.meaning];
    if (kind === undefined || (label.meaning === 'policy' && isOtherPolicy(reading, label))) continue;
    const code =
      codeAfter(reading, label.last, kind.letters) ??
      (reading.placeholderAfter(label.last, CODE_REACH_CHARS)
        ? undefined
        : codeBefore(reading, label.first, kind.letters));
    if (code !== undefined) found.push(reading.foundTokens(kind.kind, code.first, code.last, 0.9));
  }
  for (const { kind, code, unless, context } of CODES_BESIDE) {
    const matches = [...reading.canonical.cased.matchAll(code)];
    if (matches.length === 0 || unless?.test(reading.lower) || context?.test(reading.lower) === false) continue;
    for (const match of matches) {
      const start = match.index + match[0].length - match[1]!.length;
      found.push(reading.found(kind, start, start + match[1]!.length, 0.8));
    }
  }
  return found;
}

/** A form that is shown is nobody's, and a بوليصة of goods on their way insures nobody. */
const OTHER_POLICY = /مثال|مثلا|صيغه|شكل رقم|شحن|تتبع|وصلت|توصيل|example|sample|looks? like|format/;
export function isOtherPolicy({ lower, tokens }: Reading, { first, last }: LabelMatch): boolean {
  return OTHER_POLICY.test(
    lower.slice(Math.max(0, tokens[first]!.start - CONTEXT_CHARS), tokens[last]!.end + CONTEXT_CHARS),
  );
}
const CONTEXT_CHARS = 80;
const POLICY_CODE =
  '((?:[A-Z]{1,5}[-/]?)?[0-9][0-9A-Z]{0,15}(?:[-/][0-9A-Z]{1,12}){0,4}(?<=(?:[0-9][A-Z/-]*){4}))(?![A-Za-z0-9])';

/** Right after the word for what has the number: `Employee E-10492`, `policy POL-88120`, `وثيقة رقم 30019284`. */
const CODES_BESIDE: readonly {
  readonly kind: CodeKind['kind'];
  readonly code: RegExp;
  /** The text speaks of no number of somebody. */
  readonly unless?: RegExp;
  /** Without this the word may mean anything. */
  readonly context?: RegExp;
}[] = [
  {
    kind: 'Employee ID',
    code: /(?:[Ee]mployee|EMPLOYEE|[Ss]taff|[Bb]adge|الموظف|الموظفه|للموظف) (?:no\.? |number |id |ID |رقم )?([A-Z]{1,4}-?[0-9]{3,8})(?![A-Za-z0-9])/g,
  },
  {
    kind: 'Policy Number',
    code: new RegExp(
      `(?:[Pp]olicy|POLICY|بوليصه|البوليصه|للبوليصه)(?: (?:no\\.?|number|NO\\.?|رقم|رقمها))?[ :#]{1,3}(?=[A-Z])${POLICY_CODE}`,
      'g',
    ),
    unless: OTHER_POLICY,
  },
  {
    kind: 'Policy Number',
    code: new RegExp(
      `(?:(?:ال|لل)?(?:وثيقه|شهاده|بطاقه|عضويه)|وثيقتي)(?: ال?تامين)?(?: ال(?:طبي|صحي))?(?: (?:رقم|رقمها))?[ :#،]{1,3}${POLICY_CODE}`,
      'g',
    ),
    unless: OTHER_POLICY,
    context: /تامين|مومن|مطالب|تغطيه|رقم وثيقتي|insur/,
  },
  {
    kind: 'Policy Number',
    code: new RegExp(
      `(?:[Cc]ertificate|[Mm]embership|[Mm]ember|[Ii]nsurance card)(?: (?:no\\.?|number|ID|id))?[ :#]{1,3}${POLICY_CODE}`,
      'g',
    ),
    unless: OTHER_POLICY,
    context: /insur|medical cover|health plan/,
  },
];

type CodeKind = {
  readonly kind: 'Passport' | 'Medical Record Number' | 'Employee ID' | 'Driving Licence' | 'Policy Number';
  readonly letters: number;
};

const CODE_KINDS: { readonly [L in Label]?: CodeKind } = {
  passport: { kind: 'Passport', letters: 2 },
  record: { kind: 'Medical Record Number', letters: 4 },
  employee: { kind: 'Employee ID', letters: 4 },
  licence: { kind: 'Driving Licence', letters: 3 },
  policy: { kind: 'Policy Number', letters: 4 },
};
const CODE_JOINT = /^[\s\-_/.#]{0,1}$/;
const CODE_REACH_CHARS = 24;
const CODE_REACH_TOKENS = 4;
const CODE_DIGITS_MIN = 3;

interface Span {
  readonly first: number;
  readonly last: number;
}

function codeAfter(reading: Reading, label: number, letters: number): Span | undefined {
  const { tokens } = reading;
  const from = tokens[label]!;
  for (let at = label + 1; at <= label + CODE_REACH_TOKENS && at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.start - from.end > CODE_REACH_CHARS || token.sentence !== from.sentence) return undefined;
    const span = codeAt(reading, at, letters);
    if (span !== undefined) return span;
    if (token.type === 'digits') return undefined;
  }
  return undefined;
}

/** `A12345678 is my passport`. */
function codeBefore(reading: Reading, label: number, letters: number): Span | undefined {
  const { tokens } = reading;
  const to = tokens[label]!;
  for (let at = label - 1; at >= label - CODE_REACH_TOKENS && at >= 0; at -= 1) {
    if (to.start - tokens[at]!.end > CODE_REACH_CHARS || tokens[at]!.sentence !== to.sentence) return undefined;
    if (tokens[at]!.type !== 'word' || tokens[at]!.text.length > letters) continue;
    const span = codeAt(reading, at, letters);
    if (span !== undefined && span.last < label) return span;
  }
  return undefined;
}

function codeAt(reading: Reading, at: number, letters: number): Span | undefined {
  const { tokens } = reading;
  const mixed = mixedCodeAt(reading, at);
  if (mixed !== undefined) return mixed;
  const token = tokens[at]!;
  const next = tokens[at + 1];
  if (token.type !== 'word' || token.text.length > letters || next?.type !== 'digits') return undefined;
  const gap = reading.gapBefore(at + 1);
  if (!CODE_JOINT.test(gap)) return undefined;
  const latin = token.text.charCodeAt(0) < 0x600;
  // `is 4471`, `رقم 4471`: a word of the sentence, unless it is glued on or in capitals.
  if (gap === ' ' && (!latin || reading.cased(at) !== token.text.toUpperCase() || token.text.length > 2))
    return undefined;
  let last = at + 1;
  const joint = latin && token.text.length === 2 && next.text.length === 2 ? /^[-/ ]$/ : /^[-/]$/; // KL07 2011…
  while (tokens[last + 1]?.type === 'digits' && joint.test(reading.gapBefore(last + 1))) last += 1;
  const digits = tokens.slice(at + 1, last + 1).reduce((sum, part) => sum + part.text.length, 0);
  return digits >= CODE_DIGITS_MIN && digits <= (joint.test(' ') ? 16 : 12) ? { first: at, last } : undefined;
}

const MIXED_TOKENS_MAX = 6;

/** Capitals and digits in turns, `C01X00T47`. */
function mixedCodeAt(reading: Reading, at: number): Span | undefined {
  const { tokens } = reading;
  let last = at;
  while (last - at < MIXED_TOKENS_MAX && tokens[last + 1]?.start === tokens[last]!.end) last += 1;
  if (last - at < 2 || tokens[at - 1]?.end === tokens[at]!.start) return undefined;
  const code = reading.canonical.cased.slice(tokens[at]!.start, tokens[last]!.end);
  return /^(?=(?:.*[0-9]){4})[A-Z0-9]{7,12}$/.test(code) ? { first: at, last } : undefined;
}

const SHORT_ADDRESS = /(?<![a-z0-9])[a-z]{4} ?-?[0-9]{4}(?![a-z0-9])/g;

/** Short national address: four letters, four digits (RRRD2929). Capitals stand alone; anything else needs its label. */
export function findShortAddresses(reading: Reading): Found[] {
  const found: Found[] = [];
  for (const match of reading.lower.matchAll(SHORT_ADDRESS)) {
    const first = tokenAt(reading.tokens, match.index);
    if (first === undefined) continue;
    const labels = reading.labelsLeft(first, 30);
    const nearest = labels[0]?.meaning;
    const labelled =
      labels.some(({ meaning }) => meaning === 'shortAddress' || meaning === 'address' || meaning === 'residence') ||
      reading.labelsRight(first, 30).some(({ meaning }) => meaning === 'shortAddress' || meaning === 'address');
    const capitals = match[0].length === 8 && reading.cased(first) === match[0].slice(0, 4).toUpperCase();
    if (!labelled && (!capitals || nearest !== undefined)) continue;
    found.push(reading.found('National Address', match.index, match.index + match[0].length, labelled ? 0.95 : 0.6));
  }
  return found;
}

/** The token that begins at a canonical index. */
export function tokenAt(tokens: readonly Token[], start: number): number | undefined {
  let low = 0;
  let high = tokens.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const at = tokens[middle]!.start;
    if (at === start) return middle;
    if (at < start) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** The first token that begins at or after a canonical index; `tokens.length` when there is none. */
export function tokenFrom(tokens: readonly Token[], start: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (tokens[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
