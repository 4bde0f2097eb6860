import { fold, type Word } from '../fold.ts';
import { isNumberWord, readCardinal, readOrdinal } from '../number-words.ts';
import { addDays, addMonths, dateValue, fromHijri, isBefore, isRealDay, lastDayOf, weekdayOf } from './calendar.ts';
import { BARE_WEEKDAYS, hijriMonthAt, isTomorrow, MONTHS, nearestDayName, THIS_MONTH, WEEKDAYS } from './day-names.ts';
import { impossibleDayIn } from './impossible-day.ts';
import { withoutProclitics } from './proclitics.ts';
import { isRefusedAt } from './refused-words.ts';
import type { CalendarDay, Found, SlotContext, SlotParser } from './slot.ts';

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
const SAME = /^[بل]?نفس$/;
const ALTERED = /^ت(?:غير|عدل|بدل|لمس)/;
/** A day read at a position: `end` is the first word after it. */
interface ReadDay {
  readonly day: CalendarDay;
  readonly end: number;
}
type Reader = (words: readonly string[], at: number, context: SlotContext) => ReadDay | undefined;

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
  if (ALTERS.has(words[at - 1] ?? '') || SAME.test(words[at - 1] ?? '')) return undefined; // غير اليوم, نفس اليوم: no today
  if (first === 'اليوم' && second === 'لا' && ALTERED.test(third ?? '')) return undefined; // the day, don't change it
  const isNamed = WEEKDAYS.has(second ?? '') || (second === 'يوم' && WEEKDAYS.has(third ?? ''));
  if (TODAY.has(first ?? '') && !isNamed && (asked || !NOW.has(first!))) return ahead(0, 1); // اليوم الأربعاء: the day is Wednesday
  return undefined;
};

const REFUSED = new Set(['not', 'no', 'مو', 'مب', 'موب', 'مش', 'مهب', 'لا'].map(fold));
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

