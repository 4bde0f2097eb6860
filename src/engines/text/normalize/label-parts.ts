import type { Language } from '../../../core/agent.ts';
import { ACRONYMS, CAPITAL_WORDS } from '../lexicon/acronyms.ts';
import { TRANSLITERATIONS } from '../lexicon/transliterations.ts';

/** A piece of a serial or product name. */
export interface LabelPart {
  readonly type: 'letters' | 'word' | 'digits' | 'sign';
  readonly text: string;
  /** Digits said as one number (iPhone 15, B12) instead of one by one. */
  readonly asNumber: boolean;
  /** Behind a word, a year of our time: `summer2024`, `Expo2030`. */
  readonly asYear: boolean;
}

const PIECE = /[A-Za-z]+|\d+|[^A-Za-z\d\s]/g;
const YEAR = /^(?:19[5-9]|20[0-5])\d$/;

/**
 * Cuts `P-101A`, `CAM_17`, `iPhone15`, `COVID-19` into letters to spell, words to say and digits. Words are what has lower
 * case letters or is known as a word; two digits without a leading zero are one number, longer runs are said one by one.
 */
export function labelParts(text: string, language: Language): LabelPart[] {
  const parts: LabelPart[] = [];
  for (const [piece] of text.matchAll(PIECE)) {
    if (/^\d/.test(piece)) {
      parts.push({
        type: 'digits',
        text: piece,
        asNumber:
          isShortNumber(piece) || (language === 'en' && parts.at(-1)?.type === 'word' && /^[1-9]00$/.test(piece)),
        asYear: parts.at(-1)?.type === 'word' && YEAR.test(piece),
      });
    } else if (/^[A-Za-z]/.test(piece)) {
      parts.push({
        type: isWord(piece) || (language === 'en' && isEnglishWord(piece, text)) ? 'word' : 'letters',
        text: piece,
        asNumber: false,
        asYear: false,
      });
    } else {
      parts.push({ type: 'sign', text: piece, asNumber: false, asYear: false });
    }
  }
  return parts;
}

function isShortNumber(digits: string): boolean {
  return digits.length === 1 || (digits.length === 2 && !digits.startsWith('0'));
}

/** Before digits, as in `SAVE20`; between signs it may be letters of a code. */
function isEnglishWord(piece: string, label: string): boolean {
  if (CAPITALISED.test(piece)) return true;
  return piece.length >= 3 && PROMOTION.test(label) && (CAPITAL_WORDS.has(piece) || PROMOTION_NAMES.has(piece));
}

/** `Top-10`. */
const CAPITALISED = /^[A-Z][a-z]{2}$/;
const PROMOTION = /^[A-Z]{3,}\d{1,4}$/;
const PROMOTION_NAMES: ReadonlySet<string> = new Set(
  'EID DEAL DEALS EXTRA FLASH SPRING SUMMER AUTUMN WINTER BONUS LUCKY PROMO COUPON CODE GIFT MEGA STUDENT FAMILY FRIEND SHIP PARTY HELLO LOYAL ROYAL'.split(
    ' ',
  ),
);

function isWord(piece: string): boolean {
  if (piece.length < 3) return false;
  if (/[a-z]/.test(piece)) return piece.length >= 4 || TRANSLITERATIONS.has(piece.toLowerCase());
  return piece.length > 5 || ACRONYMS.get(piece)?.en !== undefined;
}
