import { FOOT, INCH } from '../../../language/units.ts';
import { arabicCounted } from './arabic-counting.ts';
import { englishCardinal } from './english-number.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

const FOOT_SIGNS: ReadonlySet<number> = new Set(["'", '’', '′'].map((sign) => sign.charCodeAt(0)));
const HEIGHT = /(\d{1,2})['’′]\s?(\d{1,2})(?:["”″]|''|(?!\d))/y;

/** `12' x 15'`, a `6' fence`. */
const FEET_BY = /(\d{1,4})['’′]\s?[xX×]\s?(\d{1,4})['’′](?!\d)/y;
const FEET = /(\d{1,4})['’′](?= (?:tall|long|wide|high|deep|away|by|of|fence|ladder|wall|ceiling|board|pole)\b)/y;

/** Feet without inches in English text. */
function feetAlone(scan: Scan, at: number): Classified | undefined {
  FEET_BY.lastIndex = at;
  FEET.lastIndex = at;
  const found = FEET_BY.exec(scan.text) ?? FEET.exec(scan.text);
  if (found === null || scan.language === 'ar') return undefined;
  const sides = found.slice(1).map((digits) => ({ digits }));
  const of = { type: 'measure' as const, unit: { signs: [], ar: FOOT, en: ['foot', 'feet'] as const } };
  const token =
    sides.length > 1 ? { kind: 'size' as const, sides, of } : { kind: 'quantity' as const, number: sides[0]!, of };
  return classified(token, at, at + found[0].length);
}

/** `5'10"`. */
export function feetAndInches(scan: Scan, at: number): Classified | undefined {
  if (!FOOT_SIGNS.has(scan.digits(at).next)) return undefined;
  HEIGHT.lastIndex = at;
  const found = HEIGHT.exec(scan.text);
  if (found === null || Number(found[2]) > 11) return feetAlone(scan, at);
  const [feet, inches] = [Number(found[1]), Number(found[2])];
  const ar = `${arabicCounted({ digits: String(feet) }, FOOT, false)} و${arabicCounted({ digits: String(inches) }, INCH, false)}`;
  const en = heightWords(feet, inches);
  return classified({ kind: 'words', words: scan.language === 'ar' ? ar : en }, at, at + found[0].length);
}

const GLUED_FEET = /(\d{1,2})ft(\d{1,2})(?:in)?(?![A-Za-z\d]|[.,]\d)/y;

/** `5ft10` in English text. */
export function feetGlued(scan: Scan, at: number): Classified | undefined {
  GLUED_FEET.lastIndex = at;
  const found = GLUED_FEET.exec(scan.text);
  if (found === null || Number(found[2]) > 11) return undefined;
  return classified(
    { kind: 'words', words: heightWords(Number(found[1]), Number(found[2])) },
    at,
    at + found[0].length,
  );
}

function heightWords(feet: number, inches: number): string {
  return `${englishCardinal(feet)} ${feet === 1 ? 'foot' : 'feet'} ${englishCardinal(inches)} ${inches === 1 ? 'inch' : 'inches'}`;
}
