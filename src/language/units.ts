import { listsOf } from './lists.ts';
import { type Noun, nounOf } from './nouns.ts';

/** A unit of measure: how it is written after a number, and said in both languages. */
export interface Unit {
  /** Spellings, exact case; Arabic ones without dots. `°` and `²` are written here as they are in text. */
  readonly signs: readonly string[];
  readonly ar: Noun;
  /** Adjective after the Arabic noun, masculine singular (مربع, مئوي). */
  readonly arAdjective?: string;
  /** Said after noun and adjective (`في الساعة`). */
  readonly arTail?: string;
  readonly en: readonly [singular: string, plural: string];
}

export const UNITS: readonly Unit[] = listsOf('language/data/units.tsv')('units').map((row): Unit => {
  const [signs = '', singular = '', plural = '', gender = '', arAdjective, arTail, one = '', many = ''] =
    row.split('|');
  return {
    signs: signs.split(';'),
    ar: nounOf(singular, plural, gender),
    ...(arAdjective && { arAdjective }),
    ...(arTail && { arTail }),
    en: [one, many],
  };
});

const unitOf = (sign: string): Unit => UNITS.find(({ signs }) => signs.includes(sign))!;
export const HOUR = unitOf('hr');
export const MINUTE = unitOf('min');
export const BLOOD_PRESSURE = unitOf('mmHg');
export const FOOT = unitOf('ft').ar;
export const INCH = unitOf('in').ar;

/** Arabic one-letter units that are also abbreviations of other things: read as units only where nothing else fits. */
export const AMBIGUOUS_UNITS: ReadonlySet<string> = new Set(['م', 'د', 'ل', 'غ', 'ث', 'س']);
