import type { CalendarDay } from '../calendar/calendar.ts';
import { addDays, addMonths, dateValue, dayOf, weekdayOf } from '../calendar/calendar.ts';
import { BARE_WEEKDAYS, isTomorrow, nearestDayName, PASSES_OVER, WEEKDAYS } from '../calendar/day-names.ts';
import { fold } from '../fold.ts';
import { isNumberWord, readCardinal } from '../number-words.ts';
import type { Word } from '../words.ts';
import { impossibleDayIn } from './impossible-day.ts';
import {
  isMonth,
  type ReadDay,
  type Reader,
  readBareDay,
  readDayAndMonth,
  readDayOfMonth,
  readMonthDay,
  readMonthEnd,
  readNumberedDay,
  readWritten,
} from './month-days.ts';
import { withoutProclitics } from './proclitics.ts';
import { isRefusedAt, NOT_WORDS } from './refused-words.ts';
import type { Found, SlotContext, SlotParser } from './slot.ts';

const NEXT_WORDS = new Set(
  ['next', 'coming', 'following', 'القادم', 'القادمه', 'الجاي', 'الجايه', 'المقبل', 'المقبله', 'هذا', 'ذا'].map(fold),
);
const LEAD_INS = new Set(
  ['on', 'this', 'next', 'coming', 'the', 'of', 'for', 'يوم', 'في', 'by', 'نهار', 'تاريخ'].map(fold),
);
const TODAY = new Set(
  ['today', 'tonight', 'اليوم', 'الليله', 'النهارده', 'هالليله', 'هاليوم', 'الحين', 'now'].map(fold),
);
/** A day only where one is asked for: `I live here now`. */
const NOW = new Set(['الحين', 'now'].map(fold));
const ALTERS = new Set(
  ['غير', 'غيري', 'غيروا', 'اغير', 'نغير', 'تغيير', 'عدل', 'عدلي', 'اعدل', 'تعديل', 'بدل', 'ابدل'].map(fold),
);
/** Before the day: it is the one that is spoken of. */
const NO_TODAY = /^(?:[بل]?نفس|قبل|before|ذاك|هذاك|ذلك|اي)$/;
/** Behind it: which day it is, `اليوم الوحيد اللي افضى فيه`. */
const WHICH_DAY = new Set(['الوحيد', 'اللي', 'الثاني', 'التالي', 'الي'].map(fold));
const ALTERED = /^ت(?:غير|عدل|بدل|لمس)/;
const readRelative: Reader = (words, at, { today, asked }) => {
  const [first, second, third, fourth] = words.slice(at, at + 4);
  const ahead = (days: number, taken: number): ReadDay => ({ day: addDays(today, days), end: at + taken });
  const passedOver = readTheOneAfter(words, at);
  if (passedOver) return ahead(passedOver.days, passedOver.end - at);
  if (first === 'the' && second === 'day' && third === 'after' && isTomorrow(fourth ?? '')) return ahead(2, 4);
  if (first === 'day' && second === 'after' && isTomorrow(third ?? '')) return ahead(2, 3);
  if (first === 'after' && isTomorrow(second ?? '')) return ahead(2, 2);
  if ((first === 'بعد' || first === 'عقب') && isTomorrow(second ?? '')) return ahead(2, 2);
  if (first === 'this' && /^(?:morning|afternoon|evening)$/.test(second ?? '')) return ahead(0, 2);
  if (isTomorrow(first ?? '')) return ahead(1, 1);
  if (first === 'to' && second === 'morrow') return ahead(1, 2);
  if (ALTERS.has(words[at - 1] ?? '') || NO_TODAY.test(words[at - 1] ?? '')) return undefined; // غير اليوم, قبل اليوم
  if (first === 'اليوم' && second === 'لا' && ALTERED.test(third ?? '')) return undefined; // the day, don't change it
  const isNamed = WEEKDAYS.has(second ?? '') || (second === 'يوم' && WEEKDAYS.has(third ?? ''));
  if (first === 'اليوم' && WHICH_DAY.has(second ?? '')) return undefined;
  if (TODAY.has(first ?? '') && !isNamed && (asked || !NOW.has(first!))) return ahead(0, 1); // اليوم الأربعاء: the day is Wednesday
  return undefined;
};

const REFUSED = new Set([...NOT_WORDS, 'no', 'لا']);
const THE_ONE_AFTER =
  /^(?:but )?(?:the (?:one|day) (?:after|following)(?: that| it)?|(?:ال[ليا]+|الي) (?:بعده|بعدها|بعدو|عقبه|عقبها|وراه))(?: |$)/;

