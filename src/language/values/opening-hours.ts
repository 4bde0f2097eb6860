/** A part of the day, both ends as `HH:MM`: `from` belongs to it, `to` does not. Past midnight where `from` is later. */
export interface HourRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const CLOCK = /^(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/;
const MINUTES_OF_DAY = 1_440;

/** Minutes since midnight, 0..1440; undefined where it is no `HH:MM`. */
export function minutesOf(clock: string): number | undefined {
  const match = CLOCK.exec(clock);
  if (!match) return undefined;
  return match[1] === undefined ? MINUTES_OF_DAY : Number(match[1]) * 60 + Number(match[2]);
}

/** Whether a minute of the day, 0..1439, is within a range; everything is within one without ends. */
export function isWithin(minute: number, { from, to }: HourRange): boolean {
  const first = minutesOf(from ?? '') ?? 0;
  const end = minutesOf(to ?? '') ?? MINUTES_OF_DAY;
  return first <= end ? minute >= first && minute < end : minute >= first || minute < end;
}
