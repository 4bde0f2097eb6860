import { fold, type Word } from '../fold.ts';
import { readCardinal, readOrdinal } from '../number-words.ts';
import { addDays, dateValue, fromHijri, isBefore, isRealDay, weekdayOf } from './calendar.ts';
import type { CalendarDay, Found, SlotContext, SlotParser } from './slot.ts';

function table(rows: readonly (readonly [number, string])[]): Map<string, number> {
  const map = new Map<string, number>();
  for (const [value, words] of rows) for (const word of words.split(' ')) map.set(fold(word), value);
  return map;
}

const WEEKDAYS = table([
  [0, 'sunday sundays الاحد'],
  [1, 'monday mondays الاثنين الاتنين الإثنين'],
  [2, 'tuesday tuesdays الثلاثاء الثلاثا الثلوث التلات الثلاث'],
  [3, 'wednesday wednesdays wensday الاربعاء الاربعا الربوع الأربع'],
  [4, 'thursday thursdays الخميس'],
  [5, 'friday fridays الجمعه'],
  [6, 'saturday saturdays السبت'],
]);
/** Weekdays that mean a day only after `يوم`: without the article they are numbers or other words. */
const BARE_WEEKDAYS = table([
  [0, 'احد'],
  [1, 'اثنين اتنين'],
  [2, 'ثلاثاء ثلاثا ثلوث'],
  [3, 'اربعاء اربعا ربوع'],
  [4, 'خميس'],
  [5, 'جمعه'],
  [6, 'سبت'],
]);
const MONTHS = table([
  [1, 'january jan يناير جانفي'],
  [2, 'february feb febuary فبراير'],
  [3, 'march مارس اذار'],
  [4, 'april apr ابريل نيسان'],
  [5, 'may مايو ايار'],
  [6, 'june jun يونيو حزيران يونيه'],
  [7, 'july jul يوليو تموز يوليه'],
  [8, 'august aug اغسطس'],
  [9, 'september sept sep سبتمبر ايلول'],
  [10, 'october oct اكتوبر'],
  [11, 'november nov نوفمبر'],
  [12, 'december dec ديسمبر'],
]);
const HIJRI_MONTHS = table([
  [1, 'محرم muharram'],
  [2, 'safar'],
  [7, 'رجب rajab'],
  [8, 'شعبان shaban'],
  [9, 'رمضان ramadan'],
  [10, 'شوال shawwal'],
]);
const NEXT_WORDS = new Set(
  ['next', 'coming', 'following', 'القادم', 'القادمه', 'الجاي', 'الجايه', 'المقبل', 'المقبله'].map(fold),
);
const LEAD_INS = new Set(
  ['on', 'this', 'next', 'coming', 'the', 'of', 'for', 'يوم', 'في', 'by', 'نهار', 'تاريخ'].map(fold),
);
const TODAY = new Set(['today', 'tonight', 'اليوم', 'الليله', 'النهارده'].map(fold));
const TOMORROW = new Set(
  ['tomorrow', 'tomorow', 'tommorow', 'tommorrow', 'بكره', 'بكرا', 'باكر', 'غدا', 'غد', 'بكرة'].map((word) =>
    fold(word),
  ),
);

/** A day read at a position: `end` is the first word after it. */
interface ReadDay {
  readonly day: CalendarDay;
  readonly end: number;
}
type Reader = (words: readonly string[], at: number, context: SlotContext) => ReadDay | undefined;

const readRelative: Reader = (words, at, { today }) => {
  const [first, second, third, fourth] = words.slice(at, at + 4);
  const ahead = (days: number, taken: number): ReadDay => ({ day: addDays(today, days), end: at + taken });
  if (first === 'the' && second === 'day' && third === 'after' && TOMORROW.has(fourth ?? '')) return ahead(2, 4);
  if (first === 'day' && second === 'after' && TOMORROW.has(third ?? '')) return ahead(2, 3);
  if (first === 'after' && TOMORROW.has(second ?? '')) return ahead(2, 2);
  if (first === 'بعد' && TOMORROW.has(second ?? '')) return ahead(2, 2);
  if (TOMORROW.has(first ?? '')) return ahead(1, 1);
  if (TODAY.has(first ?? '')) return ahead(0, 1);
  return undefined;
};

