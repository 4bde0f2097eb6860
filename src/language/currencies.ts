import type { Noun } from './nouns.ts';

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

const RIYAL: Noun = { singular: 'ريال', plural: 'ريالات', gender: 'm' };
const DIRHAM: Noun = { singular: 'درهم', plural: 'دراهم', gender: 'm' };
const DINAR: Noun = { singular: 'دينار', plural: 'دنانير', gender: 'm' };
const POUND: Noun = { singular: 'جنيه', plural: 'جنيهات', gender: 'm' };
const FILS: Noun = { singular: 'فلس', plural: 'فلوس', gender: 'm' };
const CENT: Noun = { singular: 'سنت', plural: 'سنتات', gender: 'm' };
const QIRSH: Noun = { singular: 'قرش', plural: 'قروش', gender: 'm' };

export const CURRENCIES: readonly Currency[] = [
  {
    code: 'SAR',
    minorDigits: 2,
    ar: RIYAL,
    arMinor: { singular: 'هللة', plural: 'هللات', gender: 'f' },
    en: ['riyal', 'riyals'],
    enMinor: ['halala', 'halalas'],
    signs: ['SR', 'S.R', '\u20c1', '\ufdfc', 'SRIYAL'],
    arabicSigns: ['رس', 'رسع'],
    owns: true,
  },
  {
    code: 'AED',
    minorDigits: 2,
    ar: DIRHAM,
    arMinor: FILS,
    en: ['dirham', 'dirhams'],
    enMinor: ['fils', 'fils'],
    signs: ['DHS', 'DH'],
    arabicSigns: ['دا'],
    owns: true,
  },
  {
    code: 'KWD',
    arAdjective: 'كويتي',
    minorDigits: 3,
    ar: DINAR,
    arMinor: FILS,
    en: ['Kuwaiti dinar', 'Kuwaiti dinars'],
    enMinor: ['fils', 'fils'],
    signs: ['KD'],
    arabicSigns: ['دك'],
    owns: true,
  },
  {
    code: 'BHD',
    arAdjective: 'بحريني',
    minorDigits: 3,
    ar: DINAR,
    arMinor: FILS,
    en: ['Bahraini dinar', 'Bahraini dinars'],
    enMinor: ['fils', 'fils'],
    signs: ['BD'],
    arabicSigns: ['دب'],
  },
  {
    code: 'JOD',
    arAdjective: 'أردني',
    minorDigits: 3,
    ar: DINAR,
    arMinor: FILS,
    en: ['Jordanian dinar', 'Jordanian dinars'],
    enMinor: ['fils', 'fils'],
    signs: ['JD'],
    arabicSigns: [],
  },
  {
    code: 'OMR',
    arAdjective: 'عماني',
    minorDigits: 3,
    ar: RIYAL,
    arMinor: { singular: 'بيسة', plural: 'بيسات', gender: 'f' },
    en: ['Omani rial', 'Omani rials'],
    enMinor: ['baisa', 'baisas'],
    signs: [],
    arabicSigns: ['رع'],
  },
  {
    code: 'QAR',
    arAdjective: 'قطري',
    minorDigits: 2,
    ar: RIYAL,
    arMinor: DIRHAM,
    en: ['Qatari riyal', 'Qatari riyals'],
    enMinor: ['dirham', 'dirhams'],
    signs: ['QR'],
    arabicSigns: ['رق'],
  },
  {
    code: 'EGP',
    arAdjective: 'مصري',
    minorDigits: 2,
    ar: POUND,
    arMinor: QIRSH,
    en: ['Egyptian pound', 'Egyptian pounds'],
    enMinor: ['piastre', 'piastres'],
    signs: ['LE'],
    arabicSigns: ['جم'],
    owns: true,
  },
  {
    code: 'USD',
    minorDigits: 2,
    ar: { singular: 'دولار', plural: 'دولارات', gender: 'm' },
    arMinor: CENT,
    en: ['dollar', 'dollars'],
    enMinor: ['cent', 'cents'],
    signs: ['$', 'US$'],
    arabicSigns: [],
    owns: true,
  },
  {
    code: '¢',
    minorDigits: 2,
    ar: CENT,
    arMinor: CENT,
    en: ['cent', 'cents'],
    enMinor: ['cent', 'cents'],
    signs: [],
    arabicSigns: [],
  },
  {
    code: 'EUR',
    minorDigits: 2,
    ar: { singular: 'يورو', plural: 'يورو', gender: 'm', fixed: true },
    arMinor: CENT,
    en: ['euro', 'euros'],
    enMinor: ['cent', 'cents'],
    signs: ['€'],
    arabicSigns: [],
    owns: true,
  },
  {
    code: 'GBP',
    arAdjective: 'إسترليني',
    minorDigits: 2,
    ar: POUND,
    arMinor: { singular: 'بنس', plural: 'بنسات', gender: 'm' },
    en: ['pound', 'pounds'],
    enMinor: ['penny', 'pence'],
    signs: ['£'],
    arabicSigns: [],
  },
  {
    code: 'AUD',
    minorDigits: 2,
    ar: { singular: 'دولار', plural: 'دولارات', gender: 'm' },
    arAdjective: 'أسترالي',
    arMinor: CENT,
    en: ['Australian dollar', 'Australian dollars'],
    enMinor: ['cent', 'cents'],
    signs: ['A$', 'AU$'],
    arabicSigns: [],
  },
  {
    code: 'CAD',
    minorDigits: 2,
    ar: { singular: 'دولار', plural: 'دولارات', gender: 'm' },
    arAdjective: 'كندي',
    arMinor: CENT,
    en: ['Canadian dollar', 'Canadian dollars'],
    enMinor: ['cent', 'cents'],
    signs: ['C$', 'CA$'],
    arabicSigns: [],
  },
  {
    code: 'PKR',
    minorDigits: 2,
    ar: { singular: 'روبية', plural: 'روبيات', gender: 'f' },
    arAdjective: 'باكستاني',
    arMinor: { singular: 'بيسة', plural: 'بيسات', gender: 'f' },
    en: ['Pakistani rupee', 'Pakistani rupees'],
    enMinor: ['paisa', 'paise'],
    signs: [],
    arabicSigns: [],
  },
  {
    code: 'JPY',
    minorDigits: 2,
    ar: { singular: 'ين', plural: 'ين', gender: 'm', fixed: true },
    arMinor: { singular: 'سن', plural: 'سن', gender: 'm', fixed: true },
    en: ['yen', 'yen'],
    enMinor: ['sen', 'sen'],
    signs: ['¥'],
    arabicSigns: [],
    owns: true,
  },
  {
    code: 'INR',
    arAdjective: 'هندي',
    minorDigits: 2,
    ar: { singular: 'روبية', plural: 'روبيات', gender: 'f' },
    arMinor: { singular: 'بيسة', plural: 'بيسات', gender: 'f' },
    en: ['rupee', 'rupees'],
    enMinor: ['paisa', 'paise'],
    signs: ['₹', 'RS'],
    arabicSigns: [],
    owns: true,
  },
  {
    code: 'TRY',
    arAdjective: 'تركي',
    minorDigits: 2,
    ar: { singular: 'ليرة', plural: 'ليرات', gender: 'f' },
    arMinor: QIRSH,
    en: ['lira', 'liras'],
    enMinor: ['kurus', 'kurus'],
    signs: ['₺'],
    arabicSigns: ['لت'],
    owns: true,
  },
  {
    code: 'CNY',
    minorDigits: 2,
    ar: { singular: 'يوان', plural: 'يوانات', gender: 'm' },
    arMinor: { singular: 'فن', plural: 'فن', gender: 'm', fixed: true },
    en: ['yuan', 'yuan'],
    enMinor: ['fen', 'fen'],
    signs: [],
    arabicSigns: [],
    owns: true,
  },
  {
    code: 'CHF',
    arAdjective: 'سويسري',
    minorDigits: 2,
    ar: { singular: 'فرنك', plural: 'فرنكات', gender: 'm' },
    arMinor: { singular: 'سنتيم', plural: 'سنتيمات', gender: 'm' },
    en: ['Swiss franc', 'Swiss francs'],
    enMinor: ['centime', 'centimes'],
    signs: [],
    arabicSigns: [],
    owns: true,
  },
];

/** Nationality words that follow a currency noun: masculine singular; the other forms follow from it. */
export const CURRENCY_ADJECTIVES =
  'سعودي إماراتي كويتي بحريني أردني عماني قطري مصري أمريكي أميركي أسترليني إسترليني تركي هندي سويسري كندي أسترالي عراقي يمني';
