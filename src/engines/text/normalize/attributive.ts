import { foldedSet } from '../../../language/fold-word.ts';
import { isLatin, isUpper, type Scan, SPACE } from './scan.ts';
import type { Quantity } from './token.ts';

/** After these an amount before a noun describes it: `a $50 gift card`. */
const ARTICLES = foldedSet('a an another every');
/** Behind `a 5 km` these begin another phrase. */
const NO_NOUNS = foldedSet(
  'and or to per in on at of for from with more less if when while each is was are were will by than until till only total versus plus minus away long wide tall high deep thick heavy ago later apart every because but so that which who before after over under between into onto upon via as not then',
);
const THINGS_OF_MEASURE = foldedSet(
  'battery bulb charger adapter lamp motor engine outlet socket supply drive disk card screen monitor tank bottle bag box pack race walk radius wall fence pool cable pipe lens camera dash relay sprint ladder rope hose plan package angle pizza tv television wheel wheels rim rims laptop tablet final finals hurdles relay freestyle butterfly backstroke medley blade knife display nail nails ruler bike hard pan tire tires',
);
/** Things that are named with their price or size wherever they stand: `$50 vouchers`. */
const THINGS_OF_MONEY = foldedSet('gift voucher vouchers coupon coupons bill bills note notes card cards prize prizes');
/** The same after a word that points at them: `the $20 fee`, `your SAR 100 deposit`. */
const POINTING = foldedSet('the this that your my our his her their its these those any no first new same');
const THINGS_POINTED_AT = foldedSet(
  'fee fees ticket tickets fine fines deposit deposits bonus discount loan loans charge charges grant grants donation donations rebate refund penalty surcharge subscription membership plan package deal budget limit minimum maximum invoice installment instalment mortgage contract project fund investment increase raise pay toll meal buffet question tip',
);

/**
 * Whether the amount from `start` to `end` of English text describes the thing behind it, which keeps its unit in the
 * singular: a fifty dollar gift card, the five hundred milliliter bottle.
 */
export function isAttributive(scan: Scan, start: number, end: number, of: Quantity): boolean {
  if (scan.language !== 'en' || (of.type !== 'money' && of.type !== 'measure')) return false;
  if (scan.text.charCodeAt(end) !== SPACE) return false;
  const { word } = scan.next(end);
  if (word.length < 2 || !isLatin(word.charCodeAt(0))) return false;
  const things = of.type === 'money' ? THINGS_OF_MONEY : THINGS_OF_MEASURE;
  if (things.has(word)) return true;
  const before = scan.left(start);
  if (of.type === 'money' && POINTING.has(before)) return THINGS_POINTED_AT.has(word);
  return ARTICLES.has(before) && !NO_NOUNS.has(word) && !isUpper(word.charCodeAt(0));
}
