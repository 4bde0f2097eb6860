/** A value of a day and of what it is made of. */
export interface DayValue {
  readonly day: string; // 2026-01-31
  readonly kind: string;
  readonly value: number; // >= 0
}

export interface DayStack {
  readonly day: string;
  readonly total: number;
  /** From the ground up; what is nothing is left out. */
  readonly parts: readonly { readonly kind: string; readonly value: number; readonly from: number }[];
}

/** Every one of `days` in its order, each kind at the same height of the stack; what is of no such day or kind is left out. */
export function stackDays(
  values: readonly DayValue[],
  days: readonly string[],
  kinds: readonly string[],
): readonly DayStack[] {
  const sums = new Map<string, Map<string, number>>(days.map((day) => [day, new Map<string, number>()]));
  for (const { day, kind, value } of values) {
    const ofDay = sums.get(day);
    ofDay?.set(kind, (ofDay.get(kind) ?? 0) + value);
  }
  return days.map((day) => {
    let total = 0;
    const parts = kinds.flatMap((kind) => {
      const value = sums.get(day)!.get(kind) ?? 0;
      if (value <= 0) return [];
      const part = { kind, value, from: total };
      total += value;
      return [part];
    });
    return { day, total, parts };
  });
}

/** Kinds with what they come to, the largest first. */
export function totalsOf(values: readonly DayValue[]): readonly { readonly kind: string; readonly total: number }[] {
  const sums = new Map<string, number>();
  for (const { kind, value } of values) sums.set(kind, (sums.get(kind) ?? 0) + value);
  return [...sums].map(([kind, total]) => ({ kind, total })).sort((a, b) => b.total - a.total);
}

/**
 * Round steps from nothing to the first that is not below `max`: 1, 2 or 5 of a power of ten apart, `count` of them at most.
 *
 * @param least - they are no closer than this, a power of ten.
 */
export function roundSteps(max: number, count: number, least = 0): readonly number[] {
  if (!(max > 0)) return [0];
  const rough = Math.max(least, max / count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough)!;
  return Array.from({ length: Math.ceil(max / step - 1e-9) + 1 }, (_, index) => index * step);
}

/** The last `count` days up to `today`, in their order. */
export function daysUntil(today: string, count: number): readonly string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}

export const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** The day that it is at a moment in a time zone. */
export function dayIn(timeZone: string, atMs: number): string {
  const { year, month, day } = clockIn(timeZone, atMs);
  return `${year}-${month}-${day}`;
}

/** When a day begins in a time zone; where clocks jump over midnight, the first moment after it. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offsetAt = (atMs: number): number => {
    const { year, month, day: date, hour, minute, second } = clockIn(timeZone, atMs);
    return Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`) - atMs;
  };
  const first = midnight - offsetAt(midnight);
  const at = midnight - offsetAt(first);
  return new Date(dayIn(timeZone, at) === day ? at : first);
}

type Field = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';
function clockIn(timeZone: string, atMs: number): Record<Field, string> {
  const two = '2-digit';
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
  });
  const whole = Math.floor(atMs / 1_000) * 1_000;
  return Object.fromEntries(format.formatToParts(whole).map(({ type, value }) => [type, value])) as Record<
    Field,
    string
  >;
}
