import { type SlotConstraints, type SlotDefinition, WEEK_DAYS } from '../../core/agent.ts';
import type { CalendarDay } from '../calendar/calendar.ts';
import {
  addDays,
  dateValue,
  dayOf,
  daysBetween,
  isBefore,
  lastDayOf,
  weekdayNames,
  weekdayOf,
} from '../calendar/calendar.ts';
import { monthNames } from '../calendar/day-names.ts';
import { isWithin, minutesOf } from './opening-hours.ts';
import type { Refusal } from './refusal.ts';
import { NEAR_DAYS } from './refusal-phrases.ts';
import { type SlotValue, same } from './slot.ts';
import { timeValue } from './time.ts';

/** When a value is judged. */
export interface ValidationMoment {
  readonly today: CalendarDay;
  readonly minuteOfDay: number; // 0..1439, now, in the agent's time zone
  /** The day that a time or a part of the day is for, where it is known. */
  readonly day?: CalendarDay;
}

/** Days that are searched for one that is open. */
const SEARCHED_DAYS = 400;

/**
 * Whether a value may stand, by what its slot demands; undefined: it may. Dates keep to days, lead time and closed days, times
 * and parts of the day to opening hours and, on the day they are for, to the present; identifiers to their length. Pure.
 */
export function validate(definition: SlotDefinition, value: SlotValue, at: ValidationMoment): Refusal | undefined {
  switch (definition.type) {
    case 'date':
      return refusedDate(definition.constraints, value.value, at);
    case 'time':
      return refusedTime(definition.constraints ?? {}, value.value, at);
    case 'choice':
      return refusedChoice(definition, value.value, at);
    case 'digits':
      return refusedDigits(definition, value.value);
    default:
      return undefined;
  }
}

function refusedDate(
  rules: SlotConstraints | undefined,
  iso: string,
  { today }: ValidationMoment,
): Refusal | undefined {
  const day = dayOf(iso);
  if (day === undefined) return noSuchDay(iso);
  if (rules === undefined) return undefined; // a day of birth is past
  if (isBefore(day, today)) return { kind: 'past', say: {} };
  const ahead = daysBetween(today, day);
  if (ahead < (rules.earliestDays ?? 0)) {
    const first = nearestOpen(rules, today, rules.earliestDays ?? 0, 1);
    return first === undefined ? closedOn(rules, day, today) : { kind: 'too-early', say: { day: first } };
  }
  if (ahead > (rules.latestDays ?? Infinity)) {
    const last = nearestOpen(rules, today, rules.latestDays ?? 0, -1);
    return { kind: 'too-late', say: { day: last ?? dateValue(addDays(today, rules.latestDays ?? 0), today).say } };
  }
  return closedOn(rules, day, today);
}

function closedOn(rules: SlotConstraints, day: CalendarDay, today: CalendarDay): Refusal | undefined {
  if (rules.closed?.includes(dateValue(day, today).value))
    return { kind: 'closed-day', say: { day: dateValue(day, today).say } };
  const weekday = weekdayOf(day);
  if (rules.days === undefined || rules.days.includes(WEEK_DAYS[weekday]!)) return undefined;
  return { kind: 'closed-weekday', say: { weekday: weekdayNames(weekday) } };
}

/** The first open day from `ahead` days on, forwards or backwards, as it is said. */
function nearestOpen(
  rules: SlotConstraints,
  today: CalendarDay,
  ahead: number,
  step: 1 | -1,
): SlotValue['say'] | undefined {
  for (let days = ahead; days >= 0 && Math.abs(days - ahead) <= SEARCHED_DAYS; days += step) {
    const day = addDays(today, days);
    if (closedOn(rules, day, today) === undefined) return NEAR_DAYS[days] ?? dateValue(day, today).say;
  }
  return undefined;
}

/** An ISO day that the calendar does not have: its month's length is named where there is such a month. */
function noSuchDay(iso: string): Refusal {
  const [year, month] = iso.split('-').map(Number);
  const isMonth = month !== undefined && month >= 1 && month <= 12;
  return shortMonth(isMonth ? month : 1, isMonth && year ? lastDayOf(year, month) : 31);
}

/** `February has only 28 days`: `month` 1..12. */
export function shortMonth(month: number, days: number, calendar: 'gregorian' | 'hijri' = 'gregorian'): Refusal {
  return { kind: 'no-such-day', say: { month: monthNames(month, calendar), days: same(String(days)) } };
}

function refusedTime(rules: SlotConstraints, clock: string, at: ValidationMoment): Refusal | undefined {
  const minute = minutesOf(clock);
  if (minute === undefined || minute >= 1_440) return { kind: 'no-such-time', say: {} };
  const { from, to } = rules;
  if (!isWithin(minute, rules)) {
    const say = { from: sayTime(from ?? '00:00'), to: sayTime(to ?? '24:00') };
    return { kind: to === undefined ? 'before-opening' : from === undefined ? 'after-closing' : 'closed-hour', say };
  }
  return isOver(minute, at) ? { kind: 'past', say: {} } : undefined;
}

function refusedChoice(definition: SlotDefinition, value: string, at: ValidationMoment): Refusal | undefined {
  const choice = definition.choices?.find((one) => one.value === value);
  if (choice === undefined) return { kind: 'no-such-choice', say: {} };
  const end = choice.hours && (minutesOf(choice.hours.to) ?? 0);
  const endsToday = choice.hours !== undefined && (minutesOf(choice.hours.from) ?? 0) < (end ?? 0);
  return endsToday && isOver((end ?? 0) - 1, at) ? { kind: 'past', say: {} } : undefined;
}

/** Whether a minute of the day it is for is gone. */
function isOver(minute: number, { today, minuteOfDay, day }: ValidationMoment): boolean {
  if (day === undefined) return false;
  return isBefore(day, today) || (daysBetween(today, day) === 0 && minute <= minuteOfDay);
}

function refusedDigits({ minDigits, maxDigits }: SlotDefinition, digits: string): Refusal | undefined {
  const fits = /^\d+$/.test(digits) && digits.length >= (minDigits ?? 1) && digits.length <= (maxDigits ?? 64);
  if (fits) return undefined;
  const bounds = [...new Set([minDigits, maxDigits])].filter((one) => one !== undefined);
  return { kind: 'wrong-length', say: { digits: { en: bounds.join(' to '), ar: bounds.join(' إلى ') } } };
}

function sayTime(clock: string): SlotValue['say'] {
  const minutes = (minutesOf(clock) ?? 0) % 1_440;
  return timeValue(Math.floor(minutes / 60), minutes % 60).say;
}