const readAhead: Reader = (words, at, { today }) => {
  const first = words[at];
  const ahead = (days: number, end: number): ReadDay => ({ day: addDays(today, days), end });
  if (first === 'next' && words[at + 1] === 'week') {
    const day = words[at + 2] === 'on' ? at + 3 : at + 2;
    const weekday = WEEKDAYS.get(words[day] ?? '');
    return weekday === undefined ? ahead(7, at + 2) : { day: addDays(nextSunday(today), weekday), end: day + 1 };
  }
  if (first === 'الاسبوع' && NEXT_WORDS.has(words[at + 1] ?? '')) {
    const at2 = words[at + 2] === 'يوم' ? at + 3 : at + 2;
    const weekday = WEEKDAYS.get(words[at2] ?? '');
    return weekday === undefined ? ahead(7, at + 2) : { day: addDays(nextSunday(today), weekday), end: at2 + 1 };
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

/** `the last day of December`, `end of the month`, `اخر الشهر`, `نهاية ديسمبر`. */
const readMonthEnd: Reader = (words, at, { today }) => {
  let i = at;
  while (words[i] === 'the' || words[i] === 'last' || words[i] === 'day' || words[i] === 'of') i += 1;
  const isEnd = words[i] === 'end' || words[i] === 'اخر' || words[i] === 'نهايه';
  const isLast = words.slice(at, i).includes('last');
  if (!isEnd && !isLast) return undefined;
  if (isEnd) i += 1;
  while (words[i] === 'of' || words[i] === 'the' || words[i] === 'this' || words[i] === 'يوم' || words[i] === 'في')
    i += 1;
  const isThis = words[i] === 'month' || words[i] === 'الشهر' || words[i] === 'هالشهر';
  const month = isThis ? today.month : MONTHS.get(words[i] ?? '');
  if (month === undefined) return undefined;
  const year = month < today.month ? today.year + 1 : today.year;
  return { day: { year, month, day: lastDayOf(year, month) }, end: i + 1 };
};

/** `خمسة اثنعش`, `5 12`: day and month and nothing else, where a date was asked for. */
const readDayAndMonth: Reader = (words, at, { today, asked }) => {
  if (!asked || at > 1) return undefined;
  const day = readCardinal(words, at);
  const month = day && day.value >= 1 && day.value <= 31 ? readCardinal(words, day.end) : undefined;
  if (!month || month.value < 1 || month.value > 12 || month.end !== words.length) return undefined;
  if (month.end - at > 2 || !/[؀-ۿ\d]/.test(words[at]!)) return undefined; // `two three` are digits
  return month.value > 9 ? withYear(day!.value, month.value, words, month.end, today) : undefined;
};

const readWeekday: Reader = (words, at, context) => {
  const { today, asked } = context;
  let i = at;
  let afterDayWord = false;
  if (words[i] === 'يوم' || words[i] === 'نهار') {
    afterDayWord = true;
    i += 1;
  }
  const alone = asked && words.length - i <= 2 && !isNumberWord(words[i] ?? '') && words[i] !== 'احد';
  const bare = afterDayWord || alone ? BARE_WEEKDAYS.get(words[i] ?? '') : undefined;
  const parted = words[i + 1] === 'day' ? WEEKDAYS.get(`${words[i]}day`) : undefined; // thurs day
  const weekday = WEEKDAYS.get(words[i] ?? '') ?? bare ?? parted;
  if (weekday === undefined) return undefined;
  i += parted === undefined ? 1 : 2;
  // Friday the fourth of December: the date says which Friday.
  const dated = readMonthDay(words, words[i] === 'the' ? i + 1 : i, context) ?? readDayOfMonth(words, i, context);
  if (dated) return dated;
  const isAfterNext = words[i] === 'بعد' && NEXT_WORDS.has(words[i + 1] ?? '');
  if (isAfterNext || words[i] === 'week') {
    return { day: addDays(nextWeekday(weekday, today), 7), end: i + (isAfterNext ? 2 : 1) };
  }
  const nextWeek =
    (words[i] === 'الاسبوع' && NEXT_WORDS.has(words[i + 1] ?? '')) ||
    ((words[i] === 'next' || words[i] === 'after') && words[i + 1] === 'week');
  if (nextWeek) {
    const end = i + 2;
    const date = readMonthDay(words, words[end] === 'the' ? end + 1 : end, context); // Tuesday next week, the first of December
    return date ?? { day: addDays(nextSunday(today), weekday), end };
  }
  if (NEXT_WORDS.has(words[i] ?? '')) i += 1;
  const datedNext = readMonthDay(words, i, context) ?? readDayOfMonth(words, i, context); // الاثنين الجاي ثلاثين نوفمبر
  if (datedNext) return datedNext;
  if (words[i] === 'مو' && NEXT_WORDS.has(words[i + 1] ?? '')) i += 2; // السبت مو هذا اللي بعده
  if (words[i] === 'اللي' && words[i + 1] === 'بعده' && words[i - 1] !== 'هذا') {
    return { day: addDays(nextWeekday(weekday, today), 7), end: i + 2 };
  }
  return { day: nextWeekday(weekday, today), end: i };
};

/** The first day of the next week: weeks begin on Sunday. */
function nextSunday(today: CalendarDay): CalendarDay {
  return addDays(today, 7 - weekdayOf(today));
}

/** The next such day after today: 1 to 7 days ahead. */
function nextWeekday(weekday: number, today: CalendarDay): CalendarDay {
  return addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1);
}

/** Day and month, the year when said, else the next such day. */
function withYear(
  dayOfMonth: number,
  month: number,
  words: readonly string[],
  end: number,
  today: CalendarDay,
): ReadDay | undefined {
  const said = readCardinal(words, end);
  const hasYear = said !== undefined && said.value >= 1900 && said.value <= 2199;
  const day = { year: hasYear ? said.value : today.year, month, day: dayOfMonth };
  if (!isRealDay(day)) {
    const leap = { ...day, year: day.year + 1 };
    return !hasYear && isRealDay(leap) ? { day: leap, end } : undefined;
  }
  if (hasYear) return { day, end: said.end };
  if (!isBefore(day, today)) return { day, end };
  const later = { ...day, year: day.year + 1 };
  return isRealDay(later) ? { day: later, end } : undefined;
}

const DAYS = new Set(['days', 'day', 'يوم', 'ايام'].map(fold));

const readMonthDay: Reader = (words, at, { today }) => {
  // December 5, December the fifth
  const month = MONTHS.get(words[at] ?? '');
  if (month !== undefined) {
    const from = words[at + 1] === 'the' ? at + 2 : at + 1;
    const day = readOrdinal(words, from) ?? readCardinal(words, from);
    if (day && DAYS.has(words[day.end] ?? '')) return undefined; // نوفمبر ثلاثين يوم: so long is the month
    return day && day.value >= 1 && day.value <= 31 ? withYear(day.value, month, words, day.end, today) : undefined;
  }
  // 5 December, the fifth of December, خمسة ديسمبر, ٥ شهر ١٢
  const number = words[at] === 'the' ? at + 1 : at; // the 1st of March is no first of this month
  const day = readOrdinal(words, number) ?? readCardinal(words, number);
  if (!day || day.value < 1 || day.value > 31) return undefined;
  let i = day.end;
  while (words[i] === 'of' || words[i] === 'من' || words[i] === 'في' || words[i] === 'day' || words[i] === 'يوم')
    i += 1;
  const named = MONTHS.get(words[i] ?? '');
  if (named !== undefined) return withYear(day.value, named, words, i + 1, today);
  const hijri = hijriMonthAt(words, i);
  if (hijri !== undefined) {
    const found = fromHijri(hijri.month, day.value, today);
    return found && { day: found, end: hijri.end };
  }
  if (words[i] === 'شهر') {
    const number = readCardinal(words, i + 1);
    if (number && number.value >= 1 && number.value <= 12)
      return withYear(day.value, number.value, words, number.end, today);
  }
  return undefined;
};

const readWritten: Reader = (words, at, { today }) => {
  const word = words[at] ?? '';
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(word);
  if (iso) {
    const day = { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
    return isRealDay(day) ? { day, end: at + 1 } : undefined;
  }
  const dayFirst = /^(\d{1,2})[-/](\d{1,2})(?:[-/](\d{2}|\d{4}))?$/.exec(word);
  if (!dayFirst) return undefined;
  const years = dayFirst[3] ? [dayFirst[3].length === 2 ? `20${dayFirst[3]}` : dayFirst[3]] : [];
  return (
    withYear(Number(dayFirst[1]), Number(dayFirst[2]), years, 0, today) && {
      day: withYear(Number(dayFirst[1]), Number(dayFirst[2]), years, 0, today)!.day,
      end: at + 1,
    }
  );
};

/** `the 5th`, `يوم 5`: a day of this month or the next. Only an ordinal, or a number that was marked as a day. */
const readDayOfMonth: Reader = (words, at, { today, asked }) => {
  const marked = ['يوم', 'تاريخ'].includes(words[at] ?? '');
  const from = marked || words[at] === 'the' ? at + 1 : at;
  const ordinal = readOrdinal(words, from);
  const english = ordinal && !/[؀-ۿ]/.test(words[from]!) && !NO_DAYS.has(words[ordinal.end] ?? '');
  const number = readCardinal(words, from);
  if (number && THIS_MONTH.has(words[number.end] ?? '')) return nextSuch(number.value, today, number.end + 1);
  const isOneDay = number?.value === 1 && !asked; // في يوم واحد: on one and the same day
  const day = english ? ordinal : marked && !isOneDay ? number : undefined;
  if (!day || day.value < 1 || day.value > 31 || (!asked && !marked && words[at] !== 'the')) return undefined;
  return nextSuch(day.value, today, day.end);
};
/** `first thing tomorrow` is no first of a month. */
const NO_DAYS = new Set(['thing', 'one', 'time', 'place', 'floor', 'half']);

/** `ستة وعشرين`, `26`: a number of two digits and nothing else, where a day was asked for. */
const readBareDay: Reader = (words, at, { today, asked }) => {
  const number = asked ? readCardinal(words, at) : undefined;
  if (!number || number.value < MIN_BARE_DAY || number.value > 31 || !Number.isInteger(number.value)) return undefined;
  const isAlone = words.every((word, i) => (i >= at && i < number.end) || BESIDE_BARE_DAY.has(word));
  return isAlone ? nextSuch(number.value, today, number.end) : undefined;
};
/** A smaller number may be how many, or an hour. */
const MIN_BARE_DAY = 13;
const BESIDE_BARE_DAY = new Set(
  [
    '',
    '\u0000',
    ...'wait sorry i mean actually استني انتظر لحظه عفوا اقصد قصدي اسف'.split(' '),
    'on',
    'the',
    'um',
    'uh',
    'ok',
    'okay',
    'then',
    'please',
    'no',
    'يوم',
    'طيب',
    'اجل',
    'لا',
    'خلاص',
    'خلها',
    'خله',
    'زين',
    'في',
  ].map(fold),
);

/** The next day with this number. */
function nextSuch(dayOfMonth: number, today: CalendarDay, end: number): ReadDay | undefined {
  for (let month = 0; month < 3; month += 1) {
    const index = today.month - 1 + month;
    const day = { year: today.year + Math.floor(index / 12), month: (index % 12) + 1, day: dayOfMonth };
    if (isRealDay(day) && !isBefore(day, today)) return { day, end };
  }
  return undefined;
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
      return { value: dateValue(found.day, context.today), start, end: found.end };
    }
  }
  return undefined;
}
