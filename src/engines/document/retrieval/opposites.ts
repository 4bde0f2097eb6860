import { arabicStem } from '../../../language/arabic-stem.ts';
import { foldWord, rawWords } from './words.ts';

/** Pairs of words of which one in the question and the other in the line means the line is about something else. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['minimum least lowest smallest', 'maximum most highest largest'],
  ['increase increased rise', 'decrease decreased reduction fall'],
  ['male men boys man father paternity husband', 'female women girls woman mother maternity wife'],
  ['domestic local inside', 'international abroad outside overseas'],
  ['arrival arrive check-in checkin', 'departure depart check-out checkout'],
  ['adult adults', 'child children kids'],
  ['paid', 'unpaid'],
  ['begin start begins starts', 'end ends finish expire expires'],
  ['import imports', 'export exports'],
  ['tenant lessee renter', 'landlord lessor'],
  ['deposit', 'withdraw withdrawal'],
  ['morning', 'evening'],
  ['north northern', 'south southern'],
  ['east eastern', 'west western'],
  ['online', 'in-store'],
  ['weekdays', 'weekend weekends friday'],
  ['الادني ادني اقل الاقل', 'الاقصي اقصي اعلي الاعلي'],
  ['زياده ارتفاع', 'نقص انخفاض'],
  ['ذكور رجال الاب اب الزوج اولاد بنين', 'اناث نساء الام ام الزوجه بنات'],
  ['محلي محليه داخل داخلي', 'دولي دوليه خارج خارجي'],
  ['بالغين الكبار كبار', 'اطفال الاطفال صغار'],
  ['بدايه يبدا تبدا بدء', 'نهايه ينتهي تنتهي انتهاء'],
  ['المستاجر مستاجر', 'الموجر موجر المالك'],
  ['ايداع', 'سحب'],
  ['صباحا صباحيه الصباحيه', 'مساء مسائيه المسائيه'],
  ['شمال', 'جنوب'],
  ['شرق', 'غرب'],
  ['شراء', 'بيع'],
  ['وصول', 'مغادره'],
];

export interface Side {
  readonly own: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

const SIDES = new Map<string, Side>();
for (const [left, right] of PAIRS) {
  const a = new Set(left.split(' ').map(plain));
  const b = new Set(right.split(' ').map(plain));
  for (const word of a) SIDES.set(word, { own: a, others: b });
  for (const word of b) SIDES.set(word, { own: b, others: a });
}

/** What a line must not speak of unless it also speaks of what was asked: empty for most questions. */
export function opposedSides(asked: ReadonlySet<string>): readonly Side[] {
  const sides: Side[] = [];
  const plainly = new Set([...asked].map(plain));
  for (const word of plainly) {
    const side = SIDES.get(word);
    if (side && !intersects(side.others, plainly)) sides.push(side);
  }
  return sides;
}

/** Whether `text` speaks of the opposite of something asked, and not of the thing itself. */
export function speaksOfOpposite(text: string, opposed: readonly Side[]): boolean {
  if (opposed.length === 0) return false;
  const held = new Set(rawWords(text).map((word) => plain(foldWord(word))));
  return opposed.some((side) => intersects(side.others, held) && !intersects(side.own, held));
}

/** Without what Arabic attaches to words. */
function plain(folded: string): string {
  if (!/[\u0621-\u06d3]/.test(folded)) return folded;
  return arabicStem(folded.length >= 5 ? folded.replace(/^[وف](?!ا[^ل])/, '') : folded);
}

function intersects(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const word of a) if (b.has(word)) return true;
  return false;
}
