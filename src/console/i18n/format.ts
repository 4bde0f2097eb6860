import type { Preferences } from './preferences.ts';

/** Times, numbers and money as the person reads them. Times come as ISO 8601 in UTC, money as whole US cents. */
export interface Format {
  number(value: number, options?: Intl.NumberFormatOptions): string;
  percent(share: number, digits?: number): string;
  /** `signed`: what is added has a plus. */
  money(cents: number, signed?: boolean): string;
  dateTime(iso: string): string;
  day(iso: string): string;
  /** Without the year: `26 Nov`. */
  dayOfYear(iso: string): string;
  /** `Thu`. */
  weekday(iso: string): string;
  time(iso: string): string;
  /** `4 minutes ago`. */
  ago(iso: string, nowMs: number): string;
  /** A length as `1:05` or `1:02:03`, of milliseconds. */
  clock(ms: number, digits?: number): string;
  /** A short span: `430 ms`, `1.2 s`. */
  span(ms: number): string;
  bytes(count: number): string;
  list(items: readonly string[]): string;
}

/** LEFT-TO-RIGHT ISOLATE and its end (UAX #9 §2.2). */
const [LTR, END] = ['\u2066', '\u2069'];
const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function formatOf({ language, digits, calendar, timeZone }: Preferences): Format {
  const locale = language === 'ar' ? `ar-SA-u-ca-${calendar}-nu-${digits}` : `en-GB-u-ca-${calendar}-nu-latn`;
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    return (iso: string): string => format.format(new Date(iso));
  };
  const plain = new Intl.NumberFormat(locale);
  const two = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, useGrouping: false });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const dollars = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' });
  const clockTime = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false } as const;
  const unit = (value: number, name: string, fraction = 0): string =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: fraction,
    }).format(value);
  return {
    number: (value, options) => (options ? new Intl.NumberFormat(locale, options).format(value) : plain.format(value)),
    percent: (share, fraction = 0) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: fraction }).format(share),
    // Sign, currency and digits in one order in both directions: as its own piece it cannot be torn apart by Arabic beside it.
    money: (cents, signed = false) =>
      `${LTR}${cents < 0 ? '-' : signed && cents > 0 ? '+' : ''}$${dollars.format(Math.abs(cents) / 100)}${END}`,
    dateTime: date({ day: 'numeric', month: 'short', year: 'numeric', ...clockTime }),
    day: date({ day: 'numeric', month: 'short', year: 'numeric' }),
    dayOfYear: date({ day: 'numeric', month: 'short' }),
    weekday: date({ weekday: 'short' }),
    time: date(clockTime),
    ago: (iso, nowMs) => {
      const seconds = Math.round((Date.parse(iso) - nowMs) / 1_000);
      const [name, length] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
      return relative.format(Math.trunc(seconds / length), name);
    },
    clock: (ms, fraction = 0) => {
      const seconds = Math.max(0, ms) / 1_000;
      const whole = Math.floor(seconds);
      const [h, m, s] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
      const tail = fraction > 0 ? `.${plain.format(Math.floor((seconds - whole) * 10 ** fraction))}` : '';
      return `${h > 0 ? `${plain.format(h)}:${two.format(m)}` : plain.format(m)}:${two.format(s)}${tail}`;
    },
    span: (ms) => (Math.abs(ms) < 1_000 ? unit(Math.round(ms), 'millisecond') : unit(ms / 1_000, 'second', 1)),
    bytes: (count) => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
      const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
      return unit(count / 1_000 ** step, units[step]!, step > 0 ? 1 : 0);
    },
    list: (items) => conjunction.format(items),
  };
}
