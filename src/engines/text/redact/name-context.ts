import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { pattern } from '../../../language/pattern.ts';
import { NOT_A_NAME } from './name-triggers.ts';
import { CITIES } from './place-words.ts';
import type { Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/name-context.tsv');

/** Words around an Arabic name that say that somebody is meant: what people do, who they are, where a person would stand. */

/** `أنا حصة اللي كلمتكم`, not `أنا فرح جدا`. */
export function endsStatement(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1];
  if (next === undefined || next.type === 'digits' || next.sentence !== reading.tokens[last]!.sentence) return true;
  return NOT_A_NAME.has(next.text) && !INTENSE.has(next.text);
}

const INTENSE = foldedSet('جدا مرة كثير في أكثر أقل');

/** `سعيد قال لي`, `نور said` */
export function speaks(reading: Reading, last: number): boolean {
  return reading.gapBefore(last + 1) === ' ' && SPEAKS.has(reading.tokens[last + 1]?.text ?? '');
}

export const SPEAKS = foldedSet(...list('speaks'));

/** `أخوي ماهر هو اللي وقع`: what follows says that the word before was a person. */
export function goesOnAsName(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1]?.text ?? '';
  if (next === 'ما' && isPastVerb(reading, last + 2)) return true;
  return reading.gapBefore(last + 1) === ' ' && GOES_ON.has(next);
}

/** `ما وصل`, not `ما شاء الله`. */
function isPastVerb(reading: Reading, at: number): boolean {
  const word = reading.tokens[at]?.text ?? '';
  return SPEAKS.has(word) || /^(?:رد|داوم|داومت|كلم|رجع|رجعت|انتهى|انتهي|يرد|ترد|يداوم|تداوم)$/.test(word);
}

/** `أنا سعيد من الدمام`, `أنا أمل من قسم المبيعات`: where somebody is from. */
export function isFrom(reading: Reading, last: number): boolean {
  const { tokens } = reading;
  if (tokens[last + 1]?.text !== 'من' || reading.gapBefore(last + 1) !== ' ') return false;
  return tokens[last + 2]?.type === 'word' && reading.forms(last + 2).plain.some((form) => ORIGINS.has(form));
}

const ORIGINS = new Set([
  ...CITIES,
  ...foldedSet(
    'قسم فريق شركة بنك فرع إدارة مبيعات محاسبة تحصيل دعم صيانة مستشفى عيادة وزارة خدمة مكتب سكان أهل طرف جهة',
  ),
]);

/** `شكرا ريم على المساعدة`, `يعطيك العافية أمل`. */
export function isThanked(reading: Reading, first: number, last: number): boolean {
  const before = reading.tokens[first - 1]?.text ?? '';
  if (!THANKS.has(before) || reading.gapBefore(first) !== ' ') return false;
  const next = reading.tokens[last + 1];
  return next === undefined || next.text === 'علي' || /[،,.!\n]/.test(reading.gapBefore(last + 1));
}

const THANKS = foldedSet('شكرا مشكور مشكورة تسلم تسلمين العافية قصرت قصرتي');

const COMPANY = pattern()`
  ^لل(?:تجاره|مقاولات|عقار|عقارات|استثمار|خدمات|تطوير|سياحه|سفر|نقل|صناعه|تقنيه|اتصالات|عطور|مجوهرات|مفروشات|اثاث|ملابس|سيارات|تاجير|
  محاماه|استشارات|تسويق|اغذيه|بصريات|ازياء|عود|تمور|عسل)
`;

/** `ماجد للتجارة والمقاولات`: a company. */
export function isCompany(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1]?.text ?? '';
  return reading.gapBefore(last + 1) === ' ' && COMPANY.test(next);
}

export const GOES_ON = foldedSet(...list('goes-on'));

export const FOLLOWS = foldedSet(...list('follows'));

export const POSITIONS = foldedSet(
  'مدير مديرة مسؤول مسؤولة محاسب محاسبة رئيس رئيسة موظف موظفة مندوب مندوبة سكرتير سكرتيرة مشرف مشرفة مهندس مهندسة طبيب طبيبة زوج زوجة أخو أخت ولد بنت سائق',
);

/** `المتطوعة جمانة`, `المتدرب نايف`: a participle with its article, which says who somebody is. */
export function isAfterRole(reading: Reading, first: number): boolean {
  const word = reading.tokens[first - 1]?.text ?? '';
  return (
    reading.gapBefore(first) === ' ' &&
    /^(?:و?ال|و?لل)(?:مت|مس|مو|مش|مد|مر|مع|من|مح|مخ|مه|مم)[\u0620-\u064a]{2,6}$/.test(word) &&
    !THINGS.has(word)
  );
}

/** Participles and places of that shape that are nobody. */
const THINGS = foldedSet(...list('things'));

/** `رمضان المبارك`, `ربيع الأول`, `عيد الأضحى` */
export function isSeason(reading: Reading, first: number): boolean {
  return SEASONS.has(reading.tokens[first]!.text) && SEASON_GOES_ON.has(reading.tokens[first + 1]?.text ?? '');
}

const SEASONS = foldedSet('رمضان شعبان رجب ربيع عيد خميس جمعة');

const SEASON_GOES_ON = foldedSet(
  'المبارك المباركة الكريم الفضيل الماضي القادم المقبل الحالي الأول الثاني الآخر الفطر الأضحى السعيد الوطني',
);

/** Adjectives and nouns of the shape of a family name. */
export const ADJECTIVES = foldedSet(...list('adjectives'));
