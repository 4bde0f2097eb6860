import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { isLatin, isUpper, type Scan, SPACE } from './scan.ts';
import type { Quantity } from './token.ts';

const list = listsOf('engines/text/normalize/data/attributive.tsv');

/** After these an amount before a noun describes it: `a $50 gift card`. */
const ARTICLES = foldedSet('a an another every');
/** Behind `a 5 km` these begin another phrase. */
const NO_NOUNS = foldedSet(...list('no-nouns'));
const THINGS_OF_MEASURE = foldedSet(...list('things-of-measure'));
/** Things that are named with their price or size wherever they stand: `$50 vouchers`. */
const THINGS_OF_MONEY = foldedSet('gift voucher vouchers coupon coupons bill bills note notes card cards prize prizes');
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

  return ARTICLES.has(before) && !NO_NOUNS.has(word) && !isUpper(word.charCodeAt(0));
}
