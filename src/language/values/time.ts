import { MONTHS } from '../calendar/day-names.ts';
import { fold } from '../fold.ts';
import { readCardinal, readOrdinal } from '../number-words.ts';
import type { Word } from '../words.ts';
import { COUNTED } from './counted.ts';
import { type HourRange, isWithin } from './opening-hours.ts';
import { withoutProclitics } from './proclitics.ts';
import { isRefusedAt } from './refused-words.ts';
import type { Found, SlotContext, SlotParser, SlotValue } from './slot.ts';

const HOURS_AR = [
  'الثانية عشرة',
  'الواحدة',
  'الثانية',
  'الثالثة',
  'الرابعة',
  'الخامسة',
  'السادسة',
  'السابعة',
  'الثامنة',
  'التاسعة',
  'العاشرة',
  'الحادية عشرة',
] as const;

function set(words: string): Set<string> {
  return new Set(words.split(' ').map((word) => fold(word)));
}
const CLOCK_WORDS = set('at around about by الساعه ساعه الساعة عالساعه بالساعه حوالي');
const HALF = set('ونص نص والنصف النصف ونصف نصف ونس');
const FIVE = set('خمس خمسه خمسة');
const FIVE_MORE = set('وخمس وخمسه وخمسة');
const QUARTER_AFTER = set('وربع والربع ربع');
const MINUS = set('الا إلا');
const THIRD_AFTER = set('وثلث والثلث');
const MORNING = set('am morning صباحا الصبح الصباح صباح صبح ص بدري الفجر الضحي');
/** Of the morning beside an hour; elsewhere of anything: `بدري تقفلون, ثمانية ونص`. */
const EARLY = set('بدري');
const FEMININE_ORDINAL = /^ال.{2,}ه$/; // الرابعة
const NOON = set('الظهر ظهرا ظهر الضهر ضهر');
const AFTERNOON = set(
  'pm afternoon evening tonight night العصر عصرا المغرب مغرب العشاء العشا مساء المسا المساء الليل ليل ليلا بالليل م عصر',
);

/** Twelve of these is midnight, and one to four are what follows it: `واحدة بالليل`. */
const NIGHT = set('night الليل ليل ليلا بالليل');
const AFTER_MIDNIGHT_MAX = 4;

function isNight(hour: number, word: string | undefined): boolean {
  return hour === 12
    ? NIGHT.has(word ?? '') || word === 'tonight'
    : hour <= AFTER_MIDNIGHT_MAX && NIGHT.has(word ?? '');
}

type Period = 'morning' | 'noon' | 'afternoon' | undefined;

