import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import type { Noun } from '../../../language/nouns.ts';
import { arabicCounted } from './arabic-counting.ts';
import { englishCardinal, englishDigits } from './english-number.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

const list = listsOf('engines/text/normalize/data/read-duration.tsv');

/** `02:35 minutes`, `1:45 hours`, `01:20:05 ساعة`. */
const DURATION =
  /(\d{1,3}):([0-5]\d)(?::([0-5]\d))?\s?(?:(minutes?|mins?|دقيق[ةه]|دقائق)|hours?|hrs?|ساع[ةه]|ساعات)(?![\p{L}\p{N}])/uy;
/** `42:15` is no time of day: minutes and seconds. */
const LONG_RUN = /(\d{2,3}):([0-5]\d)(?!\d|[:.]\d)/y;
const HOURS_OF_DAY = 24;
/** After these hours and minutes are a stretch of time; elsewhere `14:35 hrs` is a time of day. */
const LASTING = foldedSet(...list('lasting'));
/** As subjects these leave what follows in the nominative. */
const NOMINATIVE_AFTER = foldedSet('المدة مدته مدتها');
const CLOCK = foldedSet('الساعة الساعه at');
/** What lasts minutes, and what lasts hours: `مدة المكالمة 3:25`, `مدة الرحلة 2:30`. */
const SHORT_THINGS = foldedSet(
  'المكالمة المقطع الفيديو التسجيل الحلقة الأغنية الإعلان الصوتي مكالمة مقطع فيديو تسجيل حلقة أغنية إعلان',
);
const LONG_THINGS = foldedSet(
  'الرحلة السفر الفيلم الاجتماع المحاضرة الدورة العملية الاختبار الامتحان التوقف الانتظار الترانزيت رحلة سفر فيلم اجتماع محاضرة اختبار توقف انتظار',
);
const LENGTH = foldedSet('مدة المدة مدتها مدته طول');
const PLAIN_RUN = /(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?!\d|[:.]\d|\s?[صم](?![ء-ي]))/y;

type Part = readonly [en: string, ar: Noun];
const HOUR: Part = ['hour', { singular: 'ساعة', plural: 'ساعات', gender: 'f' }];
const MINUTE: Part = ['minute', { singular: 'دقيقة', plural: 'دقائق', gender: 'f' }];
const SECOND: Part = ['second', { singular: 'ثانية', plural: 'ثوان', gender: 'f' }];

/** `1h15m`, `2h30`, `3m20s`, `2d 4h`: letters of falling units, the first directly behind its number. */
const GLUED =
  /(\d{1,3})(d|h(?:rs?)?|m(?:ins?)?)\s?(\d{1,2})(h(?:rs?)?|m(?:ins?)?|s(?:ecs?)?)?(?:\s?(\d{1,2})(m(?:ins?)?|s(?:ecs?)?))?(?![\p{L}\p{N}])/uy;
const LETTERS = 'dhms';
const LETTER_NAMES = ['day', 'hour', 'minute', 'second'];

/** A stretch of time with glued letters in English text. */
export function readGluedDuration(scan: Scan, at: number): Classified | undefined {
  GLUED.lastIndex = at;
  const found = GLUED.exec(scan.text);
  if (found === null) return undefined;
  const units = [found[2], found[4] ?? (found[2]!.startsWith('h') ? 'm' : ''), found[6]];
  const parts = [found[1], found[3], found[5]].flatMap((digits, index) =>
    digits === undefined ? [] : [{ value: Number(digits), unit: LETTERS.indexOf(units[index]![0] ?? '?') }],
  );
  if (parts.some(({ unit }, index) => unit <= (parts[index - 1]?.unit ?? -1))) return undefined;
  const words = parts.map(({ value, unit }) => englishCount(value, LETTER_NAMES[unit]!)).join(' ');
  return { token: { kind: 'words', words }, start: at, end: at + found[0].length };
}

/** A stretch of time written with colons and the unit of its first part. */
export function readDuration(scan: Scan, at: number): Classified | undefined {
  DURATION.lastIndex = at;
  const found = DURATION.exec(scan.text);
  if (found === null) return namedRun(scan, at) ?? longRun(scan, at) ?? clockedTime(scan, at);

  if (ARABIC_HOURS.test(found[0])) return spoken(scan, at, found, false); // a time of day would follow الساعة
  const minutes = found[4] !== undefined && found[3] === undefined;
  if (!minutes && !scan.leftIn(at, LASTING, 3)) return undefined;
  return spoken(scan, at, found, minutes);
}

