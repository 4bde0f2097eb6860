import { UNITS } from '../../../language/units.ts';
import type { FlaggedToken } from '../contract.ts';
import { ACRONYMS, CAPITAL_WORDS } from '../lexicon/acronyms.ts';

export type Reason = FlaggedToken['reason'];

/** How the text around a token is written. */
export interface Surroundings {
  /** Latin words stand out: the text is Arabic. */
  readonly arabic: boolean;
  /** Everything is in capitals: they mean nothing. */
  readonly shouted: boolean;
}

/** Digits of any script, fractions, ordinals in circles; not the exponents of units. */
const DIGIT = /\p{Nd}|(?![²³])[\p{No}\p{Nl}]/u;
const LATIN = /\p{Script=Latin}/u;
const LETTER = /\p{L}/u;
const ADDRESS =
  /^(?:https?:\/\/|www\.)|^[^\s@]+@[^\s@]+\.[^\s@]+$|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|sa|gov|edu|io|co|me|info|app|ae)(?:\/\S*)?$/i;
/** Letters after digits that say how to read the number: 3rd, 10am, 5kg, 2x. Arabic units and prefixes: 50ريال, بـ50, 3م. */
const ORDINAL_OR_TIME = /^[+-]?[\p{Nd}.,:]+(?:st|nd|rd|th|am|pm|a\.m|p\.m|x|k|h|hrs?|mins?|s|m|bn|mn)$/iu;
const ARABIC_WITH_DIGITS = /^[\u0600-\u06ff.]*[\p{Nd}][\p{Nd}.,:/٫٬%-]*[\u0600-\u06ff.²³]*$/u;
const ARABIC_TAG = /^[\u0621-\u064a]{1,2}[-_/]?\p{Nd}+$|^\p{Nd}+[-_/][\u0621-\u064a]{1,2}$/u;
const MEASURE = /^[+-]?[\p{Nd}.,]+(°?\p{L}[\p{L}²³/]*)$/u;
const CURRENCY_CODE =
  /^(?:SAR|SR|USD|AED|KWD|QAR|BHD|OMR|EGP|EUR|GBP)[\p{Nd}.,]+$|^[\p{Nd}.,]+(?:SAR|SR|USD|AED|KWD|QAR|BHD|OMR|EGP|EUR|GBP)$/iu;
const DOTTED = /^(?:\p{Lu}\.){2,6}\p{Lu}?$/u;
const CAPITALS = /^[A-Z]{2,5}$/;
const LONGEST_ACRONYM = 5;
const ONE_IN_CAPITALS = /^[A-Z](?:&[A-Z])+$/;

const UNIT_SIGNS: ReadonlySet<string> = new Set(UNITS.flatMap(({ signs }) => signs).map((sign) => sign.toLowerCase()));

/** Why a synthesiser may stumble over a token without its punctuation; undefined when it should not. */
export function reasonFor(token: string, surroundings: Surroundings): Reason | undefined {
  const digits = DIGIT.test(token);
  const latin = LATIN.test(token);
  if (ADDRESS.test(token)) return addressReason(token, digits, surroundings);
  if (digits) return LETTER.test(token) ? mixedReason(token, latin) : 'digits';
  if (!latin) return undefined;
  const word = token.replace(/^[\u0600-\u06ff]+[-_]?|[\u0600-\u06ff]+$/gu, ''); // الـSMS, للـATM
  if (isAcronym(word, surroundings)) return 'acronym';
  return surroundings.arabic ? 'latin_word' : undefined;
}

function addressReason(token: string, digits: boolean, { arabic }: Surroundings): Reason | undefined {
  if (arabic) return 'latin_word';
  return digits && !token.includes('://') ? 'digits' : undefined;
}

function mixedReason(token: string, latin: boolean): Reason {
  if (!latin) return ARABIC_TAG.test(token) && !/^[وبلكف]/u.test(token) ? 'asset_tag' : arabicMixed(token);
  const known = ACRONYMS.has(token.toUpperCase());
  if (known) return 'acronym';
  const unit = MEASURE.exec(token)?.[1]?.toLowerCase();
  if (unit !== undefined && UNIT_SIGNS.has(unit) && !/^[A-Z]$/.test(unit)) return 'digits';
  if (ORDINAL_OR_TIME.test(token) || CURRENCY_CODE.test(token)) return 'digits';
  return 'asset_tag';
}

function arabicMixed(token: string): Reason {
  return ARABIC_WITH_DIGITS.test(token) ? 'digits' : 'asset_tag';
}

/** Two to five capitals, dotted letters, or a name of the table; plurals (PDFs) and pairs (SMS/OTP) too. */
function isAcronym(word: string, { arabic, shouted }: Surroundings): boolean {
  if (DOTTED.test(word) || ONE_IN_CAPITALS.test(word)) return true;
  const parts = word.split(/[-/&+]/u);
  if (parts.length > 1) return parts.every((part) => part !== '' && isAcronym(part, { arabic, shouted }));
  const stem = /^[A-Z]{2,5}(?:'?s)$/.test(word) ? word.replace(/'?s$/, '') : word;
  if (CAPITAL_WORDS.has(stem) && !ACRONYMS.has(stem)) return false;
  if (stem === 'OK') return false;
  if (stem.length > LONGEST_ACRONYM) return stem === stem.toUpperCase() && ACRONYMS.has(stem);
  if (!CAPITALS.test(stem)) return false;
  return arabic || !shouted || ACRONYMS.has(stem);
}
