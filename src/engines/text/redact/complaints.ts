import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import type { Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/complaints.tsv');

/**
 * What ails somebody, said in parts that no list of illnesses could have all of: a complaint beside a part of the body (`ألم في
 * أسفل البطن`, `swollen left knee`), a medicine for something (`دواء السيولة`), and what a diagnosis goes on with (`نوع أول`,
 * `stage 3`).
 */

/** Nouns of complaint that need the part of the body to be one. */
const COMPLAINTS = foldedSet(...list('complaints'));
/** Complaints that are trouble with anything else as well: only right beside the part of the body. */
const VAGUE = foldedSet('مشكلة مشاكل ضعف نقص ارتفاع انخفاض قطع ماء مياه تعب خلل');

const BODY_PARTS = foldedSet(...list('body-parts'));
const BETWEEN = foldedSet(...list('between'));
const BETWEEN_MAX = 4;

/** The last token of a complaint that begins at `first`, when a part of the body goes with it. */
export function complaintAt(reading: Reading, first: number): number | undefined {
  const { forms } = reading;
  const head = forms(first).plain;
  const isComplaint = head.some((form) => COMPLAINTS.has(form));
  if (isComplaint) {
    const reach = head.some((form) => VAGUE.has(form)) ? 2 : BETWEEN_MAX;
    const part = partFrom(reading, first, reach);
    if (part !== undefined) return extended(reading, part);
  }
  // `knee replacement`, `lower back pain`: the part first, in English.
  if (head[0]!.charCodeAt(0) < 0x600 && BODY_PARTS.has(head[0]!)) {
    const next = reading.tokens[first + 1];
    if (next?.type === 'word' && /^[ -]$/.test(reading.gapBefore(first + 1)) && isNoun(reading, first + 1))
      return extended(reading, first + 1);
  }
  return undefined;
}

const NOUNS = foldedSet(...list('nouns'));

function isNoun(reading: Reading, at: number): boolean {
  return NOUNS.has(reading.tokens[at]!.text);
}

function partFrom(reading: Reading, first: number, reach: number): number | undefined {
  const { tokens } = reading;
  for (let at = first + 1; at <= first + reach && at < tokens.length; at += 1) {
    if (tokens[at]!.type !== 'word' || tokens[at]!.sentence !== tokens[first]!.sentence) return undefined;
    if (reading.gapBefore(at).trim() !== '') return undefined;
    if (reading.forms(at).bare.some((form) => BODY_PARTS.has(form))) return at;
    if (!BETWEEN.has(tokens[at]!.text)) return undefined;
  }
  return undefined;
}

/** Heads of illnesses that any word may complete: `داء كرون`, `متلازمة القولون`, `سرطان الحنجرة`. */
const ILLNESSES = foldedSet('داء متلازمة سرطان حمى التهاب تصلب تليف ضمور ارتجاع قرحة تسارع اضطراب اعتلال قصور فيروس');
const NOT_ILL = foldedSet(...list('not-ill'));

/** The last token of an illness that the next word completes. */
export function illnessAt(reading: Reading, first: number): number | undefined {
  const next = reading.tokens[first + 1];
  if (!reading.forms(first).plain.some((form) => ILLNESSES.has(form))) return undefined;
  if (
    next?.type !== 'word' ||
    reading.gapBefore(first + 1) !== ' ' ||
    next.sentence !== reading.tokens[first]!.sentence
  )
    return undefined;
  if (NOT_ILL.has(next.text) || next.text.length < 3 || /^[يو]/.test(next.text)) return undefined;
  return extended(reading, first + 1);
}

/** What goes on with the name of an illness: where it is, which type, how bad. */
const GRADES = foldedSet('نوع النوع درجة الدرجة مرحلة المرحلة type stage grade');
const ORDER = foldedSet(
  'أول الأول أولى الأولى ثاني الثاني ثانية الثانية ثالث الثالثة ثالثة رابعة الرابعة one two three four i ii iii iv',
);
const QUALITIES = foldedSet(...list('qualities'));

/** The end of an illness with its part of the body and its degree. */
export function extended(reading: Reading, last: number): number {
  let end = last;
  for (let steps = 0; steps < 3; steps += 1) {
    const next = continued(reading, end);
    if (next === undefined) break;
    end = next;
  }
  return end;
}

function continued(reading: Reading, last: number): number | undefined {
  const { tokens } = reading;
  const text = (at: number): string =>
    tokens[at]?.sentence === tokens[last]!.sentence && /^ ?$/.test(reading.gapBefore(at)) ? tokens[at]!.text : '';
  const next = text(last + 1);
  if (next === '') return undefined;
  if (QUALITIES.has(next)) return last + 1;
  if (GRADES.has(next) && (ORDER.has(text(last + 2)) || tokens[last + 2]?.type === 'digits')) return last + 2;

  const inside = next === 'في' || next === 'ب' || next === 'in' || next === 'of' ? 1 : 0;
  const part = partFrom(reading, last, inside === 0 ? 1 : BETWEEN_MAX);
  if (part === undefined) return undefined;
  return reading.tokens[part]!.text.charCodeAt(0) >= 0x600 || inside === 1 ? part : undefined;
}

/** Medicines by what they are for: `دواء السيولة`, `حبوب الغدة`, `pills for my nerves`. */
const MEDICINE = foldedSet('دواء أدوية علاج حبوب أقراص إبر إبرة حقن كبسولات مرهم بخاخ شراب مسكن مسكنات');

/** The last token of a medicine that its next word names. */
export function medicineAt(reading: Reading, first: number): number | undefined {
  const { tokens } = reading;
  if (!reading.forms(first).plain.some((form) => MEDICINE.has(form))) return undefined;
  const next = tokens[first + 1];
  if (next?.type !== 'word' || reading.gapBefore(first + 1) !== ' ' || next.sentence !== tokens[first]!.sentence)
    return undefined;
  if (!next.text.startsWith('ال') || NOT_TREATED.has(next.text)) return undefined;
  return extended(reading, first + 1);
}

/** Treatments and grains that say nothing of anybody's health. */
const NOT_TREATED = foldedSet(...list('not-treated'));