/** `not tomorrow, the one after that`, `مو بكرة اللي بعده`: the day after the one that is refused. */
function readTheOneAfter(
  words: readonly string[],
  at: number,
): { readonly days: number; readonly end: number } | undefined {
  let i = at;
  while (REFUSED.has(words[i] ?? '')) i += 1;
  const days = isTomorrow(words[i] ?? '') ? 2 : TODAY.has(words[i] ?? '') ? 1 : 0;
  if (days === 0) return undefined;
  i += 1;
  while (REFUSED.has(words[i] ?? '')) i += 1;
  const said = THE_ONE_AFTER.exec(words.slice(i, i + 6).join(' '));
  return said ? { days, end: i + said[0].trim().split(' ').length } : undefined;
}

const readAhead: Reader = (words, at, { today, asked }) => {
  const first = words[at];
  const ahead = (days: number, end: number): ReadDay => ({ day: addDays(today, days), end });
  if (first === 'next' && words[at + 1] === 'week') {
    const day = words[at + 2] === 'on' ? at + 3 : at + 2;
    const weekday = WEEKDAYS.get(words[day] ?? '');
    if (weekday !== undefined) return { day: addDays(nextSunday(today), weekday), end: day + 1 };
    return asked ? ahead(7, at + 2) : undefined; // which day of it is not said
  }
  if (first === 'الاسبوع' && NEXT_WORDS.has(words[at + 1] ?? '')) {
    const at2 = words[at + 2] === 'يوم' ? at + 3 : at + 2;
    const weekday = WEEKDAYS.get(words[at2] ?? '');
    if (weekday !== undefined) return { day: addDays(nextSunday(today), weekday), end: at2 + 1 };
    return asked ? ahead(7, at + 2) : undefined;
  }
  if (first !== 'in' && first !== 'بعد' && first !== 'عقب' && first !== 'after') return undefined;
  const unit = words[at + 1];
  if (unit === 'يومين') return ahead(2, at + 2);
  if (unit === 'يوم') return ahead(1, at + 2);
  if (unit === 'اسبوع') return ahead(7, at + 2);
  if (unit === 'اسبوعين') return ahead(14, at + 2);
  if (unit === 'شهر') return ahead(30, at + 2);
  const count = unit === 'a' ? { value: 1, end: at + 2 } : readCardinal(words, at + 1);
  if (!count || count.value > 366) return undefined;
  const what = words[count.end];
  if (/^(?:days?|ايام|يوم)$/.test(what ?? '')) return ahead(count.value, count.end + 1);
  if (/^(?:weeks?|اسابيع|اسبوع)$/.test(what ?? '')) return ahead(Math.min(count.value, 52) * 7, count.end + 1);
  return undefined;
};

/** `three days from now`, `a week from today`, `a week tomorrow`, `two weeks from Monday`. */
const readFrom: Reader = (words, at, context) => {
  const isOne = words[at] === 'a' || words[at] === 'one';
  const count = isOne ? { value: 1, end: at + 1 } : readCardinal(words, at);
  const unit = /^(day|week|month)s?$/.exec(words[count?.end ?? at] ?? '')?.[1];
  if (!count || !unit || count.value > 52) return undefined;
  let i = count.end + 1;
  if (words[i] === 'time' || words[i] === 's') i += 1;
  const hasFrom = words[i] === 'from' || words[i] === 'on';
  if (hasFrom) i += 1;
  const start = readRelative(words, i, context) ?? (hasFrom ? readWeekday(words, i, context) : undefined);
  if (!start) return undefined;
  if (unit === 'month') return { day: addMonths(start.day, count.value), end: start.end };
  return { day: addDays(start.day, count.value * (unit === 'week' ? 7 : 1)), end: start.end };
};

/** The day said before a place, which another one is told from. */
function dayBefore(words: readonly string[], at: number, { today, passed }: SlotContext): CalendarDay | undefined {
  const weekday = WEEKDAYS.get(words.slice(0, at).findLast((word) => WEEKDAYS.has(word)) ?? '');
  return passed ? dayOf(passed.value) : weekday === undefined ? undefined : nextWeekday(weekday, today);
}

const MONDAY = 1;
/** `الحد` is also a limit and a border: `الحد الأدنى`, `الحد الجنوبي`. */
const KINDS_OF_LIMIT = new Set(['الادني', 'الاقصي', 'الاعلي', 'الجنوبي', 'الشمالي'].map(fold));
/** `احنا الاثنين`, the two of us, is no Monday. */
const BOTH_OF = new Set(['احنا', 'حنا', 'نحنا', 'نحن', 'انتو', 'انتم', 'هم', 'هما'].map(fold));

