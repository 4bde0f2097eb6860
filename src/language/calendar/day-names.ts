import { fold } from '../fold.ts';
import { isNumberWord } from '../number-words.ts';
import { similarity } from '../similarity.ts';
import { type Calendar, MONTHS_AR, MONTHS_EN } from './calendar-names.ts';

function table(rows: readonly (readonly [number, string])[]): Map<string, number> {
  const map = new Map<string, number>();
  for (const [value, words] of rows) for (const word of words.split(' ')) map.set(fold(word), value);
  return map;
}

export const WEEKDAYS = table([
  [0, 'sunday sundays الاحد الحد لحد'],
  [1, 'monday mondays الاثنين الاتنين الإثنين لثنين لتنين الثنين'],
  [2, 'tuesday tuesdays الثلاثاء الثلاثا الثلوث التلات الثلاث التلوت الثلوثا التلاتا الثلاثه'],
  [3, 'wednesday wednesdays wensday الاربعاء الاربعا الربوع الأربع لربعا لربوع'],
  [4, 'thursday thursdays الخميس لخميس'],
  [5, 'friday fridays الجمعه لجمعه الجمعة'],
  [6, 'saturday saturdays السبت'],
]);
/** Weekdays that mean a day only after `يوم`: without the article they are numbers or other words. */
export const BARE_WEEKDAYS = table([
  [0, 'احد'],
  [1, 'اثنين اتنين'],
  [2, 'ثلاثاء ثلاثا ثلوث'],
  [3, 'اربعاء اربعا ربوع'],
  [4, 'خميس'],
  [5, 'جمعه'],
  [6, 'سبت'],
]);
/** How months are also called and heard, beside their names in the lexicon. */
export const MONTHS = monthTable('gregorian', [
  [1, 'jan جانفي'],
  [2, 'feb febuary شباط'],
  [3, 'mar اذار'],
  [4, 'apr نيسان'],
  [5, 'ايار'],
  [6, 'jun حزيران يونيه'],
  [7, 'jul تموز يوليه'],
  [8, 'aug'],
  [9, 'sept sep ايلول'],
  [10, 'oct'],
  [11, 'nov'],
  [12, 'dec'],
]);
/** `صفر` is a digit, and no month where numbers are said. */
const HIJRI_MONTHS = monthTable('hijri', []);
HIJRI_MONTHS.delete('صفر');
const HIJRI_PAIRS = new Map(
  [
    [3, 'ربيع', 'الاول الاولي اول'],
    [4, 'ربيع', 'الثاني الاخر ثاني'],
    [5, 'جمادي جماد', 'الاول الاولي اول'],
    [6, 'جمادي جماد', 'الثاني الثانيه الاخر الاخره ثاني'],
    [11, 'ذو ذي', 'القعده'],
    [12, 'ذو ذي', 'الحجه'],
  ].flatMap(([month, firsts, seconds]) =>
    String(firsts)
      .split(' ')
      .flatMap((first) =>
        String(seconds)
          .split(' ')
          .map((second) => [`${first} ${second}`, Number(month)] as const),
      ),
  ),
);

/** The Hijri month named at a place, in one word or two. */
export function hijriMonthAt(
  words: readonly string[],
  at: number,
): { readonly month: number; readonly end: number } | undefined {
  const one = HIJRI_MONTHS.get(words[at] ?? '');
  if (one !== undefined) return { month: one, end: at + 1 };
  const two = HIJRI_PAIRS.get(`${words[at]} ${words[at + 1]}`);
  return two === undefined ? undefined : { month: two, end: at + 2 };
}

export const THIS_MONTH = new Set(['الشهر', 'هالشهر']);
const TOMORROW = new Set(
  'tomorrow tomorow tommorow tommorrow tomoro بكره بكرا باكر باجر بكير غدا غد'.split(' ').map((word) => fold(word)),
);
export function isTomorrow(word: string): boolean {
  return TOMORROW.has(word);
}

function monthTable(calendar: Calendar, extra: readonly (readonly [number, string])[]): Map<string, number> {
  const names = [MONTHS_EN, MONTHS_AR].flatMap((lists) =>
    lists[calendar].map((name, index) => [index + 1, name.replace(/ /g, '\u00a0')] as const),
  );
  return table([...names, ...extra]);
}

/** How a month, 1..12, is called. */
export function monthNames(month: number, calendar: Calendar): { readonly en: string; readonly ar: string } {
  return { en: MONTHS_EN[calendar][month - 1] ?? '', ar: MONTHS_AR[calendar][month - 1] ?? '' };
}

/** A misheard or misspelt name of a day (`الاتنن`, `wendsday`), where a date was asked for and none was read. */
export function nearestDayName(word: string): string {
  if (word.length < MIN_MISHEARD || isNumberWord(word)) return word;
  const squeezed = word.replace(/(.)\1{2,}/gu, '$1');
  return DAY_NAMES.find((name) => similarity(squeezed, name) >= MISHEARD) ?? word;
}
const MIN_MISHEARD = 5;
const MISHEARD = 0.8;
const DAY_NAMES = [...WEEKDAYS.keys()].filter((name) => name.length > MIN_MISHEARD);

const AFTER_IT = '(?:(?:ال[ليا]+|الي|يلي) (?:بعده|بعدها|بعدو|عقبه|عقبها|وراه|وراها)|after (?:that|it))(?: |$)';
/** `السبت اللي بعده`, `the Saturday after that`: the words behind the day of the week. */
export const PASSES_OVER = new RegExp(`^${AFTER_IT}`);
const TOLD_FROM = new RegExp(`(?:^| )(\\S+) ${AFTER_IT}`);

/** Whether words hold a day of the week that is told from one named before it. */
export function isToldFromAnother(plain: readonly string[]): boolean {
  return WEEKDAYS.has(TOLD_FROM.exec(plain.join(' '))?.[1] ?? '');
}
