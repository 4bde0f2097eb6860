import { MODEL_MAKERS, PLACE_WORDS } from '../lexicon/context-words.ts';
import { englishCardinal, englishTriple } from './english-number.ts';
import { match } from './numeral.ts';
import { isUpper, type Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

/** `747`, `737-800`, `777-300ER`, `320i`. */
const NUMBER = /[1-9]\d{2}(?:-(?:[1-9]00|10|[1-9]))?(?:[A-Z]{1,2}|[a-z])?(?![A-Za-z\d]|[.,-]\d)/y;
/** `F-150`, `S500`, `LX 570`, `A320neo`. */
const LETTERED = /[A-Z]{1,3}[- ]?[1-9]\d{2}(?![A-Za-z\d]|[.,-]\d)/y;
const AIRBUS = /A3(?:00|10|18|19|20|21|30|40|50|80)(?:-[1-9]0{2,3})?(?![A-Za-z\d]|[.,-]\d)/y;
const MAKER_REACH = 2;

/** The model of an aircraft or car in English text, said in hundreds: Boeing seven thirty-seven eight hundred. */
export function modelNumber(scan: Scan, at: number): Classified | undefined {
  if (scan.language === 'ar' || scan.digits(at).end - at !== 3 || !scan.leftIn(at, MODEL_MAKERS, 1)) return undefined;
  return spoken(at, match(NUMBER, scan.text, at));
}

/** The same with letters before the number. */
export function modelName(scan: Scan, at: number): Classified | undefined {
  if (scan.language === 'ar' || !isUpper(scan.text.charCodeAt(at))) return undefined;
  const airbus = match(AIRBUS, scan.text, at);
  if (airbus !== undefined && !scan.leftIn(at, PLACE_WORDS, 1)) return spoken(at, airbus);
  const found = match(LETTERED, scan.text, at);
  return found !== undefined && scan.leftIn(at, MODEL_MAKERS, MAKER_REACH) ? spoken(at, found) : undefined;
}

function spoken(at: number, model: string | undefined): Classified | undefined {
  if (model === undefined) return undefined;
  const words = [...model.matchAll(/\d+|[A-Za-z]/g)].map(([part]) =>
    part.length === 3 ? englishTriple(part) : /\d/.test(part) ? englishCardinal(Number(part)) : part.toUpperCase(),
  );
  return classified({ kind: 'words', words: words.join(' ') }, at, at + model.length);
}