/** The value of a time slot: `15:30`, said `3:30 pm` / `الثالثة والنصف عصرًا`. */
export function timeValue(hour: number, minute: number): SlotValue {
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const english = `${twelve}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`} ${hour < 12 ? 'am' : 'pm'}`;
  const toNext = minute === 45;
  const spokenHour = HOURS_AR[(hour + (toNext ? 1 : 0)) % 12]!;
  const tail =
    minute === 0
      ? ''
      : minute === 15
        ? ' والربع'
        : minute === 30
          ? ' والنصف'
          : toNext
            ? ' إلا ربع'
            : ` و${minute} دقيقة`;
  const part = hour < 4 ? 'ليلًا' : hour < 12 ? 'صباحًا' : hour < 15 ? 'ظهرًا' : hour < 18 ? 'عصرًا' : 'مساءً';
  return {
    value: `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`,
    say: { en: english, ar: `${spokenHour}${tail} ${part}` },
  };
}

/** Nobody books three in the night: without a hint 1 to 7 are in the afternoon, 8 to 12 as they are. */
function toDayHour(hour: number, period: Period): number {
  if (hour > 12 || hour === 0) return hour;
  if (period === 'morning') return hour % 12;
  if (period === 'noon') return hour >= 10 ? hour : hour + 12;
  if (period === 'afternoon') return hour === 12 ? 12 : hour + 12;
  return hour <= 7 ? hour + 12 : hour;
}

function periodAt(words: readonly string[], at: number): { period: Period; end: number } {
  let i = at;
  while (['in', 'the', 'o', 'oclock', 'clock', 'في', 'at', 'ب'].includes(words[i] ?? '')) i += 1;
  const word = words[i] ?? '';
  if ((word === 'a' || word === 'p') && words[i + 1] === 'm') {
    return { period: word === 'a' ? 'morning' : 'afternoon', end: i + 2 };
  }
  if (MORNING.has(word)) return { period: 'morning', end: i + 1 };
  if (NOON.has(word)) return { period: 'noon', end: i + 1 };
  if (AFTERNOON.has(word)) return { period: 'afternoon', end: i + 1 };
  const oclock = words.slice(at, i).some((skipped) => skipped === 'oclock' || skipped === 'clock');
  return { period: undefined, end: oclock ? i : at };
}

/** Hour and minute read at a place; `sure`: the words cannot mean anything but a time. */
interface ReadTime {
  readonly hour: number;
  readonly minute: number;
  readonly end: number;
  readonly sure: boolean;
}

function readWritten(words: readonly string[], at: number): ReadTime | undefined {
  const match = /^(\d{1,2})[:.](\d{2})(am|pm)?$/.exec(words[at] ?? '') ?? /^(\d{1,2})()(am|pm)$/.exec(words[at] ?? '');
  if (!match) return undefined;
  const minute = Number(match[2] === '' ? 0 : match[2]);
  let hour = Number(match[1]);
  if (hour > 23 || minute > 59) return undefined;
  if (match[3]) hour = toDayHour(hour, match[3] === 'am' ? 'morning' : 'afternoon');
  else if (match[1]!.startsWith('0'))
    hour += 24; // written as on a 24-hour clock
  else if (hour > 12) return { hour, minute, end: at + 1, sure: true };
  return { hour: match[3] ? hour + 24 : hour, minute, end: at + 1, sure: true }; // +24: already settled
}

/** `half past three`, `quarter to four`, `ten to five`. */
function readPast(words: readonly string[], at: number): ReadTime | undefined {
  const start = words[at] === 'a' ? at + 1 : at;
  const word = words[start];
  const counted = word === 'half' ? 30 : word === 'quarter' ? 15 : readCardinal(words, start)?.value;
  if (counted === undefined || counted > 59) return undefined;
  let i = word === 'half' || word === 'quarter' ? start + 1 : readCardinal(words, start)!.end;
  if (words[i] === 'minutes') i += 1;
  const direction = words[i];
  if (word === 'half' && !/^(?:past|to|after|till)$/.test(direction ?? '')) return readHalf(words, i); // British: half four
  if (direction !== 'past' && direction !== 'to' && direction !== 'after' && direction !== 'till') return undefined;
  const hour = readCardinal(words, i + 1);
  if (!hour || hour.value < 1 || hour.value > 12) return undefined;
  const before = direction === 'to' || direction === 'till';
  if (before && word !== 'quarter' && counted % 5 !== 0) return undefined;
  const base = before ? (hour.value === 1 ? 12 : hour.value - 1) : hour.value;
  return { hour: base, minute: before ? 60 - counted : counted, end: hour.end, sure: true };
}

function readHalf(words: readonly string[], at: number): ReadTime | undefined {
  const hour = readCardinal(words, at);
  if (!hour || hour.value < 1 || hour.value > 12) return undefined;
  return { hour: hour.value, minute: 30, end: hour.end, sure: true };
}

/** `three thirty`, `ثلاث ونص`, `أربع إلا ربع`, `الساعة الثالثة والنصف`, a bare `four`. */
function readSpoken(words: readonly string[], at: number): ReadTime | undefined {
  const marked = CLOCK_WORDS.has(words[at - 1] ?? '');
  const clockWord = set('الساعه ساعه').has(words[at - 1] ?? '');
  const feminine = readOrdinal(words, at);
  const ordinal =
    feminine && (clockWord || FEMININE_ORDINAL.test(words[at]!)) && /[؀-ۿ]/.test(words[at]!) ? feminine : undefined;
  // A joined tail (وعشر) is minutes here, not part of a larger number: the hour is one word.
  const hourWord = ordinal ?? readCardinal(words.slice(0, at + 1), at) ?? undefined;
  const teen = ordinal ? undefined : readCardinal(words.slice(0, at + 2), at);
  const hour = teen && teen.end === at + 2 && teen.value > 10 && teen.value <= 12 ? teen : hourWord;
  if (!hour || hour.value < 0 || hour.value > 23 || !Number.isInteger(hour.value)) return undefined;
  let i = hour.end;
  const word = words[i] ?? '';
  const sureHour = marked && hour.value <= 12;
  const done = (minute: number, end: number, sure: boolean): ReadTime => ({ hour: hour.value, minute, end, sure });
  if (hour.value >= 1 && hour.value <= 12) {
    if (HALF.has(word) || (word === 'و' && HALF.has(words[i + 1] ?? ''))) {
      const end = word === 'و' ? i + 2 : i + 1;
      const five =
        words[end] === 'الا' && FIVE.has(words[end + 1] ?? '') ? -5 : FIVE_MORE.has(words[end] ?? '') ? 5 : 0;
      return done(30 + five, end + (five < 0 ? 2 : five > 0 ? 1 : 0), true); // ونص وخمس: 35
    }
    if (QUARTER_AFTER.has(word)) return done(15, i + 1, true);
    if (THIRD_AFTER.has(word)) return done(20, i + 1, true);
    if (MINUS.has(word)) {
      const minus =
        QUARTER_AFTER.has(words[i + 1] ?? '') || words[i + 1] === 'ربع'
          ? 15
          : words[i + 1] === 'ثلث'
            ? 20
            : readCardinal(words, i + 1)?.value;
      if (minus === undefined || minus < 1 || minus > 59) return undefined;
      const before = hour.value === 1 ? 12 : hour.value - 1;
      return { hour: before, minute: 60 - minus, end: i + 2, sure: true };
    }
    const joined = word.startsWith('و') && word.length > 2 ? readCardinal([word.slice(1)], 0) : undefined;
    if (joined && joined.value >= 5 && joined.value <= 55) {
      i += 1;
      const isMinutes = words[i] === 'دقيقه' || words[i] === 'دقايق';
      const mayBeNumber = joined.value >= 20 && !marked && !isMinutes && ordinal === undefined; // واحد وثلاثين: thirty one
      return done(joined.value, isMinutes ? i + 1 : i, !mayBeNumber);
    }
    const small = word === 'oh' || word === 'o' ? readCardinal(words, i + 1) : undefined; // eight oh five
    if (small && small.value >= 1 && small.value <= 9) return done(small.value, small.end, true);
    const minutes = readCardinal(words, i);
    if (minutes && minutes.value >= 10 && minutes.value <= 59 && minutes.digits.length === 2 && !/[؀-ۿ]/.test(word)) {
      return done(minutes.value, minutes.end, marked || !/^\d/.test(words[at]!));
    }
  }
  if (words[i] === 'oclock' || (words[i] === 'o' && words[i + 1] === 'clock'))
    return done(0, words[i] === 'o' ? i + 2 : i + 1, true);
  return done(0, i, sureHour || clockWord);
}

function readNamed(words: readonly string[], at: number): ReadTime | undefined {
  const word = words[at] ?? '';
  if (word === 'noon' || word === 'midday') return { hour: 36, minute: 0, end: at + 1, sure: true };
  if (word === 'midnight' || word === fold('منتصف') || word === 'نص' || word === 'نصف') {
    if (word === 'midnight') return { hour: 24, minute: 0, end: at + 1, sure: true };
    return words[at + 1] === fold('الليل') ? { hour: 24, minute: 0, end: at + 2, sure: true } : undefined;
  }
  return undefined;
}

/** Eleven and twelve in two words. */
const TEENS = new Map(
  (
    [
      ['احد احدي حادي الحاديه حاديه', 'احدعش'],
      ['اثنا اثني اثنين الثانيه', 'اثنعش'],
    ] as const
  ).flatMap(([firsts, teen]) => firsts.split(' ').map((first) => [fold(first), fold(teen)] as const)),
);
const TEN_AFTER = set('عشر عشرة عشره');

/** `احد عشر`, `الثانية عشرة` as one number; as many words as before, an empty one in front of what was joined. */
function teensJoined(plain: readonly string[]): string[] {
  const out = [...plain];
  for (let at = 0; at + 1 < plain.length; at += 1) {
    const teen = TEN_AFTER.has(plain[at + 1]!) ? TEENS.get(plain[at]!) : undefined;
    if (teen === undefined) continue;
    const marked = at > 0 && CLOCK_WORDS.has(plain[at - 1]!);
    if (marked) out[at - 1] = '';
    out[at] = marked ? plain[at - 1]! : '';
    out[at + 1] = teen;
  }
  return out;
}

const ARTICLE = /^(?:عال|بال|لل|ال|ل)(?=..)/;
/** With the article one and two are hours only in the feminine: `الواحد` is anybody, `الاثنين` Monday. */
const FIRST_HOURS = set('واحده وحده ثنتين تنتين');

/** `على التسع الصبح`, `عالحداشر`: an hour without the article before it. */
function withoutHourArticle(word: string): string {
  const bare = word.replace(ARTICLE, '');
  if (bare === word) return word;
  const hour = FIRST_HOURS.has(bare) ? 1 : readCardinal([bare], 0)?.value;
  return hour !== undefined && (hour > 2 || FIRST_HOURS.has(bare)) && hour <= 12 ? bare : word;
}

/**
 * A time of day: `3 pm`, `half past three`, `three thirty`, `15:00`, `ثلاث ونص العصر`, `الساعة 4`, `أربع إلا ربع`. Without morning
 * or evening the slot's opening hours decide where only one half of the day fits (`unclearHour` where both do); without
 * opening hours, or where neither fits, 1 to 7 are taken as afternoon. A bare number counts only when the time was `asked`.
 */
export const parseTime: SlotParser = (words: readonly Word[], context: SlotContext): Found | undefined =>
  timesIn(words, context).found;

/** An hour that may be in the morning or in the evening, both within the opening hours: which one has to be asked. */
export interface UnclearHour {
  readonly options: readonly [SlotValue, SlotValue]; // the earlier first
  readonly start: number;
  readonly end: number;
}

/** The first hour of which the half of the day is open, where the words hold no settled one. */
export function unclearHour(words: readonly Word[], context: SlotContext): UnclearHour | undefined {
  const { found, unclear } = timesIn(words, context);
  return found ? undefined : unclear;
}

/** The half of the day that the words name, of two times: `in the evening`, `الصبح`. */
export function settledHalf(
  options: readonly [SlotValue, SlotValue],
  words: readonly Word[],
): (Found & { readonly period: 'early' | 'late' }) | undefined {
  const plain = words.map((word) => word.text);
  for (let at = 0; at < plain.length; at += 1) {
    const { period, end } = periodAt(plain, at);
    if (period === undefined) continue;
    const isEarly = period === 'morning';
    return { value: options[isEarly ? 0 : 1], period: isEarly ? 'early' : 'late', start: at, end };
  }
  return undefined;
}

/** What a number behind it counts: `ادفعها كلها مرة وحدة`. */
const COUNTS = set('مره دفعه جلسه times');

/** `خمسة وعشرين نوفمبر`, `the 5 of May`. */
function isDate(plain: readonly string[], at: number): boolean {
  const end = readCardinal(plain, at)?.end;
  return end !== undefined && MONTHS.has(plain[plain[end] === 'of' ? end + 1 : end] ?? '');
}

function timesIn(words: readonly Word[], context: SlotContext): { found?: Found; unclear?: UnclearHour } {
  const plain = teensJoined(
    words.map(({ text }) => withoutHourArticle(withoutProclitics(text, (bare) => CLOCK_WORDS.has(bare)))),
  );
  const { constraints } = context.definition;
  let fallback: Found | undefined;
  let unclear: UnclearHour | undefined;
  for (let at = 0; at < plain.length; at += 1) {
    const read = readNamed(plain, at) ?? readWritten(plain, at) ?? readPast(plain, at) ?? readSpoken(plain, at);
    if (
      !read ||
      read.hour > 47 ||
      COUNTED.has(plain[read.end] ?? '') ||
      COUNTS.has(plain[at - 1] ?? '') ||
      isDate(plain, at)
    ) {
      const number = readCardinal(plain, at); // ninety nine is not nine
      if (number) at = number.end - 1;
      continue;
    }
    const { period, end } = periodAt(plain, read.end);
    const before = period === undefined && at > 0 ? periodBefore(plain, at) : undefined;
    const hour = isNight(read.hour, plain[end - 1])
      ? read.hour % 12
      : settledHour(read, period ?? before, constraints ?? {});
    const start = CLOCK_WORDS.has(plain[at - 1] ?? '') ? at - 1 : at;
    if (isRefusedAt(plain, start)) {
      at = Math.max(at, end - 1);
      continue;
    }
    if (hour === 'unclear') {
      const twelve = read.hour % 12;
      const options = [timeValue(twelve, read.minute), timeValue(twelve + 12, read.minute)] as const;
      if (read.sure || context.asked) unclear ??= { options, start, end };
      at = Math.max(at, read.end - 1);
      continue;
    }
    if (hour > 23) continue;
    const found = { value: timeValue(hour, read.minute), start, end };
    const told = period ?? (before !== undefined && periodAt(plain, at - 1).period !== undefined ? before : undefined); // العصر ثلاث
    if (read.sure || told !== undefined || (context.held && read.hour <= 12 && isPut(plain, start))) return { found };
    if (context.asked && read.hour >= 1) fallback ??= found;
    at = Math.max(at, read.end - 1);
  }
  return { ...(fallback && { found: fallback }), ...(unclear && { unclear }) };
}

/** Put in the place of an hour that is held: `make it five`, `خليها خمسة`. */
const PUTS = set('خلها خليها خله خليه خلوها خلوه نخليها نخليه حطها حطيها حطه حطيه يبقي');
const MAKES = /(?:^| )(?:make|move|put|change|push|bring) (?:it|that) (?:to |for )?$/;
function isPut(plain: readonly string[], start: number): boolean {
  return PUTS.has(plain[start - 1] ?? '') || MAKES.test(`${plain.slice(Math.max(0, start - 3), start).join(' ')} `);
}

/** The hour on a 24-hour clock: by the words, else by the opening hours, else as an hour of the day. */
function settledHour({ hour, minute }: ReadTime, period: Period, open: HourRange): number | 'unclear' {
  if (hour >= 24) return hour - 24;
  const isOpen = open.from !== undefined || open.to !== undefined;
  if (period !== undefined || !isOpen || hour < 1 || hour > 12) return toDayHour(hour, period);
  const fitting = [hour % 12, (hour % 12) + 12].filter((one) => isWithin(one * 60 + minute, open));
  if (fitting.length === 2) return 'unclear';
  return fitting[0] ?? toDayHour(hour, period);
}

/** `العصر الساعة ثلاث`, `in the afternoon at four`. */
function periodBefore(words: readonly string[], at: number): Period {
  for (let i = at - 1; i >= Math.max(0, at - 3); i -= 1) {
    const { period } = periodAt(words.slice(i, i + 1), 0);
    const isApart = EARLY.has(words[i]!) && !words.slice(i + 1, at).every((word) => CLOCK_WORDS.has(word));
    if (period !== undefined && words[i] !== 'م' && words[i] !== 'ص' && !isApart) return period;
  }
  return undefined;
}