const readAhead: Reader = (words, at, { today }) => {
  const first = words[at];
  const ahead = (days: number, end: number): ReadDay => ({ day: addDays(today, days), end });
  if (first === 'next' && words[at + 1] === 'week' && !WEEKDAYS.has(words[at + 2] ?? '')) return ahead(7, at + 2);
  if (/^(?:الاسبوع)$/.test(first ?? '') && NEXT_WORDS.has(words[at + 1] ?? '')) return ahead(7, at + 2);
  if (first !== 'in' && first !== 'بعد' && first !== 'after') return undefined;
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

const readWeekday: Reader = (words, at, { today }) => {
  let i = at;
  let afterDayWord = false;
  let nextWeek = false;
  if (words[i] === 'يوم' || words[i] === 'نهار') {
    afterDayWord = true;
    i += 1;
  }
  const weekday = WEEKDAYS.get(words[i] ?? '') ?? (afterDayWord ? BARE_WEEKDAYS.get(words[i] ?? '') : undefined);
  if (weekday === undefined) return undefined;
  i += 1;
  if (NEXT_WORDS.has(words[i] ?? '')) i += 1;
  if ((words[i] === 'next' || words[i] === 'after') && words[i + 1] === 'week') nextWeek = true;
  if (words[i] === 'الاسبوع' && NEXT_WORDS.has(words[i + 1] ?? '')) nextWeek = true;
  if (words[i] === 'اللي' && words[i + 1] === 'بعده') {
    return { day: addDays(addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1), 7), end: i + 2 };
  }
  if (nextWeek) {
    const sunday = addDays(today, 7 - weekdayOf(today));
    return { day: addDays(sunday, weekday), end: i + 2 };
  }
  return { day: addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1), end: i };
};

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

const readMonthDay: Reader = (words, at, { today }) => {
  // December 5, December the fifth
  const month = MONTHS.get(words[at] ?? '');
  if (month !== undefined) {
    const from = words[at + 1] === 'the' ? at + 2 : at + 1;
    const day = readOrdinal(words, from) ?? readCardinal(words, from);
    return day && day.value >= 1 && day.value <= 31 ? withYear(day.value, month, words, day.end, today) : undefined;
  }
  // 5 December, the fifth of December, خمسة ديسمبر, ٥ شهر ١٢
  const day = readOrdinal(words, at) ?? readCardinal(words, at);
  if (!day || day.value < 1 || day.value > 31) return undefined;
  let i = day.end;
  while (words[i] === 'of' || words[i] === 'من' || words[i] === 'في' || words[i] === 'day') i += 1;
  const named = MONTHS.get(words[i] ?? '');
  if (named !== undefined) return withYear(day.value, named, words, i + 1, today);
  const hijri = HIJRI_MONTHS.get(words[i] ?? '');
  if (hijri !== undefined) {
    const found = fromHijri(hijri, day.value, today);
    return found && { day: found, end: i + 1 };
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
  const english = ordinal && !/[؀-ۿ]/.test(words[from]!);
  const day = english ? ordinal : marked ? readCardinal(words, from) : undefined;
  if (!day || day.value < 1 || day.value > 31 || (!asked && !marked && words[at] !== 'the')) return undefined;
  for (let month = 0; month < 3; month += 1) {
    const index = today.month - 1 + month;
    const candidate = { year: today.year + Math.floor(index / 12), month: (index % 12) + 1, day: day.value };
    if (isRealDay(candidate) && !isBefore(candidate, today)) return { day: candidate, end: day.end };
  }
  return undefined;
};

const READERS: readonly Reader[] = [readRelative, readAhead, readWritten, readWeekday, readMonthDay, readDayOfMonth];

/**
 * A day said in either language: relative (`tomorrow`, `بعد بكرة`, `in three days`), by weekday (`next Monday`,
 * `الأحد القادم`: the next one after today), by date (`the 5th of December`, `٥/١٢`, day first; Hijri months too).
 * Without a year the next such day is meant.
 */
export const parseDate: SlotParser = (words: readonly Word[], context: SlotContext): Found | undefined => {
  const plain = words.map((word) => word.text);
  for (let at = 0; at < plain.length; at += 1) {
    for (const reader of READERS) {
      const found = reader(plain, at, context);
      if (!found) continue;
      let start = at;
      while (start > 0 && LEAD_INS.has(plain[start - 1]!)) start -= 1;
      return { value: dateValue(found.day, context.today), start, end: found.end };
    }
  }
  return undefined;
};
