import { localTime } from '../core/time-zone.ts';

/** When people may be called, by their own clock. `from` is the first minute, `to` the first one that is too late. */
export interface CallingHours {
  readonly from: string; // 09:00
  readonly to: string; // 21:00, 24:00
  readonly days: readonly string[]; // sun, mon ...
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** Every day of a week, and the hour that a change of the clock may cost each. */
const STEPS_MAX = 20;
const SHIFT_MINUTES_MAX = 120;

const minutesLater = (at: Date, minutes: number): Date =>
  new Date((Math.floor(at.getTime() / MINUTE_MS) + minutes) * MINUTE_MS);
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * @returns `at` where people may be called then, else the next moment at which they may; undefined where there is none, for
 *   no day is left.
 */
export function nextCallingTime(at: Date, timeZone: string, hours: CallingHours): Date | undefined {
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  if (from >= to) return undefined;
  let moment = at;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const { day, minute } = localTime(moment, timeZone);
    const open = hours.days.includes(day);
    if (open && minute >= from && minute < to) return moment;
    const target = open && minute < from ? from : DAY_MINUTES;
    moment = minutesLater(moment, target - minute);
    const over = localTime(moment, timeZone).minute - (target % DAY_MINUTES);
    if (over > 0 && over <= SHIFT_MINUTES_MAX) moment = minutesLater(moment, -over); // The clock was put forward meanwhile.
  }
  return undefined;
}

/** The moment at which the day of `at` began there. */
export function startOfDay(at: Date, timeZone: string): Date {
  const { minute } = localTime(at, timeZone);
  const began = minutesLater(at, -minute);
  const { minute: off } = localTime(began, timeZone); // Not midnight where the clock was changed since.
  if (off === 0) return began;
  const shift = off > DAY_MINUTES / 2 ? DAY_MINUTES - off : -off;
  return minutesLater(began, shift);
}