/** Behind a weekday: the one that is over, `الخميس اللي راح`. */
const GONE = /^(?:(?:الماضي|الفايت|المنصرم)ه?|(?:اللي|الي|لي|الذي) (?:راح|فات|مضي|قبله|طاف)|gone|just gone)(?: |$)/;

const readWeekday: Reader = (words, at, context) => {
  const { today, asked, held } = context;
  let i = at;
  let afterDayWord = false;
  if (words[i] === 'يوم' || words[i] === 'نهار') {
    afterDayWord = true;
    i += 1;
  }
  const isEdge = words.length - i <= 2 || at === 0;
  const alone = asked && isEdge && !isNumberWord(words[i] ?? '') && words[i] !== 'احد';
  if (isNumberWord(words[i] ?? '') && isMonth(words, i + 1)) return undefined; // يوم اثنين مارس: the second
  const bare = afterDayWord || alone ? BARE_WEEKDAYS.get(words[i] ?? '') : undefined;
  const parted = words[i + 1] === 'day' ? WEEKDAYS.get(`${words[i]}day`) : undefined; // thurs day
  const weekday = WEEKDAYS.get(words[i] ?? '') ?? bare ?? parted;
  if (words[i] === 'الحد' && KINDS_OF_LIMIT.has(words[i + 1] ?? '')) return undefined;
  if (weekday === undefined || (weekday === MONDAY && BOTH_OF.has(words[at - 1] ?? ''))) return undefined;
  i += parted === undefined ? 1 : 2;
  if (words[at - 1] === 'last' || GONE.test(words.slice(i, i + 2).join(' '))) return undefined;
  // Friday the fourth of December: the date says which Friday.
  const dated = readMonthDay(words, words[i] === 'the' ? i + 1 : i, context) ?? readDayOfMonth(words, i, context);
  if (dated) return dated;
  const isAfterNext = words[i] === 'بعد' && NEXT_WORDS.has(words[i + 1] ?? '');
  if (isAfterNext || words[i] === 'week') {
    return { day: addDays(nextWeekday(weekday, today), 7), end: i + (isAfterNext ? 2 : 1) };
  }
  const told = datedLater(words, i, weekday, context);
  if (told) return told;
  const nextWeek =
    (words[i] === 'الاسبوع' && NEXT_WORDS.has(words[i + 1] ?? '')) ||
    ((words[i] === 'next' || words[i] === 'after') && words[i + 1] === 'week');
  if (nextWeek) {
    const end = i + 2;
    const date = readMonthDay(words, words[end] === 'the' ? end + 1 : end, context); // Tuesday next week, the first of December
    return date ?? { day: addDays(nextSunday(today), weekday), end };
  }
  const isBare = !NEXT_WORDS.has(words[i] ?? '');
  if (!isBare) i += 1;
  const datedNext = readMonthDay(words, i, context) ?? readDayOfMonth(words, i, context); // الاثنين الجاي ثلاثين نوفمبر
  if (datedNext) return datedNext;
  const isOther = words[i] === 'مو' && NEXT_WORDS.has(words[i + 1] ?? ''); // السبت مو هذا اللي بعده
  if (isOther) i += 2;
  const isThis = words[i - 1] === 'هذا' && !isOther; // السبت هذا اللي بعده على طول
  if (!isThis && PASSES_OVER.test(words.slice(i, i + 3).join(' '))) {
    // Told from no day of this sentence: `بعده` is after this week's, `بعدها` after the day that was spoken of.
    const unsaid = isOther || words[i + 1] === 'بعده' ? nextWeekday(weekday, today) : today;
    const from = (isOther ? undefined : dayBefore(words, at, context)) ?? unsaid;
    return readMonthDay(words, i + 2, context) ?? { day: nextWeekday(weekday, from), end: i + 2 };
  }
  const agreed = isBare && held ? dayOf(held.value) : undefined; // `yes, Wednesday`: the one that is held
  if (agreed && weekdayOf(agreed) === weekday) return { day: agreed, end: i };
  return { day: nextWeekday(weekday, today), end: i };
};

const MAX_BEFORE_DATE = 5;
const PARTS_DAYS = new Set(['or', 'ولا', 'او', 'and', 'from', 'من', 'until', 'till', 'لين', 'الي'].map(fold));

