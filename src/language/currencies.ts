import { listsOf } from './lists.ts';
import { type Noun, nounOf } from './nouns.ts';

/** Money by ISO 4217 code: how it is written, and said in both languages. */
export interface Currency {
  readonly code: string;
  /** Digits of the minor unit: 2 (halala, cent) or 3 (fils of the dinars). */
  readonly minorDigits: number;
  readonly ar: Noun;
  readonly arMinor: Noun;
  readonly en: readonly [singular: string, plural: string];
  readonly enMinor: readonly [singular: string, plural: string];
  /** Latin and symbol spellings beside the code, compared in upper case. */
  readonly signs: readonly string[];
  /** Arabic abbreviations without dots and spaces. */
  readonly arabicSigns: readonly string[];
  /** Nationality said when the code or sign alone was written, masculine singular. */
  readonly arAdjective?: string;
  /** Whether the Arabic noun in a text means this currency when nothing else is said. */
  readonly owns?: boolean;
}

const nounIn = (text: string): Noun => {
  const [singular = '', plural = '', gender = ''] = text.split('/');
  return nounOf(singular, plural, gender);
};
const pairIn = (text: string): [string, string] => {
  const [one = '', many = ''] = text.split('/');
  return [one, many];
};
const signsIn = (text: string): string[] => (text === '' ? [] : text.split(';'));

export const CURRENCIES: readonly Currency[] = listsOf('language/data/currencies.tsv')('currencies').map(
  (row): Currency => {
    const [
      code = '',
      digits,
      ar = '',
      arMinor = '',
      en = '',
      enMinor = '',
      signs = '',
      arabic = '',
      arAdjective,
      owns,
    ] = row.split('|');
    return {
      ...{ code, minorDigits: Number(digits) },
      ...{ ar: nounIn(ar), arMinor: nounIn(arMinor), en: pairIn(en), enMinor: pairIn(enMinor) },
      ...{ signs: signsIn(signs), arabicSigns: signsIn(arabic) },
      ...(arAdjective && { arAdjective }),
      ...(owns && { owns: true }),
    };
  },
);

/** Nationality words that follow a currency noun: masculine singular; the other forms follow from it. */
export const CURRENCY_ADJECTIVES =
  'سعودي إماراتي كويتي بحريني أردني عماني قطري مصري أمريكي أميركي أسترليني إسترليني تركي هندي سويسري كندي أسترالي عراقي يمني';
