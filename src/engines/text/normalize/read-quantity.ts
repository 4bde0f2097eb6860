import { isAttributive } from './attributive.ts';
import { match, type Numeral, type ParsedNumeral, parseNumeral } from './numeral.ts';
import { readScale, readSuffix } from './read-suffix.ts';
import { isYearWithEra } from './read-year.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified, type Quantity, type Scale } from './token.ts';

/** Between the ends of a range. */
export const DASH = /\s?[-–—~]\s?(?=\d)/y;
/** Between the sides of a thing. */
export const TIMES = /\s?[xX×*]\s?(?=\d)/y;
/** More sides are no measure. */
export const SIDES_MAX = 3;
/** Nothing named; compared by identity. */
export const PLAIN: Quantity = { type: 'plain' };

/** The scale and unit behind the number that ends at `at`; `PLAIN` where it counts nothing named. */
export function suffixes(
  scan: Scan,
  at: number,
): { readonly scale: Scale | undefined; readonly of: Quantity; readonly end: number } {
  const scale = readScale(scan, at);
  const after = scale?.end ?? at;
  const suffix = readSuffix(scan, after);
  const end = suffix?.end ?? after;
  return { scale: scale?.scale, of: suffix?.of ?? PLAIN, end };
}

/** A number with its scale, unit, currency or percent; a range or the sides of a thing where the unit is repeated. */
export function readQuantity(scan: Scan, at: number, parsed: ParsedNumeral): Classified | undefined {
  const { scale, of, end } = suffixes(scan, parsed.end);
  if (of === PLAIN && scale === undefined) return undefined;
  if (of.type === 'measure' && isYearWithEra(scan, at, parsed)) return undefined;
  if (of.type === 'measure' && isWholeCode(parsed.numeral)) return undefined;
  const sides = scan.language === 'en' ? sidesWithUnits(scan, end, of, scale, [parsed.numeral]) : undefined;
  if (sides !== undefined) return classified({ kind: 'size', sides: sides.sides, of }, at, sides.end);
  const token = {
    kind: 'quantity' as const,
    number: parsed.numeral,
    of,
    ...(scale === undefined ? {} : { scale }),
    ...((scan.text[parsed.end] === '-' || isAttributive(scan, at, end, of)) && {
      attributive: true,
    }),
  };
  const upTo = sameQuantity(scan, end, of, scale);
  return upTo === undefined ? classified(token, at, end) : classified({ ...token, upTo: upTo.numeral }, at, upTo.end);
}

/** The other sides of `25 m x 12 m`: the same unit again. */
function sidesWithUnits(
  scan: Scan,
  end: number,
  of: Quantity,
  scale: Scale | undefined,
  sides: readonly Numeral[],
): { readonly sides: readonly Numeral[]; readonly end: number } | undefined {
  const times = of.type === 'measure' && sides.length < SIDES_MAX ? match(TIMES, scan.text, end) : undefined;
  const next = times === undefined ? undefined : sameUnit(scan, end + times.length, of, scale);
  if (next === undefined) return sides.length > 1 ? { sides, end } : undefined;
  return sidesWithUnits(scan, next.end, of, scale, [...sides, next.numeral]);
}

/** The upper end of `100 ريال - 200 ريال`, `5%-10%`: the same unit again. */
function sameQuantity(scan: Scan, end: number, of: Quantity, scale: Scale | undefined): ParsedNumeral | undefined {
  const dash = match(DASH, scan.text, end);
  if (dash === undefined || of === PLAIN) return undefined;
  return sameUnit(scan, end + dash.length, of, scale);
}

/** The number at `at`, if it has this unit and scale. */
function sameUnit(scan: Scan, at: number, of: Quantity, scale: Scale | undefined): ParsedNumeral | undefined {
  const second = parseNumeral(scan.text, at);
  const after = suffixes(scan, second.end);
  if (after.scale !== scale || after.of.type !== of.type) return undefined;
  if (after.of.type === 'money' && of.type === 'money' && after.of.currency !== of.currency) return undefined;
  if (after.of.type === 'measure' && of.type === 'measure' && after.of.unit !== of.unit) return undefined;
  return { numeral: second.numeral, end: after.end };
}

function isWholeCode(number: Numeral): boolean {
  return number.digits.length > 1 && number.digits.startsWith('0') && number.fraction === undefined;
}