/** `Wednesday, not this one, the second of December`, `الاربعاء الجاي اللي هو اثنين ديسمبر`: a date behind it that is such a day. */
function datedLater(
  words: readonly string[],
  from: number,
  weekday: number,
  context: SlotContext,
): ReadDay | undefined {
  for (let at = from; at <= from + MAX_BEFORE_DATE && at < words.length; at += 1) {
    if (PARTS_DAYS.has(words[at]!) || WEEKDAYS.has(words[at]!)) return undefined;
    const dated =
      readMonthDay(words, at, context) ?? readDayOfMonth(words, at, context) ?? readNumberedDay(words, at, context);
    if (dated && weekdayOf(dated.day) === weekday && !isRefusedAt(words, at)) return dated;
  }
  return undefined;
}

/** `8 December, the Tuesday`: the day of the week that a date falls on, said behind it, is no other day. */
function withItsWeekday(found: Found, words: readonly string[]): Found {
  if (words.slice(found.start, found.end).some((word) => WEEKDAYS.has(word))) return found;
  const day = dayOf(found.value.value);
  const at = found.end + (DAY_LEADS.has(words[found.end] ?? '') ? 1 : 0);
  const isSame = day !== undefined && WEEKDAYS.get(words[at] ?? '') === weekdayOf(day);
  return isSame && !NEXT_WORDS.has(words[at + 1] ?? '') ? { ...found, end: at + 1 } : found;
}
const DAY_LEADS = new Set(['يوم', 'the', 'a', 'on'].map(fold));

/** The first day of the next week: weeks begin on Sunday. */
function nextSunday(today: CalendarDay): CalendarDay {
  return addDays(today, 7 - weekdayOf(today));
}

/** The next such day after today: 1 to 7 days ahead. */
function nextWeekday(weekday: number, today: CalendarDay): CalendarDay {
  return addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1);
}

const READERS: readonly Reader[] = [
  readFrom,
  readMonthEnd,
  readRelative,
  readAhead,
  readWritten,
  readWeekday,
  readMonthDay,
  readDayOfMonth,
  readDayAndMonth,
  readBareDay,
];

/**
 * A day said in either language: relative (`tomorrow`, `بعد بكرة`, `in three days`), by weekday (`next Monday`,
 * `الأحد القادم`: the next one after today), by date (`the 5th of December`, `٥/١٢`, day first; Hijri months too).
 * Without a year the next such day is meant.
 */
export const parseDate: SlotParser = (words: readonly Word[], context: SlotContext): Found | undefined => {
  const plain = possible(
    words.map(({ text }) => withoutProclitics(text, beginsDay)),
    context.today,
  );
  return (
    withoutDayWord(dateIn(plain, context), plain, context) ??
    (context.asked ? dateIn(plain.map(nearestDayName), context) : undefined)
  );
};

const DAY_LEAD_INS = new Set(['بعد', 'عقب', 'يوم', 'نهار', 'تاريخ', 'الاسبوع', 'اخر', 'نهايه'].map(fold));

function beginsDay(word: string): boolean {
  return WEEKDAYS.has(word) || isTomorrow(word) || TODAY.has(word) || DAY_LEAD_INS.has(word);
}

/** `اليوم ابيه الخميس`: where another day follows, the day is what is spoken of, and no date. */
function withoutDayWord(found: Found | undefined, plain: readonly string[], context: SlotContext): Found | undefined {
  if (!found || found.end - found.start !== 1 || plain[found.start] !== 'اليوم') return found;
  const after = dateIn(plain.slice(found.end), context);
  return after ? { ...after, start: after.start + found.end, end: after.end + found.end } : found;
}

/** Stands for the words of a day that does not exist: nothing is read from them, or across them. */
const NO_DAY = '\u0000';

function possible(plain: readonly string[], today: CalendarDay): readonly string[] {
  let left = plain;
  for (let at = 0; at < left.length; ) {
    const refused = impossibleDayIn(left, at, today);
    if (!refused) break;
    left = left.map((word, i) => (i >= refused.start && i < refused.end ? NO_DAY : word));
    at = refused.end;
  }
  return left;
}

function dateIn(plain: readonly string[], context: SlotContext): Found | undefined {
  for (let at = 0; at < plain.length; at += 1) {
    for (const reader of READERS) {
      const found = reader(plain, at, context);
      if (!found) continue;
      let start = at;
      while (start > 0 && LEAD_INS.has(plain[start - 1]!)) start -= 1;
      if (isRefusedAt(plain, start)) {
        at = found.end - 1;
        break;
      }
      return withItsWeekday({ value: dateValue(found.day, context.today), start, end: found.end }, plain);
    }
  }
  return undefined;
}