const ARABIC_HOURS = /ساع[ةه]$|ساعات$/u;

/** `مدة المكالمة 3:25`: the thing that lasts tells minutes from hours. */
function namedRun(scan: Scan, at: number): Classified | undefined {
  const near = scan.leftIn(at, LENGTH, 3) && !scan.leftIn(at, CLOCK, 1);
  const short = near && scan.leftIn(at, SHORT_THINGS, 2);
  if (!short && !(near && scan.leftIn(at, LONG_THINGS, 2))) return undefined;
  PLAIN_RUN.lastIndex = at;
  const found = PLAIN_RUN.exec(scan.text);
  return found === null ? undefined : spoken(scan, at, found, short && found[3] === undefined);
}

const CLOCKED = /(?:(\d{1,2}):([0-5]\d):([0-5]\d)|(\d{1,2}):([0-5]\d)\.(\d{1,3}))(?![\d:.]\d|\d)/y;
const CLOCKED_BEHIND = /^ (?:marathon|time|long|record|run|video|film|clip|recording)\b/;

/** `1:45:30` beside a word of lasting, `1:23.456`: hours, minutes and seconds in English text. */
function clockedTime(scan: Scan, at: number): Classified | undefined {
  CLOCKED.lastIndex = at;
  const found = scan.language === 'en' ? CLOCKED.exec(scan.text) : null;
  if (found === null) return undefined;
  const end = at + found[0].length;
  if (found[6] !== undefined) {
    const seconds = `${englishCardinal(Number(found[5]))} point ${englishDigits(found[6])} seconds`;
    return classified(
      { kind: 'words', words: `${english({ value: Number(found[4]), part: MINUTE })} ${seconds}` },
      at,
      end,
    );
  }
  if (!scan.leftIn(at, LASTING, 1) && !CLOCKED_BEHIND.test(scan.text.slice(end, end + 12))) return undefined;
  const parts = [HOUR, MINUTE, SECOND].map((part, index) => ({ part, value: Number(found[index + 1]) }));
  const said = parts.filter(({ value }) => value > 0).map(english);
  return said.length === 0 ? undefined : classified({ kind: 'words', words: said.join(' ') }, at, end);
}

function longRun(scan: Scan, at: number): Classified | undefined {
  LONG_RUN.lastIndex = at;
  const found = LONG_RUN.exec(scan.text);
  if (found === null || Number(found[1]) <= HOURS_OF_DAY) return undefined;
  return spoken(scan, at, found, true);
}

function spoken(scan: Scan, at: number, found: RegExpExecArray, minutes: boolean): Classified | undefined {
  const values = [found[1], found[2], found[3]].map((digits) => Number(digits ?? 0));
  const parts = (minutes ? [MINUTE, SECOND] : [HOUR, MINUTE, SECOND])
    .map((part, index) => ({ part, value: values[index]! }))
    .filter(({ value }) => value > 0);
  if (parts.length === 0) return undefined;
  const oblique = scan.leftIn(at, LASTING, 1) && !scan.leftIn(at, NOMINATIVE_AFTER, 1);
  const words =
    scan.language === 'ar'
      ? parts.map((one, index) => arabic(one, index, parts.length, oblique)).join(' و')
      : parts.map(english).join(' and ');
  return { token: { kind: 'words', words }, start: at, end: at + found[0].length };
}

interface Stretch {
  readonly part: Part;
  readonly value: number;
}

function english({ value, part: [name] }: Stretch): string {
  return englishCount(value, name);
}

function englishCount(value: number, name: string): string {
  return `${englishCardinal(value)} ${name}${value === 1 ? '' : 's'}`;
}

/** ساعة ونصف, دقيقتان وربع: one goes without its number before another part, halves and quarters have names. */
function arabic({ value, part: [, noun] }: Stretch, index: number, count: number, oblique: boolean): string {
  if (value === 1 && index === 0 && count > 1) return noun.singular;
  const name = index === 1 && count === 2 ? QUARTERS.get(value) : undefined;
  return name ?? arabicCounted({ digits: String(value) }, noun, oblique);
}

/** Of sixty minutes or seconds. */
const QUARTERS: ReadonlyMap<number, string> = new Map([
  [15, 'ربع'],
  [30, 'نصف'],
]);
