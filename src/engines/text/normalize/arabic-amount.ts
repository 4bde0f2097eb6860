import { arabicNumber, COUNTING } from './arabic-cardinal.ts';
import { arabicCounted } from './arabic-counting.ts';
import { rangeWord } from './number-context.ts';
import { hasMinor, inThousands, type Numeral, smallValue } from './numeral.ts';
import type { Scan } from './scan.ts';
import type { Quantity, Scale, Token } from './token.ts';

export const SCALE_NAMES: Readonly<Record<Scale, string>> = { 1e3: 'ألف', 1e6: 'مليون', 1e9: 'مليار', 1e12: 'تريليون' };

/** Money, percent and measures, and ranges of them. */
export function arabicAmount(
  token: Extract<Token, { readonly kind: 'quantity' }>,
  start: number,
  scan: Scan,
  oblique: boolean,
): string {
  if (token.upTo === undefined) return quantityWords(token.number, token.scale, token.of, oblique);
  return joinRange(lowerEnd(token), quantityWords(token.upTo, token.scale, token.of, true), start, scan, oblique);
}

/** من ثلاثة إلى خمسة; a preposition before it takes the place of من. */
export function joinRange(low: string, high: string, start: number, scan: Scan, oblique: boolean): string {
  const written = rangeWord(scan, start);
  if (written === 'between') return `${low} و${high}`;
  return `${written === 'from' || oblique ? '' : 'من '}${low} إلى ${high}`;
}

/** With halalas the lower end is money of its own. */
function lowerEnd({ number, scale, of }: Extract<Token, { readonly kind: 'quantity' }>): string {
  if (of.type !== 'money' || scale !== undefined || !hasMinor(number)) return bareEnd(number, of);
  return quantityWords(number, scale, of, true);
}

/** The lower end of a range: no noun of its own, but its gender. */
function bareEnd(number: Numeral, of: Quantity): string {
  const gender = of.type === 'money' ? of.currency.ar.gender : of.type === 'measure' ? of.unit.ar.gender : 'm';
  return arabicNumber(number, { gender, oblique: true, construct: false });
}

/** One quantity with its unit, money or percent. */
export function quantityWords(number: Numeral, scale: Scale | undefined, of: Quantity, oblique: boolean): string {
  const scaled = scale === undefined ? number : timesScale(number, scale);
  if (scaled === undefined) return looseAmount(number, SCALE_NAMES[scale!], of, oblique);
  if (of.type === 'percent') return `${arabicNumber(scaled, { ...COUNTING, oblique })} بالمئة`;
  if (of.type === 'money') return money(scaled, of, oblique);
  if (of.type === 'plain') return arabicNumber(scaled, { ...COUNTING, oblique });
  return arabicCounted(scaled, of.unit.ar, oblique, { adjective: of.unit.arAdjective, tail: of.unit.arTail });
}

/** `3 ملايين` as one number; a fraction of a million keeps its words (واحد فاصلة خمسة مليون). */
export function timesScale(number: Numeral, scale: Scale): Numeral | undefined {
  if (number.fraction !== undefined) return undefined;
  return { ...number, digits: number.digits + '0'.repeat(Math.log10(scale)) };
}

function looseAmount(number: Numeral, scale: string, of: Quantity, oblique: boolean): string {
  const head = `${arabicNumber(number, { ...COUNTING, oblique })} ${scale}`;
  if (of.type === 'percent') return `${head} بالمئة`;
  if (of.type === 'money') return [head, of.currency.ar.singular, of.adjective].filter(Boolean).join(' ');
  if (of.type !== 'measure') return head;
  return [head, of.unit.ar.singular, of.unit.arAdjective, of.unit.arTail].filter(Boolean).join(' ');
}

function money(number: Numeral, of: Extract<Quantity, { type: 'money' }>, oblique: boolean): string {
  const { currency, adjective } = of;
  const extras = adjective === undefined ? {} : { adjective };
  const { fraction, ...whole } = inThousands(number, currency.minorDigits);
  if (fraction === undefined || /^0*$/.test(fraction)) return arabicCounted(whole, currency.ar, oblique, extras);
  if (fraction.length > currency.minorDigits) return arabicCounted(number, currency.ar, oblique, extras);
  const minor = { digits: String(Number(fraction.padEnd(currency.minorDigits, '0'))) };
  const minorWords = arabicCounted(minor, currency.arMinor, oblique);
  if (smallValue(whole) === 0) return `${number.negative === true ? 'سالب ' : ''}${minorWords}`;
  return `${arabicCounted(whole, currency.ar, oblique, extras)} و${minorWords}`;
}
