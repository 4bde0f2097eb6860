/** A number as written: digits without grouping. `1,250.50` is `{ digits: '1250', fraction: '50' }`. */
export interface Numeral {
  readonly digits: string;
  /** Digits after the decimal sign; absent when there were none. */
  readonly fraction?: string;
  readonly negative?: boolean;
  /** Written with thousands separators: certainly an amount, not a code or a year. */
  readonly grouped?: boolean;
}

/** Numbers with more digits than this are said digit by digit: 999 trillion is the last one with a name here. */
export const NAMED_DIGITS_MAX = 15;
/** Longer fractions are said digit by digit. */
export const NAMED_FRACTION_MAX = 3;

const COMMA_GROUPS = /\d{1,3}(?:,\d{3})+(?!\d)/y;
/** `1,50,000`, as lakhs are written. */
const LAKH_GROUPS = /\d{1,2}(?:,\d{2})+,\d{3}(?!\d)/y;
const DOT_GROUPS = /\d{1,3}(?:\.\d{3}){2,}(?![\d.])/y;
const EURO_GROUPS = /\d{1,3}(?:\.\d{3})+(?=,\d{1,2}(?![\d,]))/y;
const APOSTROPHE_GROUPS = /\d{1,3}(?:['’]\d{3})+(?!\d)/y;
const DOT_FRACTION = /\.(\d+)(?!\.?\d)/y;
const COMMA_FRACTION = /,(\d{1,2})(?![\d,.]\d|\d)/y;

const SEPARATORS: ReadonlySet<string> = new Set(".,'’");

export interface ParsedNumeral {
  readonly numeral: Numeral;
  readonly end: number;
}

/**
 * Reads the number at `at`, which must be an ASCII digit. `.` is a decimal sign, or groups thousands when it does so at
 * least twice; `,` groups thousands before exactly three digits and is a decimal sign before one or two. Linear: every
 * run of digits is read a constant number of times. `runEnd`: where the first run of digits ends, if that is known.
 */
export function parseNumeral(text: string, at: number, runEnd = endOfRun(text, at)): ParsedNumeral {
  if (!SEPARATORS.has(text[runEnd] ?? '')) return { numeral: { digits: text.slice(at, runEnd) }, end: runEnd };
  const grouped =
    match(COMMA_GROUPS, text, at) ??
    match(LAKH_GROUPS, text, at) ??
    match(DOT_GROUPS, text, at) ??
    match(EURO_GROUPS, text, at) ??
    match(APOSTROPHE_GROUPS, text, at);
  const whole = grouped ?? text.slice(at, runEnd);
  let end = at + whole.length;
  let fraction: string | undefined;
  const listed = grouped?.includes(',') === true || (text[at - 1] === ',' && isDigitAt(text, at - 2)); // 1,2,3
  const dot = matchGroup(DOT_FRACTION, text, end) ?? (listed ? undefined : matchGroup(COMMA_FRACTION, text, end));
  if (dot !== undefined) {
    fraction = dot;
    end += dot.length + 1;
  }
  const numeral = {
    digits: grouped === undefined ? whole : whole.replace(/\D/g, ''),
    ...(fraction === undefined ? {} : { fraction }),
    ...(grouped === undefined ? {} : { grouped: true }),
  };
  return { numeral, end };
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

const SPACED_AMOUNT = /(\d{1,3}(?: \d{3})+)[.,](\d{1,2})(?!\d)|(\d{1,3}(?: \d{3})* 000)(?![\d.,]\d|\d)/y;

/** An amount with thousands apart by spaces and decimals or round thousands: `1 234.56`, `45 000`. */
export function parseSpacedAmount(text: string, at: number): ParsedNumeral | undefined {
  SPACED_AMOUNT.lastIndex = at;
  const found = SPACED_AMOUNT.exec(text);
  if (found === null) return undefined;
  const digits = (found[1] ?? found[3]!).replaceAll(' ', '');
  if (digits.length > NAMED_DIGITS_MAX) return undefined;
  const numeral = { digits, grouped: true, ...(found[2] === undefined ? {} : { fraction: found[2] }) };
  return { numeral, end: at + found[0].length };
}

function endOfRun(text: string, at: number): number {
  let end = at;
  while (isDigitAt(text, end)) end += 1;
  return end;
}

/** The value of a whole number that is small enough to be exact, else undefined. Leading zeros do not matter. */
export function smallValue(numeral: Numeral): number | undefined {
  if (numeral.fraction !== undefined || numeral.digits.length > NAMED_DIGITS_MAX) return undefined;
  return Number(numeral.digits);
}

/** `1.250 SAR`: three digits ending in zero are no halalas but a thousand grouped with a dot. */
export function inThousands(number: Numeral, minorDigits: number): Numeral {
  const { digits, fraction } = number;
  if (minorDigits > 2 || fraction === undefined || !/^\d\d0$/.test(fraction) || /^0/.test(digits)) return number;
  const { fraction: _, ...whole } = number;
  return { ...whole, digits: digits + fraction };
}

/** Whether an amount has halalas or cents: `.00` are none. */
export function hasMinor({ fraction }: Numeral): boolean {
  return fraction !== undefined && !/^0*$/.test(fraction);
}

export function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : undefined;
}

function matchGroup(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[1];
}
