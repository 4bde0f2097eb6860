import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/text/lexicon/data/context-words.tsv');

/** Words around a number that decide how it is read. All sets hold folded words (`foldWord`). */

/** After these a number stands in the oblique case. */
export const OBLIQUE_BEFORE = foldedSet(...list('oblique-before'));

/** Not a counted noun: what follows the number starts another phrase. */
export const NOT_COUNTED = foldedSet(...list('not-counted'));

/** Adjectives, masculine singular, that follow counted things. */
export const DUAL_ADJECTIVES = foldedSet(...list('dual-adjectives'));

/** Labels: the number names the thing (`الغرفة 12`), it does not count what follows. */
export const LABEL_BEFORE = foldedSet(...list('label-before'));

/** Labels that are said with an ordinal: `الدور 5` is الدور الخامس. */
export const ORDINAL_LABELS = foldedSet(
  'الدور الطابق بالدور بالطابق للدور للطابق المادة للمادة بالمادة المرحلة المرتبة بالمرتبة للمرتبة القرن بالقرن للقرن الصف الفصل الربع ط',
);

/** The same where nothing is counted behind: `المركز 2`, but not `استقبل المركز 45 مراجعاً`. */
export const RANKED_LABELS = foldedSet(...list('ranked-labels'));
/** Two of a kind: `المادتين 3 و4`. */
export const RANKED_PAIRS: ReadonlyMap<string, 'm' | 'f'> = new Map([
  ...['المادتين', 'المادتان', 'للمادتين', 'الفقرتين', 'الفقرتان', 'المرحلتين', 'المرحلتان', 'الجولتين'].map(
    (label) => [label, 'f'] as const,
  ),
  ...['الدورين', 'الطابقين', 'الصفين', 'الفصلين', 'البندين', 'المركزين', 'الأسبوعين', 'المستويين'].map(
    (label) => [foldWord(label), 'm'] as const,
  ),
]);
/** What these name is a number and no rank, however far the name is: `رقم الملف الطبي 554210`. */
export const NUMBERED_BY = foldedSet('رقم برقم ورقم رقمك');

/** Places that are named by a number or letter: seat 14A. */
export const PLACE_WORDS = foldedSet(...list('place-words'));

/** Makers who name their models with three digits: Boeing 747, Porsche 911. */
export const MODEL_MAKERS = foldedSet(
  'boeing airbus porsche peugeot ferrari falcon mercedes concorde bmw audi ford lexus infiniti embraer bombardier بوينج بوينغ البوينج البوينغ إيرباص بورش بيجو',
);

/** A number after one of these (also with one word between) is read digit by digit: codes first, weaker ones from 4 digits. */
export const CODE_WORDS = foldedSet(...list('code-words'));
export const NUMBER_WORDS = foldedSet(...list('number-words'));
/** Words between the name of a number and the number: `رمز الدخول الخاص بك هو 7392`. */
export const FILLERS = foldedSet(
  'هو هي بك لك لكم بكم الخاص الخاصة الجديد الجديدة is are was be the your new as in with',
);
export const PHONE_WORDS = foldedSet(...list('phone-words'));

/** What comes in numbered parts: `صفحة 1/2` is one of two, `step 1/4` one of four. */
export const PART_WORDS = foldedSet(
  'صفحة الصفحة جزء الجزء دفعة الدفعة صورة الصورة قسط القسط رسالة الرسالة شوط الشوط جلسة الجلسة خطوة الخطوة محاولة المحاولة',
  'step part page slide chapter question lesson phase round episode module item batch sheet task photo image file',
);

/** Four digits after one of these are said in two pairs: room 1204 is twelve oh four. */
export const PAIRED_AFTER = foldedSet(
  'room suite apartment apt flat unit office villa locker studio form bus route channel desk booth ward rtx gtx nokia rfc port rm ste',
);

/** A four digit number after one of these is a year. */
export const YEAR_WORDS_AR = foldedSet(...list('year-words-ar'));
export const YEAR_WORDS_EN: ReadonlySet<string> = new Set(list('year-words-en'));

/** Plurals without an s, and what follows an amount. */
export const COUNTED_EN: ReadonlySet<string> = new Set(
  'people men women children staff percent per each more less times sheep feet guests unit mile hour'.split(' '),
);
/** After these even 2024 is an amount. */
export const COUNT_BEFORE_EN: ReadonlySet<string> = new Set(list('count-before-en'));

/** Two numbers one over the other: blood pressure and eyesight. */
export const OVER_WORDS = foldedSet('ضغط الضغط ضغطك ضغطي ضغطه ضغطها النظر نظره نظرها نظرك نظري');

/** Scores: `فاز 3-1`. */
export const SCORE_WORDS = foldedSet(...list('score-words'));

/** Before `8-4` these speak of opening hours, not of a score. */
export const OPENING_WORDS = foldedSet(...list('opening-words'));

/** Words that make a bare hour of the day out of `7` or `7 م`. */
export const CLOCK_WORDS = foldedSet('الساعة الساعه للساعة والساعة بالساعة الساعات');
export const BETWEEN_WORDS = foldedSet('من ومن بين between from');

/** Quotients said with `من` / `out of`: ratings and marks. */
export const RATING_WORDS = foldedSet(
  'تقييم التقييم تقييمك بتقييم تقييمه الدرجة درجة درجتك حصلت حصل النتيجة نتيجتك علامة العلامة معدل المعدل بمعدل',
  'rating rated score scored rate mark grade got',
);

/** A chapter, king or phase before a Roman numeral. */
export const ROMAN_BEFORE = foldedSet(...list('roman-before'));
/** Kings and popes: `the second`. */
export const ROMAN_RULERS = foldedSet(...list('roman-rulers'));
